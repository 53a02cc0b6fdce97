"""One of several parts of a run, each for a machine of its own.

A run is cut in the order of its suite, the tasks side by side: every part has about the same share
of each task, all that is played in an episode lies together, and so do the episodes of a scene,
as far as the suite has them so. The sizes of two parts differ by one row at most. What a part
holds follows from ``run.json`` alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from navproof.core.errors import SpecError

if TYPE_CHECKING:
    from navproof.log.folder import RunInfo
    from navproof.log.trace import TraceKey

__all__ = ["MOST_SHARDS", "Shard", "cut", "parse_shard", "shard_note"]

MOST_SHARDS = 100_000


@dataclass(frozen=True, slots=True, order=True)
class Shard:
    """The ``index``-th, from 1 on, of ``count`` parts. A ``SpecError`` where there is no such."""

    index: int
    count: int

    def __post_init__(self) -> None:
        if not 1 <= self.count <= MOST_SHARDS:
            raise SpecError(f"a run has from 1 to {MOST_SHARDS:,} shards, not {self.count}")
        if not 1 <= self.index <= self.count:
            raise SpecError(
                f"there is no shard {self.index}/{self.count}: they are numbered from 1 to "
                f"{self.count}"
            )

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


def parse_shard(text: str) -> Shard:
    """``2/8`` as the second of eight."""
    index, slash, count = text.partition("/")
    if not (slash and _is_number(index) and _is_number(count)):
        raise SpecError(
            f"a shard is written INDEX/COUNT (2/8 is the second of eight), not {text!r}"
        )
    return Shard(int(index), int(count))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def cut(
    shard: Shard, keys: Sequence[TraceKey], episodes: Sequence[str], tasks: Sequence[str]
) -> list[TraceKey]:
    """Those of a run's ``keys`` that a shard has, in their order. ``episodes`` are those of the
    run, ``tasks`` the task of each."""
    counts, seen, place = Counter(tasks), Counter[str](), dict[str, tuple[float, int]]()
    for index, (episode, task) in enumerate(zip(episodes, tasks, strict=True)):
        place[episode] = ((seen[task] + 0.5) / counts[task], index)
        seen[task] += 1
    ordered = sorted(range(len(keys)), key=lambda i: (place[keys[i].episode_id], i))
    total, before = len(keys), shard.index - 1
    mine = ordered[total * before // shard.count : total * shard.index // shard.count]
    return [keys[i] for i in sorted(mine)]


def shard_note(info: RunInfo) -> list[str]:
    """A line for readers of what a folder holds; none where that is a whole run."""
    if info.shard is None:
        return []
    here, whole = len(info.assigned()), len(info.planned())
    return [
        f"shard {info.shard} of a run: {here} of its {whole} episodes; the others are in other "
        "folders, and 'navproof merge' makes one run of all"
    ]
