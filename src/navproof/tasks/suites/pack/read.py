"""Reading a packed suite. Nothing in it is believed before it has the digest that its manifest
gives; what does not is named in one line."""

from __future__ import annotations

import hashlib
import math
import os
import shutil
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from navproof.core.codec import from_plain
from navproof.core.errors import NavproofError, SpecError
from navproof.core.input.archive import UNREADABLE, opened, read_at_most
from navproof.core.input.reading import parse_json
from navproof.core.plain import as_plain
from navproof.core.types import Episode, TaskSpec
from navproof.sensors import build
from navproof.sim.robots import checked_robot
from navproof.tasks.episodes import episodes_in_lines
from navproof.tasks.settings import Settings
from navproof.tasks.specs import check_image_size
from navproof.tasks.suites.pack.manifest import (
    EPISODES,
    MANIFEST,
    SETTINGS,
    manifest_from,
    scene_member,
)
from navproof.world.packed import PackedRef

__all__ = ["SUFFIX", "Pack", "is_pack_name", "open_pack"]

SUFFIX = ".suite"
_MOST_BYTES = 1 << 40
_MOST_TEXT = 128 << 20
_MOST_SETTINGS = 4 << 20
_MOST_STEPS = 10_000_000
_MOST_BEAMS = 10_000_000
_MOST_DELAY = 100_000
_CHUNK = 1 << 20


def is_pack_name(name: str) -> bool:
    """Whether a suite is named that way: by a file that ends in .suite."""
    return name.endswith(SUFFIX)


def open_pack(path: Path | str) -> Pack:
    """The packed suite in a file; a ``SpecError`` where there is none. Its episodes, settings and
    scenes are read when they are asked for."""
    return Pack(Path(path))


class Pack:
    """A packed suite. ``digest`` stands for all that is in it: the SHA-256 of its manifest."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._opened() as archive:
            names = archive.namelist()
            if MANIFEST not in names:
                raise self._no_pack(f"it has no {MANIFEST}")
            data = self._member(archive, MANIFEST, _MOST_SETTINGS)
            try:
                self.manifest, self.digest = manifest_from(data)
            except (ValueError, RecursionError) as error:
                raise self._no_pack(f"{MANIFEST}: {_line(error)}") from None
            known = {MANIFEST, *self.manifest.members}
            for name in sorted(known.symmetric_difference(names)):
                what = "is missing" if name in known else f"is not named in {MANIFEST}"
                raise self._damaged(name, what)

    def __repr__(self) -> str:
        return f"Pack({str(self.path)!r}, {self.digest[:12]})"

    @property
    def salt(self) -> str:
        """The fingerprint of the salt that it was made with, "" for a public one."""
        return self.manifest.made_by.salt

    @property
    def identity(self) -> dict[str, str]:
        """What goes with results."""
        about = {"name": self.manifest.name, "digest": self.digest}
        return {**about, "salt": self.salt} if self.salt else about

    @cached_property
    def episodes(self) -> tuple[Episode, ...]:
        """The episodes in order; their scenes are those that ``unpack`` puts in place."""
        episodes = episodes_in_lines(self._text(EPISODES, _MOST_TEXT), f"{self.path}, {EPISODES}")
        if len(episodes) != self.manifest.episodes:
            raise self._damaged(EPISODES, f"it has not the {self.manifest.episodes} told of")
        for episode in episodes:
            if episode.scene not in self.manifest.scenes:
                raise self._damaged(EPISODES, f"{episode.scene[:80]} is no scene of the suite")
            if episode.task not in self.settings.tasks:
                raise self._damaged(SETTINGS, f"it has none of {episode.task}")
            if episode.robot and episode.robot not in self.settings.robots:
                raise self._damaged(SETTINGS, f"it has no robot {episode.robot}")
        return episodes

    @cached_property
    def settings(self) -> Settings:
        """The settings by which the episodes are played."""
        data = self._text(SETTINGS, _MOST_SETTINGS)
        try:
            settings: Settings = from_plain(Settings, parse_json(data))
            for name, spec in settings.tasks.items():
                if spec.task != name:
                    raise ValueError(f"those of {name} are said to be of {spec.task}")
                _check_spec(spec)
            for name, robot in settings.robots.items():
                checked_robot(robot, name)
        except (ValueError, RecursionError, NavproofError) as error:
            raise self._damaged(SETTINGS, _line(error)) from None
        return settings

    def unpack(self) -> int:
        """Put every scene in its place on this machine; how many were not there. A ``SpecError``
        where one is not what the manifest says, also of those that are there."""
        new = 0
        with self._opened() as archive:
            for ref in self.manifest.refs:
                new += self._unpacked(archive, ref)
        return new

    def _unpacked(self, archive: zipfile.ZipFile, ref: PackedRef) -> bool:
        """Whether a scene had to be put in its place."""
        name, target = scene_member(ref), ref.file
        partial = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            with self._reading(name), archive.open(name) as member, partial.open("wb") as file:
                shutil.copyfileobj(member, file, _CHUNK)
            try:
                content = ref.content_of(partial)
            except NavproofError as error:
                raise self._damaged(name, str(error)) from None
            if content != self.manifest.members[name]:
                raise self._damaged(name, f"its digest is not the one in {MANIFEST}")
            try:
                if target.is_file() and ref.content_of(target) == content:
                    return False
            except NavproofError:  # what is there is damaged: it is replaced
                pass
            partial.replace(target)
            return True
        finally:
            partial.unlink(missing_ok=True)

    # --------------------------------------------------------------------------------- reading
    def _text(self, name: str, most_bytes: int) -> bytes:
        with self._opened() as archive:
            data = self._member(archive, name, most_bytes)
        if hashlib.sha256(data).hexdigest() != self.manifest.members[name]:
            raise self._damaged(name, f"its digest is not the one in {MANIFEST}")
        return data

    def _member(self, archive: zipfile.ZipFile, name: str, most_bytes: int) -> bytes:
        with self._reading(name):
            return read_at_most(archive, name, most_bytes)

    @contextmanager
    def _opened(self) -> Iterator[zipfile.ZipFile]:
        try:
            with opened(self.path, _MOST_BYTES) as archive:
                yield archive
        except OSError as error:
            raise SpecError(
                f"the packed suite {self.path} cannot be read ({error.strerror or error})"
            ) from None
        except UNREADABLE as error:
            raise self._no_pack(_line(error)) from None

    @contextmanager
    def _reading(self, name: str) -> Iterator[None]:
        try:
            yield
        except (*UNREADABLE, KeyError) as error:
            raise self._damaged(name, _line(error)) from None

    def _no_pack(self, why: str) -> SpecError:
        return SpecError(f"{self.path} is not a packed suite, or not a whole one: {why}")

    def _damaged(self, member: str, why: str) -> SpecError:
        return SpecError(f"{self.path} is damaged or was edited: {member}: {why}")


def _check_spec(spec: TaskSpec) -> None:
    """A ``ValueError`` or ``NavproofError`` where settings make no sense, whatever their types."""
    checked_robot(spec.robot, spec.robot.name)
    if not all(map(math.isfinite, _numbers(as_plain(spec, complete=True)))):
        raise ValueError(f"{spec.task} has a number that is not finite")
    if not 1 <= spec.budget_steps <= _MOST_STEPS or spec.success_m < 0.0:
        raise ValueError(f"{spec.task} has a budget or a distance of success that makes no sense")
    for sensor in spec.sensors:
        build(sensor)
        if sensor.camera is not None:
            check_image_size(sensor.camera.width, sensor.camera.height)
        beams = 1 if sensor.scan is None else sensor.scan.beams * sensor.scan.rings
        if not 0 < beams <= _MOST_BEAMS or not 0 <= sensor.delay_steps <= _MOST_DELAY:
            raise ValueError(f"sensor {sensor.name} has too many beams or too long a delay")


def _numbers(plain: Any) -> Iterator[float]:
    if isinstance(plain, dict):
        plain = list(plain.values())
    if isinstance(plain, list):
        for value in plain:
            yield from _numbers(value)
    elif isinstance(plain, float):
        yield plain


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
