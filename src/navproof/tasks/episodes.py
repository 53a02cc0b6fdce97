"""Episode files: JSON lines, gzipped when the name ends in ``.gz``, one episode a line.

The same episodes always give the same bytes (sorted keys, no time stamp in the gzip header).
Every line carries its ``schema_version``; a reader takes the versions it knows and nothing else.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from navproof.core.errors import EpisodeError, NavproofError
from navproof.core.files import write_atomically
from navproof.core.input.check_episode import episode_faults
from navproof.core.input.reading import DAMAGED, LimitError, lines_of, parse_json, short
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
_LONGEST_NAME = 1000
_LIMITS = {"longest": 8 << 20, "most": 256 << 20, "lines": 250_000}
"""Of a line, of all of them unpacked, and how many. A mission takes 8 kB."""


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
        raw = parse_json(text)
    except ValueError as error:
        raise EpisodeError(f"{where}: not valid JSON ({error})") from None
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
    return _episodes(Path(path), str(path))


def episodes_in_lines(data: bytes, where: str) -> tuple[Episode, ...]:
    """As ``read_episodes``, from the file's lines; ``where`` begins the message of any error."""
    return _episodes(data, where)


def _episodes(source: Path | bytes, called: str) -> tuple[Episode, ...]:
    episodes: list[Episode] = []
    line_of: dict[str, int] = {}
    for number, text in _lines(source, called):
        where = f"{called}, line {number}"
        episode = episode_from_json(text, where)
        if episode.episode_id in line_of:
            raise EpisodeError(
                f"{where}: field 'episode_id': '{episode.episode_id}' is already "
                f"on line {line_of[episode.episode_id]}"
            )
        line_of[episode.episode_id] = number
        episodes.append(episode)
    if not episodes:
        raise EpisodeError(f"{called}: no episodes in this file")
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


def _lines(source: Path | bytes, where: str) -> Iterator[tuple[int, str]]:
    """Its lines. They are read one by one, so that what a few megabytes unpack to is never there
    as a whole."""
    try:
        for number, line in lines_of(source, **_LIMITS):
            try:
                yield number, line.decode()
            except UnicodeDecodeError:
                raise EpisodeError(f"{where}, line {number}: not UTF-8 text") from None
    except LimitError as error:
        raise EpisodeError(f"{where}: {error}") from None
    except DAMAGED:
        raise EpisodeError(f"{where}: damaged gzip file; make or copy it again") from None
    except OSError as error:
        raise EpisodeError(f"{where}: cannot be read ({error.strerror})") from None


def _check_values(episode: Episode, where: str) -> None:
    """What types alone do not say. Raises on the first field that makes no sense."""
    for field, why in _faults(episode):
        raise EpisodeError(f"{where}: field '{field}': {short(why, 300)}")


def _faults(episode: Episode) -> Iterator[tuple[str, str]]:
    """(field, what is wrong with it)."""
    for name in ("episode_id", "scene"):
        held = getattr(episode, name)
        if not held.strip():
            yield name, "is empty"
        elif len(held) > _LONGEST_NAME or not held.isprintable():
            yield name, f"must be at most {_LONGEST_NAME} printable characters"
    try:
        form = TASKS.get(episode.task).form
    except NavproofError as error:
        yield "task", short(str(error), 250)
        return
    yield from episode_faults(episode)
    yield from people_faults(episode)
    yield from form(episode) if form is not None else ()
