"""VLN as a whole. Settings: R2R in continuous environments (R2R-CE)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from navproof.core.later import later
from navproof.core.types import Camera, Episode, Goal, Instruction, Robot, TaskSpec
from navproof.sim.protocol import Simulator
from navproof.tasks.kind import TaskKind
from navproof.tasks.registry import register_task
from navproof.tasks.specs import RADIUS_M, navigation_sensors
from navproof.tasks.tiny import tiny_way
from navproof.tasks.vln.rules import VLN

__all__: list[str] = []

_RGB = Camera(width=224, height=224, hfov_deg=90.0, height_m=1.25)
_TINY_WORDS = "Walk past the red table, go through the doorway and stop at the blue chair."


def _form(episode: Episode) -> Iterator[tuple[str, str]]:
    if episode.instruction is None or not episode.instruction.text.strip():
        yield "instruction", "VLN needs one"


def _tiny(sim: Simulator, budget_steps: int) -> Episode:
    """Through the doorway to a place by the blue chair."""
    goal = Goal("point", ((2.0, 2.6, 0.0),))
    way = tiny_way(sim, "vln-v1", (goal,), budget_steps)
    return replace(way, instruction=Instruction(_TINY_WORDS))


register_task(
    TaskKind(
        "vln-v1",
        title="VLN",
        about="Follow a route instruction to its end.",
        spec=TaskSpec(
            task="vln-v1",
            robot=Robot("vln", RADIUS_M, 1.5, forward_m=0.25, turn_deg=15.0),
            sensors=navigation_sensors(_RGB, replace(_RGB, width=256, height=256)),
            success_m=3.0,
            budget_steps=500,
        ),
        rules=VLN,
        words="only",
        is_route=True,
        make=later("navproof.tasks.vln.make:make_vln"),
        form=_form,
        check=later("navproof.tasks.vln.check:check_vln"),
        tiny=_tiny,
        changes=later("navproof.tasks.vln.changes:changes"),
    )
)
