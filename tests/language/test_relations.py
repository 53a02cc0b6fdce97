"""Relations between boxes: the convention, the margins, and what must not matter."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.language.lexicon.relations import FRONTED, RELATIONS, Verdict, judge
from navproof.world.catalog import CATEGORIES
from navproof.world.scene import Box, SceneObject

NO, BORDERLINE, YES = Verdict.NO, Verdict.BORDERLINE, Verdict.YES


def thing(i, category, x, y, size=(0.4, 0.4, 0.5), yaw=0.0, low=0.0, kind="floor", **more):
    box = Box((x, y, low + size[2] / 2), size, yaw)
    return SceneObject(i, category, more.pop("room", 0), box, {}, more.get("support"), kind)


SOFA = thing(1, "sofa", 0.0, 0.0, (0.9, 2.0, 0.8))  # its front looks along +x


def test_left_is_the_left_hand_of_a_person_who_faces_the_anchor():
    """Somebody at (3, 0) looks at the sofa along −x: his left hand points along −y."""
    facing = math.pi
    left_hand = (math.cos(facing + math.pi / 2), math.sin(facing + math.pi / 2))
    lamp = thing(2, "floor lamp", 1.4 * left_hand[0], 1.4 * left_hand[1])
    assert lamp.box.centre[1] < 0
    assert judge("left of", lamp, [SOFA]) is YES
    assert judge("right of", lamp, [SOFA]) is NO
    mirrored = thing(3, "floor lamp", lamp.box.centre[0], -lamp.box.centre[1])
    assert judge("right of", mirrored, [SOFA]) is YES
    assert judge("left of", mirrored, [SOFA]) is NO


def test_front_and_behind_follow_the_front_of_the_anchor():
    before, after = thing(2, "coffee table", 1.1, 0.0), thing(3, "plant", -0.8, 0.0)
    assert judge("in front of", before, [SOFA]) is YES
    assert judge("behind", after, [SOFA]) is YES
    assert judge("in front of", after, [SOFA]) is judge("behind", before, [SOFA]) is NO
    corner = thing(4, "plant", 0.9, 1.4)  # neither clearly before it nor beside it
    assert judge("in front of", corner, [SOFA]) is BORDERLINE
    assert judge("right of", corner, [SOFA]) is BORDERLINE


def test_an_anchor_without_a_front_has_no_sides():
    table = thing(5, "dining table", 0.0, 0.0, (0.9, 2.0, 0.8))
    lamp = thing(2, "floor lamp", 0.0, -1.4)
    assert judge("left of", lamp, [table]) is BORDERLINE
    assert set(CATEGORIES) >= FRONTED


@pytest.mark.parametrize(
    ("gap", "expected"),
    [(0.0, YES), (0.45, YES), (0.55, BORDERLINE), (0.95, BORDERLINE), (1.1, NO)],
)
def test_next_to_by_the_gap_between_the_boxes(gap, expected):
    chair = thing(2, "chair", 0.0, 1.0 + gap + 0.2)
    assert judge("next to", chair, [SOFA]) is expected
    assert judge("next to", SOFA, [chair]) is expected


def test_small_things_are_next_to_each_other_on_one_support_only():
    def mug(i, y, support=1):
        return thing(i, "mug", 0, y, (0.1, 0.1, 0.1), low=0.7, kind="on", support=support)

    assert judge("next to", mug(2, 0.0), [mug(3, 0.2)]) is YES
    assert judge("next to", mug(2, 0.0), [mug(3, 0.6)]) is NO
    assert judge("next to", mug(2, 0.0), [mug(3, 0.2, support=9)]) is BORDERLINE


def test_what_stands_on_a_thing_or_hangs_over_it_is_not_next_to_it():
    book = thing(2, "book", 0.1, 0.0, (0.2, 0.2, 0.03), low=0.4, kind="on", support=1)
    lamp = thing(3, "pendant lamp", 0.0, 0.0, low=1.9, kind="ceiling")
    assert judge("next to", book, [SOFA]) is judge("next to", SOFA, [book]) is NO
    assert judge("next to", lamp, [SOFA]) is NO


def test_other_rooms_are_not_clearly_anything():
    chair = thing(2, "chair", 0.0, 1.3, room=1)
    for relation in ("next to", "right of"):
        assert judge(relation, chair, [SOFA]) is BORDERLINE
        assert judge(relation, thing(2, "chair", 0.0, 4.3, room=1), [SOFA]) is NO


@pytest.mark.parametrize(
    ("aside", "expected"), [(0.0, YES), (0.25, YES), (0.55, BORDERLINE), (1.2, NO)]
)
def test_between_by_the_angle_at_the_thing(aside, expected):
    """Anchors of 0.4 m with 1.2 m between their middles' lines: their near corners are at ±0.8."""
    anchors = [thing(2, "chair", 0.0, -1.0), thing(3, "chair", 0.0, 1.0)]
    middle = thing(4, "plant", 0.2 + aside, 0.0, (0.2, 0.2, 0.5))
    angle = 2 * math.degrees(math.atan2(0.8, aside))
    assert (angle >= 145) == (expected is YES)
    assert (angle < 110) == (expected is NO)
    assert judge("between", middle, anchors) is expected
    assert judge("between", middle, anchors[::-1]) is expected


def test_above_and_under_are_each_other():
    picture = thing(2, "picture", -0.44, 0.0, (0.03, 0.9, 0.6), low=1.4, kind="wall")
    assert judge("above", picture, [SOFA]) is judge("under", SOFA, [picture]) is YES
    assert judge("under", picture, [SOFA]) is judge("above", SOFA, [picture]) is NO
    aside = thing(3, "picture", -0.44, 1.2, (0.03, 0.9, 0.6), low=1.4, kind="wall")
    far = thing(4, "picture", -0.44, 2.2, (0.03, 0.9, 0.6), low=1.4, kind="wall")
    assert judge("above", aside, [SOFA]) is BORDERLINE
    assert judge("above", far, [SOFA]) is NO
    rug = thing(5, "rug", 0.0, 0.0, (3.0, 3.0, 0.01))
    assert judge("under", rug, [SOFA]) is YES
    assert judge("under", thing(6, "rug", 1.5, 0.0, (2.4, 2.4, 0.01)), [SOFA]) is BORDERLINE


def test_nothing_stands_to_itself():
    for relation in set(RELATIONS) - {"between"}:
        assert judge(relation, SOFA, [SOFA]) is NO
    other = thing(2, "chair", 1.0, 0.0)
    assert judge("between", other, [SOFA, SOFA]) is NO


PLACES = st.tuples(st.floats(-2.5, 2.5), st.floats(-2.5, 2.5), st.floats(-3.1, 3.1))


@given(place=PLACES, turn=st.floats(-3.1, 3.1), dx=st.floats(-9, 9), dy=st.floats(-9, 9))
def test_the_world_frame_does_not_matter(place, turn, dx, dy):
    def moved(o):
        x, y, z = o.box.centre
        c, s = math.cos(turn), math.sin(turn)
        centre = (dx + c * x - s * y, dy + s * x + c * y, z)
        box = Box(centre, o.box.size, o.box.yaw + turn)
        return SceneObject(o.id, o.category, o.room, box, o.attributes, o.support, o.position_kind)

    x, y, yaw = (round(v, 2) + 0.003 for v in place)  # off the thresholds
    chair = thing(2, "chair", x, y, (0.51, 0.43, 0.9), yaw)
    bed = thing(3, "bed", 1.9, 1.7, (2.03, 1.61, 0.6), 0.7)
    for relation in RELATIONS:
        anchors = [SOFA, bed] if relation == "between" else [SOFA]
        verdict = judge(relation, chair, anchors)
        assert verdict is judge(relation, moved(chair), [moved(a) for a in anchors])


@given(place=PLACES)
def test_sides_exclude_each_other(place):
    x, y, yaw = place
    chair = thing(2, "chair", x, y, (0.51, 0.43, 0.9), yaw)
    sides = [judge(r, chair, [SOFA]) for r in ("left of", "right of", "in front of", "behind")]
    assert sides.count(YES) <= 1
    assert min(sides[:2]) is min(sides[2:]) is NO
