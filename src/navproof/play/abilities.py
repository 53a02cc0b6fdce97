"""What an agent can do and feel: which tasks and conditions it is run in, and why not in others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from navproof.agents.declaration import Declaration
from navproof.core.errors import SpecError
from navproof.core.types import TaskSpec
from navproof.corruptions.condition import parse_condition
from navproof.corruptions.protocol import Target
from navproof.language.missions.wordings import ORIGINAL
from navproof.log.folder import Skipped
from navproof.sensors import choose, reads, sees
from navproof.tasks import TASKS

__all__ = ["skipped", "skips_in_words", "why_not"]

_LACKS: Mapping[Target, str] = {
    "rgb": "no rgb reaches it",
    "depth": "no depth reaches it",
    "words": "it does not read the words of this task",
    "prompt": "it has no system prompt",
    "mount": "it has no camera",
    "arrival": "it has no camera",
    "pose": "it has no pose sensor",
}


def why_not(abilities: Declaration, task: TaskSpec, condition: str) -> str:
    """Why an agent is not run in a task under a condition, or "". A condition of several parts
    must be felt in all of them: felt in one, it would be another condition."""
    if abilities.tasks is not None and task.task not in abilities.tasks:
        return f"it does {', '.join(abilities.tasks) or 'no task'} only"
    targets = _felt(abilities, task)
    parsed = parse_condition(condition)
    if parsed.style != ORIGINAL and "words" not in targets:
        return _LACKS["words"]
    for part in parsed.parts:
        if part.corruption.target not in targets:
            return _LACKS[part.corruption.target]
    return ""


def skipped(
    agents: Mapping[str, Declaration], tasks: Mapping[str, TaskSpec], conditions: Sequence[str]
) -> tuple[Skipped, ...]:
    """Everything that is not run. A ``SpecError`` where an agent would not be run at all."""
    pairs = []
    for agent, abilities in agents.items():
        reasons = {
            (name, condition): why_not(abilities, task, condition)
            for name, task in tasks.items()
            for condition in conditions
        }
        if all(reasons.values()):
            why = next(iter(reasons.values()))
            raise SpecError(f"agent '{agent}' can do nothing in {', '.join(tasks)}: {why}")
        pairs += [Skipped(agent, *what, why) for what, why in reasons.items() if why]
    return tuple(pairs)


def skips_in_words(skips: Sequence[Skipped]) -> list[str]:
    """One line for each agent and reason, and set of conditions."""
    conditions: dict[tuple[str, str, str], list[str]] = {}
    for skip in skips:
        conditions.setdefault((skip.agent, skip.task, skip.why), []).append(skip.condition)
    tasks: dict[tuple[str, str, str], list[str]] = {}
    for (agent, task, why), names in conditions.items():
        what = "" if "clean" in names else f"{', '.join(names)} in "
        tasks.setdefault((agent, what, why), []).append(task)
    return [
        f"{agent} skips {what}{', '.join(where)}: {why}"
        for (agent, what, why), where in tasks.items()
    ]


def _felt(abilities: Declaration, task: TaskSpec) -> set[Target]:
    try:
        sensors = choose(task, abilities.sensors)
    except SpecError:
        sensors = ()  # the run itself says what is wrong with them, episode by episode
    families = {sees(sensor) for sensor in sensors}
    feels = abilities.feels
    targets: set[Target] = {"drive"}
    if "rgb" in families and (feels is None or "rgb" in feels):
        targets.add("rgb")
    if "depth" in families and (feels is None or "depth" in feels):
        targets.add("depth")
    if any(reads(sensor) == "pose" for sensor in sensors):
        targets.add("pose")
    if any(sensor.camera is not None for sensor in sensors):
        targets |= {"mount", "arrival"}
    told_in_words = TASKS.get(task.task).words == "only"
    if told_in_words if feels is None else "words" in feels:
        targets.add("words")
    if feels is not None and "prompt" in feels:
        targets.add("prompt")
    return targets
