"""ObjectNav as a whole. Settings: the HM3D ObjectNav challenge of Habitat."""

from __future__ import annotations

from collections.abc import Iterator

from navproof.core.later import later
from navproof.core.types import Camera, Episode, Goal, Robot, TaskSpec
from navproof.sim.protocol import Simulator
from navproof.tasks.kind import TaskKind
from navproof.tasks.objectnav.rules import ObjectNav
from navproof.tasks.registry import register_task
from navproof.tasks.specs import RADIUS_M, navigation_sensors
from navproof.tasks.tiny import around_chair, tiny_way

__all__: list[str] = []

_CAMERA = Camera(width=640, height=480, hfov_deg=79.0, height_m=0.88)


def _form(episode: Episode) -> Iterator[tuple[str, str]]:
    if not episode.goals[0].category:
        yield "goals.0.category", "ObjectNav needs one"


def _tiny(sim: Simulator, budget_steps: int) -> Episode:
    """To the blue chair in the other room."""
    goal = Goal("object", around_chair(sim), category="chair")
    return tiny_way(sim, "objectnav-v1", (goal,), budget_steps)


register_task(
    TaskKind(
        "objectnav-v1",
        title="ObjectNav",
        about="Find any instance of a category.",
        spec=TaskSpec(
            task="objectnav-v1",
            robot=Robot("objectnav", RADIUS_M, 0.88, forward_m=0.25, turn_deg=30.0),
            sensors=navigation_sensors(_CAMERA, _CAMERA, 0.5, 5.0),
            success_m=0.1,
            budget_steps=500,
            distance_to="viewpoints",
        ),
        rules=ObjectNav,
        words="beside",
        make=later("navproof.tasks.objectnav.make:make_objectnav"),
        form=_form,
        check=later("navproof.tasks.objectnav.check:check_objectnav"),
        tiny=_tiny,
        changes=later("navproof.tasks.objectnav.changes:changes"),
    )
)
