"""Tasks: goals and rules, the episodes that pose them, and the suites that gather episodes."""

from __future__ import annotations

from collections.abc import Callable

from navproof.core.registry import NamedImports
from navproof.core.types import TaskSpec
from navproof.tasks.protocol import Task
from navproof.tasks.specs import (
    spec_for,
    spec_hash,
    with_camera,
)

__all__ = [
    "TASKS",
    "Task",
    "make_task",
    "spec_for",
    "spec_hash",
    "with_camera",
]

TASKS: NamedImports[Callable[[TaskSpec], Task]] = NamedImports(
    "task",
    {
        "pointnav-v1": "navproof.tasks.pointnav.rules:PointNav",
        "objectnav-v1": "navproof.tasks.objectnav.rules:ObjectNav",
        "vln-v1": "navproof.tasks.vln.rules:VLN",
        "langnav-v1": "navproof.tasks.langnav.rules:LangNav",
        "mission-v1": "navproof.tasks.mission.rules:Mission",
    },
)


def make_task(task_id: str, spec: TaskSpec | None = None) -> Task:
    """A task by its versioned id, with its standard settings or those of ``spec``."""
    maker = TASKS.get(task_id)
    return maker(spec_for(task_id) if spec is None else spec)
