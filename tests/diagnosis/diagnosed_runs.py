"""Small runs in the two-room flat, played here, as ``navproof run`` would have written them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from navproof.agents.baselines.frontier import FrontierAgent
from navproof.agents.correction import Correction
from navproof.check.tiny import tiny_episode
from navproof.core.types import Action, Decision, Detection, Observation, TaskBrief
from navproof.log.folder import RunFolder, RunInfo
from navproof.log.trace import TraceKey
from navproof.metrics.catalogue import result_rows
from navproof.play.play import play
from navproof.play.worker import Worker
from navproof.runner.plugins import describe_plugins
from navproof.sim.registry import PHYSICS, SIMULATORS
from navproof.tasks import spec_for, with_camera
from navproof.testing import tiny_scene
from navproof.world.io import save_scene

__all__ = ["BLIND", "SILENT", "Blind", "Silent", "tiny_run"]

BLIND, SILENT = "diagnosed_runs:Blind", "diagnosed_runs:Silent"
_TASK = "objectnav-v1"
_PIXELS = 96


class _SeesNothing:
    def detect(self, obs: Observation, brief: TaskBrief) -> tuple[Detection, ...]:
        return ()


class Blind:
    """The explorer with eyes that see nothing."""

    sensors = FrontierAgent.sensors

    def __init__(self) -> None:
        self._inner = FrontierAgent(_SeesNothing())

    def reset(self, brief: TaskBrief) -> None:
        self._inner.reset(brief)

    def act(self, obs: Observation) -> Decision:
        return self._inner.act(obs)

    def correct(self, correction: Correction) -> None:
        self._inner.correct(correction)


class Silent:
    """The blind explorer, which tells nothing."""

    sensors = FrontierAgent.sensors

    def __init__(self) -> None:
        self._inner = FrontierAgent(_SeesNothing())

    def reset(self, brief: TaskBrief) -> None:
        self._inner.reset(brief)

    def act(self, obs: Observation) -> Action:
        return self._inner.act(obs).action


def tiny_run(
    path: Path,
    agents: Mapping[str, int],
    episodes: int = 1,
    limits: Mapping[str, float] | None = None,
    rewritten: str = "",
    simulator: str = "embedded",
) -> RunFolder:
    """A finished run of ``episodes`` alike but for their seeds; the steps of each agent.
    ``rewritten``: what somebody made of every instruction."""
    scene = path.parent / "flat.scene"
    save_scene(tiny_scene(), scene)
    sim = SIMULATORS.get(simulator)()
    spec = with_camera(
        spec_for(_TASK, "carter" if simulator == PHYSICS else None), _PIXELS, _PIXELS
    )
    sim.load(tiny_scene(), spec.robot)
    origin = SIMULATORS.origin(simulator)
    names = tuple(f"flat-{i}" for i in range(episodes))
    folder = RunFolder(path)
    folder.create(
        RunInfo(
            {
                "simulator": simulator,
                "limits": dict(limits or {}),
                "plugins": describe_plugins([origin] if origin else []),
            },
            "hash",
            tuple(agents),
            names,
            tasks=(_TASK,) * episodes,
        )
    )
    for agent, steps in agents.items():
        worker = Worker(lambda: sim, in_process=True)
        for name in names:
            episode = replace(
                tiny_episode(_TASK, sim, steps), episode_id=name, scene=str(scene.resolve())
            )
            key = TraceKey(agent, name)
            words = (lambda x, moment: rewritten) if rewritten else None
            session = worker.session(key, spec, _TASK, beliefs=True, timed=False, words=words)
            folder.write(play(session, worker.agent(agent), episode))
    folder.write_results(result_rows(folder.traces()))
    return folder
