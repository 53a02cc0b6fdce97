"""The parts of the oracles, each on constructed cases."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from run_samples import open_run

from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.types import FIRST_PERSON_ID, Detection, Instruction, Move, Pose, Remembered
from navproof.diagnosis.oracles.memory import MemoryComparison, ReportHistory, compare_memory
from navproof.diagnosis.oracles.naming import ThingNames
from navproof.diagnosis.oracles.oracles import make_oracles
from navproof.diagnosis.oracles.own_frame import OwnFrame
from navproof.diagnosis.oracles.perception import compare_sight
from navproof.diagnosis.oracles.relevant import RelevantThings, relevant_now
from navproof.diagnosis.oracles.requirements import Requirements, later_goals
from navproof.diagnosis.oracles.roaming import LoopDetector
from navproof.diagnosis.oracles.semantics import LexicalDistance
from navproof.diagnosis.oracles.views import iou, views_of
from navproof.perception.protocol import TruthFrame

CHAIR, TABLE, BED = 10, 11, 12
FACTS = {
    CHAIR: {"category": "chair", "attr.colour": "red"},
    TABLE: {"category": "table"},
    BED: {"category": "bed"},
    FIRST_PERSON_ID: {"category": "person"},
}
NAMING = ThingNames(FACTS)
RELEVANT = RelevantThings({CHAIR: "red chair"}, frozenset({CHAIR}))
DISTANCE = LexicalDistance()


def frame() -> TruthFrame:
    """A chair on the left, a table on the right, somebody above."""
    instances = np.ones((40, 60), dtype=np.int32)
    instances[20:40, 5:25] = CHAIR
    instances[15:40, 35:55] = TABLE
    instances[2:10, 28:32] = FIRST_PERSON_ID
    return TruthFrame(instances, FACTS, 0, 0)


BOX = {CHAIR: (5.0, 20.0, 25.0, 40.0), TABLE: (35.0, 15.0, 55.0, 40.0)}


def see(*reports: Detection, relevant: RelevantThings = RELEVANT) -> float | None:
    return compare_sight(views_of(frame()), NAMING, relevant, reports, DISTANCE).error


# ----------------------------------------------------------------------------------- perception
def test_views_are_those_of_numpy() -> None:
    shown = frame()
    views = views_of(shown)
    assert views.ids == (CHAIR, TABLE, FIRST_PERSON_ID)
    for index, thing in enumerate(views.ids):
        rows, cols = np.nonzero(shown.instances == thing)
        box = (cols.min(), rows.min(), cols.max() + 1, rows.max() + 1)
        assert views.box(index) == tuple(float(v) for v in box)
        assert views.pixels[index] == len(rows)


def test_iou_against_pixels() -> None:
    a, b = np.array([[0.0, 0.0, 4.0, 4.0]]), np.array([[2.0, 2.0, 6.0, 4.0], [9, 9, 10, 10.0]])
    assert iou(a, b)[0].tolist() == pytest.approx([4 / 20, 0.0])


@pytest.mark.parametrize(
    ("reports", "error"),
    [
        ([("red chair", CHAIR)], 0.0),
        ([("chair", CHAIR)], 0.05),  # wording: 0.1 / 2
        ([("chair", CHAIR), ("table", TABLE)], 0.05),
        ([], 1.0),
        ([("table", TABLE)], 1.0),
        ([("sofa", CHAIR)], (0.3 + 1.0) / 2),  # another name there, and nothing is a sofa
        ([("red chair", TABLE)], 1.0),  # missed, and something else taken for it
        ([("blue chair", CHAIR)], (0.5 + 1.0) / 2),
    ],
)
def test_perception_error(reports: list[tuple[str, int]], error: float) -> None:
    told = [Detection(label, 1.0, BOX[thing]) for label, thing in reports]
    assert see(*told) == pytest.approx(error)


def test_nothing_to_see_is_not_judged() -> None:
    away = RelevantThings({BED: "bed"}, frozenset({BED}))
    assert see(relevant=away) is None
    assert see(Detection("table", 1.0, BOX[TABLE]), relevant=away) is None
    assert see(Detection("bed", 0.9, BOX[TABLE]), relevant=away) == 1.0
    assert see(Detection("bed", 0.2, BOX[TABLE]), relevant=away) is None


# --------------------------------------------------------------------------------------- memory
def _past(*seen: tuple[str, int, float, int]) -> ReportHistory:
    """(label, thing, x, step) as rightly perceived."""
    past = ReportHistory()
    for label, thing, x, step in seen:
        report = Detection(label, 1.0, BOX.get(thing), (x, 0.0, 0.0))
        sight = compare_sight(views_of(frame()), NAMING, RELEVANT, (report,), DISTANCE)
        past.add((report,), sight, step)
    return past


def _recall(
    past: ReportHistory, *claims: tuple[str, float, int], both: bool = False
) -> MemoryComparison:
    relevant = RelevantThings({CHAIR: "red chair", TABLE: "table"}) if both else RELEVANT
    told = [Remembered(label, (x, 0.0, 0.0), step) for label, x, step in claims]
    return compare_memory(past, NAMING, relevant, told, (), 20, DISTANCE)


def test_memory_is_held_to_what_was_perceived() -> None:
    past = _past(("chair", CHAIR, 1.0, 3), ("chair", CHAIR, 1.2, 5), ("table", TABLE, 6.0, 6))
    assert _recall(past, ("chair", 1.1, 5), ("table", 6.0, 6)).error == 0.0
    assert _recall(past, ("table", 6.0, 6)).error == 1.0
    assert _recall(past, ("chair", 4.0, 5)).error == 1.0
    assert _recall(past, ("chair", 1.1, 5), ("chair", 6.0, 6)).error == 0.5  # one was invented
    assert _recall(past, ("red chair", 1.0, 5)).matched[0] is not None
    assert _recall(ReportHistory()).error is None
    assert _recall(ReportHistory(), ("bed", 3.0, 1)).error is None  # of no concern
    assert _recall(ReportHistory(), ("chair", 3.0, 1)).error == 1.0
    assert [held.remembered for held in past.rightly()] == [
        Remembered("chair", (1.2, 0.0, 0.0), 5),
        Remembered("table", (6.0, 0.0, 0.0), 6),
    ]


def test_a_wrong_report_is_not_memorys_fault() -> None:
    past = _past(("chair", TABLE, 6.0, 4))  # the table was taken for a chair
    assert _recall(past, ("chair", 6.0, 4)).error is None
    assert _recall(past).error is None  # nor need it be kept


def test_order_counts_half() -> None:
    past = _past(("chair", CHAIR, 1.0, 3), ("table", TABLE, 6.0, 6))
    right = _recall(past, ("chair", 1.0, 3), ("table", 6.0, 6), both=True)
    wrong = _recall(past, ("chair", 1.0, 6), ("table", 6.0, 3), both=True)
    now = _recall(past, ("chair", 1.0, 20), ("table", 6.0, 6), both=True)  # in view again
    assert (right.error, wrong.error, now.error) == (0.0, 0.5, 0.0)


def test_copies_of_the_past_are_their_own() -> None:
    past = _past(("chair", CHAIR, 1.0, 3))
    twin = past.copy()
    twin.add((Detection("chair", 1.0, BOX[CHAIR], (1.0, 0.0, 0.0)),), None, 9)
    assert len(past.of_label("chair")) == 1
    assert len(twin.of_label("chair")) == 2


# ------------------------------------------------------------------------------- loops, routes
def _walk(roaming: LoopDetector, xs: list[float], *, fresh: bool = False) -> list[bool]:
    begins = roaming.step + 1
    looped = []
    for step, x in enumerate(xs, start=begins):
        roaming.add((x, 0.0), [step] if fresh else [1], 0, step)
        looped.append(roaming.is_looping)
    return looped


BACK_AND_FORTH = [*np.arange(0, 2.1, 0.25), *np.arange(2, -0.1, -0.25)] * 4


def test_going_back_and_forth_is_a_loop_unless_it_brings_something_new() -> None:
    looped = _walk(LoopDetector(), BACK_AND_FORTH)
    assert not any(looped[:15])
    assert all(looped[-20:])
    assert not any(_walk(LoopDetector(), BACK_AND_FORTH, fresh=True))
    assert not any(_walk(LoopDetector(), list(np.arange(0, 20, 0.25))))
    assert not any(_walk(LoopDetector(), [0.0] * 80))  # standing still, or turning


def test_a_loop_ends_with_something_new() -> None:
    roaming = LoopDetector()
    assert _walk(roaming, BACK_AND_FORTH)[-1]
    twin = roaming.copy()
    roaming.add((0.0, 0.0), [99], 0, roaming.step + 1)
    assert not roaming.is_looping
    assert twin.is_looping
    blind = LoopDetector()
    for step, x in enumerate(BACK_AND_FORTH):
        blind.add((x, 0.0), None, 0, step)
    assert not blind.is_looping


def test_routes_that_skip_a_landmark() -> None:
    episode = tiny_episode("vln-v1", tiny_simulator("vln-v1"))
    clauses = ({"kind": "pass", "at_m": 6.0, "object": 1}, {"kind": "stop", "at_m": 12.0})
    episode = replace(
        episode,
        reference_path=((0.0, 0.0, 0.0), (6.0, 0.0, 0.0), (6.0, 6.0, 0.0)),
        instruction=Instruction("Go.", clauses),
    )
    route = Requirements(episode)
    assert route.skipped_by([(0.0, 0.0), (6.0, 6.0)]) == ((6.0, 0.0, 0.0),)
    assert route.skipped_by([(0.0, 0.0), (6.0, 1.0), (6.0, 6.0)]) == ()
    assert route.skipped_by([(0.0, 0.0), (0.0, 5.0)]) == ()  # leads nowhere on the route
    twin = route.copy()
    twin.add((5.0, 0.5, 0.0))
    assert twin.skipped_by([(0.0, 0.0), (6.0, 6.0)]) == ()
    assert route.met == 0


def test_later_goals_of_a_mission() -> None:
    episode = tiny_episode("mission-v1", tiny_simulator("mission-v1"))
    first, second, third = episode.subtasks
    second = replace(second, goal=replace(second.goal, object_ids=(7,)))
    episode = replace(episode, subtasks=(first, second, third))
    assert later_goals(episode, 0) == {7}
    assert later_goals(episode, 1) == later_goals(episode, 9) == frozenset()


# ---------------------------------------------------------------------------- frames, relevance
def test_the_agents_own_frame() -> None:
    own = OwnFrame(Pose(2.0, 3.0, 0.0, math.pi / 2), Pose(0.5, 0.0, 0.0, 0.0))
    assert own.seen_from_within(2.0, 5.0) == pytest.approx((2.5, 0.0))  # 2 m ahead in either
    assert own.in_world(*own.seen_from_within(-1.0, 4.0)) == pytest.approx((-1.0, 4.0))


def test_what_matters_by_task() -> None:
    def ask(task: str) -> RelevantThings:
        stage = open_run("frontier", task, oracle=make_oracles())  # type: ignore[arg-type]
        return relevant_now(stage.env, stage.env.sim.pose)

    chair = ask("objectnav-v1")
    assert set(chair.labels.values()) == {"chair"}
    assert chair.goals == chair.things
    assert ask("pointnav-v1") == RelevantThings(is_told=True)
    first = ask("langnav-v1")
    assert (first.index, first.is_last, first.words) == (0, False, "chair")
    mission = ask("mission-v1")  # into the bedroom first
    assert (mission.labels, mission.is_last, mission.is_told) == ({}, False, False)


def test_goals_are_relevant_one_after_the_other() -> None:
    stage = open_run("frontier", "langnav-v1", 40, oracle=make_oracles())  # type: ignore[arg-type]
    stage.env.step(Move.FOUND)
    now = relevant_now(stage.env, stage.env.sim.pose)
    assert (now.index, now.is_last, now.words) == (1, True, "table")


def test_on_a_route_the_next_landmark_matters_while_it_is_near() -> None:
    stage = open_run("frontier", "vln-v1", oracle=make_oracles())  # type: ignore[arg-type]
    scene = stage.env.sim.scene
    chair, table = (next(o for o in scene.objects if o.category == c) for c in ("chair", "table"))
    clauses = (
        {"kind": "pass", "at_m": 2.0, "object": table.id, "category": "table"},
        {
            "kind": "stop",
            "at_m": 6.0,
            "object": chair.id,
            "category": "chair",
            "attr.colour": "blue",
        },
    )
    episode = replace(stage.env.episode, instruction=Instruction("Go.", clauses))
    stage.env.reset(episode)
    x, y, _ = table.box.centre
    by_table, far = Pose(x, y), Pose(x + 50.0, y)
    assert relevant_now(stage.env, by_table).labels == {table.id: "table", chair.id: "blue chair"}
    assert set(relevant_now(stage.env, far).labels) == {chair.id}
    behind = relevant_now(stage.env, by_table, passed_m=2.0)
    assert (set(behind.labels), behind.goals, behind.is_told) == ({chair.id}, {chair.id}, False)
