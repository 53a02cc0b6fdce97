"""LangNav as a whole. Settings: LangNavBench's paper and, for the camera, its released code."""

from __future__ import annotations

from collections.abc import Iterator

from navproof.core.later import later
from navproof.core.types import Camera, Episode, Goal, Point, Robot, TaskSpec
from navproof.sim.protocol import Simulator
from navproof.tasks.kind import TaskKind
from navproof.tasks.langnav.rules import LangNav
from navproof.tasks.registry import register_task
from navproof.tasks.specs import RADIUS_M, navigation_sensors
from navproof.tasks.tiny import around_chair, tiny_way

__all__: list[str] = []

_CAMERA = Camera(width=256, height=256, hfov_deg=90.0, height_m=1.5)
_BELOW_TABLE: tuple[Point, ...] = ((-2.4, 2.4, 0.0), (-2.0, 2.4, 0.0), (-1.6, 2.4, 0.0))


def _form(episode: Episode) -> Iterator[tuple[str, str]]:
    for index, goal in enumerate(episode.goals):
        if not goal.text.strip():
            yield f"goals.{index}.text", "LangNav needs words"
        if not goal.object_ids:
            yield f"goals.{index}.object_ids", "LangNav needs the objects that are meant"
        if index and goal.text == episode.goals[index - 1].text:
            yield f"goals.{index}.text", "is the same as that of the goal before"


def _tiny(sim: Simulator, budget_steps: int) -> Episode:
    """To the blue chair, and back to the red table; the steps are for both together."""
    ids = {thing.category: (thing.id,) for thing in sim.scene.objects}
    goals = (
        Goal("object", around_chair(sim), "chair", ids["chair"], "Find the blue chair."),
        Goal("object", _BELOW_TABLE, "table", ids["table"], "Find the red table."),
    )
    return tiny_way(sim, "langnav-v1", goals, budget_steps)


register_task(
    TaskKind(
        "langnav-v1",
        title="LangNav",
        about="Find three things, one after the other, each described in words.",
        spec=TaskSpec(
            task="langnav-v1",
            robot=Robot("langnav", RADIUS_M, 1.5, forward_m=0.25, turn_deg=30.0),
            sensors=navigation_sensors(_CAMERA, _CAMERA),
            success_m=1.5,
            budget_steps=500,  # for each goal
            distance_to="viewpoints",
        ),
        rules=LangNav,
        words="only",
        make=later("navproof.tasks.langnav.make:make_langnav"),
        extended=later("navproof.tasks.langnav.make:make_extended_langnav"),
        usual_suite="langnav-mini",
        form=_form,
        check=later("navproof.tasks.langnav.check:check_langnav"),
        tiny=_tiny,
        changes=later("navproof.tasks.langnav.changes:changes"),
    )
)
