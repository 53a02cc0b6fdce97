"""Missions as a whole. Settings: OmniNavBench, on Carter unless told otherwise.

The paper adapts number, size and field of view of the cameras to each algorithm; here there is one
RGB-D camera of 256 × 256 pixels and 90°, where the robot's is when it is in use.
"""

from __future__ import annotations

from dataclasses import replace

from navproof.core.later import later
from navproof.core.types import (
    Camera,
    Episode,
    Goal,
    Instruction,
    Question,
    SensorSpec,
    SubTask,
    TaskSpec,
    Walk,
)
from navproof.sim.protocol import Simulator
from navproof.sim.robots import load_robot
from navproof.tasks.kind import TaskKind
from navproof.tasks.mission.rules import Mission
from navproof.tasks.registry import register_task
from navproof.tasks.specs import navigation_sensors
from navproof.tasks.tiny import TINY_START, around_chair, tiny_way
from navproof.world.people.people import APPEARANCES

__all__: list[str] = []

_ROBOT = load_robot("carter")
_CAMERA = Camera(width=256, height=256, hfov_deg=90.0, height_m=_ROBOT.camera_m)
_STEPS = 6000  # ten minutes at 10 Hz; an episode's own budget is 2 × its expert's time
_TINY_WORDS = (
    "Go to the bedroom and find the blue chair, then come back to where you started. "
    "What colour is the table?"
)


def _tiny(sim: Simulator, budget_steps: int) -> Episode:
    """Into the other room, to the chair and back, while somebody walks about there."""
    chair = Goal("object", around_chair(sim), category="chair")
    there = tiny_way(sim, "mission-v1", (chair,), budget_steps)
    bedroom = Goal("room", ((2.0, 2.0, 0.0),), text="the bedroom")
    home = Goal("point", (TINY_START.point,), text="where you started")
    passer = Walk("p1", next(iter(APPEARANCES)), ((3.4, 3.4, 2.0), (3.4, 1.4, 0.0)))
    return replace(
        there,
        instruction=Instruction(_TINY_WORDS),
        goals=(home,),
        geodesic_m=round(2.0 * there.geodesic_m, 4),
        reference_path=(*there.reference_path, *there.reference_path[-2::-1]),
        people=(passer,),
        subtasks=(
            SubTask("goto_room", "go to the bedroom", bedroom, 3.0, rooms=(1,)),
            SubTask("goto_object", "find the blue chair", chair, 1.0),
            SubTask("return_to", "come back to where you started", home, 2.0),
        ),
        question=Question("What colour is the table?", "colour", "red"),
    )


register_task(
    TaskKind(
        "mission-v1",
        title="Mission",
        about="Do several sub-tasks in order, among people, and answer a question.",
        spec=TaskSpec(
            task="mission-v1",
            robot=_ROBOT,
            sensors=(*navigation_sensors(_CAMERA, _CAMERA), SensorSpec("mission", "mission")),
            success_m=2.0,
            budget_steps=_STEPS,
            control="any",
        ),
        rules=Mission,
        words="only",
        make=later("navproof.tasks.mission.make:make_episode"),
        tries=240,
        maker_version=2,
        robots=("aliengo", "carter", "h1"),
        usual_suite="missions-mini",
        form=later("navproof.tasks.mission.values:mission_form"),
        check=later("navproof.tasks.mission.check:mission_faults"),
        tiny=_tiny,
        changes=later("navproof.tasks.mission.changes:changes"),
    )
)
