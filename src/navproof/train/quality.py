"""How well eyes see: pointing, attributes and boxes on rendered frames whose truth is known.

Every measure takes any encoder or detector with the protocols of ``navproof.perception`` and a
``Dataset`` of scenes that training never saw. A name is right for what it surely means and neither
right nor wrong for what it may mean ("bookshelf" of a shelf unit, see ``lexicon.covers`` and
``lexicon.unsure``). An object counts when at least ``MIN_PIXELS`` of it
are visible and its box is no thinner than ``MIN_SIDE_PX``; smaller ones neither count nor cost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Scalar
from navproof.language.lexicon.nouns import noun
from navproof.language.lexicon.terms import ATTRIBUTE_WORDS, NUMBER_WORDS, covers, unsure
from navproof.perception.protocol import ImageTextEncoder, OpenVocabularyDetector
from navproof.train.people import PEOPLE, appearance_of
from navproof.train.queries import HELD_OUT_PAIRS
from navproof.train.render import Dataset
from navproof.world.catalog import CATEGORIES
from navproof.world.people.people import APPEARANCES, unique_words

__all__ = [
    "FAMILIES",
    "FURNITURE",
    "MIN_PIXELS",
    "MIN_SIDE_PX",
    "Score",
    "attribute_text",
    "average_precision",
    "measure_detector",
    "measure_encoder",
]

MIN_PIXELS = 100
MIN_SIDE_PX = 6.0
_ATTRIBUTE_PIXELS = 250  # fewer do not show a pattern or a number
FAMILIES = {
    "colour": "colour",
    "material": "material",
    "pattern": "texture",
    "size": "size",
    "state": "state",
    "modifier": "modifier",
}
"""Column to the name of its linguistic feature; every other column is a number."""
_FURNITURE_KINDS = ("seating", "table", "storage", "bed", "furniture")
PERSON = "person"
FURNITURE = frozenset(
    name
    for name, category in CATEGORIES.items()
    if category.position_kind == "floor" and category.supercategory in _FURNITURE_KINDS
)
Image = NDArray[np.uint8]
Degrade = Callable[[Image, int], Image]


@dataclass
class Score:
    """Hits of ``n`` tries, and how many chance alone would have given."""

    n: int = 0
    hits: float = 0.0
    chance: float = 0.0

    def add(self, hit: bool | float, chance: float = 0.0) -> None:
        self.n += 1
        self.hits += float(hit)
        self.chance += chance

    @property
    def rate(self) -> float:
        return self.hits / self.n if self.n else float("nan")

    @property
    def chance_rate(self) -> float:
        return self.chance / self.n if self.n else float("nan")


@dataclass
class _Tally:
    groups: dict[str, Score] = field(default_factory=lambda: defaultdict(Score))

    def add(self, names: Iterable[str], hit: bool | float, chance: float) -> None:
        for name in names:
            self.groups[name].add(hit, chance)


def attribute_text(category: str, column: str, value: Scalar) -> str:
    """How an attribute of a category is asked for: "red chair", "cabinet with two doors"."""
    said = ATTRIBUTE_WORDS.get(column, {}).get(value)
    if said is not None and said.before:
        return f"{said.before[0]} {noun(category)}"
    if said is not None and said.after:
        return f"{noun(category)} {said.after[0]}"
    if isinstance(value, int):
        count = NUMBER_WORDS[value] if 0 <= value < len(NUMBER_WORDS) else str(value)
        part = column if value != 1 else column.removesuffix("s")
        return f"{noun(category)} with {count} {part}"
    return f"{value} {noun(category)}"


def _choices(data: Dataset) -> dict[tuple[str, str], list[Scalar]]:
    """The values that an attribute takes in a category, in a fixed order."""
    found: dict[tuple[str, str], set[int]] = defaultdict(set)
    category = data.columns["category"]
    for column, codes in data.columns.items():
        if column in ("category", "room", "on"):
            continue
        for kind, code in zip(category, codes, strict=True):
            if code:
                found[str(data.values["category"][kind]), column].add(int(code))
    return {
        (kind, column): [data.values[column][c] for c in sorted(codes)]
        for (kind, column), codes in found.items()
        if len(codes) > 1
    }


def _countable(data: Dataset, row: int) -> list[int]:
    """Slots of a frame that count."""
    boxes, pixels = data.frame_boxes[row], data.frame_pixels[row]
    sides = np.minimum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1])
    good = (data.frame_objects[row] >= 0) & (pixels >= MIN_PIXELS) & (sides >= MIN_SIDE_PX)
    return [int(s) for s in np.flatnonzero(good)]


# -------------------------------------------------------------------------------------- encoder
def measure_encoder(
    encoder: ImageTextEncoder,
    data: Dataset,
    rows: Sequence[int],
    degrade: Degrade | None = None,
    names: dict[str, str] | None = None,
) -> dict[str, Score]:
    """Scores by group.

    "pointing" and "pointing/<category>": asked for a category in view, is the best patch on one?
    Chance is the share of the image that it covers. "attribute/<family>" and
    "attribute/<family>/<value>": of the values that the category can have, does the object's mean
    feature prefer the right one? "unseen pairs": the same for colours that training never showed
    on that category. "which person": of descriptions of six people, is the right one preferred?
    ``names`` asks for categories by other words.
    """
    tally = _Tally()
    choices = _choices(data)
    for row in rows:
        image = np.asarray(data.rgb[row])
        patches = encoder.encode_patches(image if degrade is None else degrade(image, int(row)))
        codes = _resized(np.asarray(data.instances[row]), patches.shape[:2])
        slots = _countable(data, row)
        facts = {s: data.facts(int(data.frame_objects[row][s])) for s in slots}
        things = {s: f for s, f in facts.items() if not appearance_of(str(f["category"]))}
        _point(tally, encoder, patches, codes, things, names or {})
        if names is None:
            for slot, known in facts.items():
                if data.frame_pixels[row][slot] >= _ATTRIBUTE_PIXELS:
                    weight = codes[..., None] == slot + 4
                    share = weight.reshape(*patches.shape[:2], -1).mean(-1)
                    mean = (patches * share[..., None]).sum((0, 1))
                    _choose(tally, known, choices, partial(_cosines, encoder, mean))
    return dict(tally.groups)


def _cosines(
    encoder: ImageTextEncoder, mean: NDArray[np.float32], texts: list[str]
) -> NDArray[np.float32]:
    return encoder.encode_text(texts) @ mean


def _resized(instances: NDArray[np.uint8], shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """(h, w, k) the instance codes that fall into each patch."""
    rows, cols = instances.shape[0] // shape[0], instances.shape[1] // shape[1]
    cut = instances[: rows * shape[0], : cols * shape[1]]
    return cut.reshape(shape[0], rows, shape[1], cols).swapaxes(1, 2).reshape(*shape, -1)


def _point(
    tally: _Tally,
    encoder: ImageTextEncoder,
    patches: NDArray[np.float32],
    codes: NDArray[np.uint8],
    facts: dict[int, dict[str, Scalar]],
    names: dict[str, str],
) -> None:
    present = sorted({str(f["category"]) for f in facts.values()})
    present = [c for c in present if not names or c in names]
    if not present:
        return
    words = encoder.encode_text([names.get(c) or noun(c) for c in present])
    heat = patches @ words.T
    for k, category in enumerate(present):
        sure, maybe = covers(noun(category)), unsure(noun(category))
        on = np.isin(codes, [s + 4 for s, f in facts.items() if f["category"] in sure])
        near = np.isin(codes, [s + 4 for s, f in facts.items() if f["category"] in maybe])
        at = np.unravel_index(int(heat[..., k].argmax()), heat.shape[:2])
        if near[at].any() and not on[at].any():
            continue
        groups = ["pointing", f"pointing/{category}"]
        tally.add(groups, bool(on[at].any()), float(on.any(-1).mean()))


def _choose(
    tally: _Tally,
    facts: dict[str, Scalar],
    choices: dict[tuple[str, str], list[Scalar]],
    score: Callable[[list[str]], NDArray[np.float32]],
) -> None:
    """Does ``score`` prefer the right value of every attribute? Of somebody: the right words?"""
    category = str(facts["category"])
    if (somebody := appearance_of(category)) is not None:
        everybody = list(APPEARANCES)
        best = int(np.argmax(score([unique_words(name, everybody) for name in everybody])))
        tally.add(["which person"], everybody[best] == somebody, 1.0 / len(everybody))
        return
    for column, value in facts.items():
        options = choices.get((category, column))
        if options is None:
            continue
        scores = score([attribute_text(category, column, v) for v in options])
        right = options[int(np.argmax(scores))] == value
        family = FAMILIES.get(column, "number")
        groups = [f"attribute/{family}", f"attribute/{family}/{value}"]
        if column == "colour" and (category, str(value)) in HELD_OUT_PAIRS:
            groups = ["unseen pairs"]
        tally.add(groups, right, 1.0 / len(options))


# ------------------------------------------------------------------------------------- detector
def measure_detector(
    detector: OpenVocabularyDetector,
    data: Dataset,
    rows: Sequence[int],
    degrade: Degrade | None = None,
    *,
    attributes: bool = True,
) -> dict[str, Score]:
    """ "ap50/<category>" (``hits`` holds the average precision, ``n`` = 1; ``chance`` the number
    of objects), and attributes as in ``measure_encoder``: of the values that a category can have,
    which gets the best-scoring box on the object?"""
    names = [*sorted(CATEGORIES), PERSON]
    found: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    there: dict[str, int] = defaultdict(int)
    tally = _Tally()
    choices = _choices(data)
    for row in rows:
        image = np.asarray(data.rgb[row])
        image = image if degrade is None else degrade(image, int(row))
        seen = detector.detect(image, [noun(n) for n in names])
        good = set(_countable(data, row))
        objects = data.frame_objects[row]
        kinds = {
            s: str(data.values["category"][data.columns["category"][objects[s]]])
            for s in range(len(objects))
            if objects[s] >= 0
        }
        for k, name in enumerate(names):
            mine = seen.queries == k
            sure, maybe = covers(noun(name)), unsure(noun(name))
            if name == PERSON:
                sure, maybe = frozenset(PEOPLE), frozenset()
            truth = {s for s, kind in kinds.items() if kind in sure}
            there[name] += len(truth & good)
            found[name] += _judge(
                seen.boxes[mine],
                seen.scores[mine],
                data.frame_boxes[row],
                [s for s, kind in kinds.items() if kind in sure | maybe],
                truth & good,
            )
        if attributes:
            for slot in good:
                if data.frame_pixels[row][slot] >= _ATTRIBUTE_PIXELS:
                    facts = data.facts(int(objects[slot]))
                    box = data.frame_boxes[row][slot]
                    _choose(tally, facts, choices, partial(_on, detector, image, box))
    groups = dict(tally.groups)
    for name in names:
        if there[name]:
            precision = average_precision(found[name], there[name])
            groups[f"ap50/{name}"] = Score(1, precision, there[name])
    return groups


def _on(
    detector: OpenVocabularyDetector, image: Image, box: NDArray[np.float32], texts: list[str]
) -> NDArray[np.float32]:
    """The best score of each text among the boxes that lie on ``box``."""
    seen = detector.detect(image, texts)
    best = np.zeros(len(texts), dtype=np.float32)
    for found, score, query in zip(seen.boxes, seen.scores, seen.queries, strict=True):
        if _iou(found, box[None])[0] >= 0.5:
            best[query] = max(best[query], score)
    return best


def _judge(
    boxes: NDArray[np.float32],
    scores: NDArray[np.float32],
    truth: NDArray[np.float32],
    slots: list[int],
    good: set[int],
) -> list[tuple[float, bool]]:
    """(score, right) of each box, best first: right when it overlaps an object that no better box
    took by at least a half. Boxes on objects that do not count are left out."""
    judged: list[tuple[float, bool]] = []
    taken: set[int] = set()
    for k in np.argsort(-scores, kind="stable"):
        free = [s for s in slots if s not in taken]
        overlap = _iou(boxes[k], truth[free]) if free else np.zeros(0)
        best = int(overlap.argmax()) if free else -1
        if best >= 0 and overlap[best] >= 0.5:
            taken.add(free[best])
            if free[best] in good:
                judged.append((float(scores[k]), True))
            continue
        judged.append((float(scores[k]), False))
    return judged


def average_precision(judged: Sequence[tuple[float, bool]], objects: int) -> float:
    """Area under the precision–recall curve, precision made monotone (all-point interpolation,
    Everingham et al. 2010 as revised)."""
    ordered = sorted(judged, key=lambda j: -j[0])
    right = np.cumsum([hit for _, hit in ordered])
    if not len(right):
        return 0.0
    precision = right / np.arange(1, len(right) + 1)
    precision = np.maximum.accumulate(precision[::-1])[::-1]
    recall = np.concatenate([[0.0], right / objects])
    return float((np.diff(recall) * precision).sum())


def _iou(one: NDArray[np.float32], many: NDArray[np.float32]) -> NDArray[np.float32]:
    low = np.maximum(one[:2], many[:, :2])
    high = np.minimum(one[2:], many[:, 2:])
    shared = np.prod(np.clip(high - low, 0.0, None), axis=1)
    areas = np.prod(one[2:] - one[:2]) + np.prod(many[:, 2:] - many[:, :2], axis=1)
    return np.asarray(shared / np.maximum(areas - shared, 1e-6), dtype=np.float32)
