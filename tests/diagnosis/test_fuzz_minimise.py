"""A minimised case still fails, and is as small as it can be made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fuzz_samples import episode_in_flat, mutator_in_flat, result

from navproof.core.types import Instruction, Walk
from navproof.corruptions.condition import parse_condition
from navproof.diagnosis.attribution.thresholds import assumed
from navproof.diagnosis.capabilities import ErrorType
from navproof.diagnosis.fuzz.minimise import MOST_DIAGNOSED, minimise
from navproof.diagnosis.fuzz.suite import minimal_failures
from navproof.diagnosis.fuzz.types import Case, CaseResult
from navproof.diagnosis.types import Thresholds
from navproof.world.people.people import APPEARANCES

LOOKS = sorted(APPEARANCES)


def _walk(person: str) -> Walk:
    return Walk(person, LOOKS[0], ((1.0, 1.0, 0.0), (3.0, 1.0, 0.0)))


def _case(condition: str, *people: str) -> Case:
    episode = replace(episode_in_flat(), people=tuple(_walk(p) for p in people))
    return Case(episode, condition)


def _strength(case: Case, name: str) -> float:
    parts = parse_condition(case.condition).parts
    return next((p.intensity for p in parts if p.corruption.name == name), 0.0)


def test_what_is_not_needed_goes_and_the_rest_stays() -> None:
    played: list[Case] = []

    def fails(case: Case) -> bool:
        played.append(case)
        people = {walk.person for walk in case.episode.people}
        return "passer2" in people and _strength(case, "spatter") >= 0.5

    case = _case("depth_gaussian@1+spatter@1", "passer1", "passer2", "passer3")
    found = minimise(case, fails)
    assert fails(found.case)
    assert [walk.person for walk in found.case.episode.people] == ["passer2"]
    assert found.case.condition == "spatter@0.5"
    assert found.case.case_id == case.case_id
    assert found.replays <= 20
    assert len({repr(c) for c in played[:-1]}) == found.replays  # nothing is played twice


def test_people_whom_the_task_is_about_stay() -> None:
    found = minimise(_case("clean", "p1", "passer1"), lambda case: True)
    assert [walk.person for walk in found.case.episode.people] == ["p1"]
    assert found.removed == ("passer1",)


def test_a_failure_that_needs_nothing_becomes_clean() -> None:
    case = _case("low_light@0.75+depth_gaussian@1", "passer1", "passer2")
    found = minimise(case, lambda smaller: True)
    assert (found.case.condition, found.case.episode.people) == ("clean", ())
    assert found.removed == ("all passers", "low_light@0.75+depth_gaussian@1")


def test_a_case_that_is_as_small_as_can_be_is_left() -> None:
    case = _case("clean")
    assert minimise(case, lambda smaller: True).case is case
    stubborn = _case("spatter@1", "passer1")
    found = minimise(stubborn, lambda smaller: False)
    assert (found.case, found.removed) == (stubborn, ())


def test_the_budget_of_replays_is_kept() -> None:
    case = _case("spatter@1+depth_gaussian@1+wheel_slip@1", *(f"passer{k}" for k in range(6)))
    assert minimise(case, lambda smaller: False, most=5).replays == 5


def test_words_are_shortened_last() -> None:
    def shorten(case: Case) -> Iterator[Case]:
        text = case.episode.instruction.text if case.episode.instruction else "one two three"
        if " " in text:
            words = Instruction(text.rpartition(" ")[0])
            yield replace(case, episode=replace(case.episode, instruction=words))

    found = minimise(_case("spatter"), lambda case: True, shorten)
    assert found.case.episode.instruction == Instruction("one")
    assert found.removed == ("spatter", "words", "words")


# ------------------------------------------------------------------------------- the same cause
class _Actor:
    """Fails every case: of what it does not see while the picture is bad, of a loop otherwise."""

    played = 0

    def __init__(self, *_: object, **__: object) -> None: ...

    def fails(self, case: Case) -> bool:
        return True

    def play(self, case: Case, thresholds: Thresholds) -> CaseResult:
        type(self).played += 1
        kind = ErrorType.MISSED if _strength(case, "low_light") >= 0.5 else ErrorType.LOOP
        return replace(result(case.case_id, kind), case=case)


@pytest.fixture
def actor(monkeypatch: pytest.MonkeyPatch) -> type[_Actor]:
    monkeypatch.setattr("navproof.diagnosis.fuzz.suite.Player", _Actor)
    monkeypatch.setattr(
        "navproof.diagnosis.fuzz.mutate.SceneMutator.is_feasible", lambda self, case: True
    )
    _Actor.played = 0
    return _Actor


def test_a_failure_that_was_attributed_keeps_its_cause(actor: type[_Actor], tmp_path: Path) -> None:
    found = result("a", ErrorType.MISSED, condition="low_light@1+depth_gaussian@1")
    given = ("agent", (found,), mutator_in_flat(), tmp_path)
    (small,) = minimal_failures(*given, thresholds=assumed())
    assert small.case.condition == "low_light@0.5"
    assert small.checked == "cause"
    assert 0 < actor.played == small.replays <= MOST_DIAGNOSED
    assert minimal_failures(*given, thresholds=assumed()) == (small,)
    assert actor.played == small.replays  # it was read, not made again


def test_without_a_cause_it_is_enough_to_fail(actor: type[_Actor], tmp_path: Path) -> None:
    known = result("a", ErrorType.MISSED, condition="low_light@1")
    unknown = result("b", condition="low_light@1")
    small = minimal_failures("agent", (known, unknown), mutator_in_flat(), tmp_path)
    assert [(m.case.condition, m.checked) for m in small] == [("clean", "failure")] * 2
    again = minimal_failures(
        "agent", (known, unknown), mutator_in_flat(), tmp_path, thresholds=assumed()
    )
    assert [(m.case.condition, m.checked) for m in again] == [
        ("low_light@0.5", "cause"),  # made anew: less was checked before
        ("clean", "failure"),
    ]
