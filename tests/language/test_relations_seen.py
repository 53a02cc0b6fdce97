"""Left and right as they are seen: pictures taken by somebody who faces the anchor."""

from __future__ import annotations

import math

import numpy as np
import pytest

from navproof.core.types import Camera, Pose
from navproof.language.lexicon.relations import Verdict, judge
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks.specs import spec_for
from navproof.world.library import load_scene
from navproof.world.scene import SceneObject


def facing(sim: EmbeddedSimulator, anchor: SceneObject, back_m: float) -> np.ndarray:
    """Instances seen from before the anchor's front, looking at it."""
    box = anchor.box
    away = box.size[0] / 2 + back_m
    x = box.centre[0] + away * math.cos(box.yaw)
    y = box.centre[1] + away * math.sin(box.yaw)
    # the robot stays where it stands; the camera is moved
    pose = sim.pose
    camera = Camera(
        width=160,
        height=120,
        hfov_deg=110.0,
        height_m=1.4,
        forward_m=x - pose.x,
        left_m=y - pose.y,
        pitch_deg=-20.0,
        yaw_deg=math.degrees(box.yaw) + 180.0,
    )
    return sim.render(camera, colour=False).instances


@pytest.mark.parametrize("ref", ["home/val/3", "home/val/0"])
def test_what_is_said_to_be_left_appears_to_the_left(ref):
    scene = load_scene(ref)
    sim = EmbeddedSimulator()
    sim.load(scene, spec_for("objectnav-v1").robot)
    start = sim.random_point(np.random.default_rng(0))
    sim.place(Pose(*start, 0.0))
    seen = {"left of": 0, "right of": 0}
    for anchor in scene.objects:
        beside = [
            (relation, thing)
            for relation in seen
            for thing in scene.objects
            if judge(relation, thing, [anchor]) is Verdict.YES
        ]
        if not beside:
            continue
        view = facing(sim, anchor, 1.0)
        for relation, thing in beside:
            columns = {o.id: np.nonzero(view == o.id)[1] for o in (thing, anchor)}
            if min(len(c) for c in columns.values()) < 30:
                continue  # hidden by something, or behind the wall that the picture is taken in
            offset = columns[thing.id].mean() - columns[anchor.id].mean()
            assert (offset < 0) == (relation == "left of"), (relation, thing, anchor)
            seen[relation] += 1
    assert min(seen.values()) >= 5
