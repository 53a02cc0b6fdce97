"""Guide and reference of corruptions say what the catalogue says."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

from navproof.corruptions.condition import parse_condition
from navproof.corruptions.navtrust import MIXED
from navproof.corruptions.registry import CORRUPTIONS

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("guides/corruptions.md", "reference/corruptions.md")
TEXT = "\n".join((DOCS / page).read_text(encoding="utf-8") for page in PAGES)


def test_every_corruption_is_in_the_tables() -> None:
    for entry in CORRUPTIONS.values():
        row = f"| `{entry.name}` | {entry.default:g} | {entry.stands_for} | {entry.source} |"
        assert row in TEXT, row
    assert f"{len(CORRUPTIONS)} ways" in TEXT
    assert all(f"`{name}`" in TEXT for name in MIXED)


def test_functions_are_called_as_the_docs_say() -> None:
    told = dict(re.findall(r"`(\w+)` is `(instruction\.\w+)`", TEXT))
    assert sorted(told) == ["mask_100", "mask_50"]
    for entry in CORRUPTIONS.values():
        if entry.family != "body":
            usual = f"{entry.family}.{entry.name.removeprefix('depth_')}"
            module, function = told.get(entry.name, usual).split(".")
            assert callable(getattr(import_module(f"navproof.corruptions.{module}"), function))


def test_the_conditions_of_the_table_exist() -> None:
    table = TEXT[TEXT.index("| text | means |") :].split("\n\n")[0]
    written = re.findall(r"^\| `([^`]+)`", table, re.M)
    assert len(written) == 5
    assert [parse_condition(text).name for text in written] == written


def test_the_picture_is_there_and_small() -> None:
    (picture,) = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", TEXT)
    assert 50_000 < (DOCS / "guides" / picture).stat().st_size < 600_000
