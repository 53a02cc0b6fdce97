"""Black boxes: what can be asked from outside, and how little it claims."""

from __future__ import annotations

from dataclasses import replace

import pytest
from diagnosed_runs import Silent
from run_samples import open_run

from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.types import Action, Episode, Goal, Move, Observation, TaskBrief
from navproof.diagnosis.attribution.attribute import Settings, attribute
from navproof.diagnosis.attribution.corrected import CorrectedRun
from navproof.diagnosis.attribution.plain_words import said_plainly
from navproof.diagnosis.attribution.thresholds import assumed
from navproof.diagnosis.types import Diagnosis

_DARK = "low_light_noise@1"
_BRIGHT = 60.0  # mean of a picture, between the flat by day and the flat in the dark


class _StopsLate:
    """Turns until step 39 and stops there, wherever it is."""

    sensors = ("rgb", "pose")

    def reset(self, brief: TaskBrief) -> None: ...

    def act(self, obs: Observation) -> Action:
        return Move.STOP if obs.step >= 39 else Move.LEFT


class _WantsLight(_StopsLate):
    """Stops at once where it is bright."""

    def act(self, obs: Observation) -> Action:
        assert obs.rgb is not None
        return Move.STOP if obs.rgb.mean() > _BRIGHT else Move.LEFT


class _WantsPlainWords(_StopsLate):
    """Stops at once where it is told to go somewhere and stop there."""

    def act(self, obs: Observation) -> Action:
        plain = obs.instruction == "Go to the blue chair in the bedroom and stop there."
        return Move.STOP if plain else Move.LEFT


def _at_the_goal(stage: CorrectedRun) -> CorrectedRun:
    """The same episode with the blue chair's goal under the robot's feet."""
    episode = stage.env.episode
    chair = next(o for o in stage.env.sim.scene.objects if o.category == "chair")
    goal = Goal("point", (episode.start.point,), "chair", (chair.id,))
    stage.begin(replace(episode, goals=(goal,)))
    return stage


def _saved(told: Diagnosis) -> dict[str, tuple[int, int]]:
    """The last probe of each kind that saved the run: (from which step, for how many)."""
    return {f.probe: (f.step, f.steps) for f in told.findings if f.success}


def test_oracle_actions_tell_until_when_the_run_could_be_saved() -> None:
    """20 actions bring it to where it may stop, if they come before it stops by itself."""
    told = attribute(open_run("late", "vln-v1", agent=_StopsLate(), steps=40), assumed())
    assert told.verdict == "from_outside"
    assert told.attribution is None
    assert told.trials == ()
    assert _saved(told) == {"oracle_action": (15, 20)}
    tried = [(f.step, f.steps, f.success) for f in told.findings]
    assert tried == [
        *((step, 20, False) for step in (35, 30, 25, 20)),
        (15, 20, True),
        (15, 5, False),
    ]
    assert "from step 15 on save the run" in told.said
    assert "no capability can be named" in told.said


def test_without_the_corruption_it_goes_right() -> None:
    stage = _at_the_goal(open_run("light", agent=_WantsLight(), steps=12, condition=_DARK))
    told = attribute(stage, assumed())
    assert "clean_input" in _saved(told)
    assert "the corruption did it" in told.said


def test_with_plain_words_it_goes_right() -> None:
    stage = _at_the_goal(open_run("words", "vln-v1", agent=_WantsPlainWords(), steps=12))
    told = attribute(stage, assumed())
    assert "hint" in _saved(told)
    assert "the words did it" in told.said


@pytest.mark.parametrize("condition", ["clean", _DARK])
def test_what_does_not_apply_is_not_asked(condition: str) -> None:
    told = attribute(open_run("late", agent=_StopsLate(), steps=12, condition=condition), assumed())
    probes = {finding.probe for finding in told.findings}
    assert probes == {"oracle_action"} | ({"clean_input"} if condition != "clean" else set())
    assert len(told.findings) <= 12
    assert told.said.endswith("Nothing that was tried from outside saves the run.")


def test_it_may_be_left_alone() -> None:
    told = attribute(
        open_run("late", agent=_StopsLate(), steps=12), assumed(), settings=Settings(probes=False)
    )
    assert (told.verdict, told.findings) == ("from_outside", ())


def test_the_stage_is_back_where_it_was() -> None:
    stage = open_run("silent", agent=Silent(), steps=12, condition="spatter")
    episode = stage.env.episode
    told = attribute(stage, assumed())
    assert told.findings
    assert stage.env.episode is episode
    assert len(stage.records) == len(told.errors) == 12
    assert stage.env.step_count == 12


def _plain(task: str) -> Episode | None:
    sim = tiny_simulator(task)
    return said_plainly(tiny_episode(task, sim), sim.scene)


def test_goals_are_said_with_colour_and_room() -> None:
    langnav, mission = _plain("langnav-v1"), _plain("mission-v1")
    assert langnav is not None
    assert mission is not None
    assert mission.instruction is not None
    assert [goal.text for goal in langnav.goals] == [
        "Find the blue chair in the bedroom.",
        "Find the red table in the living room.",
    ]
    assert mission.instruction.text == (
        "Go to the bedroom, then find the blue chair, then come back to where you started."
        " What colour is the table?"
    )
    assert _plain("objectnav-v1") is None
    assert _plain("pointnav-v1") is None
