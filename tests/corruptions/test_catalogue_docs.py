"""``docs/corruptions.md`` says what the catalogue says, and its examples run."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from navproof.corruptions.condition import parse_condition
from navproof.corruptions.navtrust import MIXED
from navproof.corruptions.registry import CORRUPTIONS

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "corruptions.md").read_text(encoding="utf-8")


class Room(gymnasium.Env[Any, Any]):
    """Shows a grey room."""

    observation_space = spaces.Dict(
        {
            "camera": spaces.Box(0, 255, (24, 32, 3), np.uint8),
            "depth": spaces.Box(0.0, 10.0, (24, 32), np.float32),
        }
    )
    action_space = spaces.Discrete(2)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        image, depth = np.full((24, 32, 3), 90, np.uint8), np.full((24, 32), 2.0, np.float32)
        return {"camera": image, "depth": depth}, {}


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


def test_the_examples_run() -> None:
    blocks = re.findall(r"```python\n(.*?)```", TEXT, re.S)
    assert len(blocks) == 5
    images = np.random.default_rng(0).integers(0, 256, (3, 24, 32, 3), dtype=np.uint8)
    depths = np.random.default_rng(0).uniform(0.5, 9.0, (3, 24, 32)).astype(np.float32)
    names: dict[str, Any] = {
        "image": images[0],
        "metres": depths[0],
        "video": list(images),
        "images": images,
        "depths": depths,
        "your_env": Room(),
    }
    for block in blocks:
        exec(block, names)
    assert names["blurred"].shape == images[0].shape
    assert names["noisy"].shape == depths[0].shape
    assert names["said"] != "Walk past the sofa and turn left."
    assert len(names["frames"]) == 3
    assert names["together"].shape == images.shape
    assert names["ranges"].shape == depths.shape
    assert len(names["heard"]) == 2
    assert not np.array_equal(names["observation"]["camera"], np.full((24, 32, 3), 90))
    assert not np.array_equal(names["seen"], images[0])
    assert not np.array_equal(names["measured"], depths[0])


def test_the_conditions_of_the_table_exist() -> None:
    table = TEXT[TEXT.index("| text | means |") :].split("\n\n")[0]
    written = re.findall(r"^\| `([^`]+)`", table, re.M)
    assert len(written) == 5
    assert [parse_condition(text).name for text in written] == written


def test_the_picture_is_there_and_small() -> None:
    (picture,) = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", TEXT)
    assert 50_000 < (DOCS / picture).stat().st_size < 600_000
