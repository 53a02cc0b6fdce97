"""What an agent under test can be made to suffer from."""

from __future__ import annotations

from navproof.core.errors import SpecError
from navproof.corruptions.registry import CORRUPTIONS
from navproof.play.abilities import why_not
from navproof.play.hosted import HostedAgent
from navproof.tasks.registry import task_id
from navproof.tasks.specs import spec_for

__all__ = ["felt_by"]


def felt_by(agent: str, task: str) -> tuple[str, ...]:
    """The built-in corruptions that an agent can feel in a task; a ``SpecError`` where it does not
    do that task."""
    spec, hosted = spec_for(task_id(task)), HostedAgent(agent)
    try:
        abilities = hosted.declaration
    finally:
        hosted.close()
    if why := why_not(abilities, spec, "clean"):
        raise SpecError(f"agent '{agent}' cannot be tested in {spec.task}: {why}")
    return tuple(name for name in CORRUPTIONS.built_in() if not why_not(abilities, spec, name))
