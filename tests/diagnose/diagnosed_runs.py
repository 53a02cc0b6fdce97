"""Small runs in the two-room flat, played here, as ``navproof run`` would have written them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from stage_samples import Onlooker

from navproof.agents.baselines.frontier import FrontierAgent
from navproof.agents.correction import Correction
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.types import Action, Decision, Detection, Observation, TaskBrief
from navproof.diagnose.workbench import Workbench
from navproof.log.folder import RunFolder, RunInfo
from navproof.metrics.catalogue import result_rows
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


def tiny_run(path: Path, agents: Mapping[str, int], episodes: int = 1) -> RunFolder:
    """A finished run of ``episodes`` alike but for their seeds; the steps of each agent."""
    scene = path.parent / "flat.scene"
    save_scene(tiny_scene(), scene)
    sim = tiny_simulator(_TASK)
    names = tuple(f"flat-{i}" for i in range(episodes))
    folder = RunFolder(path)
    folder.create(
        RunInfo({"simulator": "embedded"}, "hash", tuple(agents), names, tasks=(_TASK,) * episodes)
    )
    spec = with_camera(spec_for(_TASK), _PIXELS, _PIXELS)
    for agent, steps in agents.items():
        bench = Workbench(agent, Onlooker, sim)
        for name in names:
            episode = replace(
                tiny_episode(_TASK, sim, steps), episode_id=name, scene=str(scene.resolve())
            )
            stage = bench.stage(episode, spec=spec)
            while not stage.done:
                stage.step()
            folder.write(stage.trace())
    folder.write_results(result_rows(folder.traces()))
    return folder
