"""Training batches on one device: frames, the queries that go with them, and what fits what.

Everything is put into the device's memory once; a batch is a few gathers. A query fits an object
when its words allow the category and every attribute that they name (``train.queries.fits``).
"""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from navproof.core.seeding import rng
from navproof.core.types import Scalar
from navproof.perception.words import WordTable
from navproof.train.people import PEOPLE, appearance_of
from navproof.train.queries import (
    HELD_OUT_PAIRS,
    Query,
    draw_person_query,
    draw_query,
    draw_room_query,
    emphasis,
)
from navproof.train.render import Dataset, load_dataset
from navproof.world.catalog import CATEGORIES

__all__ = [
    "ALL_CATEGORIES",
    "FIRST_SLOT",
    "STRUCTURE",
    "Batch",
    "Frames",
    "Pool",
    "augment",
    "make_pool",
]

STRUCTURE = ("wall", "floor", "ceiling")
"""Instance indices 1, 2, 3; they are categories too, without attributes."""
ALL_CATEGORIES = (*CATEGORIES, *STRUCTURE, *PEOPLE)
"""Everything that a pixel can be, in the order of the pool's columns."""
FIRST_SLOT = 4
_DRAWN_PER_OBJECT = 3
_CONTRASTS_PER_OBJECT = 2
_NAMES_PER_CATEGORY = 12
_WORDS = 16
_PATTERNED = 4.0
"""How much rather a query is about a patterned thing: few are."""
_NEAR_MISS = 3.0
"""What a pair of right category and wrong attribute counts, beside 1 for any other."""


@dataclass(frozen=True)
class Pool:
    """Queries as arrays: ``words`` (q, 16), ``allowed`` and ``unsure`` (q, categories), ``wanted``
    (q, columns) with −1 for anything. ``of_object`` (objects, k) are rows drawn for an object, the
    last ones wrong in one attribute; ``of_category`` (categories, k) name it alone; ``of_room``.
    ``focus``: attributes matter more than they occur (for features that tell them apart)."""

    words: Tensor
    allowed: Tensor
    unsure: Tensor
    wanted: Tensor
    of_object: Tensor
    of_category: Tensor
    of_room: Tensor
    focus: bool

    def to(self, device: str) -> Pool:
        moved: dict[str, Any] = {
            name: held.to(device) for name, held in vars(self).items() if isinstance(held, Tensor)
        }
        return replace(self, **moved)


@dataclass(frozen=True)
class Batch:
    """``image`` (n, 3, h, w) in [0, 1]; ``slots`` (n, 48) object rows or −1, with ``boxes`` in
    pixels; ``queries`` are pool rows, the first ones a name for every category."""

    image: Tensor
    instances: Tensor
    slots: Tensor
    boxes: Tensor
    pixels: Tensor
    room: Tensor
    queries: Tensor


class Frames:
    """A rendered dataset in the device's memory."""

    def __init__(self, path: Path, device: str) -> None:
        data = load_dataset(path)
        rows = data.frames
        whole = len(rows) == len(data.valid)

        def put(array: NDArray[Any], dtype: type[np.generic] | None = None) -> Tensor:
            kept = np.asarray(array) if whole else np.asarray(array)[rows]
            return torch.from_numpy(kept if dtype is None else kept.astype(dtype)).to(device)

        self.device = device
        self.rgb = put(data.rgb)
        self.instances = put(data.instances)
        self.slots = put(data.frame_objects, np.int64)
        self.boxes = put(data.frame_boxes)
        self.pixels = put(data.frame_pixels, np.int64)
        self.room = put(data.frame_room, np.int64)
        table = _table(data).astype(np.int64)
        order = {name: i for i, name in enumerate(ALL_CATEGORIES)}
        names = data.values["category"]
        category = np.array([-1 if n is None else order[str(n)] for n in names])[table[:, 0]]
        extra = np.zeros((len(STRUCTURE), table.shape[1]), dtype=np.int64)
        self.structure_row = len(table)
        self.category = torch.from_numpy(
            np.concatenate([category, [order[name] for name in STRUCTURE]])
        ).to(device)
        self.table = torch.from_numpy(np.concatenate([table, extra])).to(device)
        held = [_is_held_out(_facts(data, row)) for row in range(len(table))]
        self.held_out = torch.tensor([*held, False, False, False], device=device)
        pattern = table[:, _columns(data).index("pattern")] > 0
        self.patterned = torch.from_numpy(pattern).to(device)

    def __len__(self) -> int:
        return len(self.rgb)

    def batch(self, rows: Tensor, pool: Pool, queries: int, generator: torch.Generator) -> Batch:
        """The frames ``rows`` and about ``queries`` queries about what is in them."""
        slots = self.slots[rows]
        visible = slots[slots >= 0]
        rather = (~self.held_out[visible]).float()
        if pool.focus:
            rather = torch.where(self.patterned[visible], _PATTERNED * rather, rather)
        picked = visible[torch.multinomial(rather, queries, replacement=True, generator=generator)]
        column = _draw(pool.of_object.shape[1], queries, generator, self.device)
        names = pool.of_category
        name = _draw(names.shape[1], len(names), generator, self.device)
        chosen = torch.cat(
            [
                names[torch.arange(len(names), device=self.device), name],
                pool.of_object[picked, column],
            ]
        )
        image = self.rgb[rows].permute(0, 3, 1, 2)
        return Batch(
            image,
            self.instances[rows],
            slots,
            self.boxes[rows],
            self.pixels[rows],
            self.room[rows],
            chosen,
        )

    def fits(self, objects: Tensor, pool: Pool, queries: Tensor) -> Tensor:
        """(objects, queries) whether the words fit; objects may be structure rows."""
        ok = pool.allowed[queries][:, self.category[objects]].T
        wanted = pool.wanted[queries]
        for column in range(1, wanted.shape[1]):
            ask = wanted[None, :, column]
            ok = ok & ((ask < 0) | (ask == self.table[objects, column][:, None]))
        return ok

    def weights(self, objects: Tensor, pool: Pool, queries: Tensor, right: Tensor) -> Tensor:
        """(objects, queries) what a pair counts: 0 where nobody knows, or training may not know,
        if the words fit; with ``focus`` more where only an attribute decides."""
        known = ~pool.unsure[queries][:, self.category[objects]].T
        known &= ~self.held_out[objects][:, None]
        if not pool.focus:
            return known.float()
        kind = pool.allowed[queries][:, self.category[objects]].T
        said = (pool.wanted[queries][:, 1:] != -1).any(1)
        decided = kind & said[None, :]
        weight = torch.where(decided & ~right, _NEAR_MISS, torch.where(decided, 2.0, 1.0))
        return weight * known


def _draw(limit: int, count: int, generator: torch.Generator, device: str) -> Tensor:
    return torch.randint(limit, (count,), generator=generator, device=device)


def _columns(data: Dataset) -> list[str]:
    """The columns that queries may ask for, the category first."""
    return ["category", *(name for name in data.columns if name not in ("category", "room"))]


def _table(data: Dataset) -> NDArray[np.int16]:
    return np.stack([data.columns[name] for name in _columns(data)], axis=1)


def _facts(data: Dataset, row: int) -> dict[str, Scalar]:
    facts = data.facts(row)
    facts.pop("room", None)
    return facts


def _is_held_out(facts: dict[str, Scalar]) -> bool:
    return (str(facts["category"]), str(facts.get("colour"))) in HELD_OUT_PAIRS


# ------------------------------------------------------------------------------------- queries
def make_pool(path: Path, seed: int, workers: int, *, focus: bool = False) -> Pool:
    """Queries for every object of a dataset that some frame shows, the same for any ``workers``."""
    data = load_dataset(path)
    shown = np.unique(np.asarray(data.frame_objects))
    shown = np.array([r for r in shown if r >= 0 and not _is_held_out(_facts(data, int(r)))])
    parts = np.array_split(shown, max(1, min(64, len(shown) // 50)))
    jobs = [(str(path), [int(r) for r in part], seed, focus) for part in parts]
    with ProcessPoolExecutor(workers) as runners:
        drawn = [found for part in runners.map(_draw_for, jobs) for found in part]
    coder = _Coder(data)
    per_object = _DRAWN_PER_OBJECT + _CONTRASTS_PER_OBJECT
    of_object = torch.zeros((len(data.object_id), per_object), dtype=torch.int64)
    for row, queries in drawn:
        of_object[row] = torch.tensor([coder.add(q) for q in queries])
    of_category, of_room = [], []
    for i, name in enumerate(ALL_CATEGORIES):
        of_category.append([coder.add(q) for q in _names_of(name, i, seed)])
    for room in data.room_types:
        draw = rng(seed, room, "train.room")
        texts = [draw_room_query(room, draw).text for _ in range(_NAMES_PER_CATEGORY)]
        of_room.append([coder.add(Query(t, frozenset(), {})) for t in texts])
    return coder.pool(of_object, torch.tensor(of_category), torch.tensor(of_room), focus)


def _draw_for(job: tuple[str, list[int], int, bool]) -> list[tuple[int, list[Query]]]:
    """Queries of some objects: true ones, and some that are wrong in one attribute."""
    path, rows, seed, focus = job
    data = load_dataset(Path(path))
    values = _values_by_category(data)
    found = []
    for row in rows:
        facts = _facts(data, row)
        draw = rng(seed, str(row), "train.queries")
        if (somebody := appearance_of(str(facts["category"]))) is not None:
            count = _DRAWN_PER_OBJECT + _CONTRASTS_PER_OBJECT
            found.append((row, [draw_person_query(somebody, draw) for _ in range(count)]))
            continue
        queries = [draw_query(facts, draw, focus=focus) for _ in range(_DRAWN_PER_OBJECT)]
        queries += [_contrast(facts, values, draw, focus) for _ in range(_CONTRASTS_PER_OBJECT)]
        found.append((row, queries))
    return found


def _contrast(
    facts: dict[str, Scalar],
    values: dict[tuple[str, str], list[Scalar]],
    draw: np.random.Generator,
    focus: bool,
) -> Query:
    """A query for a thing that differs in one attribute; any other where there is none."""
    category = str(facts["category"])
    names = [n for n in facts if n != "category" and len(values.get((category, n), [])) > 1]
    if not names:
        return draw_query(facts, draw, focus=focus)
    weights = np.array([emphasis(n) if focus else 1.0 for n in names])
    name = names[int(draw.choice(len(names), p=weights / weights.sum()))]
    others = [v for v in values[category, name] if v != facts[name]]
    changed = {**facts, name: others[int(draw.integers(len(others)))]}
    if (category, str(changed.get("colour"))) in HELD_OUT_PAIRS:
        return draw_query(facts, draw, focus=focus)
    query = draw_query(changed, draw, focus=focus)
    for _ in range(12):
        if name in query.wanted:
            break
        query = draw_query(changed, draw, focus=focus)
    return query


def _values_by_category(data: Dataset) -> dict[tuple[str, str], list[Scalar]]:
    """The values that an attribute takes in a category."""
    table = _table(data)
    found: dict[tuple[str, str], list[Scalar]] = {}
    for column, name in enumerate(_columns(data)[1:], start=1):
        for category, value in np.unique(table[:, [0, column]], axis=0):
            if value:
                key = (str(data.values["category"][category]), name)
                found.setdefault(key, []).append(data.values[name][value])
    return found


def _names_of(name: str, index: int, seed: int) -> list[Query]:
    """Ways to say the category and nothing else."""
    if name in STRUCTURE:
        texts = (name, f"the {name}", f"a {name}", f"find the {name}")
        return [Query(t, frozenset({name}), {}) for t in texts * 3]
    draw = rng(seed, name, "train.names")
    if (somebody := appearance_of(name)) is not None:
        return [draw_person_query(somebody, draw) for _ in range(_NAMES_PER_CATEGORY)]
    found: list[Query] = []
    while len(found) < _NAMES_PER_CATEGORY:
        query = draw_query({"category": name}, draw)
        if name in query.categories and len(query.categories) <= 3:
            found.append(query)
    return found


class _Coder:
    """Collects queries as arrays; the same words and meaning get the same row."""

    def __init__(self, data: Dataset) -> None:
        self._table = WordTable.load()
        self._columns = _columns(data)
        self._codes = {
            column: {json.dumps(v): i for i, v in enumerate(data.values[column])}
            for column in self._columns
        }
        self._names = {n: i for i, n in enumerate(ALL_CATEGORIES)}
        self._rows: dict[tuple[Any, ...], int] = {}
        self._texts: list[str] = []
        self._allowed: list[frozenset[str]] = []
        self._unsure: list[frozenset[str]] = []
        self._wanted: list[list[int]] = []

    def add(self, query: Query) -> int:
        wanted = [-1] * len(self._columns)
        for name, value in query.wanted.items():
            code = self._codes[name].get(json.dumps(value), -2)  # −2 fits nothing
            wanted[self._columns.index(name)] = code
        key = (query.text, query.categories, query.unsure, tuple(wanted))
        if key not in self._rows:
            self._rows[key] = len(self._texts)
            self._texts.append(query.text)
            self._allowed.append(query.categories)
            self._unsure.append(query.unsure)
            self._wanted.append(wanted)
        return self._rows[key]

    def pool(self, of_object: Tensor, of_category: Tensor, of_room: Tensor, focus: bool) -> Pool:
        wanted = np.array(self._wanted, dtype=np.int64)
        wanted[wanted == -2] = 30_000
        words = self._table.batch(self._texts, _WORDS)
        return Pool(
            torch.from_numpy(np.asarray(words).astype(np.int64)),
            self._marked(self._allowed),
            self._marked(self._unsure),
            torch.from_numpy(wanted),
            of_object,
            of_category,
            of_room,
            focus,
        )

    def _marked(self, sets: list[frozenset[str]]) -> Tensor:
        marks = np.zeros((len(sets), len(self._names)), dtype=np.bool_)
        for row, names in enumerate(sets):
            marks[row, [self._names[n] for n in names]] = True
        return torch.from_numpy(marks)


# ------------------------------------------------------------------------------------ pictures
def augment(image: Tensor, generator: torch.Generator) -> Tensor:
    """uint8 → [0, 1] with other exposure, contrast, white balance, noise and blur. Colours keep
    their names: gains of the channels stay within 7 %."""
    n, device = len(image), image.device

    def uniform(low: float, high: float, *shape: int) -> Tensor:
        return torch.rand(*shape, generator=generator, device=device) * (high - low) + low

    x = image.float() / 255.0
    x = x.clamp(min=1e-4) ** uniform(0.8, 1.25, n, 1, 1, 1)
    x = x * uniform(0.6, 1.3, n, 1, 1, 1) * uniform(0.93, 1.07, n, 3, 1, 1)
    middle = x.mean((1, 2, 3), keepdim=True)
    x = (x - middle) * uniform(0.8, 1.2, n, 1, 1, 1) + middle
    blurred = torch.nn.functional.avg_pool2d(x, 3, 1, 1)
    x = torch.where(uniform(0.0, 1.0, n, 1, 1, 1) < 0.15, blurred, x)
    sigma = uniform(0.0, 0.05, n, 1, 1, 1) * (uniform(0.0, 1.0, n, 1, 1, 1) < 0.5)
    x = x + sigma * torch.randn(x.shape, generator=generator, device=device)
    return x.clamp(0.0, 1.0).contiguous(memory_format=torch.channels_last)
