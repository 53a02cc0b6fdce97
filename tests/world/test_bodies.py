"""Bodies: closed enough, the right height, feet that stay where they stand."""

from __future__ import annotations

import numpy as np
import pytest

from navproof.core.types import Pose, Walk
from navproof.testing import tiny_scene
from navproof.world.people.bodies import LightField, PersonMesh, body_of
from navproof.world.people.people import APPEARANCES, where
from navproof.world.scene import LIGHT_UNIT

NAMES = tuple(APPEARANCES)
HERE = Pose(0.0, 0.0, 0.0, 0.0)
STANCE = 0.6


def soles(mesh: PersonMesh, standing: PersonMesh, left: bool) -> np.ndarray:
    """The vertices that touch the floor when she stands, of one foot."""
    low = (standing.vertices[:, 2] < 1e-4) & ((standing.vertices[:, 1] > 0) == left)
    return mesh.vertices[low].astype(np.float64)


@pytest.mark.parametrize("name", NAMES)
def test_a_body_has_its_size(name: str) -> None:
    look, mesh = APPEARANCES[name], body_of(name).posed(HERE, 0.0, 0.0, 5)
    assert 300 <= len(mesh.faces) <= 850
    assert mesh.vertices[:, 2].min() == pytest.approx(0.0, abs=1e-3)
    assert mesh.vertices[:, 2].max() == pytest.approx(look.height_m, abs=0.07)  # hair
    assert np.abs(mesh.vertices[:, :2]).max() < 0.3
    assert (mesh.face_instance == 5).all()


@pytest.mark.parametrize("name", NAMES)
def test_feet_do_not_slide_while_they_stand(name: str) -> None:
    body, frames = body_of(name), 200
    standing = body.posed(HERE, 0.0, 0.0, 5)
    walk = [
        body.posed(Pose(body.stride_m * k / frames, 0.0), k / frames, 1.0, 5) for k in range(frames)
    ]
    for left, begin in ((True, 0.0), (False, 0.5)):
        places = np.array([soles(mesh, standing, left) for mesh in walk])
        turn = np.roll(places, -round(begin * frames), axis=0)
        last = turn[-round(begin * frames) :] if begin else turn[:0]
        last[:, :, 0] += body.stride_m if begin else 0.0  # the next stride
        stance = turn[: round(STANCE * frames)]
        assert np.abs(stance[:, :, 2].min(axis=1)).max() < 0.004
        touching = (stance[1:, :, 2] < 0.003) & (stance[:-1, :, 2] < 0.003)
        slid = np.hypot(*np.moveaxis(np.diff(stance[:, :, :2], axis=0), 2, 0)) * touching
        assert slid.sum(axis=0).max() < 0.005
        assert turn[:, :, 2].min() > -0.004


def test_limbs_swing_against_each_other() -> None:
    body = body_of("blue_jumper")
    forward = body.posed(HERE, 0.0, 1.0, 5).vertices
    feet = forward[forward[:, 2] < 0.12]
    hands = forward[(forward[:, 2] > 0.75) & (forward[:, 2] < 1.2) & (np.abs(forward[:, 1]) > 0.2)]
    assert feet[feet[:, 1] > 0, 0].mean() > 0.15 > -0.15 > feet[feet[:, 1] < 0, 0].mean()
    assert hands[hands[:, 1] > 0, 0].mean() < hands[hands[:, 1] < 0, 0].mean() - 0.1


def test_the_phase_follows_the_way_walked() -> None:
    body = body_of("red_jacket")
    walk = Walk("p", "red_jacket", ((0, 0, 0), (9, 0, 0)))
    one, next_one = (body.phase(where(walk, t).walked_m) for t in (2.0, 2.0 + body.stride_m))
    assert one == pytest.approx(next_one, abs=1e-9)
    assert 0.0 <= one < 1.0


def test_a_pose_moves_and_turns_the_body() -> None:
    body = body_of("white_shirt")
    still, turned = (body.posed(p, 0.2, 1.0, 5).vertices for p in (HERE, Pose(3, -1, 0.5, 1.2)))
    c, s = np.cos(1.2), np.sin(1.2)
    expected = np.stack(
        [
            3 + c * still[:, 0] - s * still[:, 1],
            -1 + s * still[:, 0] + c * still[:, 1],
            0.5 + still[:, 2],
        ],
        axis=1,
    )
    assert turned == pytest.approx(expected, abs=3e-5)


def test_light_comes_from_the_room() -> None:
    field = LightField(tiny_scene())  # lit evenly: 1 everywhere
    assert field.at(-2.0, 2.0, 0.0) == pytest.approx(np.ones((6, 3)), abs=1e-6)
    cube = np.zeros((6, 3))
    cube[4] = 1.0  # from above alone
    light = body_of("orange_vest").posed(HERE, 0.0, 0.0, 5, cube).light
    assert light.max() > LIGHT_UNIT * 0.9
    assert light.min() == 0
