"""PointNav as a whole. Settings: Habitat PointNav."""

from __future__ import annotations

from navproof.core.later import later
from navproof.core.types import Camera, Episode, Goal, Robot, TaskSpec
from navproof.sim.protocol import Simulator
from navproof.tasks.kind import TaskKind
from navproof.tasks.pointnav.rules import PointNav
from navproof.tasks.registry import register_task
from navproof.tasks.specs import RADIUS_M, navigation_sensors
from navproof.tasks.tiny import tiny_way

__all__: list[str] = []

_CAMERA = Camera(width=640, height=480, hfov_deg=90.0, height_m=1.25)


def _tiny(sim: Simulator, budget_steps: int) -> Episode:
    """To a point behind the wall."""
    goal = Goal("point", ((3.0, 1.2, 0.0),))
    return tiny_way(sim, "pointnav-v1", (goal,), budget_steps)


register_task(
    TaskKind(
        "pointnav-v1",
        title="PointNav",
        about="Go to a point whose distance and bearing can be read at every step.",
        spec=TaskSpec(
            task="pointnav-v1",
            robot=Robot("pointnav", RADIUS_M, 1.5, forward_m=0.25, turn_deg=10.0),
            sensors=navigation_sensors(_CAMERA, _CAMERA, pointgoal=True),
            success_m=0.2,
            budget_steps=500,
        ),
        rules=PointNav,
        words="none",
        make=later("navproof.tasks.pointnav.make:make_pointnav"),
        check=later("navproof.tasks.faults:check_way"),
        tiny=_tiny,
    )
)
