"""A run of a packed suite: whether it was played as the suite has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from navproof.core.codec import CodecError
from navproof.core.errors import NavproofError, SpecError
from navproof.core.types import TaskSpec
from navproof.log.folder import RunFolder, RunInfo
from navproof.runner.identity import changes_described
from navproof.tasks.settings import STANDARD, Changes, Settings
from navproof.tasks.specs import spec_hash
from navproof.tasks.suites.pack.read import Pack
from navproof.verification.job import Simulated

__all__ = ["PackedRun"]


class PackedRun:
    """``pack`` is the packed suite that a run says it played, None where it is not at hand or the
    run is of another kind of suite. A ``SpecError`` where the run says otherwise."""

    def __init__(self, folder: RunFolder, info: RunInfo, pack: Pack | None) -> None:
        self.info, self.pack = info, pack
        told = info.spec.get("pack")
        self._told: Mapping[str, str] = told if isinstance(told, Mapping) else {}
        if pack is None or self._told.get("digest") == pack.digest:
            return
        if not self._told:
            raise SpecError(f"{folder.path} was not played on a packed suite: leave --suite away")
        raise SpecError(
            f"{folder.path} was played on packed suite {self._name}, and {pack.path} is "
            f"{pack.manifest.name} (sha256 {pack.digest})"
        )

    @property
    def _name(self) -> str:
        return f"{self._told.get('name')} (sha256 {self._told.get('digest')})"

    def notes(self) -> Iterator[str]:
        """What a reader should know of the suite."""
        if not self._told:
            return
        if self.pack is not None:
            yield f"its episodes are compared with those of packed suite {self._name}"
        else:
            yield (
                f"scenes, episodes and settings were not compared with those of packed suite "
                f"{self._name}: give it (--suite FILE)"
            )
        if salt := self._told.get("salt"):
            yield (
                f"made with a salt ({salt}), and packed: secret only from those who did not have "
                "the packed suite"
            )

    def standard(self, task: str) -> str | None:
        """The hash of a task's own settings under the run's clock, which is told by itself; None
        where they are not known here."""
        if self._told and self.pack is None:
            return None
        settings = STANDARD if self.pack is None else self.pack.settings
        try:
            spec = settings.spec(task)
            return spec_hash(replace(spec, clock=self.info.spec.get("clock", spec.clock)))
        except NavproofError:
            return None

    @property
    def settings(self) -> Settings:
        """By which the run was played."""
        return STANDARD if self.pack is None else self.pack.settings

    def task_specs(self, tasks: Iterable[str]) -> dict[str, TaskSpec]:
        """The settings of tasks with what the run says that it changed in them."""
        changes = self._changes(())
        return {task: changes.of(self.settings.spec(task)) for task in tasks}

    def other_settings(self, found: Sequence[Simulated]) -> tuple[list[str], list[str]]:
        """What was played by other settings than those of the task (or of the packed suite) with
        what the run says that it changed in them, and what keeps that from being told."""
        if self._told and self.pack is None:
            return [], []
        try:
            changes = self._changes(found)
        except CodecError as error:
            return [f"run.json does not say readably what it changed in settings ({error})"], []
        for one in found:
            if one.episode is None:
                continue
            task, robot = one.episode.task, one.episode.robot
            try:
                base = changes.of(self.settings.spec(task))
                expected = spec_hash(self.settings.played(base, robot, changes.sensors))
            except NavproofError as error:
                return [], [f"the settings of {task} are not known here: {error}"]
            whose = "the task" if self.pack is None else "the packed suite"
            if one.spec_hash != expected:
                return [
                    f"{one.key.episode_id} was played by other settings of {task} than {whose} has "
                    "with what the run describes"
                ], []
            if self._info_tasks.get(task, spec_hash(base)) != spec_hash(base):
                return [f"run.json does not describe the settings of {task}"], []
        return [], []

    @property
    def _info_tasks(self) -> Mapping[str, str]:
        return dict(self.info.spec.get("tasks", {}))

    def _changes(self, found: Sequence[Simulated]) -> Changes:
        planned = set(self.info.episodes)
        packed = () if self.pack is None else self.pack.episodes
        mine = [e for e in packed if e.episode_id in planned]
        mine += [one.episode for one in found if one.episode is not None]
        return changes_described(self.info.spec, {e.task for e in mine if e.people})
