"""What a run says that it is, held against its traces and the suite whose name it bears.

That actions give a score says nothing where an easier episode, other settings or fewer episodes go
by the name of a suite. What is wrong here refutes a run; what could not be compared keeps it from
being verified.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import navproof
from navproof.agents.declaration import Declaration
from navproof.core.codec import CodecError
from navproof.core.errors import NavproofError
from navproof.core.registry import Registry
from navproof.core.salt import MARK, Salt, salt_called
from navproof.core.sources import file_of
from navproof.core.types import Episode
from navproof.corruptions.condition import parse_condition
from navproof.corruptions.registry import CORRUPTIONS
from navproof.language.missions.wordings import ORIGINAL, reworded
from navproof.log.folder import RunFolder, RunInfo
from navproof.log.trace import TraceKey
from navproof.play.abilities import skipped
from navproof.play.pool import COMPILING
from navproof.runner.fitting import choose_fitting
from navproof.runner.identity import episodes_digest, hash_of
from navproof.runner.spec import RunSpec
from navproof.sensors import SENSORS
from navproof.sim.registry import SIMULATORS
from navproof.sim.robots import ROBOTS
from navproof.tasks.registry import TASKS
from navproof.tasks.suites import SUITES, load_suite
from navproof.verification.job import Simulated
from navproof.verification.packed import PackedRun
from navproof.verification.types import Progress

__all__ = ["Claims", "in_words"]

_HASHED = 3
"""The first version of runs whose hash covers all that they describe."""


class Claims:
    """Of one run. ``faults`` refute it, ``gaps`` keep it from being verified; ``suite`` is how many
    episodes the suite that it names has, 0 where that is not known."""

    def __init__(self, folder: RunFolder, info: RunInfo, packed: PackedRun) -> None:
        self._folder, self._info, self._packed = folder, info, packed
        self._spec: Mapping[str, Any] = info.spec
        self._is_ours = self._spec.get("navproof") == navproof.__version__
        self.faults: list[str] = []
        self.gaps: list[str] = []
        self.suite = 0
        self.has_foreign_code = False

    # ---------------------------------------------------------------------- before simulating
    def look_at_description(self) -> None:
        """What ``run.json`` says, by itself."""
        if self._info.run_version >= _HASHED:
            self.faults += self._wrong_description()
        if self._spec.get("salt") and self._salt is None:
            self.gaps.append("it is made with a salt, which is needed: --salt FILE")
        if not self._is_ours and self._packed.pack is None:
            was, now = self._spec.get("navproof"), navproof.__version__
            self.gaps.append(
                f"it was written by navproof {was}, and this is {now}: its settings and episodes "
                "can be compared only where it played a packed suite"
            )
        foreign = list(self._foreign_code())
        self.has_foreign_code = bool(foreign)
        self.gaps += foreign

    def _wrong_description(self) -> Iterator[str]:
        info, spec = self._info, self._spec
        if hash_of(spec) != info.spec_hash:
            yield "run.json was edited: its hash is not that of what it describes"
        planned = {
            "agents": list(info.agents),
            "conditions": list(info.conditions),
            "seeds": list(info.seeds),
            "episode_count": len(info.episodes),
        }
        for name, value in planned.items():
            if spec.get(name) != value:
                yield f"run.json was edited: it plans other {name} than it describes"
        if set(info.tasks) != set(spec.get("tasks", ())):
            yield "run.json was edited: it plans other tasks than it describes"

    def _foreign_code(self) -> Iterator[str]:
        """Code that comes with the run is not run to verify it; nor is any that the run does not
        describe."""
        kinds: Mapping[str, Registry[Any]] = {
            one.kind: one for one in (CORRUPTIONS, ROBOTS, SENSORS, SIMULATORS, TASKS)
        }
        described = {(p["kind"], p["name"]) for p in self._spec.get("plugins", ())}
        used = [
            (SIMULATORS.kind, str(self._spec.get("simulator", "embedded"))),
            *((TASKS.kind, str(task)) for task in self._spec.get("tasks", ())),
        ]
        for kind, name in dict.fromkeys((*described, *used)):
            registry = kinds.get(kind)
            origin = None if registry is None else registry.origin(name)
            if origin is None:
                continue
            if (kind, name) not in described:
                yield f"run.json does not describe the file of {kind} {name}"
            file = file_of(origin.source)
            if file is not None and file.resolve().is_relative_to(self._folder.path.resolve()):
                yield f"{kind} {name} lies in the run's own folder: no code from there is run"

    @property
    def _salt(self) -> Salt | None:
        return salt_called(str(self._spec.get("salt")))

    # ----------------------------------------------------------------------- after simulating
    def compare(
        self, found: Sequence[Simulated], *, whole: bool, workers: int, progress: Progress
    ) -> None:
        """What the traces hold; ``whole``: these are all of the run's."""
        played = [one for one in found if one.episode is not None]
        if not played or self._info.run_version < _HASHED:
            return
        versions = {one.navproof for one in played} - {self._spec.get("navproof")}
        if versions:
            self.faults.append(
                f"traces were written by navproof {', '.join(sorted(versions))}, and the run says "
                f"{self._spec.get('navproof')}"
            )
        self.faults += self._wrong_scenes(played, whole=whole)
        if not self._is_ours and self._packed.pack is None:
            return
        faults, gaps = self._packed.other_settings(found)
        self.faults += faults
        self.gaps += gaps
        self._compare_skips(played)
        try:
            self._compare_episodes(played, whole=whole, workers=workers, progress=progress)
        except NavproofError as error:
            self.gaps.append(f"its episodes could not be compared with those of its suite: {error}")

    def _wrong_scenes(self, played: Sequence[Simulated], *, whole: bool) -> Iterator[str]:
        scenes = {one.episode.scene for one in played if one.episode is not None}
        fingerprint = self._spec.get("salt")
        made = {scene for scene in scenes if not _is_file(scene)}
        public = {scene for scene in made if not scene.endswith(f"{MARK}{fingerprint}")}
        if fingerprint and public:
            yield f"it says that it is salted, and scene {min(public)} is not made with that salt"
        if self._spec.get("simulator") not in SIMULATORS.built_in():
            return
        described = set(self._spec.get("scenes", ()))
        if (scenes != described) if whole else not scenes <= described:
            yield "run.json does not describe the scenes of its episodes"

    def _compare_skips(self, played: Sequence[Simulated]) -> None:
        """What a run left out must be what its agents cannot do."""
        try:
            declared = {
                agent: Declaration.of_plain(self._info.declared[agent])
                for agent in self._info.agents
            }
            tasks = self._packed.task_specs(
                {e.task for e in _episodes(played)} | set(self._info.tasks)
            )
            expected = skipped(declared, tasks, self._info.conditions)
        except (NavproofError, CodecError, KeyError) as error:
            if self._info.skipped:
                self.gaps.append(f"what was left out could not be compared: {error}")
            return
        if set(expected) != set(self._info.skipped):
            self.faults.append("run.json leaves out other episodes than those its agents cannot do")

    def _compare_episodes(
        self, played: Sequence[Simulated], *, whole: bool, workers: int, progress: Progress
    ) -> None:
        known = self._known_episodes(workers, progress)
        if known is None:
            known = self._own_episodes(played)
            # Of a part of a run, words may be there whose original is elsewhere.
            played = [one for one in played if whole or one.key.episode_id in known]
        elif tuple(known) != self._info.episodes:
            name = self._spec.get("suite")
            self.faults.append(
                f"its episodes are not those that a run of {len(self._info.episodes)} episodes "
                f"takes of suite '{name}'"
            )
        others = [one.key for one in played if one.episode != _worded(known, one.key)]
        if others:
            self.faults.append(
                f"{len({key.episode_id for key in others})} episodes are not those that the run "
                f"describes: {in_words(others[0])}"
            )
        if whole and set(self._info.episodes) <= known.keys():
            digest = episodes_digest(known[name] for name in self._info.episodes)
            if digest != self._spec.get("episodes"):
                self.faults.append("its episodes are not those that the run describes")

    def _known_episodes(self, workers: int, progress: Progress) -> dict[str, Episode] | None:
        """Those that the run takes of its suite, made here if need be; None where it names no suite
        that this navproof or a pack could give."""
        name, pack = str(self._spec.get("suite", "")), self._packed.pack
        if pack is not None:
            episodes = pack.episodes
        elif name not in SUITES.built_in() or (self._spec.get("salt") and self._salt is None):
            return None
        else:
            progress.announce(f"comparing with suite {name}")
            episodes = load_suite(name, None, workers, self._salt)
        self.suite = len(episodes)
        spec = RunSpec(
            self._info.agents,
            name,
            conditions=self._info.conditions,
            robots=tuple(self._spec.get("robots", ())),
            episode_limit=len(self._info.episodes),
            episode_skip=self._spec.get("episode_skip", 0),
            simulator=str(self._spec.get("simulator", "embedded")),
        )
        chosen = choose_fitting(
            spec,
            episodes,
            workers,
            lambda _: None,
            lambda: progress.announce(COMPILING),
            self._packed.settings,
        )
        return {episode.episode_id: episode for episode in chosen}

    @staticmethod
    def _own_episodes(played: Iterable[Simulated]) -> dict[str, Episode]:
        """One of each, in its original words: of these the others must be copies."""
        found: dict[str, Episode] = {}
        for one in played:
            if one.episode is not None and _style(one.key) == ORIGINAL:
                found.setdefault(one.key.episode_id, one.episode)
        return found


def in_words(key: TraceKey) -> str:
    """A trace, in a sentence."""
    return f"{key.agent}, {key.episode_id}, {key.condition}, seed {key.seed}"


def _style(key: TraceKey) -> str:
    return parse_condition(key.condition).style


def _worded(known: Mapping[str, Episode], key: TraceKey) -> Episode | None:
    """The episode that a trace should hold."""
    episode = known.get(key.episode_id)
    try:
        return None if episode is None else reworded(episode, _style(key))
    except NavproofError:
        return None


def _episodes(played: Iterable[Simulated]) -> Iterator[Episode]:
    return (one.episode for one in played if one.episode is not None)


def _is_file(scene: str) -> bool:
    return bool(Path(scene).suffix)
