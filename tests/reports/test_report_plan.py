"""The plan: metres land where they should; goals, paths and ends are told apart."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from sample_run import make_trace

from navproof.core.types import Goal, Pose
from navproof.reports.draw.plan import Backdrop, Walk, plan_svg, view_of
from navproof.testing import tiny_scene


def of_class(root: ET.Element, name: str) -> list[ET.Element]:
    return [e for e in root.iter() if name in e.get("class", "").split()]


def drawn(walks: list[Walk], **changes: object) -> ET.Element:
    trace = make_trace("direct", "objectnav-v1", 0)
    e = trace.episode
    settings: dict[str, object] = {"scene": tiny_scene(), "goals": e.goals, "backdrop": None}
    settings |= changes
    svg = plan_svg(
        settings["scene"],  # type: ignore[arg-type]
        e.start,
        settings["goals"],  # type: ignore[arg-type]
        e.reference_path,
        walks,
        0.5,
        "a plan",
        settings["backdrop"],  # type: ignore[arg-type]
    )
    return ET.fromstring(svg)


def test_view_keeps_proportions_with_y_up() -> None:
    view = view_of([(0.0, 0.0), (4.0, 2.0)], margin_m=0.0)
    assert view(0.0, 2.0) == (0.0, 0.0)
    assert view(4.0, 0.0) == pytest.approx((view.width, view.height))
    assert view.width / view.height == pytest.approx(2.0)


def test_rooms_things_doors_and_viewpoints_are_there() -> None:
    root = drawn([])
    assert root.get("aria-label") == "a plan"
    assert len(of_class(root, "room")) == 2
    assert len(of_class(root, "thing")) == 3
    assert len(of_class(root, "wanted")) == 1
    assert len(of_class(root, "opening")) == 1
    assert len(of_class(root, "viewpoint")) == 8
    assert {e.text for e in of_class(root, "room-name")} == {"living room", "bedroom"}


def test_a_path_has_one_point_per_step_and_a_failure_ends_hollow() -> None:
    poses = tuple(Pose(-3 + 0.25 * i, 2.0, 0.0, 0.0) for i in range(9))
    walks = [Walk("a", 0, poses, True, (0, 4, 8)), Walk("b", 1, poses[:5], False)]
    root = drawn(walks)
    first, second = of_class(root, "walk")
    pointer = of_class(first, "pointer")[0]
    path = of_class(first, "path")[0].get("points", "").split()
    assert len(path) == len(poses)
    assert len(pointer.get("data-yaw", "").split()) == len(poses)
    assert len(of_class(first, "stop")) == 1  # the ends have marks of their own
    assert not of_class(first, "hollow")
    assert of_class(second, "hollow")
    points = [tuple(map(float, p.split(","))) for p in path]
    assert points[0][0] < points[-1][0]
    assert len({y for _, y in points}) == 1


def test_a_point_goal_has_a_ring_at_the_success_distance() -> None:
    goal = Goal("point", ((2.0, 2.0, 0.0),))
    root = drawn([], goals=(goal,))
    ring = of_class(root, "near")[0]
    wide = float(root.get("viewBox", "").split()[2])
    assert float(ring.get("r", "nan")) == pytest.approx(0.5 * wide / 8.7, rel=1e-3)
    assert len(of_class(root, "target")) == 2


def test_without_a_scene_the_paths_are_still_drawn() -> None:
    poses = (Pose(0, 0), Pose(1, 1))
    root = drawn([Walk("a", 0, poses, True)], scene=None)
    assert not of_class(root, "room")
    assert of_class(root, "path")
    behind = Backdrop("data:image/png;base64,AA==", -5.0, 5.0, 10.0, 10.0)
    root = drawn([Walk("a", 0, poses, True)], scene=None, backdrop=behind)
    assert any(e.tag.endswith("image") for e in root.iter())
