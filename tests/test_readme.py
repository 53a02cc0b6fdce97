"""README is short, its links lead somewhere, and what cites or packages navproof agrees with it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import navproof

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PAGES = [
    *ROOT.glob("*.md"),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "design").glob("*.md")),
]


def test_readme_is_short() -> None:
    assert len(README.split()) <= 700
    assert [line for line in README.splitlines() if len(line) > 120] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_to_files(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text):
        if not target.startswith(("http:", "https:", "mailto:")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def citation() -> dict[str, str]:
    """The fields of CITATION.cff that stand on one line."""
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    return {key: value.strip('"') for key, value in re.findall(r"^([\w-]+): (.+)$", text, re.M)}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_modules_that_pages_name_are_there(page: Path) -> None:
    """``room/module.py`` of the package, or a path of the project."""
    text = page.read_text(encoding="utf-8")
    if page.name == "CHANGELOG.md":  # what has gone is named there
        return
    named = re.findall(r"`([a-z_]+(?:/[\w.-]+)+\.py)`", text)
    package = ROOT / "src" / "navproof"
    missing = [
        path
        for path in named
        if not any((top / path).is_file() for top in (ROOT, ROOT / "src", package))
    ]
    assert missing == []


def test_the_citation_has_the_fields_of_its_format_and_says_what_the_project_says() -> None:
    fields = citation()
    assert fields["cff-version"] == "1.2.0"
    assert {"message", "title", "version", "date-released", "license", "type"} <= fields.keys()
    assert "authors:\n  - name:" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", fields["date-released"])
    assert fields["license"] == PROJECT["license"]
    assert fields["repository-code"] == PROJECT["urls"]["Source"]


def test_version_and_date_are_those_of_the_newest_changes() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## (\d+\.\d+\.\d+) \((\d{4}-\d{2}-\d{2})\)$", changes, re.M)
    assert versions[0] == (citation()["version"], citation()["date-released"])
    assert versions[0][0] == navproof.__version__
    assert versions == sorted(versions, reverse=True)


def test_supported_systems_are_those_of_the_package() -> None:
    pythons = sorted(
        (
            name.rpartition(" ")[2]
            for name in PROJECT["classifiers"]
            if re.search(r":: 3\.\d", name)
        ),
        key=lambda version: int(version.partition(".")[2]),
    )
    assert f"Python {pythons[0]} to {pythons[-1]}" in README
    systems = [name for name in PROJECT["classifiers"] if name.startswith("Operating System")]
    assert len(systems) == 2
    assert "Linux and macOS" in README
    assert PROJECT["requires-python"] == f">={pythons[0]}"


def test_the_container_runs_navproof_without_rights() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    assert 'ENTRYPOINT ["navproof"]' in lines
    user = lines.index("USER navproof")
    assert user < lines.index('ENTRYPOINT ["navproof"]')
    copied = [word for line in lines if line.startswith("COPY") for word in line.split()[1:-1]]
    assert all((ROOT / path).exists() for path in copied)
    base = next(line for line in lines if line.startswith("FROM"))
    python = re.search(r"python:(3)\.(\d+)", base)
    assert python is not None
    assert any(f"constraints/py{python[1]}{python[2]}.txt" in line for line in lines)
