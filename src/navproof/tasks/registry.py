"""Every task by its versioned id. One declares itself, in its own file::

    register_task(TaskKind("patrol-v1", title="Patrol", …))

``navproof episodes make --task my_task.py:PATROL`` takes a ``TaskKind`` from a file; there its id
is that reference. The episodes of a task from outside are of the name that it goes by, whatever
its makers say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

from navproof.core.errors import SpecError, UnknownNameError
from navproof.core.registry import Registry, suggest
from navproof.core.types import Episode
from navproof.tasks.kind import TaskKind

__all__ = ["TASKS", "register_task", "task_id"]


def _kind(value: Any, name: str) -> TaskKind:
    if not isinstance(value, TaskKind):
        raise SpecError(
            f"task '{name}' is a {type(value).__name__}, not a TaskKind; "
            "write PATROL = TaskKind(…, rules=Patrol) and name that"
        )
    if ":" not in name:
        _refuse_unversioned(name)
    return _named(value, name)


def _named(kind: TaskKind, name: str) -> TaskKind:
    """The task under a name, and whatever makes its episodes makes them of that name: a task that
    was derived from another one has that one's makers."""
    return replace(
        kind,
        id=name,
        spec=replace(kind.spec, task=name),
        make=_of_task(name, kind.make),
        extended=_of_task(name, kind.extended),
        tiny=_of_task(name, kind.tiny),
    )


def _refuse_unversioned(name: str) -> None:
    stem, dash, version = name.rpartition("-v")
    if not (stem and dash and version.isdecimal()):
        raise SpecError(
            f"task '{name}': the id must end in a version, such as {name or 'patrol'}-v1, since "
            "rules or settings that change results are another version"
        )


def _of_task(name: str, make: Callable[..., Any] | None) -> Callable[..., Any] | None:
    """What makes episodes, which are then of the task with that name."""
    if make is None:
        return None

    @wraps(make)
    def made(*arguments: Any) -> Any:
        episode = make(*arguments)
        return replace(episode, task=name) if isinstance(episode, Episode) else episode

    return made


TASKS: Registry[TaskKind] = Registry(
    "task",
    home="navproof.tasks",
    group="navproof.tasks",
    declared_by="register_task",
    convert=_kind,
)


def register_task(kind: TaskKind) -> TaskKind:
    """Declare a task under its id, which must end in a version ("patrol-v1"). Returns it as it is
    known from then on: its episodes are of that id, whatever its makers say."""
    if not isinstance(kind, TaskKind):
        raise SpecError(f"register_task takes a TaskKind, not a {type(kind).__name__}")
    if kind.spec.task != kind.id:
        raise SpecError(f"task '{kind.id}' has settings for '{kind.spec.task}'")
    if kind.id in TASKS.built_in():
        return TASKS.add(kind.id, kind)
    _refuse_unversioned(kind.id)
    return TASKS.add(kind.id, _named(kind, kind.id))


def task_id(name: str) -> str:
    """The versioned id of a task's name: "vln" → "vln-v1"; ids and references pass unchanged."""
    if name in TASKS or ":" in name:
        return name
    short = {full.rpartition("-v")[0]: full for full in TASKS}
    if name.lower() in short:
        return short[name.lower()]
    raise UnknownNameError(f"there is no task '{name}'{suggest(name, [*short, *TASKS])}")
