"""Tasks: goals and rules, the episodes that pose them, and the suites that gather episodes."""

from __future__ import annotations

from navproof.core.types import TaskSpec
from navproof.tasks.kind import TaskKind
from navproof.tasks.protocol import Task
from navproof.tasks.registry import TASKS, register_task, task_id
from navproof.tasks.specs import (
    spec_for,
    spec_hash,
    with_camera,
)

__all__ = [
    "TASKS",
    "Task",
    "TaskKind",
    "make_task",
    "register_task",
    "spec_for",
    "spec_hash",
    "task_id",
    "with_camera",
]


def make_task(name: str, spec: TaskSpec | None = None) -> Task:
    """The rules of a task by its versioned id, with its standard settings or those of ``spec``."""
    kind = TASKS.get(name)
    return kind.rules(kind.spec if spec is None else spec)
