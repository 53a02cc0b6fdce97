"""What to run. Two runs with the same ``RunSpec`` and episodes give the same results."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import navproof
from navproof.agents.limits import Limits
from navproof.agents.options import parse_agent
from navproof.agents.registry import AGENTS
from navproof.core.errors import SpecError
from navproof.core.plain import as_plain
from navproof.core.sources import digest_of_files
from navproof.core.types import Episode, SensorSpec, TaskSpec
from navproof.corruptions.condition import parse_condition
from navproof.runner.conditions import expand_conditions, usual_conditions
from navproof.runner.plugins import describe_plugins, edited_plugins, plugins_of
from navproof.sim.registry import simulator_name

if TYPE_CHECKING:
    from navproof.corruptions.rewriter import Rewriter

__all__ = ["RunSpec", "describe", "differences", "hash_of"]


@dataclass(frozen=True, slots=True)
class RunSpec:
    """A run: agents × episodes of a suite × conditions × seeds.

    ``suite`` is the name of a suite or an episode file. ``conditions`` are texts as
    ``parse_condition`` takes them (none: those that the suite brings with it, or clean alone);
    they become their names, "clean" first in any case. ``camera`` replaces (width, height) of
    every camera. ``sensors`` come on top of the tasks' own, or in the place of those whose names
    they have (``navproof.sensors.config``). ``robots`` take the place of the tasks' own
    (``tasks.robots.for_robots``). ``reacting_people`` mind the robot instead of keeping to their
    schedule. ``episode_limit`` takes at most so many episodes, evenly over the tasks and robots,
    ``episode_skip`` others than a limit of that number would.
    ``beliefs`` records what agents say they believe. ``rewriter`` is a language model that takes
    the place of the built-in instruction styles. ``simulator`` is ``embedded``, ``physics`` or
    ``file.py:factory`` of another ``Simulator``. ``in_process`` has agents share a process with
    their judge, to debug them; the result says so. The number of workers is not part of it.
    """

    agents: tuple[str, ...]
    suite: str
    seeds: tuple[int, ...] = (0,)
    conditions: tuple[str, ...] = ()
    camera: tuple[int, int] | None = None
    sensors: tuple[SensorSpec, ...] = ()
    robots: tuple[str, ...] = ()
    reacting_people: bool = False
    episode_limit: int | None = None
    episode_skip: int = 0
    beliefs: bool = False
    rewriter: Rewriter | None = None
    simulator: str = "embedded"
    limits: Limits = field(default_factory=Limits)
    in_process: bool = False

    def __post_init__(self) -> None:
        for what, values, needed in (
            ("agent", self.agents, True),
            ("seed", self.seeds, True),
            ("robot", self.robots, False),
        ):
            if needed and not values:
                raise SpecError(f"a run needs at least one {what}")
            if len(set(values)) != len(values):
                twice = next(v for v in values if list(values).count(v) > 1)
                raise SpecError(f"{what} {twice!r} is given twice")
        for seed in self.seeds:
            if not -(2**63) <= seed < 2**63:
                raise SpecError(f"seed {seed} does not fit into 64 bits")
        object.__setattr__(self, "simulator", simulator_name(self.simulator))
        conditions = expand_conditions(self.conditions or usual_conditions(self.suite))
        object.__setattr__(self, "conditions", conditions)
        if self.episode_limit is not None and self.episode_limit < 1:
            raise SpecError(f"the number of episodes must be at least 1, got {self.episode_limit}")
        if self.episode_skip < 0:
            raise SpecError(f"episodes to leave out: at least 0, got {self.episode_skip}")


def describe(
    spec: RunSpec, episodes: Sequence[Episode], tasks: Mapping[str, TaskSpec]
) -> dict[str, Any]:
    """Everything that decides the results, as plain JSON; what comes from outside with a digest of
    its files. ``suite``, ``robots`` and
    ``episode_skip`` are labels; what counts is ``episodes``, a digest of their content."""
    from navproof.tasks.specs import spec_hash

    plugins = plugins_of(spec, episodes, tasks)
    is_corrupted = any(parse_condition(name).parts for name in spec.conditions)
    return {
        "agents": list(spec.agents),
        "agent_files": _agent_files(spec.agents),
        "eyes": digest_of_files([Path(navproof.__file__).parent / "perception" / "data"]),
        "suite": Path(spec.suite).name,
        "episodes": _digest([as_plain(e) for e in episodes]),
        "episode_count": len(episodes),
        **({"episode_skip": spec.episode_skip} if spec.episode_skip else {}),
        "tasks": {name: spec_hash(task) for name, task in sorted(tasks.items())},
        "camera": list(spec.camera) if spec.camera else None,
        **({"sensors": as_plain(spec.sensors)} if spec.sensors else {}),
        **({"robots": list(spec.robots)} if spec.robots else {}),
        **({"people": "reacting"} if spec.reacting_people else {}),
        "seeds": list(spec.seeds),
        "conditions": list(spec.conditions),
        **({"corruptions": digest_of_files(_corruption_files())} if is_corrupted else {}),
        **({"plugins": describe_plugins(plugins)} if plugins else {}),
        **({"rewriter": spec.rewriter.identity} if spec.rewriter else {}),
        "beliefs": spec.beliefs,
        "simulator": spec.simulator,
        "limits": asdict(spec.limits),
        **({"in_process": True} if spec.in_process else {}),
        "navproof": navproof.__version__,
    }


_LABELS = ("suite", "robots", "episode_skip")


def hash_of(description: Mapping[str, Any]) -> str:
    """Twelve hex digits of a description, its labels left out."""
    return _digest({k: v for k, v in description.items() if k not in _LABELS})


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """What differs between two descriptions, in words for a person."""
    lines = []
    unlisted = {*_LABELS, "agent_files", "limits", "episode_count", "plugins"}
    if old.get("conditions") != new.get("conditions"):
        unlisted.add("corruptions")  # there or not because of them
    for name in sorted({*old, *new} - unlisted):
        a, b = old.get(name), new.get(name)
        if a == b:
            continue
        if name == "episodes":
            count, now = _counted(old), _counted(new)
            text = f"episodes: {count} there, {now} now"
            lines.append(text if count != now else f"episodes: the content of {now} has changed")
        else:
            lines.append(f"{name}: {_brief(a)} there, {_brief(b)} now")
    limits, now_limits = old.get("limits", {}), new.get("limits", {})
    lines += [
        f"limit {name}: {limits.get(name)} there, {value} now"
        for name, value in now_limits.items()
        if limits.get(name) != value
    ]
    files, now_files = old.get("agent_files", {}), new.get("agent_files", {})
    lines += [
        f"a file that agent {name} names has changed since"
        for name in sorted(files)
        if name in now_files and files[name] != now_files[name]
    ]
    return lines + edited_plugins(old, new)


def _counted(description: Mapping[str, Any]) -> str:
    """Which episodes, in words."""
    skip = description.get("episode_skip")
    count = f"{description.get('episode_count')} of {description.get('suite')}"
    return f"{count} (after {skip})" if skip else count


def _corruption_files() -> list[Path]:
    """The sources that decide what a condition does: an edited corruption is another one."""
    root = Path(navproof.__file__).parent
    elsewhere = ("batch", "gallery", "wrapper", "_observations", "_spaces")  # not in a run
    files = [f for f in (root / "corruptions").rglob("*.py") if f.stem not in elsewhere]
    for words in ("tagging", "styles"):
        files += (root / "language" / words).glob("*.py")
    return sorted(files)


def _agent_files(agents: Sequence[str]) -> dict[str, str]:
    """Digests of the files and folders that agents' options name (weights, eyes of one's own):
    other files make another agent."""
    digests = {}
    for agent in agents:
        parsed = parse_agent(agent)
        paths = []
        for _, value in parsed.options:
            paths += [Path(value.rpartition(":")[0]), Path(value.partition(":")[2])]
            if parsed.ref not in AGENTS.built_in():
                paths.append(Path(value))
        paths = [p for p in paths if p.parts and (p.is_dir() or p.is_file())]
        if paths:
            digests[agent] = digest_of_files(paths)
    return digests


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _brief(value: Any) -> str:
    text = json.dumps(value) if not isinstance(value, str) else value
    return text if len(text) <= 60 else f"{text[:57]}…"
