"""Whether a case can be done at all: the oracle does it, and its episode is valid."""

from __future__ import annotations

from navproof.agents.load import load_agent
from navproof.corruptions.condition import Condition, parse_condition
from navproof.diagnosis.fuzz.types import Case
from navproof.log.trace import TraceKey
from navproof.metrics.navigation.success import success
from navproof.play.env import Env
from navproof.play.play import play
from navproof.play.session import Session
from navproof.sim.protocol import Simulator
from navproof.tasks import make_task
from navproof.tasks.specs import spec_for
from navproof.tasks.validate import validate_episode
from navproof.world.scene import Scene

__all__ = ["is_feasible"]

_ORACLE = "oracle"


def is_feasible(case: Case, scene: Scene, sim: Simulator) -> bool:
    """Whether the oracle passes the case with its people in it, under what its condition does to
    the drive (what is done to readings and words, it does not need). ``scene`` is the case's."""
    episode = case.episode
    spec = spec_for(episode.task, episode.robot or None)
    sim.load(scene, spec.robot)
    if next(validate_episode(sim, episode), None) is not None:
        return False
    drive = Condition(parse_condition(case.condition).parts_of("drive"))
    factory = load_agent(_ORACLE)
    task = make_task(episode.task, spec)
    env = Env(sim, task, factory.sensors, condition=drive, seed=case.seed)
    key = TraceKey(_ORACLE, episode.episode_id, drive.name, case.seed)
    return success(play(Session(env, key), factory(), episode)) > 0.0
