"""What a trace tells of can be played again, whatever was played in between."""

from __future__ import annotations

from stage_samples import Onlooker

from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.diagnose.stage import Stage
from navproof.diagnose.workbench import Workbench
from navproof.log.trace import Trace


def _played(stage: Stage) -> Trace:
    while not stage.done:
        stage.step()
    return stage.trace()


def test_a_trace_is_played_again() -> None:
    sim = tiny_simulator("objectnav-v1")
    episode = tiny_episode("objectnav-v1", sim, 30)
    bench = Workbench("random", Onlooker, sim)
    first = _played(bench.stage(episode, "depth_gaussian", 5))
    other = _played(bench.stage(episode, "clean", 6))
    assert other.actions != first.actions
    assert _played(bench.restage(first)) == first
