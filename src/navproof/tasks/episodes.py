"""Episode files: JSON lines, gzipped when the name ends in ``.gz``, one episode a line.

The same episodes always give the same bytes (sorted keys, no time stamp in the gzip header).
Every line carries its ``schema_version``; a reader takes the versions it knows and nothing else.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from navproof.core.errors import EpisodeError, NavproofError
from navproof.core.files import write_atomically
from navproof.core.plain import as_plain
from navproof.core.registry import suggest
from navproof.core.types import Episode
from navproof.tasks.people import people_faults
from navproof.tasks.registry import TASKS

__all__ = [
    "SCHEMA_VERSION",
    "episode_from_json",
    "episode_to_json",
    "episodes_in_lines",
    "read_episodes",
    "write_episodes",
]

SCHEMA_VERSION = 1
_ADAPTER: TypeAdapter[Episode] = TypeAdapter(Episode)
_FIELDS = {f.name for f in fields(Episode)}
_FARTHEST_M = 1e6
_PLACES = f"must be finite numbers, at most {_FARTHEST_M:,.0f} either way"


def episode_to_json(episode: Episode) -> str:
    """One line of JSON, without the line end."""
    return json.dumps(
        as_plain(episode),
        sort_keys=True,
        separators=(",", ":"),
        allow_nan=False,
        ensure_ascii=False,
    )


def episode_from_json(text: str, where: str = "episode") -> Episode:
    """The episode of one line; ``where`` ("file, line 3") begins the message of any error."""
    try:
        raw = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        reason = str(error).splitlines()[0] if str(error) else "too deep"
        raise EpisodeError(f"{where}: not valid JSON ({reason})") from None
    if "\\ud" in text.lower():
        try:
            json.dumps(raw, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise EpisodeError(f"{where}: holds half a character (a lone surrogate)") from None
    if not isinstance(raw, dict):
        raise EpisodeError(f"{where}: expected a JSON object, got {type(raw).__name__}")
    version = raw.get("schema_version")
    if version != SCHEMA_VERSION or isinstance(version, bool):
        raise EpisodeError(
            f"{where}: field 'schema_version' is {json.dumps(version)}; "
            f"this navproof reads version {SCHEMA_VERSION}"
        )
    for name in raw:
        if name not in _FIELDS:
            raise EpisodeError(f"{where}: unknown field '{name}'{suggest(name, list(_FIELDS))}")
    try:
        episode = _ADAPTER.validate_python(raw, strict=False)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"]) or "(all)"
        message = " ".join(str(first["msg"]).split())
        raise EpisodeError(f"{where}: field '{field}': {message}") from None
    _check_values(episode, where)
    return episode


def read_episodes(path: str | os.PathLike[str]) -> tuple[Episode, ...]:
    """All episodes of a ``.jsonl`` or ``.jsonl.gz`` file, in order; ids must be unique."""
    return episodes_in_lines(_data(Path(path)), str(path))


def episodes_in_lines(data: bytes, where: str) -> tuple[Episode, ...]:
    """As ``read_episodes``, from the file's lines; ``where`` begins the message of any error."""
    episodes: list[Episode] = []
    line_of: dict[str, int] = {}
    source = where
    for number, text in _lines(data, source):
        where = f"{source}, line {number}"
        episode = episode_from_json(text, where)
        if episode.episode_id in line_of:
            raise EpisodeError(
                f"{where}: field 'episode_id': '{episode.episode_id}' is already "
                f"on line {line_of[episode.episode_id]}"
            )
        line_of[episode.episode_id] = number
        episodes.append(episode)
    if not episodes:
        raise EpisodeError(f"{source}: no episodes in this file")
    return tuple(episodes)


def write_episodes(path: str | os.PathLike[str], episodes: Iterable[Episode]) -> None:
    """Write a file in one go: it appears under its name only when it is complete."""
    target = Path(path)
    data = "".join(episode_to_json(e) + "\n" for e in episodes).encode()
    if target.name.endswith(".gz"):
        data = gzip.compress(data, compresslevel=9, mtime=0)
    try:
        write_atomically(target, data)
    except OSError as error:
        raise EpisodeError(f"{target}: cannot be written ({error.strerror})") from None


def _data(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise EpisodeError(f"{path}: cannot be read ({error.strerror})") from None
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error):
            raise EpisodeError(f"{path}: damaged gzip file; make or copy it again") from None
    return data


def _lines(data: bytes, where: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            try:
                yield number, line.decode()
            except UnicodeDecodeError:
                raise EpisodeError(f"{where}, line {number}: not UTF-8 text") from None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number")


def _is_place(value: float) -> bool:
    return abs(value) <= _FARTHEST_M  # not so for NaN


def _check_values(episode: Episode, where: str) -> None:
    """What types alone do not say. Raises on the first field that makes no sense."""

    def bad(field: str, why: str) -> EpisodeError:
        return EpisodeError(f"{where}: field '{field}': {why}")

    if not episode.episode_id.strip():
        raise bad("episode_id", "is empty")
    try:
        form = TASKS.get(episode.task).form
    except NavproofError as error:
        raise bad("task", str(error)) from None
    if not episode.scene.strip():
        raise bad("scene", "is empty")
    if not episode.goals:
        raise bad("goals", "there must be at least one")
    for index, goal in enumerate(episode.goals):
        if not goal.positions:
            raise bad(f"goals.{index}.positions", "there must be at least one")
        if not all(_is_place(v) for p in goal.positions for v in p):
            raise bad(f"goals.{index}.positions", _PLACES)
    start = episode.start
    if not all(_is_place(v) for v in (start.x, start.y, start.z, start.yaw)):
        raise bad("start", _PLACES)
    if not all(_is_place(v) for p in episode.reference_path for v in p):
        raise bad("reference_path", _PLACES)
    if not (_is_place(episode.geodesic_m) and episode.geodesic_m >= 0.0):
        raise bad("geodesic_m", f"must be a length in metres, is {episode.geodesic_m}")
    if episode.budget_steps < 1:
        raise bad("budget_steps", f"must be at least 1, is {episode.budget_steps}")
    for field, why in people_faults(episode):
        raise bad(field, why)
    for field, why in form(episode) if form is not None else ():
        raise bad(field, why)
