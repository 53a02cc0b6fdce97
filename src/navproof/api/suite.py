"""Suites by themselves: what there is in one, making it ahead of a run, packing it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from navproof.api.outputs import SUITE, check_output
from navproof.api.plain import whole_number
from navproof.api.run import processors
from navproof.api.text.progress import RunProgress, shown
from navproof.core.errors import SpecError
from navproof.core.processes import in_processes
from navproof.core.salt import Salt
from navproof.core.types import Episode
from navproof.corruptions.condition import parse_condition
from navproof.play.pool import COMPILING
from navproof.runner.conditions import expand_conditions, usual_conditions
from navproof.runner.plan import choose
from navproof.runner.plugins import needed_by
from navproof.tasks.settings import STANDARD
from navproof.tasks.specs import spec_hash
from navproof.tasks.suites import find_pack, find_suite, load_suite, salted, suite_path
from navproof.tasks.suites.load import GENERATOR_VERSION
from navproof.tasks.suites.pack import Needed, Pack, write_pack
from navproof.world.library import is_stored, scene_digest

__all__ = ["MadeSuite", "PackedSuite", "Progress", "about_suite", "make_suite", "pack_suite"]


class Progress(Protocol):
    """Is told how the making of a suite gets on."""

    def announce(self, text: str) -> None:
        """A line for the user."""

    def making(self, done: int, total: int, what: str) -> None:
        """So many scenes are done."""


class _NoProgress:
    def announce(self, text: str) -> None: ...
    def making(self, done: int, total: int, what: str) -> None: ...


@dataclass(frozen=True, slots=True)
class MadeSuite:
    """A suite that is on this machine with all its scenes."""

    name: str
    episodes: tuple[Episode, ...]
    salt: str = ""

    @property
    def scenes(self) -> tuple[str, ...]:
        """Every scene once."""
        return tuple(dict.fromkeys(episode.scene for episode in self.episodes))


@dataclass(frozen=True, slots=True)
class PackedSuite:
    """A suite in a file. ``digest`` (SHA-256) stands for everything in it. ``salt`` is the
    fingerprint of the salt that it was made with, "" for a public one."""

    path: Path
    name: str
    digest: str
    episodes: int
    scenes: int
    bytes: int
    salt: str = ""


def make_suite(
    name: str | Path,
    *,
    salt: Path | str | Salt | None = None,
    workers: int | None = None,
    progress: bool | Progress = True,
) -> MadeSuite:
    """Have a suite on this machine, with all its scenes, ahead of a run: what is not there is made,
    or comes out of its file where it is packed. ``salt`` is the file of a secret from which it is
    made anew. ``workers`` processes work at once, by default one for each processor."""
    secret = _salt(salt)
    with shown(progress, RunProgress) as heard:
        return _made(str(name), secret, _count(workers), heard or _NoProgress())


def pack_suite(
    name: str | Path,
    out: Path | str,
    *,
    salt: Path | str | Salt | None = None,
    limit: int | None = None,
    skip: int = 0,
    workers: int | None = None,
    progress: bool | Progress = True,
) -> PackedSuite:
    """Write a suite (by name or reference, or an episode file) into the file ``out``: its episodes,
    all their scenes, and the settings and conditions that hold today. The same suite gives the same
    bytes. ``limit`` and ``skip`` choose episodes as for a run. A pack of a salted suite can be read
    by whoever has it: it publishes what the salt withheld."""
    suite, target, secret = str(name), Path(out), _salt(salt)
    read = [suite, secret.file if secret is not None else None]
    check_output(target, SUITE, read)
    if find_pack(suite) is not None:
        raise SpecError(f"{suite} is packed already")
    count = _count(workers)
    with shown(progress, RunProgress) as heard:
        made = _made(suite, secret, count, heard or _NoProgress())
        episodes = choose(made.episodes, whole_number("limit", limit), skip)
        check_output(target, SUITE, {episode.scene for episode in episodes})
        conditions = [parse_condition(text).full_name for text in usual_conditions(suite)]
        tasks = {task: STANDARD.spec(task) for task in {e.task for e in episodes}}
        known = find_suite(suite)
        file = Path(suite).name.removesuffix(".gz").removesuffix(".jsonl")
        title = file if known is None else known.name
        about = "" if known is None else " ".join(known.description.split())
        if about and len(episodes) < len(made.episodes):
            about = f"{len(episodes)} of {len(made.episodes)} episodes of: {about}"
        digest = write_pack(
            target,
            title,
            episodes,
            generator=GENERATOR_VERSION,
            description=about,
            conditions=conditions,
            needs=[Needed(o.kind, o.name, o.digest) for o in needed_by(tasks, conditions)],
            salt=made.salt,
            workers=count,
        )
    scenes = len({episode.scene for episode in episodes})
    size = target.stat().st_size
    return PackedSuite(target, title, digest, len(episodes), scenes, size, made.salt)


def about_suite(name: str | Path) -> dict[str, Any]:
    """What there is in a suite, as plain data; nothing is made for it. A packed one is read as a
    whole: a ``SpecError`` where something in it is not as its manifest says."""
    suite = str(name)
    if (pack := find_pack(suite)) is not None:
        return _about_pack(pack)
    known = find_suite(suite)
    conditions = list(expand_conditions(usual_conditions(suite)))
    if known is None or known.episodes is not None:
        episodes = load_suite(suite)
        is_file = known is None
        return {
            "suite": suite if known is None else known.name,
            "kind": "episode file" if is_file else "function",
            "what": "" if known is None else known.description,
            **_counts(episodes),
            "conditions": conditions,
            "made": all(is_stored(scene) for scene in {e.scene for e in episodes}),
        }
    tasks: Counter[str] = Counter()
    for part in known.parts:
        for task in part.tasks:
            tasks[task] += len(part.scenes) * part.per_scene
    return {
        "suite": known.name,
        "kind": "made when it is needed",
        "what": known.description,
        "episodes": known.size,
        "tasks": dict(tasks),
        "scenes": list(known.scenes),
        "conditions": conditions,
        "made": suite_path(known).is_file() and all(map(is_stored, known.scenes)),
    }


def _about_pack(pack: Pack) -> dict[str, Any]:
    pack.unpack()
    settings, manifest = pack.settings, pack.manifest
    return {
        "suite": manifest.name,
        "kind": "packed",
        "what": manifest.description,
        "digest": pack.digest,
        **_counts(pack.episodes),
        "conditions": list(expand_conditions(manifest.conditions)),
        "settings": {task: spec_hash(spec) for task, spec in sorted(settings.tasks.items())},
        "robots": sorted(settings.robots),
        "made_by": asdict(manifest.made_by),
        "needs": [asdict(need) for need in manifest.needs],
        "bytes": pack.path.stat().st_size,
    }


def _counts(episodes: Sequence[Episode]) -> dict[str, Any]:
    return {
        "episodes": len(episodes),
        "tasks": dict(Counter(episode.task for episode in episodes)),
        "scenes": list(dict.fromkeys(episode.scene for episode in episodes)),
    }


def _made(name: str, salt: Salt | None, workers: int, progress: Progress) -> MadeSuite:
    suite = find_suite(name)
    if suite is not None and salt is not None and suite.parts:
        suite = salted(suite, salt)
    if suite is not None and suite.parts and not suite_path(suite).is_file():
        _compile(progress)
    episodes = load_suite(name, progress.making, workers, salt)
    made = MadeSuite(name, episodes, "" if salt is None else salt.fingerprint)
    missing = [scene for scene in made.scenes if not is_stored(scene)]
    for done, (_, result) in enumerate(in_processes(scene_digest, missing, workers), start=1):
        result()
        progress.making(done, len(missing), "")
    return made


def _compile(progress: Progress) -> None:
    """Compile the kernels once, before several processes each do it."""
    from navproof.play.warmup import is_warm, warm_up

    if not is_warm():
        progress.announce(COMPILING)
        warm_up()


def _salt(salt: Path | str | Salt | None) -> Salt | None:
    return Salt.read(Path(salt)) if isinstance(salt, str | Path) else salt


def _count(workers: int | None) -> int:
    count = whole_number("workers", workers)
    return processors() if count is None else count
