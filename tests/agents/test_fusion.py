"""Target-centric fusion, in numbers that can be worked out by hand."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from navproof.agents.search.fusion import SUSPICION, FusedSightings, Fusion
from navproof.agents.search.sightings import Sighting
from navproof.core.types import Camera, Pose, Remembered

CAMERA = Camera(64, 64, 90.0, 1.0)
HERE = Pose(0.0, 0.0)


def spots(x: float, count: int, y: float = 0.0) -> np.ndarray:
    """Points in ``count`` cells of 10 cm, from (x, y) on."""
    return np.array([[x + 0.05 + 0.1 * i, y + 0.05] for i in range(count)])


def seen(label: str, score: float, where: np.ndarray, step: int = 0) -> Sighting:
    x, y = where.mean(axis=0)
    return Sighting(label, (score,), (float(x), float(y), 1.0), where, step, 2.0)


def fused(fusion: Fusion = "target", similarity: float = 0.0) -> FusedSightings:
    objects = FusedSightings(fusion, 0.3, 5.0, SimpleNamespace(latest=similarity))
    objects.ask("mug", ("vase",))
    return objects


def confidence(objects: FusedSightings, label: str = "mug") -> float:
    return objects.of(label)[0].steady


@pytest.mark.parametrize(
    ("fusion", "expected"), [("target", (2 * 0.9 + 6 * 0.5) / 8), ("max", 0.9), ("last", 0.5)]
)
def test_scores_of_one_object_are_fused_by_what_they_show(fusion: Fusion, expected: float) -> None:
    objects = fused(fusion)
    objects.add(seen("mug", 0.9, spots(2.0, 2)))
    assert confidence(objects) == pytest.approx(0.9 * SUSPICION)  # once is not enough
    objects.add(seen("mug", 0.5, spots(2.0, 6)))
    assert confidence(objects) == pytest.approx(expected)
    assert len(objects.of("mug")) == 1


def test_what_does_not_touch_is_another_object() -> None:
    objects = fused()
    for x in (2.0, 2.2, 2.6):  # cells 20 and 21, then 22 beside them, then 26
        objects.add(seen("mug", 0.9, spots(x, 2)))
    assert len(objects.of("mug")) == 2


def test_the_label_with_most_evidence_has_the_object() -> None:
    objects = fused()
    for _ in range(2):
        objects.add(seen("mug", 0.6, spots(2.0, 2)))
        objects.add(seen("vase", 0.8, spots(2.0, 2)))
    assert confidence(objects, "vase") == pytest.approx(0.8)
    assert confidence(objects, "mug") == pytest.approx(0.6 * SUSPICION)
    assert [thing.label for thing in objects.remembered()] == ["vase"]
    for _ in range(3):
        objects.add(seen("mug", 0.6, spots(2.0, 2)))
    assert confidence(objects, "mug") == pytest.approx(0.6)
    assert [thing.label for thing in objects.remembered()] == ["mug"]


def test_the_goal_before_competes_no_more() -> None:
    """What is on the desk that was found first is at the same place of the floor plan."""
    objects = fused()
    objects.ask("desk", ())
    for _ in range(3):
        objects.add(seen("desk", 0.9, spots(2.0, 8)))
    objects.ask("mug", ("vase",))
    for _ in range(2):
        objects.add(seen("mug", 0.6, spots(2.2, 2)))
    assert confidence(objects) == pytest.approx(0.6)
    assert [thing.label for thing in objects.remembered()] == ["mug"]
    objects.ask("desk", ())
    assert confidence(objects, "desk") == pytest.approx(0.9)


def test_a_score_below_the_least_is_no_detection() -> None:
    objects = fused()
    objects.add(seen("mug", 0.29, spots(2.0, 2)))
    assert objects.all() == ()


def wall(distance_m: float) -> np.ndarray:
    """The depth of a wall across the view, a metre high in its middle."""
    return np.full((64, 64), distance_m, np.float32)


def test_what_is_looked_at_in_vain_is_believed_less() -> None:
    """The object stands where the wall is seen, at the camera's height: two of its cells are."""
    objects = fused(similarity=0.1)
    where = np.array([[2.05, -0.05], [2.05, 0.05]])
    for _ in range(2):
        objects.add(seen("mug", 0.9, where))
        objects.add(seen("vase", 0.5, where))
    objects.viewed(wall(2.05), CAMERA, HERE)  # detected in this step: nothing changes
    assert confidence(objects) == pytest.approx(0.9)
    objects.viewed(wall(2.05), CAMERA, HERE)
    assert confidence(objects) == pytest.approx((4 * 0.9 + 2 * 0.1) / 6)
    assert confidence(objects, "vase") == pytest.approx(4 * 0.5 / 6 * SUSPICION)
    before = confidence(objects)
    for depth, pose in ((wall(3.5), HERE), (wall(2.05), Pose(0.0, 0.0, 0.0, 2.0))):
        objects.viewed(depth, CAMERA, pose)  # something behind it, or another view
    assert confidence(objects) == before
    objects.viewed(wall(2.05), Camera(64, 64, 20.0, 2.5), HERE)  # far above it
    assert confidence(objects) == before


@pytest.mark.parametrize("fusion", ["max", "last"])
def test_the_ablations_do_not_heed_what_is_looked_at_in_vain(fusion: Fusion) -> None:
    objects = fused(fusion)
    where = np.array([[2.05, -0.05], [2.05, 0.05]])
    for _ in range(2):
        objects.add(seen("mug", 0.9, where))
    for _ in range(2):
        objects.viewed(wall(2.05), CAMERA, HERE)
    assert confidence(objects) == pytest.approx(0.9)


def test_what_it_is_made_to_hold_is_certain() -> None:
    objects = fused()
    outline = spots(2.0, 4)
    for _ in range(2):
        objects.add(seen("vase", 0.9, outline))
    objects.hold([Remembered("mug", (1.0, 1.0, 0.8), 5), Remembered("vase", (2.2, 0.0, 1.0), 6)])
    assert objects.of("mug")[0].steady == 1.0
    assert objects.of("mug")[0].position == (1.0, 1.0, 0.8)
    np.testing.assert_array_equal(objects.of("vase")[0].spots, outline)  # known nearby
    assert {(t.label, t.step) for t in objects.remembered()} == {("mug", 5), ("vase", 6)}
