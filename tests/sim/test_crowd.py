"""People in the simulator: seen, in the way, the same on replay."""

from __future__ import annotations

import math
import pickle
import time
from dataclasses import replace

import numpy as np
import pytest
from render_helpers import ray_cast, triangle_scene

from navproof.core.errors import EpisodeError
from navproof.core.types import (
    FIRST_PERSON_ID,
    Camera,
    Frame,
    Move,
    Pose,
    Robot,
    Velocity,
    Walk,
)
from navproof.sim.camera import project, unproject
from navproof.sim.embedded import EmbeddedSimulator
from navproof.testing import tiny_scene
from navproof.world.people.bodies import body_of
from navproof.world.people.people import PERSON_RADIUS_M, where

SCENE = tiny_scene()
ROBOT = Robot("disc", 0.2, 1.2, sliding=False)
SLIDER = replace(ROBOT, sliding=True)
REACH = 0.2 + PERSON_RADIUS_M
CAMERA = Camera(128, 128, 90.0, height_m=1.0)
STILL = Velocity(0.0, 0.0)
WALKER = Walk("p1", "red_jacket", ((1.0, 2.0, 0), (3.0, 2.0, 1.0), (3.0, 3.0, 0)))
OTHER = Walk("p2", "blue_jumper", ((3.0, 1.0, 0), (1.0, 1.0, 0)))


def simulator(*people: Walk, robot: Robot = ROBOT, at: Pose, **how: bool) -> EmbeddedSimulator:
    sim = EmbeddedSimulator()
    sim.load(SCENE, robot, people, **how)
    sim.place(at)
    return sim


def gap(sim: EmbeddedSimulator) -> float:
    return min(math.hypot(p.pose.x - sim.pose.x, p.pose.y - sim.pose.y) for p in sim.people())


def same(one: Frame, other: Frame) -> bool:
    return all(
        np.array_equal(getattr(one, k), getattr(other, k)) for k in ("rgb", "depth", "instances")
    )


# ------------------------------------------------------------------------------------------ time
def test_people_keep_to_their_schedule() -> None:
    sim = simulator(WALKER, OTHER, at=Pose(-2.0, 1.0))
    assert [p.person for p in sim.people()] == ["p1", "p2"]
    for _ in range(25):
        sim.apply(STILL)
        assert sim.people() == (where(WALKER, sim.time_s), where(OTHER, sim.time_s))
    assert sim.time_s == pytest.approx(2.5)
    assert not sim.people()[0].moving  # she rests from 2 s to 3 s
    sim.place(Pose(-2.0, 1.0))
    assert sim.people()[0].pose.x == 1.0


def test_replay_gives_the_same_bytes() -> None:
    def run() -> list[Frame]:
        sim = simulator(WALKER, OTHER, at=Pose(0.6, 1.4))
        frames = []
        for k in range(12):
            sim.apply(Velocity(0.5, 0.3) if k % 3 else Move.LEFT)
            frames.append(sim.render(CAMERA))
        return frames

    assert all(same(a, b) for a, b in zip(run(), run(), strict=True))


@pytest.mark.parametrize("reacting", [False, True])
def test_a_snapshot_is_exact(reacting: bool) -> None:
    sim = simulator(WALKER, OTHER, at=Pose(0.8, 1.5), reacting=reacting)
    for _ in range(7):
        sim.apply(Velocity(0.6, 0.2))
    kept = pickle.loads(pickle.dumps(sim.snapshot()))
    again = EmbeddedSimulator()
    again.load(SCENE, ROBOT)
    again.restore(kept)
    assert again.people() == sim.people()
    assert same(again.render(CAMERA), sim.render(CAMERA))
    for _ in range(10):
        assert again.apply(Velocity(0.6, -0.2)) == sim.apply(Velocity(0.6, -0.2))
        assert again.people() == sim.people()


# -------------------------------------------------------------------------------------- contacts
def test_a_robot_stops_at_a_person() -> None:
    stands = Walk("p1", "red_jacket", ((2.0, 2.0, 0),))
    sim = simulator(stands, at=Pose(1.0, 2.0))
    hits = [sim.apply(Velocity(1.0, 0.0)) for _ in range(10)]
    assert sim.pose.x == pytest.approx(2.0 - REACH, abs=0.03)
    assert sim.pose.y == pytest.approx(2.0, abs=1e-6)
    assert [m.collided for m in hits] == [k >= 5 for k in range(10)]
    assert gap(sim) >= REACH - 1e-6
    assert sum(m.moved_m for m in hits) == pytest.approx(sim.pose.x - 1.0, abs=0.02)


def test_a_discrete_step_does_not_jump_over_a_person() -> None:
    stands = Walk("p1", "red_jacket", ((2.0, 2.0, 0),))
    sim = simulator(stands, robot=replace(ROBOT, forward_m=1.5), at=Pose(1.2, 2.0))
    motion = sim.apply(Move.FORWARD)
    assert motion.collided
    assert motion.pose.x == pytest.approx(2.0 - REACH, abs=0.05)


def test_a_sliding_robot_gets_round_a_person() -> None:
    stands = Walk("p1", "red_jacket", ((2.0, 2.0, 0),))
    sim = simulator(stands, robot=SLIDER, at=Pose(1.0, 2.15))
    touched = False
    for _ in range(30):
        touched |= sim.apply(Velocity(0.8, 0.0)).collided
        assert gap(sim) >= REACH - 1e-6
    assert touched
    assert sim.pose.x > 2.4


def test_a_person_pushes_a_standing_robot_aside() -> None:
    sim = simulator(Walk("p1", "red_jacket", ((1.0, 2.0, 0), (3.0, 2.0, 0))), at=Pose(2.0, 2.1))
    touched = []
    for _ in range(25):
        touched.append(sim.apply(STILL).collided)
        assert gap(sim) >= REACH - 0.005
        assert sim.is_navigable(sim.pose.point)
    assert any(touched)
    assert not touched[0]
    assert sim.people()[0].pose.x == 3.0  # she was not held up
    assert sim.pose.y > 2.1


def test_a_robot_with_a_wall_behind_it_is_never_pushed_into_the_wall() -> None:
    walk = Walk("p1", "red_jacket", ((1.0, 2.0, 0), (3.7, 2.0, 0)))
    sim = simulator(walk, robot=SLIDER, at=Pose(3.7, 2.0))
    touched = False
    for _ in range(40):
        before = sim.pose
        touched |= sim.apply(STILL).collided
        assert sim.is_navigable(sim.pose.point)
        assert math.hypot(sim.pose.x - before.x, sim.pose.y - before.y) < 0.25  # no leaps
    assert touched


def test_who_is_not_touched_changes_no_bit_of_the_motion() -> None:
    commands = [Velocity(0.7, 0.4)] * 8 + [Move.LEFT, Move.FORWARD, Move.RIGHT]
    alone = simulator(at=Pose(-3.0, 1.0))
    among = simulator(WALKER, OTHER, at=Pose(-3.0, 1.0))
    assert [alone.apply(c) for c in commands] == [among.apply(c) for c in commands]
    assert same(alone.render(CAMERA), among.render(CAMERA)) == (
        (among.render(CAMERA).instances < FIRST_PERSON_ID).all()
    )


# ------------------------------------------------------------------------------------------ sight
def test_people_are_seen_where_they_are() -> None:
    sim = simulator(WALKER, OTHER, at=Pose(0.5, 2.0))
    for _ in range(8):
        sim.apply(STILL)
    frame = sim.render(CAMERA)
    for number, person in enumerate(sim.people()):
        seen = frame.instances == FIRST_PERSON_ID + number
        assert seen.sum() > 50
        points = unproject(CAMERA, sim.pose, frame.depth)[seen]
        body = body_of(person.appearance).mesh(person, FIRST_PERSON_ID + number).vertices
        low, high = body.min(axis=0), body.max(axis=0)
        assert (points >= low - 0.01).all()
        assert (points <= high + 0.01).all()
        near = np.sqrt(((points[:, None] - body[None]) ** 2).sum(axis=2)).min(axis=1)
        assert near.max() < 0.2
        pixels = project(CAMERA, sim.pose, body)
        rows, columns = np.nonzero(seen)
        assert rows.min() + 0.5 == pytest.approx(pixels[:, 1].min(), abs=1.5)
        assert columns.max() + 0.5 == pytest.approx(pixels[:, 0].max(), abs=1.5)


def test_depth_is_that_of_rays_cast_at_the_body() -> None:
    sim = simulator(WALKER, at=Pose(0.5, 1.6))
    for _ in range(5):
        sim.apply(STILL)
    camera = Camera(48, 48, 80.0, height_m=1.0)
    frame, (person,) = sim.render(camera), sim.people()
    body = body_of(person.appearance).mesh(person, FIRST_PERSON_ID)
    alone = triangle_scene(body.vertices, body.faces, FIRST_PERSON_ID)
    mesh = replace(alone.geometry, face_two_sided=body.face_two_sided)
    depth, ids, clear = ray_cast(replace(alone, geometry=mesh), camera, sim.pose)
    seen = frame.instances == FIRST_PERSON_ID
    assert seen.sum() > 100
    assert (seen == (ids == FIRST_PERSON_ID))[clear].all()
    assert np.allclose(frame.depth[seen & clear], depth[seen & clear], rtol=1e-5)


def test_a_person_behind_a_wall_is_not_seen() -> None:
    stands = Walk("p1", "red_jacket", ((1.0, 0.8, 0),))
    sim = simulator(stands, at=Pose(-1.0, 0.8))
    assert (sim.render(CAMERA).instances < FIRST_PERSON_ID).all()


def test_depth_and_instances_are_the_same_without_colours() -> None:
    sim = simulator(WALKER, OTHER, at=Pose(0.5, 2.0))
    full, plain = sim.render(CAMERA), sim.render(CAMERA, colour=False)
    assert np.array_equal(full.depth, plain.depth)
    assert np.array_equal(full.instances, plain.instances)


def test_scenes_without_people_are_as_they_were() -> None:
    alone = simulator(at=Pose(0.5, 2.0))
    before = alone.render(CAMERA)
    alone.load(SCENE, ROBOT, (WALKER,))
    alone.place(Pose(0.5, 2.0))
    assert not same(alone.render(CAMERA), before)
    alone.load(SCENE, ROBOT)
    alone.place(Pose(0.5, 2.0))
    assert alone.people() == ()
    assert same(alone.render(CAMERA), before)


def test_somebody_else_in_the_next_episode_is_drawn_as_such() -> None:
    sim = simulator(WALKER, at=Pose(0.5, 2.0))
    red = sim.render(CAMERA)
    sim.load(SCENE, ROBOT, (replace(WALKER, appearance="yellow_dress"),))
    sim.place(Pose(0.5, 2.0))
    yellow = sim.render(CAMERA)
    fresh = simulator(replace(WALKER, appearance="yellow_dress"), at=Pose(0.5, 2.0))
    assert not same(red, yellow)
    assert same(yellow, fresh.render(CAMERA))


def test_bad_people_are_refused() -> None:
    with pytest.raises(EpisodeError, match="no appearance 'nobody'"):
        EmbeddedSimulator().load(SCENE, ROBOT, (replace(WALKER, appearance="nobody"),))


def test_two_people_cost_little() -> None:
    camera, here = Camera(256, 256, 90.0, height_m=1.2), Pose(0.4, 2.0)
    alone, among = simulator(at=here), simulator(WALKER, OTHER, at=here)

    def best_ms(sim: EmbeddedSimulator) -> float:
        took = []
        for _ in range(40):
            sim.apply(Velocity(0.0, 1e-9))
            began = time.perf_counter()
            sim.render(camera)
            took.append(time.perf_counter() - began)
        return 1e3 * min(took)

    best_ms(among)
    assert best_ms(among) - best_ms(alone) < 1.5  # 0.3 on an idle machine
