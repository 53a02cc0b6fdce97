"""navproof: find out whether a navigation agent can be trusted.

::

    import navproof as nv

    class Forward:
        def reset(self, brief): ...
        def act(self, obs):
            return nv.Move.FORWARD

    if __name__ == "__main__":
        run = nv.run([Forward, "frontier"], "mini", conditions="depth_gaussian", limit=6)
        print(run.table())
        print(run.compare("Forward", "frontier").table())
        run.report().open()

Everything here is imported when it is asked for, so ``import navproof`` costs nothing.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from navproof.agents.limits import Limits
    from navproof.agents.protocol import Agent
    from navproof.agents.registry import register_agent
    from navproof.api.compare import Comparison, compare
    from navproof.api.diagnose import RunDiagnosis, diagnose
    from navproof.api.env import make_env
    from navproof.api.export import export
    from navproof.api.merge import merge
    from navproof.api.report import Report, report
    from navproof.api.run import run
    from navproof.api.run_folder import Run
    from navproof.api.score import Scores, score
    from navproof.api.verify import Verification, verify
    from navproof.core.errors import NavproofError
    from navproof.core.types import (
        Action,
        Answer,
        Beliefs,
        Camera,
        Decision,
        Detection,
        Episode,
        Event,
        Goal,
        Instruction,
        Mount,
        Move,
        Noise,
        Observation,
        Pose,
        Question,
        Remembered,
        Robot,
        Scan,
        SensorSpec,
        SubTask,
        TaskBrief,
        TaskSpec,
        Velocity,
        Walk,
        Waypoints,
    )
    from navproof.corruptions.condition import Condition, parse_condition
    from navproof.corruptions.protocol import Corruption
    from navproof.corruptions.registry import register_corruption
    from navproof.diagnosis.types import Diagnosis
    from navproof.log.trace import Trace, TraceKey
    from navproof.metrics.protocol import Metric
    from navproof.metrics.registry import register_metric
    from navproof.sensors.protocol import Reading, ReadingSpec, Sensor, View
    from navproof.sensors.registry import register_sensor
    from navproof.sim.protocol import Simulator
    from navproof.sim.registry import register_simulator
    from navproof.sim.robots import register_robot
    from navproof.tasks.kind import TaskKind
    from navproof.tasks.protocol import Task
    from navproof.tasks.registry import register_task
    from navproof.tasks.suites.registry import Suite, SuitePart, register_suite
    from navproof.world.library import load_scene
    from navproof.world.scene import Scene

__all__ = [
    "Action",
    "Agent",
    "Answer",
    "Beliefs",
    "Camera",
    "Comparison",
    "Condition",
    "Corruption",
    "Decision",
    "Detection",
    "Diagnosis",
    "Episode",
    "Event",
    "Goal",
    "Instruction",
    "Limits",
    "Metric",
    "Mount",
    "Move",
    "NavproofError",
    "Noise",
    "Observation",
    "Pose",
    "Question",
    "Reading",
    "ReadingSpec",
    "Remembered",
    "Report",
    "Robot",
    "Run",
    "RunDiagnosis",
    "Scan",
    "Scene",
    "Scores",
    "Sensor",
    "SensorSpec",
    "Simulator",
    "SubTask",
    "Suite",
    "SuitePart",
    "Task",
    "TaskBrief",
    "TaskKind",
    "TaskSpec",
    "Trace",
    "TraceKey",
    "Velocity",
    "Verification",
    "View",
    "Walk",
    "Waypoints",
    "__version__",
    "compare",
    "diagnose",
    "export",
    "load_scene",
    "make_env",
    "merge",
    "parse_condition",
    "register_agent",
    "register_corruption",
    "register_metric",
    "register_robot",
    "register_sensor",
    "register_simulator",
    "register_suite",
    "register_task",
    "report",
    "run",
    "score",
    "verify",
]

__version__ = "0.2.0"

_HOMES = {
    "navproof.agents.protocol": "Agent",
    "navproof.agents.registry": "register_agent",
    "navproof.api.compare": "Comparison compare",
    "navproof.api.diagnose": "RunDiagnosis diagnose",
    "navproof.api.env": "make_env",
    "navproof.api.export": "export",
    "navproof.api.merge": "merge",
    "navproof.api.report": "Report report",
    "navproof.api.run": "run",
    "navproof.api.run_folder": "Run",
    "navproof.api.score": "Scores score",
    "navproof.api.verify": "Verification verify",
    "navproof.core.errors": "NavproofError",
    "navproof.core.types": (
        "Action Answer Beliefs Camera Decision Detection Episode Event Goal Instruction "
        "Mount Move Noise Observation Pose Question Remembered Robot Scan SensorSpec "
        "SubTask TaskBrief TaskSpec Velocity Walk Waypoints"
    ),
    "navproof.corruptions.condition": "Condition parse_condition",
    "navproof.corruptions.protocol": "Corruption",
    "navproof.corruptions.registry": "register_corruption",
    "navproof.diagnosis.types": "Diagnosis",
    "navproof.log.trace": "Trace TraceKey",
    "navproof.metrics.protocol": "Metric",
    "navproof.metrics.registry": "register_metric",
    "navproof.agents.limits": "Limits",
    "navproof.sensors.protocol": "Reading ReadingSpec Sensor View",
    "navproof.sensors.registry": "register_sensor",
    "navproof.sim.protocol": "Simulator",
    "navproof.sim.registry": "register_simulator",
    "navproof.sim.robots": "register_robot",
    "navproof.tasks.kind": "TaskKind",
    "navproof.tasks.protocol": "Task",
    "navproof.tasks.registry": "register_task",
    "navproof.tasks.suites.registry": "Suite SuitePart register_suite",
    "navproof.world.library": "load_scene",
    "navproof.world.scene": "Scene",
}
"""Where the names above are defined, as in the imports for type checkers."""
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'navproof' has no attribute '{name}'")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if sys.modules.get("gymnasium"):  # gymnasium.make("navproof/ObjectNav-v1") then knows us
    from navproof.tasks.env_ids import register_envs

    register_envs(sys.modules["gymnasium"])
