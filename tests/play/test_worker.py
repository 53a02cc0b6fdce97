"""What a worker keeps from job to job changes nothing in what comes out."""

from __future__ import annotations

from dataclasses import replace

from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.types import Episode
from navproof.log.trace import Trace, TraceKey
from navproof.play.play import play
from navproof.play.worker import Worker
from navproof.tasks import spec_for


def _played(worker: Worker, episode: Episode, condition: str, seed: int) -> Trace:
    key = TraceKey("random", episode.episode_id, condition, seed)
    session = worker.session(key, spec_for(episode.task), episode.task, timed=False)
    trace = play(session, worker.agent("random"), episode)
    return replace(trace, timing={})


def test_a_trace_is_played_again() -> None:
    sim = tiny_simulator("objectnav-v1")
    episode = tiny_episode("objectnav-v1", sim, 30)
    worker = Worker(lambda: sim)
    first = _played(worker, episode, "depth_gaussian", 5)
    other = _played(worker, episode, "clean", 6)
    assert other.actions != first.actions
    assert _played(worker, episode, "depth_gaussian", 5) == first
