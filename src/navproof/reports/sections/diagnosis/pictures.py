"""One failure in pictures: what was in view at its source, where the run went, where it goes when
the source is repaired."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from navproof.core.types import Detection, Pose
from navproof.diagnosis.types import Attribution, Evidence
from navproof.log import Trace
from navproof.play.seen import seen
from navproof.reports.draw.frames import Image, Studio, backdrop, encode
from navproof.reports.draw.plan import Walk, plan_svg
from navproof.reports.draw.svg import picture, tag, text
from navproof.reports.sections.trust.pictures import views
from navproof.world.scene import Scene

__all__ = ["Shot", "shots", "way_svg"]

FAILED, REPAIRED = 1, 2
"""The series of the two ways on a plan."""
_SIZE = (256, 74)  # width, JPEG quality
_MOST_BOXES = 12
_OVERLAP = 0.3


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame with its boxes, as SVG."""

    svg: str
    caption: str
    series: int | None = None


def shots(trace: Trace, found: Attribution, scene: Scene) -> tuple[Shot, ...]:
    """The frame that the agent was given at the source, with what it should have seen (solid) and
    what it believed to see (dashed), and the views where both runs ended."""
    studio, pictured = Studio(), [_at_source(trace, found.evidence, found.step, scene)]
    ends: list[tuple[Pose, str, int]] = [
        (trace.poses[-1], "the end of the failed run", FAILED),
        (found.repair.poses[-1], "the end of the repaired run", REPAIRED),
    ]
    for pose, caption, series in ends:
        image = studio.views(scene, trace.spec, [pose], _SIZE[0])[0]
        pictured.append(Shot(_framed(image, caption), caption, series))
    return tuple(pictured)


def way_svg(trace: Trace, found: Attribution, scene: Scene | None) -> str:
    """The plan with the failed way and the repaired one; the source is stop 1."""
    episode, spec = trace.episode, trace.spec
    failed = Walk("failed run", FAILED, trace.poses, success=False, stops=(found.step,))
    repaired = Walk("repaired run", REPAIRED, found.repair.poses, success=True)
    label = (
        f"Floor plan of {episode.scene} with two ways: the failed run, {len(trace.actions)} steps, "
        f"and the run with {found.capability} corrected from step {found.step}, "
        f"{len(found.repair.actions)} steps"
    )
    behind = backdrop(scene) if scene is not None and not scene.rooms else None
    return plan_svg(
        *(scene, episode.start, episode.goals, episode.reference_path, [repaired, failed]),
        *(spec.success_m, label, behind),
    )


def _at_source(trace: Trace, evidence: Evidence, step: int, scene: Scene) -> Shot:
    """With the colours that the agent was given; where it had none, as a camera there sees it."""
    given = dict(views(seen(trace, [step], scene)[0], trace, ("rgb",)))
    caption = f"given at step {step}, the source"
    if "rgb" not in given:
        caption = f"step {step}, the source (the agent was given no colour)"
    image = _at_width(given["rgb"], _SIZE[0]) if "rgb" in given else None
    if image is None:
        image = Studio().views(scene, trace.spec, [trace.poses[step]], _SIZE[0])[0]
    across = next((shown.shape[1] for shown in given.values()), image.shape[1])
    scale = image.shape[1] / across  # boxes are pixels of the frame that was given
    boxes = [_box(d, "box-expected", scale) for d in evidence.expected_seen if d.box is not None]
    boxes += [
        _box(d, "box-believed", scale)
        for d in _telling(evidence.believed_seen, evidence.expected_seen)[:_MOST_BOXES]
    ]
    named = "".join(f"; expected: {d.label}" for d in evidence.expected_seen)
    return Shot(_framed(image, f"step {step}{named}", boxes), caption)


def _at_width(image: Image, width: int) -> Image:
    height = max(1, round(image.shape[0] * width / image.shape[1]))
    small = cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, dtype=np.uint8)


def _telling(believed: Sequence[Detection], expected: Sequence[Detection]) -> list[Detection]:
    """The reports that concern what was expected, first; with none expected, all of them."""
    held = [d for d in believed if d.box is not None]
    names = {d.label for d in expected}
    near = [d for d in held if d.label in names or any(_iou(d, e) >= _OVERLAP for e in expected)]
    return near if expected else held


def _iou(a: Detection, b: Detection) -> float:
    if a.box is None or b.box is None:
        return 0.0
    width = min(a.box[2], b.box[2]) - max(a.box[0], b.box[0])
    height = min(a.box[3], b.box[3]) - max(a.box[1], b.box[1])
    shared = max(0.0, width) * max(0.0, height)
    return shared / max(1e-9, _area(a.box) + _area(b.box) - shared)


def _area(box: tuple[float, float, float, float]) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _box(seen_thing: Detection, style: str, scale: float) -> str:
    assert seen_thing.box is not None
    u0, v0, u1, v1 = (scale * value for value in seen_thing.box)
    expected = style == "box-expected"
    y = max(9.0, v0 - 3.0) if expected else v1 - 3.0
    words = seen_thing.label if expected else f"{seen_thing.label}?"
    return tag(
        "g",
        tag("rect", class_="box-halo", x=u0, y=v0, width=u1 - u0, height=v1 - v0),
        tag("rect", class_=style, x=u0, y=v0, width=u1 - u0, height=v1 - v0),
        text(max(1.0, u0 + 2.0), y, words, class_="box-name"),
    )


def _framed(image: Image, label: str, boxes: Sequence[str] = ()) -> str:
    height, width = image.shape[:2]
    shown = encode(image, *_SIZE)
    back = tag("image", href=shown, x=0, y=0, width=float(width), height=float(height))
    return picture(width, height, f"First-person view, {label}", back, *boxes, class_="shot")
