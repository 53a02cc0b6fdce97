"""The shape of the house: imports go one way, light rooms stay light, public names are pinned."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "navproof"

# A room may import from rooms of a lower rank, and from itself.
RANK = {
    "core": 0,
    "types": 1,
    "wordings": 1,
    "world": 1,
    "testing": 2,
    "sim": 2,
    "language": 3,
    "sensors": 4,
    "tasks": 5,
    "log": 1,
    "metrics": 5,
    "perception": 4,
    "corruptions": 4,
    "agents": 6,
    "play": 7,
    "gym": 8,
    "runner": 8,
    "train": 8,
    "check": 9,
    "diagnosis": 9,
    "verification": 9,
    "reports": 10,
    "api": 11,
    "cli": 12,
}
# What may be reached beyond the ranks: (importer, imported), with the reason.
ALLOWED = {
    ("sensors", "tasks"): "sensors see the task only through its protocol",
    ("sensors", "corruptions"): "a sensor may have a condition of its own",
}
FORBIDDEN = {
    "metrics": {"sim", "world", "play", "agents", "tasks"},
    "log": {"sim", "world", "play", "agents"},
}
LIGHT = {"core", "world", "sim", "sensors", "language", "types"}
HEAVY = {"pydantic", "gymnasium", "mujoco", "torch", "matplotlib", "pandas"}


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


MODULES = sorted(p for p in SOURCE.rglob("*.py") if p != SOURCE / "__init__.py")


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_go_one_way(path: Path) -> None:
    room = room_of(path)
    assert room in RANK, f"{room} has no place in the order of imports"
    for name in imports(path):
        parts = name.split(".")
        if parts[0] != "navproof" or len(parts) < 2 or parts[1] not in RANK:
            continue
        other = parts[1]
        if other == room or (room, other) in ALLOWED:
            continue
        assert other not in FORBIDDEN.get(room, set()), f"{room} must never import {other}"
        assert RANK[other] < RANK[room], f"{room} imports {other}, which stands above it"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_private_modules_stay_in_their_folder(path: Path) -> None:
    here = ("navproof", *path.relative_to(SOURCE).parts[:-1])
    for name in imports(path):
        parts = tuple(name.split("."))
        private = [i for i, part in enumerate(parts) if part[0] == "_" and part[:2] != "__"]
        if parts[0] == "navproof" and private:
            assert here[: private[0]] == parts[: private[0]], f"{name} is private to its folder"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_light_rooms_stay_light(path: Path) -> None:
    if room_of(path) in LIGHT:
        assert not {name.split(".")[0] for name in imports(path)} & HEAVY


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(SOURCE)))
def test_no_file_grows_past_600_lines(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 600


FOLDERS = sorted({path.parent for path in MODULES})


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: str(p.relative_to(SOURCE)))
def test_no_folder_holds_more_than_25_modules(folder: Path) -> None:
    assert len(list(folder.glob("*.py"))) <= 26  # with its __init__
    assert (folder / "__init__.py").exists()


def test_help_does_not_load_the_engine() -> None:
    code = (
        "import sys, navproof.cli.main as m; "
        "print(sorted({'numba', 'cv2', 'pyarrow', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_two_tests_have_one_name() -> None:
    """pytest imports test modules by their bare names: the second of a name is not collected."""
    names = [path.name for path in Path(__file__).parent.rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))
