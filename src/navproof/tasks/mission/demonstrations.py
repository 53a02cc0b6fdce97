"""Expert demonstrations: how a mission can be done well, as (x, y, θ, t) waypoints.

The format takes recordings of people, too; ``source`` says which it is. Files are JSON lines, one
demonstration a line, gzipped when the name ends in ``.gz`` (docs/tasks/demonstrations.md).
"""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Literal

from navproof.core.errors import EpisodeError
from navproof.core.files import write_atomically
from navproof.core.input.reading import DAMAGED, LimitError, lines_of, parse_json
from navproof.core.plain import as_plain
from navproof.core.registry import suggest

__all__ = ["Demonstration", "Source", "Waypoint", "read_demonstrations", "write_demonstrations"]

Waypoint = tuple[float, float, float, float]
"""(x, y) in metres, heading θ in radians, and seconds since the episode began."""
Source = Literal["algorithmic", "human"]
_FIELDS = ("episode_id", "robot", "source", "waypoints", "ends")
_FARTHEST = 1e6  # metres, or seconds; no NaN is so near


@dataclass(frozen=True, slots=True)
class Demonstration:
    """One way through an episode. ``ends`` are the indices of the waypoints at which its sub-tasks
    are done, in order."""

    episode_id: str
    robot: str
    source: Source
    waypoints: tuple[Waypoint, ...]
    ends: tuple[int, ...] = ()

    @property
    def seconds(self) -> float:
        return self.waypoints[-1][3] if self.waypoints else 0.0

    @property
    def length_m(self) -> float:
        points = [(x, y) for x, y, _, _ in self.waypoints]
        return sum(math.dist(a, b) for a, b in pairwise(points))


def write_demonstrations(path: Path | str, demonstrations: Iterable[Demonstration]) -> None:
    """Write a file in one go; the same demonstrations give the same bytes."""
    target = Path(path)
    lines = (
        json.dumps(as_plain(d), sort_keys=True, separators=(",", ":"), allow_nan=False)
        for d in demonstrations
    )
    data = "".join(f"{line}\n" for line in lines).encode()
    if target.name.endswith(".gz"):
        data = gzip.compress(data, compresslevel=9, mtime=0)
    try:
        write_atomically(target, data)
    except OSError as error:
        raise EpisodeError(f"{target}: cannot be written ({error.strerror})") from None


def read_demonstrations(path: Path | str) -> tuple[Demonstration, ...]:
    """All demonstrations of a file, in order."""
    try:
        lines = lines_of(Path(path), longest=8 << 20, most=256 << 20, lines=250_000)
        return tuple(_parsed(line, f"{path}, line {n}") for n, line in lines)
    except LimitError as error:
        raise EpisodeError(f"{path}: {error}") from None
    except DAMAGED as error:
        raise EpisodeError(f"{path}: damaged gzip file ({error})") from None
    except OSError as error:
        raise EpisodeError(f"{path}: cannot be read ({error.strerror or error})") from None


def _parsed(line: bytes, where: str) -> Demonstration:
    try:
        raw = parse_json(line)
    except ValueError as error:
        raise EpisodeError(f"{where}: not valid JSON ({error})") from None
    if not isinstance(raw, dict):
        raise EpisodeError(f"{where}: expected a JSON object, got {type(raw).__name__}")
    for name in raw:
        if name not in _FIELDS:
            raise EpisodeError(f"{where}: unknown field '{name}'{suggest(name, list(_FIELDS))}")
    for name in _FIELDS[:-1]:
        if name not in raw:
            raise EpisodeError(f"{where}: field '{name}' is missing")
    for name in ("episode_id", "robot"):
        if not isinstance(raw[name], str) or not raw[name].strip():
            raise EpisodeError(f"{where}: field '{name}': must be a name, is {raw[name]!r}")
    if raw["source"] not in ("algorithmic", "human"):
        raise EpisodeError(
            f"{where}: field 'source': is algorithmic or human, not {raw['source']!r}"
        )
    waypoints = _waypoints(raw["waypoints"], where)
    ends = raw.get("ends", [])
    if not isinstance(ends, list) or not all(type(i) is int for i in ends):
        raise EpisodeError(f"{where}: field 'ends': must be a list of whole numbers")
    if any(not 0 <= i < len(waypoints) for i in ends):
        raise EpisodeError(f"{where}: field 'ends': names a waypoint that is not there")
    if ends != sorted(ends):
        raise EpisodeError(f"{where}: field 'ends': goes back")
    return Demonstration(raw["episode_id"], raw["robot"], raw["source"], waypoints, tuple(ends))


def _waypoints(raw: object, where: str) -> tuple[Waypoint, ...]:
    if not isinstance(raw, list) or not raw:
        raise EpisodeError(f"{where}: field 'waypoints': must be a list of (x, y, θ, t)")
    waypoints: list[Waypoint] = []
    for index, one in enumerate(raw):
        is_row = isinstance(one, list) and len(one) == 4
        if not is_row or not all(type(v) in (int, float) and abs(v) <= _FARTHEST for v in one):
            raise EpisodeError(f"{where}: field 'waypoints.{index}': is not four numbers x y θ t")
        if one[3] < (waypoints[-1][3] if waypoints else 0.0):
            raise EpisodeError(f"{where}: field 'waypoints.{index}': goes back in time")
        waypoints.append((float(one[0]), float(one[1]), float(one[2]), float(one[3])))
    return tuple(waypoints)
