"""Every mutation changes what it says and nothing else, and what comes out can be done."""

from __future__ import annotations

import math

import pytest
from fuzz_samples import draw, mutator_in_flat

from navproof.core.errors import EpisodeError, SpecError
from navproof.corruptions.condition import parse_condition
from navproof.diagnosis.fuzz.conditions import INTENSITIES, mutate_condition
from navproof.diagnosis.fuzz.felt import felt_by
from navproof.diagnosis.fuzz.mutate import SceneMutator, confounders, look_alike, named
from navproof.diagnosis.fuzz.types import Axis, Case, Proposal, Strength
from navproof.tasks.retarget import goal_object, goal_room
from navproof.testing import tiny_scene

FLAT = tiny_scene()
FELT = ("depth_gaussian", "depth_missing", "wheel_slip", "low_light", "flare", "camera_tilt")


MUTATOR = mutator_in_flat("goal", "start", "condition", "people", felt=FELT)


def _mutated(case: Case, strength: Strength, *axes: Axis, step: int = 0) -> Case:
    made = MUTATOR.mutate(Proposal(case, strength, axes), draw(step))
    assert made is not None
    assert MUTATOR.is_feasible(made)
    return made


@pytest.fixture(scope="module")
def case() -> Case:
    """To the chair, which shares its room with the box; the table is in the other one."""
    for one in MUTATOR.initial(6, draw()):
        if one.episode.goals[0].category == "chair":
            return one
    raise AssertionError("no case is about the chair")


def test_initial_cases_are_clean_feasible_and_repeatable() -> None:
    first, again = MUTATOR.initial(5, draw()), mutator_in_flat().initial(5, draw())
    assert first == again
    assert len({one.case_id for one in first}) == 5
    assert {one.condition for one in first} == {"clean"}
    assert all(MUTATOR.is_feasible(one) for one in first)


def test_mild_keeps_the_room_and_changes_the_thing(case: Case) -> None:
    made = _mutated(case, "mild", "goal")
    assert goal_room(FLAT, made.episode) == goal_room(FLAT, case.episode)
    assert made.episode.goals[0].category == "box"
    assert made.episode.start == case.episode.start
    assert made.parent == case.case_id
    assert made.changed is not None
    assert made.changed["goal"] == "box"


def test_aggressive_changes_the_room(case: Case) -> None:
    made = _mutated(case, "aggressive", "goal", "start")
    assert goal_room(FLAT, made.episode) != goal_room(FLAT, case.episode)
    assert made.episode.goals[0].category == "table"
    assert made.episode.start != case.episode.start


def test_a_mild_start_is_near_and_the_goal_stays(case: Case) -> None:
    made = _mutated(case, "mild", "start")
    assert made.episode.goals == case.episode.goals
    away_m = math.dist(made.episode.start.point, case.episode.start.point)
    assert 0.0 < away_m <= 2.5


def test_conditions_come_and_grow(case: Case) -> None:
    first = _mutated(case, "aggressive", "condition")
    (part,) = parse_condition(first.condition).parts
    assert part.corruption.name in FELT
    assert part.intensity in INTENSITIES
    milder = _mutated(first, "mild", "condition")
    (other,) = parse_condition(milder.condition).parts
    assert other.corruption is part.corruption
    assert other.intensity != part.intensity
    assert first.episode.start == milder.episode.start


def test_light_and_camera_are_axes_beside_other_conditions() -> None:
    generator = draw()
    lit = mutate_condition("depth_gaussian", "lighting", FELT, "fresh", generator)
    both = mutate_condition(lit, "camera", FELT, "fresh", generator)
    names = [part.corruption.name for part in parse_condition(both).parts]
    assert names[0] == "depth_gaussian"
    assert names[1] in ("low_light", "flare")
    assert names[2] == "camera_tilt"
    changed = mutate_condition(both, "condition", FELT, "aggressive", generator)
    assert len(parse_condition(changed).parts) == 3
    assert "depth_gaussian" not in changed
    assert mutate_condition("clean", "camera", ("spatter",), "fresh", generator) == "clean"


def test_people_walk_clear_of_the_start(case: Case) -> None:
    one = _mutated(case, "mild", "people")
    assert len(one.episode.people) == 1
    x, y, _ = case.episode.start.point
    assert all(math.dist((x, y), p[:2]) >= 1.0 for w in one.episode.people for p in w.path)
    two = _mutated(one, "mild", "people")
    assert two.episode.people[:1] == one.episode.people
    assert [walk.person for walk in two.episode.people] == ["passer1", "passer2"]
    assert two.episode.goals == case.episode.goals


def test_people_stay_when_the_goal_changes(case: Case) -> None:
    crowded = _mutated(case, "mild", "people")
    assert _mutated(crowded, "mild", "goal").episode.people == crowded.episode.people


def test_the_same_case_has_the_same_name_whoever_made_it(case: Case) -> None:
    assert named(Case(case.episode)).case_id == case.case_id
    assert named(Case(case.episode, "depth_missing")).case_id != case.case_id
    assert _mutated(case, "mild", "goal", step=1) == _mutated(case, "mild", "goal", step=1)


def test_things_that_look_alike() -> None:
    chair, table = (next(o for o in FLAT.objects if o.category == c) for c in ("chair", "table"))
    assert look_alike(chair, chair)
    assert not look_alike(chair, table)


def test_a_goal_confounds_nothing_with_itself(case: Case) -> None:
    thing = goal_object(FLAT, case.episode)
    assert thing is not None
    assert thing.id not in confounders(FLAT, case.episode, thing)


def test_what_the_scenes_do_not_have_is_said(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    mutator = SceneMutator("objectnav", [FLAT], ("goal",))
    monkeypatch.setattr(mutator, "_fresh", lambda *given: None)
    assert mutator.mutate(Proposal(None, "fresh"), draw()) is None
    with pytest.raises(EpisodeError, match="1 scenes gave only 0 of 2 cases"):
        mutator.initial(2, draw())


def test_bad_spaces_are_refused() -> None:
    with pytest.raises(SpecError, match="pointnav-v1 cannot be mutated"):
        SceneMutator("pointnav", [FLAT])
    with pytest.raises(SpecError, match="'robot' is for missions"):
        SceneMutator("objectnav", [FLAT], ("robot",))
    with pytest.raises(SpecError, match="at least one scene"):
        SceneMutator("objectnav", [])
    with pytest.raises(SpecError, match="feels no such corruption"):
        SceneMutator("objectnav", [FLAT], ("lighting",), felt=("wheel_slip",))


def test_an_agent_feels_what_reaches_it() -> None:
    blind, seeing = felt_by("frontier", "objectnav"), felt_by("mlfm", "objectnav")
    assert "depth_gaussian" in blind
    assert "low_light" not in blind
    assert "low_light" in seeing
    with pytest.raises(SpecError, match="cannot be tested in"):
        felt_by("mlfm", "vln")
