"""Going back and on again: exact for every agent, task and condition."""

from __future__ import annotations

import numpy as np
import pytest
from run_samples import Onlooker, open_run

from navproof.agents.load import example_of, load_agent, needs_endpoint
from navproof.agents.registry import AGENTS
from navproof.core.errors import AgentError
from navproof.core.types import Action, Decision, Move, Observation, TaskBrief
from navproof.diagnosis.attribution.clean import clean_observation
from navproof.diagnosis.attribution.corrected import CorrectedRun, RunState
from navproof.diagnosis.attribution.intervene import Intervention, is_hopeless, play_otherwise
from navproof.diagnosis.capabilities import Capability
from navproof.diagnosis.checkpoints import Checkpoints
from navproof.diagnosis.oracles.protocol import ExpectedOutputs, Situation
from navproof.play.play import play as play_session
from navproof.play.session import Session

_EYES = {
    **dict.fromkeys(("oracle", "random", "forward", "frontier"), ""),
    **dict.fromkeys(("vlmaps", "vlfm"), "@encoder=truth"),
    "mopa": "@detector=truth",
    "l3mvn": "@detector=truth",
}


def _names() -> list[str]:
    """Every agent, with eyes that need no network where it has eyes."""
    alone = [name for name in AGENTS if not needs_endpoint(name)]
    usual = "@encoder=truth@detector=truth"
    return [example_of(name) + _EYES.get(name, usual) for name in alone]


def _to_end(run: CorrectedRun) -> list[str]:
    while not run.done:
        run.step()
    return [record.action for record in run.records]


@pytest.mark.parametrize("name", _names())
def test_restored_in_mid_episode_it_goes_on_as_undisturbed(name: str) -> None:
    tasks = load_agent(name).tasks
    task = "objectnav-v1" if tasks is None or "objectnav-v1" in tasks else tasks[0]
    run = open_run(name, task, condition="low_light_noise+depth_gaussian", steps=24)
    for _ in range(8):
        if not run.done:
            run.step()
    state = run.snapshot()
    first, oracle = _to_end(run), run.oracle
    picture = run.observation.depth
    for _ in range(2):
        run.restore(state)
        assert len(run.records) == state.step
        assert _to_end(run) == first
        assert run.oracle is not oracle
        assert vars(run.oracle) == vars(oracle)
        if picture is not None:
            np.testing.assert_array_equal(run.observation.depth, picture)


def test_a_stage_plays_what_a_rollout_plays() -> None:
    run = open_run("frontier", steps=60)
    played = _to_end(run)
    again = open_run("frontier", steps=60)
    trace = play_session(Session(again.env, again.key), again.agent, again.env.episode)
    assert tuple(played) == trace.actions
    assert run.trace().poses == trace.poses
    assert run.trace().distances_m == trace.distances_m


class _Drawer:
    """Draws from NumPy's global generator, and from nowhere else."""

    sensors = ("pose",)

    def reset(self, brief: TaskBrief) -> None: ...

    def act(self, obs: Observation) -> Action:
        return (Move.LEFT, Move.RIGHT, Move.FORWARD)[np.random.randint(3)]  # noqa: NPY002


def test_global_generators_are_put_back() -> None:
    run = open_run("drawer", agent=_Drawer())
    run.step()
    state = run.snapshot()
    first = _to_end(run)
    run.restore(state)
    assert _to_end(run) == first


class _Turner:
    """Turns left for ever, seeing nothing."""

    sensors = ("pose",)

    def reset(self, brief: TaskBrief) -> None: ...

    def act(self, obs: Observation) -> Action:
        return Move.LEFT


class _SaysRight(Onlooker):
    answer = ExpectedOutputs(actions=(Move.RIGHT,), plan_actions=(Move.FORWARD,))


@pytest.mark.parametrize(
    ("capability", "done"), [(Capability.DECISION, "right"), (Capability.PLANNING, "forward")]
)
def test_a_correction_holds_in_its_window_and_nowhere_else(
    capability: Capability, done: str
) -> None:
    run = open_run("turner", agent=_Turner(), steps=30, oracle=_SaysRight)
    states: Checkpoints[RunState] = Checkpoints(every=4)
    while not run.done:
        states.offer(len(run.records), run.snapshot)
        run.step()
    failed = tuple(run.records)
    found = play_otherwise(run, states, Intervention(capability, 6, 8), failed)
    assert found.trace.actions[:6] == ("left",) * 6
    assert found.trace.actions[6:9] == (done,) * 3
    assert set(found.trace.actions[9:]) == {"left"}
    assert not found.success
    assert found.intervention.dose == "alone"
    onward = play_otherwise(run, states, Intervention(capability, 6), failed)
    assert set(onward.trace.actions[6:]) == {done}


def test_a_run_that_is_the_failed_one_again_is_not_played_out() -> None:
    run = open_run("turner", agent=_Turner(), steps=60, oracle=_SaysRight)
    _SaysRight.answer = ExpectedOutputs(actions=(Move.LEFT,))
    states: Checkpoints[RunState] = Checkpoints(every=4)
    try:
        while not run.done:
            states.offer(len(run.records), run.snapshot)
            run.step()
        failed = tuple(run.records)
        found = play_otherwise(run, states, Intervention(Capability.DECISION, 4, 5), failed)
    finally:
        _SaysRight.answer = ExpectedOutputs(actions=(Move.RIGHT,), plan_actions=(Move.FORWARD,))
    assert found.ended == "rejoined"
    assert found.steps_played < 25
    assert not found.success


def test_out_of_reach_in_the_steps_left_is_hopeless() -> None:
    run = open_run("turner", agent=_Turner(), steps=22)
    assert run.env.distance_to_goal() > 4.0
    hopeless_at = None
    while not run.done:
        run.step()
        if hopeless_at is None and not run.done and is_hopeless(run):
            hopeless_at = run.env.step_count
    assert hopeless_at is not None
    reach_m = 0.25 * (22 - hopeless_at) + run.env.task.spec.success_m
    assert run.env.distance_to_goal() > reach_m
    assert run.env.distance_to_goal() <= reach_m + 0.25


def test_an_agent_without_the_seam_is_refused_by_name() -> None:
    run = open_run("turner", agent=_Turner())
    assert not run.is_correctable
    with pytest.raises(AgentError, match="memory of agent 'turner' cannot be corrected"):
        run.step(Capability.MEMORY)


def test_truth_has_the_size_of_the_picture_given() -> None:
    run = open_run("frontier", steps=10)
    played = run.step()
    frame = played.situation.frame
    assert frame is not None
    assert frame.instances.shape == (96, 96)
    assert set(np.unique(frame.instances)) & set(frame.facts)


def test_one_looks_before_anything_is_done() -> None:
    run = open_run("turner", agent=_Turner())
    asked: list[tuple[int, float, int]] = []
    for _ in range(2):
        run.step(
            look=lambda situation, decision: asked.append(
                (
                    situation.env.step_count,
                    situation.env.sim.pose.yaw - situation.pose.yaw,
                    len(vars(run.oracle)["steps"]),
                )
            )
        )
    assert asked == [(0, 0.0, 0), (1, 0.0, 1)]


class _SaysForwardOrLeft(Onlooker):
    answer = ExpectedOutputs(plan_actions=(Move.FORWARD, Move.LEFT))


def test_a_corrected_plan_is_followed_as_well_as_can_be() -> None:
    run = open_run("turner", agent=_Turner(), steps=10, oracle=_SaysForwardOrLeft)
    assert (
        run.step(Capability.PLANNING).action is Move.FORWARD
    )  # its own would do, and lead nowhere


class _Wavers(Onlooker):
    """Wants the turn that undoes the last one, or to go on."""

    def expected(
        self,
        situation: Situation,
        decision: Decision,
        of: Capability | None = None,
        *,
        led: bool = True,
    ) -> ExpectedOutputs:
        back = Move.LEFT if situation.observation.step % 2 else Move.RIGHT
        return ExpectedOutputs(actions=(back, Move.FORWARD))


class _Backs(_Turner):
    """Says nothing that follows."""

    def act(self, obs: Observation) -> Action:
        return Move.STOP


def test_a_corrected_robot_goes_on_rather_than_turn_back_and_forth() -> None:
    run = open_run("backs", agent=_Backs(), steps=10, oracle=_Wavers)
    done = [run.step(Capability.DECISION).action for _ in range(4)]
    assert done == [Move.RIGHT, Move.FORWARD, Move.RIGHT, Move.FORWARD]


@pytest.mark.parametrize("condition", ["camera_tilt@1", "wrong_intrinsics@1", "latency@1"])
def test_clean_readings_are_those_of_sensors_as_they_were_told(condition: str) -> None:
    spoiled, sound = (open_run("mopa@detector=truth", condition=c) for c in (condition, "clean"))
    for run in (spoiled, sound):
        for move in (Move.LEFT, Move.LEFT, Move.FORWARD):
            run.env.step(move)
    wrong, right = spoiled.env.observe(clean=True), sound.env.observe()
    clean = clean_observation(spoiled.env)
    for name in ("rgb", "depth"):
        assert not np.array_equal(wrong.readings[name], right.readings[name])
        assert np.array_equal(clean.readings[name], right.readings[name])
    assert clean_observation(sound.env).readings.keys() == right.readings.keys()
