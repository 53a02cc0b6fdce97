"""Tasks: goals and rules, the episodes that pose them, and the suites that gather episodes."""

from __future__ import annotations

from collections.abc import Callable

from navproof.registry import Registry
from navproof.tasks.protocol import Task
from navproof.tasks.specs import (
    spec_for,
    spec_hash,
    standard_sensors,
    with_camera,
)
from navproof.types import TaskSpec

__all__ = [
    "TASKS",
    "Task",
    "make_task",
    "spec_for",
    "spec_hash",
    "standard_sensors",
    "with_camera",
]

TASKS: Registry[Callable[[TaskSpec], Task]] = Registry(
    "task",
    {
        "pointnav-v1": "navproof.tasks.pointnav:PointNav",
        "objectnav-v1": "navproof.tasks.objectnav:ObjectNav",
        "vln-v1": "navproof.tasks.vln:VLN",
        "langnav-v1": "navproof.tasks.langnav:LangNav",
        "mission-v1": "navproof.tasks.mission:Mission",
    },
)


def make_task(task_id: str, spec: TaskSpec | None = None) -> Task:
    """A task by its versioned id, with its standard settings or those of ``spec``."""
    maker = TASKS.get(task_id)
    return maker(spec_for(task_id) if spec is None else spec)
