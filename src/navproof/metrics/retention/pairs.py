"""Every corrupted row beside its clean twin: the same episode and seed of the same agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SpecError, UnknownNameError
from navproof.corruptions.condition import Applied, Condition, parse_condition
from navproof.corruptions.navtrust import MIXED
from navproof.corruptions.registry import CORRUPTIONS
from navproof.language.missions.wordings import ORIGINAL, OTHER_STYLES
from navproof.metrics.catalogue import played

__all__ = [
    "FAMILIES",
    "OWN",
    "EpisodePairs",
    "Pair",
    "Row",
    "TestedCondition",
    "episode_of",
    "tested",
    "twins",
]

Row = Mapping[str, Any]
Pair = tuple[Row, Row]  # corrupted, clean
OWN = "own"
FAMILIES = ("rgb", "depth", "instruction", "mixed", "body", OWN)
"""In the order in which tables show them."""


@dataclass(frozen=True, slots=True)
class TestedCondition:
    """A condition as scores see it. ``intensity``: that of every part, None where they differ or
    are not known. ``curve`` names what is swept where all parts have one intensity, else ""."""

    name: str
    family: str
    intensity: float | None
    protocol: bool
    curve: str
    place: tuple[Any, ...]  # for sorting


@dataclass(frozen=True)
class EpisodePairs:
    """One agent on one task. ``pairs`` and ``unpaired`` (a count) are by condition."""

    agent: str
    task: str
    clean: tuple[Row, ...]
    pairs: Mapping[TestedCondition, tuple[Pair, ...]]
    unpaired: Mapping[TestedCondition, int]

    @property
    def episodes(self) -> list[tuple[Any, ...]]:
        """The episodes of which anything is paired."""
        return list(dict.fromkeys(episode_of(row) for p in self.pairs.values() for row, _ in p))

    def sums(self, column: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """(corrupted, clean), both (K, E): the sum over the paired seeds of an episode."""
        place = {episode: e for e, episode in enumerate(self.episodes)}
        both = np.zeros((2, len(self.pairs), len(place)))
        for k, pairs in enumerate(self.pairs.values()):
            for pair in pairs:
                e = place[episode_of(pair[0])]
                both[0, k, e] += pair[0][column]
                both[1, k, e] += pair[1][column]
        return both[0], both[1]

    def counts(self) -> NDArray[np.float64]:
        """(K, E): paired rows per condition and episode."""
        place = {episode: e for e, episode in enumerate(self.episodes)}
        counts = np.zeros((len(self.pairs), len(place)))
        for k, pairs in enumerate(self.pairs.values()):
            for row, _ in pairs:
                counts[k, place[episode_of(row)]] += 1
        return counts


def twins(rows: Sequence[Row]) -> list[EpisodePairs]:
    """By agent and task in order of appearance; conditions in the catalogue's order. Episodes that
    the machine kept from being played are left out."""
    groups: dict[tuple[str, str], dict[TestedCondition | None, dict[tuple[Any, ...], Row]]] = {}
    for row in played(rows):
        group = groups.setdefault((row["agent"], row["task"]), {})
        members = group.setdefault(tested(row["condition"]), {})
        identity = (*episode_of(row), row["seed"])
        if identity in members:
            raise SpecError(
                f"agent '{row['agent']}' has two rows of episode '{row['episode_id']}', condition "
                f"'{row['condition']}', seed {row['seed']}; score every run by itself"
            )
        members[identity] = row
    return [_twins(agent, task, group) for (agent, task), group in groups.items()]


def _twins(
    agent: str, task: str, group: Mapping[TestedCondition | None, Mapping[tuple[Any, ...], Row]]
) -> EpisodePairs:
    clean = group.get(None, {})
    pairs, unpaired = {}, {}
    for condition in sorted((c for c in group if c is not None), key=lambda c: c.place):
        members = group[condition]
        pairs[condition] = tuple((row, clean[i]) for i, row in members.items() if i in clean)
        unpaired[condition] = len(members) - len(pairs[condition])
    return EpisodePairs(agent, task, tuple(clean.values()), pairs, unpaired)


def episode_of(row: Row) -> tuple[Any, ...]:
    """What is resampled; an id that stands for another problem is another episode."""
    return row["scene"], row["episode_id"], row.get("problem")


def tested(text: str) -> TestedCondition | None:
    """A condition by its text, None for clean. One that the catalogue does not know is of the
    family ``OWN`` and counts as it is."""
    try:
        condition = parse_condition(text)
    except (SpecError, UnknownNameError):
        return TestedCondition(text, OWN, None, True, "", (len(FAMILIES), text))
    parts = condition.parts
    if condition.style != ORIGINAL:
        return _restyled(condition)
    if not parts:
        return None
    level = parts[0].intensity if len({part.intensity for part in parts}) == 1 else None
    return TestedCondition(
        name=condition.name,
        family=condition.family,
        intensity=level,
        protocol=_as_published(condition),
        curve="" if level is None else "+".join(_swept(part) for part in parts),
        place=_place(condition),
    )


def _restyled(condition: Condition) -> TestedCondition:
    """A mission in other words, perhaps under corruptions too."""
    family = "mixed" if condition.parts else "instruction"
    order = len(CORRUPTIONS) + OTHER_STYLES.index(condition.style)
    return TestedCondition(
        name=condition.name,
        family=family,
        intensity=None,
        protocol=_as_published(condition),
        curve="",
        place=(FAMILIES.index(family), True, ((order, ""),), (), (), condition.corrupted.name),
    )


def _as_published(condition: Condition) -> bool:
    return all(
        p.intensity == p.corruption.default and p.lasting == p.corruption.lasting
        for p in condition.parts
    )


def _swept(part: Applied) -> str:
    """The corruption without its intensity, as ``name`` or ``name:mode``."""
    return replace(part, intensity=part.corruption.default).text


def _place(condition: Condition) -> tuple[Any, ...]:
    names = {name: place for place, name in enumerate(CORRUPTIONS)}
    parts = [part.corruption.name for part in condition.parts]
    published = condition.name in MIXED
    order = (MIXED.index(condition.name),) if published else ()
    return (
        FAMILIES.index(condition.family),
        not published,
        order or tuple((names.get(name, len(names)), name) for name in parts),
        tuple(part.lasting != part.corruption.lasting for part in condition.parts),
        tuple(part.intensity for part in condition.parts),
    )
