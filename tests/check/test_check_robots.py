"""Every robot passes the checks that users' own must pass; broken ones fail the right one."""

from __future__ import annotations

from pathlib import Path

import pytest
from checking import assert_all_hold, assert_fault, wrong

from navproof.check.robots import check_robot
from navproof.core.types import Motion, Pose
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.robots import ROBOTS

FINE = {"name": '"mine"', "radius_m": "0.2", "height_m": "1.3"}


def robot(folder: Path, **fields: object) -> str:
    path = folder / "mine.toml"
    lines = FINE | {name: str(value) for name, value in fields.items()}
    path.write_text("\n".join(f"{name} = {value}" for name, value in lines.items()))
    return str(path)


@pytest.mark.parametrize("name", ROBOTS.built_in())
def test_built_in(name: str) -> None:
    assert_all_hold(check_robot(name))


@pytest.mark.parametrize(
    ("fields", "failing", "says"),
    [
        ({}, "", ""),
        ({"radius_m": 0.6}, "fits through a door", "1.2 m wide, it"),
        ({"camera_m": 1.5}, "cameras are on its body", "1.5 m on a body of 1.3 m"),
        ({"forward_m": 7.5}, "a step is a step", "forward_m is 7.5"),
        ({"turn_deg": 170}, "reaches a goal", "m from the goal"),
        ({"radius": 0.2}, "loads", "did you mean 'radius_m'"),
    ],
)
def test_each_fault_is_found(
    tmp_path: Path, fields: dict[str, float], failing: str, says: str
) -> None:
    assert_fault(wrong(check_robot(robot(tmp_path, **fields))), failing, says)


def test_a_low_robot_without_cameras_of_its_own_is_told(tmp_path: Path) -> None:
    checks = {c.name: c for c in check_robot(robot(tmp_path, height_m=0.4))}
    assert checks["cameras are on its body"].ok is None
    assert "set camera_m" in checks["cameras are on its body"].what


@pytest.mark.parametrize(
    ("change", "failing"),
    [
        (lambda m: Motion(Pose(m.pose.x, m.pose.y, 0.0, m.pose.yaw + 0.1), False, 0.0), "a turn"),
        (lambda m: Motion(m.pose, m.collided, m.moved_m, True), "a step"),
        (lambda m: Motion(m.pose, False, m.moved_m), "stops"),
        (lambda m: Motion(m.pose, m.collided, m.moved_m + 0.2), "keeps"),
    ],
)
def test_bodies_that_move_otherwise_are_found(
    monkeypatch: pytest.MonkeyPatch, change: object, failing: str
) -> None:
    """No file can say so: the simulator is bent for it."""
    apply = EmbeddedSimulator.apply

    def bent(self: EmbeddedSimulator, *arguments: object) -> Motion:
        return change(apply(self, *arguments))  # type: ignore[operator,arg-type,no-any-return]

    monkeypatch.setattr(EmbeddedSimulator, "apply", bent)
    assert any(name.startswith(failing) for name in wrong(check_robot("carter")))
