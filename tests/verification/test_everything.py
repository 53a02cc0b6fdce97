"""What is recorded in any task, with any robot and by any way of driving it follows from the
actions. (Every built-in agent is verified with its digests: ``tests/golden``.)"""

from __future__ import annotations

import numpy as np
import pytest

from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.types import Action, Control, Move, Observation, TaskBrief, Velocity, Waypoints
from navproof.corruptions.condition import parse_condition
from navproof.log.storage import decode_trace, encode_trace
from navproof.log.trace import Trace, TraceKey
from navproof.play.env import Env
from navproof.play.play import play
from navproof.play.session import Session
from navproof.sim.robots import ROBOTS
from navproof.tasks import TASKS, make_task, spec_for
from navproof.tasks.specs import with_robot
from navproof.verification.again import session_of, simulated_again
from navproof.verification.compare import difference

BODY = "camera_tilt+frame_drop+odometry_drift+wheel_slip"
WORDS = "mask_50+low_light_noise+depth_gaussian"


class Driver:
    """Drives about at random, by all that it may do, with numbers of as many digits as there
    are."""

    sensors = ("pose",)

    def reset(self, brief: TaskBrief) -> None:
        self.control, self.rng = brief.control, np.random.default_rng(brief.seed)
        self.claims = Move.FOUND in brief.actions
        self.moves = [m for m in brief.actions if m not in (Move.STOP, Move.FOUND)]

    def act(self, obs: Observation) -> Action:
        if self.claims and obs.step == 9:
            return Move.FOUND
        kind = self.control
        if kind == "any":
            kind = ("velocity", "waypoints")[int(self.rng.integers(2))]
        if kind == "velocity":
            return Velocity(float(self.rng.uniform(0, 0.8)), float(self.rng.uniform(-1, 1)))
        if kind == "waypoints":
            ahead = self.rng.uniform(0.1, 0.8, 3), self.rng.uniform(-0.4, 0.4, 3)
            return Waypoints(tuple((float(x), float(y)) for x, y in zip(*ahead, strict=True)))
        return self.moves[int(self.rng.integers(len(self.moves)))]


def played(task: str, robot: str, control: Control, condition: str) -> Trace:
    sim = tiny_simulator(task)
    spec = with_robot(spec_for(task, control=control), ROBOTS[robot])
    env = Env(
        sim,
        make_task(task, spec),
        Driver.sensors,
        condition=parse_condition(condition),
        seed=11,
    )
    episode = tiny_episode(task, sim, 25)
    session = Session(env, TraceKey("driver", episode.episode_id, condition, 11))
    return play(session, Driver(), episode)


@pytest.mark.parametrize("condition", ["clean", BODY, WORDS])
@pytest.mark.parametrize("control", ["discrete", "velocity", "waypoints", "any"])
@pytest.mark.parametrize("robot", sorted(ROBOTS))
@pytest.mark.parametrize("task", sorted(TASKS))
def test_the_actions_give_the_trace(
    task: str, robot: str, control: Control, condition: str
) -> None:
    trace = decode_trace(encode_trace(played(task, robot, control, condition)), "a trace")
    assert (trace.status, trace.reason) == ("ok", "")
    assert len(trace.actions) > 3
    session = session_of(trace, tiny_simulator(task), words_as_heard=False)
    again = decode_trace(encode_trace(simulated_again(session, trace)), "the same, simulated")
    assert difference(trace, again, over=session.done) is None
