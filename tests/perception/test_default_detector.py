"""The default detector: boxes, scores, masks, and that it finds what it is asked for."""

from __future__ import annotations

import numpy as np
import pytest

from navproof.core.errors import PerceptionError
from navproof.core.types import Camera, Frame, Pose
from navproof.perception.detector import DefaultDetector
from navproof.sim.render.render import Renderer
from navproof.world.library import load_scene
from navproof.world.scene import Scene


@pytest.fixture(scope="module")
def detector() -> DefaultDetector:
    return DefaultDetector()


@pytest.fixture(scope="module")
def home() -> Scene:
    return load_scene("home/val/1")


@pytest.fixture(scope="module")
def views(home: Scene) -> list[Frame]:
    renderer, camera = Renderer(home), Camera(height_m=1.25)
    found = []
    for room in home.rooms[:6]:
        x, y = np.mean(room.polygon, axis=0)
        for yaw in np.arange(4) * np.pi / 2:
            found.append(renderer.render(camera, Pose(float(x), float(y), 0.0, float(yaw))))
    return found


def iou(a: np.ndarray, b: np.ndarray) -> float:
    low, high = np.maximum(a[:2], b[:2]), np.minimum(a[2:], b[2:])
    shared = np.prod(np.clip(high - low, 0, None))
    return float(shared / (np.prod(a[2:] - a[:2]) + np.prod(b[2:] - b[:2]) - shared))


def test_large_things_are_found_and_outlined(
    detector: DefaultDetector, home: Scene, views: list[Frame]
) -> None:
    found = tries = 0
    overlaps = []
    for frame in views:
        ids, counts = np.unique(frame.instances, return_counts=True)
        for i, n in zip(ids, counts, strict=True):
            if i < 10 or n < 2500:
                continue
            rows, cols = np.nonzero(frame.instances == i)
            truth = np.array([cols.min(), rows.min(), cols.max() + 1, rows.max() + 1], float)
            seen = detector.detect(frame.rgb, [home.labels[int(i)]])
            best = max(range(len(seen)), key=lambda k: iou(seen.boxes[k], truth), default=None)
            tries += 1
            if best is not None and iou(seen.boxes[best], truth) >= 0.5:
                found += 1
                mask = frame.instances == i
                overlaps.append((seen.masks[best] & mask).sum() / (seen.masks[best] | mask).sum())
    assert tries >= 15
    assert found / tries >= 0.75
    assert np.median(overlaps) >= 0.6


def test_answers_are_in_order_and_inside_the_image(
    detector: DefaultDetector, views: list[Frame]
) -> None:
    queries = ["door", "window", "a chair", "the red sofa"]
    rgb = np.repeat(np.repeat(views[0].rgb, 2, 0), 3, 1)  # 512×768
    seen = detector.detect(rgb, queries)
    assert len(seen) == len(seen.boxes) == len(seen.queries) == len(seen.masks)
    assert (np.diff(seen.scores) <= 0).all()
    assert ((seen.scores >= detector.min_score) & (seen.scores <= 1)).all()
    assert seen.masks.shape[1:] == (512, 768)
    assert set(seen.queries) <= set(range(len(queries)))
    for box, mask in zip(seen.boxes, seen.masks, strict=True):
        assert 0 <= box[0] < box[2] <= 768
        assert 0 <= box[1] < box[3] <= 512
        rows, cols = np.nonzero(mask)
        assert rows.min() >= np.floor(box[1])
        assert rows.max() <= np.ceil(box[3])
        assert cols.min() >= np.floor(box[0])
        assert cols.max() <= np.ceil(box[2])


def test_boxes_of_one_query_do_not_overlap_much(
    detector: DefaultDetector, views: list[Frame]
) -> None:
    for frame in views[:8]:
        seen = detector.detect(frame.rgb, ["furniture", "window"])
        for i in range(len(seen)):
            for j in range(i):
                if seen.queries[i] == seen.queries[j]:
                    assert iou(seen.boxes[i], seen.boxes[j]) <= 0.65


def test_it_repeats_itself(detector: DefaultDetector, views: list[Frame]) -> None:
    first = detector.detect(views[1].rgb, ["chair", "table"])
    again = DefaultDetector().detect(views[1].rgb.copy(), ["chair", "table"])
    assert np.array_equal(first.boxes, again.boxes)
    assert np.array_equal(first.scores, again.scores)
    assert np.array_equal(first.masks, again.masks)


def test_nothing_asked_nothing_found(detector: DefaultDetector, views: list[Frame]) -> None:
    seen = detector.detect(views[0].rgb, [])
    assert len(seen) == 0
    assert seen.masks.shape == (0, 256, 256)


def test_odd_input_is_one_line(detector: DefaultDetector) -> None:
    with pytest.raises(PerceptionError, match="words"):
        detector.detect(np.zeros((64, 64, 3), np.uint8), [" "])
    with pytest.raises(PerceptionError, match="uint8"):
        detector.detect(np.zeros((64, 64, 3)), ["chair"])
