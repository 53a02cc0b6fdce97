"""Robots as files: what comes with navproof, one's own, and files that cannot be used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from navproof.core.errors import SpecError, UnknownNameError
from navproof.core.types import Gait, Robot
from navproof.sim import robots
from navproof.sim.motion.stability import sharpest_m_s2
from navproof.sim.robots import ROBOTS, load_robot, register_robot, robot_names
from navproof.tasks import TASKS

MADE_FOR = TASKS.get("mission-v1").robots
OWN = """
name = "own"
radius_m = 0.2
height_m = 1
max_speed_m_s = 0.5
"""
WALKS = """
acceleration_m_s2 = 1.0
turn_acceleration_rad_s2 = 2.0
[gait]
stride_m = 0.6
[balance]
height_m = 0.8
ahead_m = 0.1
behind_m = 0.1
side_m = 0.1
recovery_s = 0.3
fall_pitch_deg = 35.0
fall_roll_deg = 15.0
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "own.toml"
    path.write_text(text)
    return path


def test_three_robots_come_with_navproof() -> None:
    assert ROBOTS.built_in() == robot_names() == MADE_FOR == ("aliengo", "carter", "h1")
    carter, aliengo, h1 = (load_robot(name) for name in ("carter", "aliengo", "h1"))
    assert (carter.wheel_radius_m, carter.wheel_base_m) == (0.24, 0.54)
    assert carter.gait is None
    assert carter.balance is None
    assert (aliengo.camera_standing_m, h1.camera_standing_m) == (0.52, 1.47)
    balance = h1.balance
    assert balance is not None
    assert (balance.fall_pitch_deg, balance.fall_roll_deg, balance.fall_leg_m) == (35.0, 15.0, 0.5)


def test_walking_robots_of_their_own_accord_stay_inside_what_their_feet_bear() -> None:
    for name in ("aliengo", "h1"):
        robot = load_robot(name)
        b = robot.balance
        assert b is not None
        least = min(b.ahead_m, b.behind_m, b.side_m)
        assert robot.gentle_m_s2 < sharpest_m_s2(b, least)


@pytest.mark.parametrize("name", ["carter", "aliengo", "h1"])
def test_every_number_of_a_shipped_robot_has_its_source(name: str) -> None:
    from navproof.sim import robots

    text = (Path(robots.__file__).parent / "bodies" / f"{name}.toml").read_text()
    for line in text.splitlines():
        if "=" in line and not line.startswith(("#", "name")):
            assert any(f"# [{s}]" in line for s in "OUVN"), line


def test_a_robot_of_ones_own_is_a_file(tmp_path: Path) -> None:
    path = written(tmp_path, OWN)
    assert load_robot(path) == Robot("own", 0.2, 1.0, max_speed_m_s=0.5)
    assert load_robot(str(path)) == load_robot(path)
    walker = load_robot(written(tmp_path, OWN + WALKS))
    assert walker.gait == Gait(0.6)
    assert walker.balance is not None
    assert walker.balance.height_m == 0.8


@pytest.mark.parametrize(
    ("text", "field", "why"),
    [
        (OWN.replace("radius_m = 0.2", ""), "radius_m", "is missing"),
        (OWN.replace("0.2", "'wide'"), "radius_m", "must be a number"),
        (OWN.replace("0.2", "true"), "radius_m", "must be a number"),
        (OWN.replace("0.2", "-0.2"), "radius_m", "greater than 0"),
        (OWN.replace("0.2", "nan"), "radius_m", "greater than 0"),
        (OWN.replace("0.2", "20"), "radius_m", "at most 5"),
        (OWN.replace("0.2", "1e-9"), "radius_m", "must be at least 0.001"),
        (OWN.replace("0.2", "1e400"), "radius_m", "greater than 0"),
        (OWN.replace("0.5", "0.001") + "forward_m = 2.0\n", "forward_m", "may take 2,000 s"),
        (OWN + "max_turn_rad_s = 0.001\nturn_deg = 90\n", "turn_deg", "may take 1,571 s"),
        (OWN.replace("radius_m", "radius"), "radius", "did you mean"),
        (OWN.replace('"own"', "3"), "name", "must be a name"),
        (OWN + "sliding = 1\n", "sliding", "true or false"),
        (OWN + "gait = 3\n", "gait", "must be a table"),
        (OWN + "acceleration_m_s2 = 1.0\n", "turn_acceleration_rad_s2", "greater than 0"),
        (OWN + "turn_acceleration_rad_s2 = 1.0\n", "acceleration_m_s2", "greater than 0"),
        (OWN + "gentle_m_s2 = 1.0\n", "gentle_m_s2", "at most"),
        (OWN + WALKS.replace("stride_m = 0.6", ""), "gait.stride_m", "is missing"),
        (OWN + WALKS.replace("0.6", "0"), "gait.stride_m", "greater than 0"),
        (OWN + WALKS.replace("35.0", "90.0"), "balance.fall_pitch_deg", "at most 89"),
        (OWN + WALKS.replace("side_m", "wide_m"), "balance.wide_m", "unknown"),
        (OWN + WALKS + "fall_leg_m = 0.5\n", "balance.fall_leg_m", "at most balance.leg_m"),
        (OWN + WALKS.split("[gait]")[1].join(["[gait]", ""]), "acceleration_m_s2", "balance"),
    ],
)
def test_a_bad_file_is_told_in_one_line_with_its_field(
    tmp_path: Path, text: str, field: str, why: str
) -> None:
    path = written(tmp_path, text)
    with pytest.raises(SpecError) as told:
        load_robot(path)
    line = str(told.value)
    assert str(path) in line
    assert f"field '{field}'" in line
    assert why in line
    assert "\n" not in line


def test_files_that_are_none_and_names_that_nobody_has(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="cannot be read"):
        load_robot(tmp_path / "absent.toml")
    with pytest.raises(SpecError, match="is not TOML"):
        load_robot(written(tmp_path, "name = "))
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(SpecError, match="UTF-8"):
        load_robot(tmp_path / "bytes.toml")
    with pytest.raises(UnknownNameError, match="carter"):
        load_robot("cartr")


def test_a_robot_is_a_value_or_a_function_in_a_file(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from navproof.core.types import Robot\n"
        "TALL = Robot('tall', 1, 2)\n"
        "def small():\n    return Robot('small', 0.1, 0.2)\n"
        "def broken():\n    return 1 / 0\n"
        "def none():\n    pass\n"
        "WIDE = Robot('wide', -1.0, 2.0)\n"
    )
    tall = load_robot(f"{mine}:TALL")
    assert tall == Robot("tall", 1.0, 2.0)
    assert isinstance(tall.radius_m, float)
    assert load_robot(f"{mine}:small") == Robot("small", 0.1, 0.2)
    origin = ROBOTS.origin(f"{mine}:TALL")
    assert origin is not None
    assert len(origin.digest) == 12
    for name, says in (
        ("broken", "could not be made: ZeroDivisionError"),
        ("none", "returns a NoneType, not a Robot"),
        ("WIDE", "field 'radius_m' must be greater than 0"),
        ("LOW", "has no 'LOW'"),
    ):
        with pytest.raises(SpecError, match=says) as told:
            load_robot(f"{mine}:{name}")
        assert "\n" not in str(told.value)


def test_a_registered_robot_is_known_by_its_name_and_missions_are_not_made_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for held in (ROBOTS._things, ROBOTS._registered):
        monkeypatch.setattr(ROBOTS, next(n for n, v in vars(ROBOTS).items() if v is held), {**held})
    robot = register_robot("spot", Robot("spot", 0.3, 0.6))
    assert load_robot("spot") is robot
    assert "spot" in robot_names()
    assert "spot" not in MADE_FOR
    with pytest.raises(SpecError, match="navproof has its own robot 'carter'"):
        register_robot("carter", robot)
    with pytest.raises(SpecError, match="robot 'b' is a int, not a Robot"):
        register_robot("b", 3)  # type: ignore[arg-type]


def test_no_robot_goes_by_the_name_of_another(tmp_path: Path) -> None:
    body = (Path(robots.__file__).parent / "bodies" / "carter.toml").read_text()
    same, other = tmp_path / "same.toml", tmp_path / "other.toml"
    same.write_text(body)
    other.write_text(re.sub(r"(?m)^radius_m = .*$", "radius_m = 0.11", body))
    assert load_robot(same) == load_robot("carter")
    with pytest.raises(SpecError, match="calls itself 'carter', as one of navproof's does"):
        load_robot(other)
