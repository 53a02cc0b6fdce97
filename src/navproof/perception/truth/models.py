"""Perfect eyes, and eyes as bad as one likes: encoder and detector out of the ground truth.

For tests and for upper bounds. Both are shown the truth of a frame (``see``) before they are asked
about it; what they make of it depends on the truth, the options and (seed, step, object) alone.

    load_encoder("truth:noise=0.1,confusion=0.05")
    load_detector("truth:miss=0.2,box_noise_px=3")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from math import isfinite
from typing import Any, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import PerceptionError
from navproof.core.registry import suggest
from navproof.core.seeding import derive, keyed
from navproof.core.types import CEILING, FIRST_OBJECT_ID, FLOOR, VOID, WALL, Scalar
from navproof.perception.protocol import (
    Detections,
    Features,
    Image,
    TruthFrame,
    check_queries,
    check_rgb,
)
from navproof.perception.truth.codes import FIT, LEAST_DIM, codes
from navproof.perception.truth.people import PERSON, is_called
from navproof.perception.truth.words import fits, read, traits
from navproof.world.catalog import CATEGORIES

__all__ = ["DetectorErrors", "EncoderErrors", "TruthDetector", "TruthEncoder"]


Facts = Mapping[str, Scalar]

_GRID = 32
_STRUCTURE = {VOID: "nothing", WALL: "wall", FLOOR: "floor", CEILING: "ceiling"}
_MOST_DIM = 4096
_DECIDED_AT = 0.83  # share of FIT where the odds are even: above two parts of three, and ¾
_FIT_LOG_ODDS = 4.0
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class EncoderErrors:
    """``noise``: standard deviation of Gaussian noise on every number of a unit feature, drawn anew
    for each patch and step. ``confusion``: share of objects that are taken for another category,
    the same one throughout an episode. ``miss``: chance that an object is taken for wall, for each
    frame. ``feature_dim``: from about 300 on no two words are confused; at 96 few are."""

    noise: float = 0.0
    confusion: float = 0.0
    miss: float = 0.0
    feature_dim: int = 96

    def __post_init__(self) -> None:
        check_range("truth encoder", "noise", self.noise, 0.0, 100.0)
        check_range("truth encoder", "confusion", self.confusion, 0.0, 1.0)
        check_range("truth encoder", "miss", self.miss, 0.0, 1.0)
        check_range("truth encoder", "feature_dim", self.feature_dim, LEAST_DIM, _MOST_DIM)


@dataclass(frozen=True, slots=True)
class DetectorErrors:
    """``miss``: chance that an object is not found, for each frame. ``confuse``: share of objects
    taken for another category, throughout an episode. ``box_noise_px``: standard deviation of each
    side of a box. ``false_positives``: chance for each query and frame that something visible which
    does not fit is given too, with a score from 0.3 to 0.9 (what is right scores 1).
    ``min_pixels``: smaller views of an object are not found."""

    miss: float = 0.0
    confuse: float = 0.0
    box_noise_px: float = 0.0
    false_positives: float = 0.0
    min_pixels: int = 24

    def __post_init__(self) -> None:
        check_range("truth detector", "miss", self.miss, 0.0, 1.0)
        check_range("truth detector", "confuse", self.confuse, 0.0, 1.0)
        check_range("truth detector", "box_noise_px", self.box_noise_px, 0.0, 1000.0)
        check_range("truth detector", "false_positives", self.false_positives, 0.0, 1.0)
        check_range("truth detector", "min_pixels", self.min_pixels, 1, 10**8)


@final
class TruthEncoder:
    """Patches whose cosine with words is high where the words fit what is in them.

    An object's feature tells its category and attributes (see ``codes``), a patch mixes
    those of its pixels by their share. 32×32 patches, whatever the size of the image. ``scale``
    and ``bias`` give +4 log-odds where words fully fit, −1 or less where one thing said does not.
    """

    def __init__(self, options: str | EncoderErrors = "") -> None:
        if isinstance(options, str):
            options = read_options(EncoderErrors, options, "truth encoder")
        self.errors = options
        self._codes = codes(options.feature_dim)
        self._frame: TruthFrame | None = None

    @property
    def name(self) -> str:
        return _name(self.errors, EncoderErrors())

    @property
    def feature_dim(self) -> int:
        return self.errors.feature_dim

    @property
    def scale(self) -> float:
        return _FIT_LOG_ODDS / (FIT * (1.0 - _DECIDED_AT))

    @property
    def bias(self) -> float:
        return -self.scale * FIT * _DECIDED_AT

    def see(self, truth: TruthFrame) -> None:
        self._frame = truth

    def encode_patches(self, rgb: Image) -> Features:
        frame = _frame_of(self._frame, rgb, "encoder")
        instances = _at_least_a_grid(frame.instances)
        height, width = instances.shape
        rows = np.arange(height) * _GRID // height
        columns = np.arange(width) * _GRID // width
        cells = rows[:, None] * _GRID + columns[None, :]
        ids, index = np.unique(instances, return_inverse=True)
        pixels = np.bincount(
            (cells * len(ids) + index.reshape(height, width)).ravel(),
            minlength=_GRID * _GRID * len(ids),
        )
        mixed = pixels.reshape(_GRID, _GRID, len(ids)) @ self._features(frame, ids)
        if self.errors.noise > 0.0:
            draw = _draw(frame, "encoder.noise", step=True)
            mixed = _unit(mixed) + self.errors.noise * draw.normal(size=mixed.shape)
        return _unit(mixed)

    def encode_image(self, rgb: Image) -> Features:
        frame = _frame_of(self._frame, rgb, "encoder")
        ids, pixels = np.unique(frame.instances, return_counts=True)
        mixed = pixels @ self._features(frame, ids)
        if self.errors.noise > 0.0:
            draw = _draw(frame, "encoder.image_noise", step=True)
            mixed = _unit(mixed) + self.errors.noise * draw.normal(size=mixed.shape)
        return _unit(mixed)

    def encode_text(self, texts: Sequence[str]) -> Features:
        plain = check_queries(texts)
        if not plain:
            return np.zeros((0, self.feature_dim), dtype=np.float32)
        return np.stack([self._codes.words(read(t)) for t in plain]).astype(np.float32)

    def _features(self, frame: TruthFrame, ids: NDArray[np.int32]) -> NDArray[np.float64]:
        """(n, f) unit features of the instances, as they are mistaken."""
        features = []
        for i in ids.tolist():
            facts = frame.facts.get(i)
            if facts is None or _missed(frame, "encoder", i, self.errors.miss):
                kind = "wall" if i >= FIRST_OBJECT_ID else _STRUCTURE.get(i, "nothing")
                features.append(self._codes.thing(kind, frozenset()))
            else:
                alias = _taken_for(frame, "encoder", i, facts, self.errors.confusion)
                features.append(self._codes.thing(str(alias["category"]), traits(alias)))
        return np.stack(features)


@final
class TruthDetector:
    """The objects that fit a query in category (see ``language.lexicon.nouns.could_mean``),
    attributes and, where the query says "on the …", support; with their true masks, cut to the box.
    People by all that a query says of their looks.

    Relations that need geometry ("next to the bed") are not judged.
    """

    def __init__(self, options: str | DetectorErrors = "") -> None:
        if isinstance(options, str):
            options = read_options(DetectorErrors, options, "truth detector")
        self.errors = options
        self._frame: TruthFrame | None = None

    @property
    def name(self) -> str:
        return _name(self.errors, DetectorErrors())

    def see(self, truth: TruthFrame) -> None:
        self._frame = truth

    def detect(self, rgb: Image, queries: Sequence[str]) -> Detections:
        plain = check_queries(queries)
        frame = _frame_of(self._frame, rgb, "detector")
        ids, pixels = np.unique(frame.instances, return_counts=True)
        large = [int(i) for i, n in zip(ids, pixels, strict=True) if n >= self.errors.min_pixels]
        facts_of = {
            i: _taken_for(frame, "detector", i, frame.facts[i], self.errors.confuse)
            for i in large
            if i in frame.facts and not _missed(frame, "detector", i, self.errors.miss)
        }
        things = {**frame.facts, **facts_of}
        answers: list[tuple[float, int, int]] = []  # score, query, object
        for q, text in enumerate(plain):
            answers += self._answers(frame, text, q, facts_of, things)
        answers.sort(key=lambda f: (-f[0], f[1], f[2]))
        views = {i: self._view(frame, i) for i in {f[2] for f in answers}}
        height, width = frame.instances.shape
        return Detections(
            boxes=np.array([views[f[2]][0] for f in answers], dtype=np.float32).reshape(-1, 4),
            scores=np.array([f[0] for f in answers], dtype=np.float32),
            queries=np.array([f[1] for f in answers], dtype=np.int64),
            masks=np.array([views[f[2]][1] for f in answers], dtype=np.bool_).reshape(
                -1, height, width
            ),
        )

    def _answers(
        self,
        frame: TruthFrame,
        text: str,
        query: int,
        facts_of: Mapping[int, Facts],
        things: Mapping[int, Facts],
    ) -> list[tuple[float, int, int]]:
        meaning = read(text)
        right = [
            i
            for i, facts in facts_of.items()
            if (
                is_called(text, facts)
                if facts.get("category") == PERSON
                else fits(meaning, facts, things)
            )
        ]
        answers = [(1.0, query, i) for i in right]
        others = sorted(facts_of.keys() - set(right))
        draw = _draw(frame, "detector.false", query, step=True)
        if others and draw.random() < self.errors.false_positives:
            answers.append((draw.uniform(0.3, 0.9), query, others[int(draw.integers(len(others)))]))
        return answers

    def _view(
        self, frame: TruthFrame, object_id: int
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """The box of an object and its mask."""
        mask = frame.instances == object_id
        height, width = mask.shape
        v, u = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
        box = np.array([u[0], v[0], u[-1] + 1, v[-1] + 1], dtype=np.float64)
        if self.errors.box_noise_px > 0.0:
            draw = _draw(frame, "detector.box", object_id, step=True)
            box += self.errors.box_noise_px * draw.normal(size=4)
            box[:2] = np.clip(box[:2], 0.0, [width - 1.0, height - 1.0])
            box[2:] = np.clip(np.maximum(box[2:], box[:2] + 1.0), 1.0, [width, height])
            u0, v0, u1, v1 = np.round(box).astype(int)
            inside = np.zeros_like(mask)
            inside[v0:v1, u0:u1] = True
            mask = mask & inside
        return box, mask


def _name(errors: EncoderErrors | DetectorErrors, perfect: EncoderErrors | DetectorErrors) -> str:
    usual = asdict(perfect)
    changed = [f"{k}={v:g}" for k, v in asdict(errors).items() if v != usual[k]]
    return "truth:" + ",".join(changed) if changed else "truth"


def _frame_of(frame: TruthFrame | None, rgb: Image, what: str) -> TruthFrame:
    image = check_rgb(rgb)
    if frame is None:
        raise PerceptionError(
            f"the truth {what} has been shown no truth: call see(TruthFrame(…)) before each frame"
            " (it needs the semantic sensor)"
        )
    if frame.instances.shape != image.shape[:2]:
        (height, width), (h, w) = image.shape[:2], frame.instances.shape
        raise PerceptionError(
            f"the truth {what} was shown a frame of {w}×{h} and asked about one of {width}×{height}"
        )
    return frame


def _draw(
    frame: TruthFrame, stream: str, key: int = 0, *, step: bool = False
) -> np.random.Generator:
    """The generator of one error; the same throughout an episode unless it is of a step."""
    return keyed(derive(frame.seed, f"truth.{stream}", key, frame.step if step else -1))


def _missed(frame: TruthFrame, who: str, object_id: int, rate: float) -> bool:
    if rate <= 0.0 or object_id < FIRST_OBJECT_ID:
        return False
    return bool(_draw(frame, f"{who}.miss", object_id, step=True).random() < rate)


def _taken_for(frame: TruthFrame, who: str, object_id: int, facts: Facts, rate: float) -> Facts:
    """The facts of an object as they are believed: with another category, or its own."""
    if rate <= 0.0:
        return facts
    draw = _draw(frame, f"{who}.confusion", object_id)
    if draw.random() >= rate:
        return facts
    others = [c for c in CATEGORIES if c != facts.get("category")]
    return {**facts, "category": others[int(draw.integers(len(others)))]}


def _at_least_a_grid(instances: NDArray[np.int32]) -> NDArray[np.int32]:
    """Small frames with their pixels repeated, so that every patch has some."""
    for axis, size in enumerate(instances.shape):
        if size < _GRID:
            instances = instances.take(np.arange(_GRID) * size // _GRID, axis=axis)
    return instances


def _unit(vectors: NDArray[np.float64]) -> Features:
    norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(norms, 1e-12), dtype=np.float32)


def read_options(options: type[T], text: str, what: str) -> T:
    """A dataclass of numbers, filled from ``name=number`` pairs with commas between them."""
    kinds: dict[str, Any] = {f.name: f.type for f in fields(options)}  # type: ignore[arg-type]
    values: dict[str, float | int] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        name, equals, number = (part.strip() for part in pair.partition("="))
        if name not in kinds:
            raise PerceptionError(f"{what} has no option '{name}'{suggest(name, list(kinds))}")
        if name in values:
            raise PerceptionError(f"{what}: {name} is given twice")
        whole = kinds[name] in (int, "int")
        try:
            values[name] = int(number) if whole else float(number)
        except ValueError:
            kind = "a whole number" if whole else "a number"
            quoted = repr(number) if equals else "nothing"
            raise PerceptionError(f"{what}: {name} must be {kind}, got {quoted}") from None
    return options(**values)


def check_range(what: str, name: str, value: float, low: float, high: float) -> None:
    """Raises unless ``low`` ≤ ``value`` ≤ ``high``."""
    if not (isfinite(value) and low <= value <= high):
        raise PerceptionError(f"{what}: {name} must be from {low:g} to {high:g}, got {value:g}")
