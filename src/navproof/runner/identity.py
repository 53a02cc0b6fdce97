"""What a run is: everything that decides its results, as plain JSON, and a digest of that.

It covers the agents' code (what they import from their folder or package), their weights and
options, the content of every scene and episode, the settings of tasks, what conditions do,
everything from outside (plug-ins), and navproof itself. A run is never gone on with where one of
these has changed.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import navproof
from navproof.agents.address import is_address, parse_address
from navproof.agents.declaration import Declaration
from navproof.agents.options import parse_agent
from navproof.agents.registry import AGENTS
from navproof.agents.wire import PROTOCOL_VERSION
from navproof.core.codec import from_plain
from navproof.core.errors import AgentError
from navproof.core.plain import as_plain
from navproof.core.processes import in_processes
from navproof.core.sources import Sources, digest_of_files, file_of, sources_of
from navproof.core.types import Clock, Episode, SensorSpec, TaskSpec
from navproof.runner.plugins import describe_plugins, edited_plugins, plugins_of
from navproof.sim.registry import SIMULATORS
from navproof.tasks.settings import STANDARD, Changes
from navproof.world.library import is_stored, scene_digest

if TYPE_CHECKING:
    from navproof.runner.spec import RunSpec
    from navproof.tasks.suites.pack.read import Pack

__all__ = [
    "AgentCode",
    "agent_code",
    "changes_described",
    "declared_digest",
    "describe",
    "differences",
    "episodes_digest",
    "hash_of",
    "own_code",
    "scene_digests",
    "versions",
    "whole_code",
]

_SHAPING = (
    "core",
    "world",
    "sim",
    "language",
    "sensors",
    "corruptions",
    "perception",
    "tasks",
    "agents",
    "play",
)
"""The rooms whose code decides what comes out of an episode."""
_CODE = (".py", ".toml", ".txt")
_LABELS = ("suite", "robots", "episode_skip")
_TOLD_APART = ("agent_files", "limits", "episode_count", "plugins", "scenes", "code", "pack")
"""What ``differences`` has words of its own for."""
_USUAL = {"clock": "wait", "people": "scheduled"}
"""What is not described where it is as usual."""
_MOST_FILES = 10_000
_ON_A_SERVER = "its code, which is on a server"


@dataclass(frozen=True, slots=True)
class AgentCode:
    """What an agent from outside is made of. ``digest`` is that of the files that its options and
    its class name, "" where there are none; its code's is among the plug-ins. ``installed`` are the
    packages that it imports, ``unfollowed`` what could not be followed, a line each. ``served`` is
    what a server says of itself: its code cannot be seen."""

    digest: str = ""
    installed: tuple[str, ...] = ()
    unfollowed: tuple[str, ...] = ()
    served: Mapping[str, str] | None = None


def agent_code(name: str, declared: Declaration) -> AgentCode:
    """What an agent is made of besides navproof. An ``AgentError`` where a file that its class
    names is not there."""
    if is_address(name):
        chosen = parse_address(name).map
        digest = "" if chosen is None else digest_of_files([chosen])
        return AgentCode(digest, unfollowed=(_ON_A_SERVER,), served=declared.served)
    source = _source_of(name)
    paths = [*_named_in_options(name), *_declared_files(name, declared)]
    for path in paths:
        if path.is_dir() and len(list(islice(path.rglob("*"), _MOST_FILES))) == _MOST_FILES:
            raise AgentError(f"agent '{name}' names {path}, in which there are too many files")
    made = Sources(()) if source is None else sources_of(source)
    told = {path.name for path in paths}
    return AgentCode(
        digest_of_files(paths) if paths else "",
        made.installed,
        tuple(line for line in made.unfollowed if line.rpartition(" names ")[2] not in told),
    )


def declared_digest(name: str, declared: Mapping[str, Declaration]) -> str:
    """A digest of the files that an agent's class names; not of those that its options name, into
    which it may write."""
    return digest_of_files(_declared_files(name, declared[name]))


def _source_of(name: str) -> Path | None:
    """The file of an agent from outside."""
    if is_address(name):
        return None
    origin = AGENTS.origin(parse_agent(name).ref)
    return None if origin is None else file_of(origin.source)


def _declared_files(name: str, declared: Declaration) -> list[Path]:
    source = _source_of(name)
    folder = Path.cwd() if source is None else source.parent
    for file in declared.files:
        if not (folder / file).exists():
            what = f"agent '{name}' names {file} in its files"
            raise AgentError(f"{what}: there is no {folder / file}")
    return [folder / file for file in declared.files]


def describe(
    spec: RunSpec,
    episodes: Sequence[Episode],
    tasks: Mapping[str, TaskSpec],
    codes: Mapping[str, AgentCode],
    scenes: Mapping[str, str],
    pack: Pack | None = None,
) -> dict[str, Any]:
    """Everything that decides the results. ``suite``, ``robots`` and ``episode_skip`` are labels;
    what counts is ``episodes``, a digest of their content. ``codes`` are what the agents are made
    of, ``scenes`` the digest of each scene, ``pack`` is the packed suite that is played."""
    from navproof.tasks.specs import spec_hash

    settings = STANDARD if pack is None else pack.settings
    plugins = plugins_of(spec, episodes, tasks, settings)
    files = {agent: code.digest for agent, code in codes.items() if code.digest}
    served = {agent: code.served for agent, code in codes.items() if code.served is not None}
    return {
        "agents": list(spec.agents),
        "agent_files": files,
        **({"served": as_plain(served)} if served else {}),
        "eyes": digest_of_files([Path(navproof.__file__).parent / "perception" / "data"]),
        "suite": Path(spec.suite).name,
        **({"pack": pack.identity} if pack else {}),
        "episodes": episodes_digest(episodes),
        "episode_count": len(episodes),
        **({"episode_skip": spec.episode_skip} if spec.episode_skip else {}),
        "scenes": dict(sorted(scenes.items())),
        "tasks": {name: spec_hash(task) for name, task in sorted(tasks.items())},
        "camera": list(spec.camera) if spec.camera else None,
        **({"sensors": as_plain(spec.sensors)} if spec.sensors else {}),
        **({"robots": list(spec.robots)} if spec.robots else {}),
        **({"people": "reacting"} if spec.reacting_people else {}),
        **({"clock": spec.clock} if spec.clock != "wait" else {}),
        "seeds": list(spec.seeds),
        "conditions": list(spec.conditions),
        **({"plugins": describe_plugins(plugins)} if plugins else {}),
        **({"rewriter": spec.rewriter.identity} if spec.rewriter else {}),
        "beliefs": spec.beliefs,
        "simulator": spec.simulator,
        "limits": asdict(spec.limits),
        **({"in_process": True} if spec.in_process else {}),
        **({"salt": spec.salt.fingerprint} if spec.salt else {}),
        "protocol": PROTOCOL_VERSION,
        "navproof": navproof.__version__,
        "code": own_code(),
    }


def changes_described(description: Mapping[str, Any], peopled: Iterable[str]) -> Changes:
    """What a run changed in the settings of its tasks, from its description; ``peopled`` are the
    tasks whose episodes have people. A ``CodecError`` where it does not say so readably."""
    camera = description.get("camera")
    reacting = peopled if description.get("people") == "reacting" else ()
    return Changes(
        None if camera is None else from_plain(tuple[int, int], camera, "camera"),
        from_plain(tuple[SensorSpec, ...], description.get("sensors", []), "sensors"),
        frozenset(reacting),
        from_plain(Clock, description.get("clock", "wait"), "clock"),
    )


def episodes_digest(episodes: Iterable[Episode]) -> str:
    """Twelve hex digits of everything in these episodes, in this order."""
    return _digest([as_plain(episode) for episode in episodes])


def hash_of(description: Mapping[str, Any]) -> str:
    """Twelve hex digits of a description, its labels left out."""
    return _digest({k: v for k, v in description.items() if k not in _LABELS})


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """What differs between two descriptions, in words for a person."""
    lines = []
    if (pack := old.get("pack")) != (now_pack := new.get("pack")):
        lines.append(f"packed suite: {_packed(pack)} there, {_packed(now_pack)} now")
    unlisted = {*_LABELS, *_TOLD_APART}
    for name in sorted({*old, *new} - unlisted):
        usual = _USUAL.get(name)
        a, b = old.get(name, usual), new.get(name, usual)
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
        for name in new.get("agents", ())
        if name in old.get("agents", ()) and files.get(name) != now_files.get(name)
    ]
    scenes = old.get("scenes", {})
    lines += [
        f"scene {scene} is not what it was"
        for scene, digest in new.get("scenes", {}).items()
        if scenes.get(scene, digest) != digest
    ]
    lines += edited_plugins(old, new)
    if old.get("code") != new.get("code"):
        lines.append("the code of navproof itself has been edited since")
    return lines


def versions(imported: Iterable[str] = ()) -> dict[str, str]:
    """Of what decides numbers, and of the packages that agents import (names of modules)."""
    packages = importlib.metadata.packages_distributions() if (modules := set(imported)) else {}
    names = (
        *("numpy", "numba", "scipy", "opencv-python-headless", "onnxruntime", "pyarrow"),
        "mujoco-core",  # where it is installed: the physics tier
        *sorted({name for module in modules for name in packages.get(module, ())}),
    )
    found = {"navproof": navproof.__version__, "python": platform.python_version()}
    for name in names:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _counted(description: Mapping[str, Any]) -> str:
    """Which episodes, in words."""
    skip = description.get("episode_skip")
    count = f"{description.get('episode_count')} of {description.get('suite')}"
    return f"{count} (after {skip})" if skip else count


def _named_in_options(name: str) -> list[Path]:
    """The files and folders that an agent's options name (weights, eyes of one's own)."""
    parsed = parse_agent(name)
    paths = []
    for _, value in parsed.options:
        paths += [Path(value.rpartition(":")[0]), Path(value.partition(":")[2])]
        if parsed.ref not in AGENTS.built_in():
            paths.append(Path(value))
    return [p for p in paths if p.parts and (p.is_dir() or p.is_file())]


def scene_digests(simulator: str, episodes: Iterable[Episode], workers: int = 1) -> dict[str, str]:
    """A digest of each scene of the episodes, by its reference; nothing for a simulator of the
    user's, which has scenes of its own. Scenes that are not there yet are made."""
    if simulator not in SIMULATORS.built_in():
        return {}
    scenes = sorted({episode.scene for episode in episodes})
    missing = [scene for scene in scenes if not is_stored(scene)]
    digests = {missing[i]: result() for i, result in in_processes(scene_digest, missing, workers)}
    return {scene: digests.get(scene) or scene_digest(scene) for scene in scenes}


def whole_code() -> str:
    """A digest of everything that is imported from navproof's folder as it is now: that of all
    rooms, and compiled modules, which would come before sources. (Byte code is not: processes that
    judge do not read it.)"""
    root = Path(navproof.__file__).parent
    files = (file for file in root.rglob("*") if file.is_file() or file.is_symlink())
    kept = sorted(file for file in files if "__pycache__" not in file.parts)
    told = [[str(f.relative_to(root)), hashlib.sha256(f.read_bytes()).hexdigest()] for f in kept]
    return _digest(told)


@cache
def own_code() -> str:
    """A digest of navproof's own code, as far as it decides results: as it was when this process
    first asked, which ``run`` does before any code of an agent runs."""
    root = Path(navproof.__file__).parent
    files = [f for room in _SHAPING for f in (root / room).rglob("*") if f.suffix in _CODE]
    return digest_of_files(sorted(files))


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _packed(pack: Mapping[str, str] | None) -> str:
    return "none" if pack is None else f"{pack['name']} (sha256 {pack['digest'][:12]}…)"


def _brief(value: Any) -> str:
    text = json.dumps(value) if not isinstance(value, str) else value
    return text if len(text) <= 60 else f"{text[:57]}…"
