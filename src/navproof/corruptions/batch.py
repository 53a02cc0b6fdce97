"""Many images, depth maps or sentences at once, each with a generator of its own.

>>> from navproof.corruptions.batch import corrupt_rgb
>>> spoiled = corrupt_rgb("spatter@0.75", images, seed=1)  # doctest: +SKIP

Item ``i`` depends on ``(seed, first + i)``, its episode and its own content alone: a batch equals
the loop over its items, and a data set done in chunks equals one done at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SpecError
from navproof.corruptions.arguments import check_seed
from navproof.corruptions.condition import Condition, Reading, parse_condition
from navproof.corruptions.protocol import Moment

if TYPE_CHECKING:
    from navproof.core.types import Instruction

__all__ = ["corrupt_depth", "corrupt_rgb", "corrupt_words", "item_moment"]

Images = TypeVar("Images", NDArray[np.uint8], Sequence[NDArray[np.uint8]])
Depths = TypeVar("Depths", NDArray[np.float32], Sequence[NDArray[np.float32]])
_FORMS = {"rgb": "(n, h, w, 3)", "depth": "(n, h, w)", "words": "a list of texts"}
_DIMENSIONS = {"rgb": 4, "depth": 3, "words": 1}


def item_moment(
    target: Reading, index: int, seed: int = 0, episode: int | str | None = None
) -> Moment:
    """Where the randomness of one item comes from; without an episode it is one of its own."""
    return Moment(seed, f"item {index}" if episode is None else str(episode), target, index)


def corrupt_rgb(
    condition: Condition | str,
    images: Images,
    seed: int = 0,
    *,
    episodes: Sequence[int | str] | None = None,
    first: int = 0,
) -> Images:
    """Images (n, h, w, 3) uint8, or a list of images of any sizes, in fresh arrays.

    ``episodes`` names the episode of each item: what stays put (dirt on a lens) is shared within
    one, and by default drawn for each item. ``first`` is the index of the first item.
    """
    spoiled: Images = _batch(condition, "rgb", images, seed, episodes, first, 10.0)
    return spoiled


def corrupt_depth(
    condition: Condition | str,
    depths: Depths,
    seed: int = 0,
    *,
    episodes: Sequence[int | str] | None = None,
    first: int = 0,
    max_range_m: float = 10.0,
) -> Depths:
    """Depth (n, h, w) float32 in metres, or a list of maps of any sizes, in fresh arrays."""
    spoiled: Depths = _batch(condition, "depth", depths, seed, episodes, first, max_range_m)
    return spoiled


def corrupt_words(
    condition: Condition | str,
    texts: Sequence[str | Instruction],
    seed: int = 0,
    *,
    first: int = 0,
) -> list[str]:
    """Instructions (texts, or ``Instruction`` with its clauses) as they are heard."""
    if isinstance(texts, str):
        raise SpecError("corrupt_words takes a list of texts, got one text: write [text]")
    heard = _batch(condition, "words", list(texts), seed, None, first, 10.0)
    return [text if isinstance(text, str) else text.text for text in heard]


def _batch(
    condition: Condition | str,
    target: Reading,
    items: Any,
    seed: int,
    episodes: Sequence[int | str] | None,
    first: int,
    max_range_m: float,
) -> Any:
    seed = check_seed(seed)
    chosen = condition if isinstance(condition, Condition) else parse_condition(condition)
    if isinstance(items, np.ndarray) and items.ndim != _DIMENSIONS[target]:
        raise SpecError(f"a batch of {target} is {_FORMS[target]} or a list, got {items.shape}")
    if chosen.parts and not chosen.parts_of(target):
        raise SpecError(f"condition '{chosen.name}' has nothing that acts on {target}")
    if episodes is not None and len(episodes) != len(items):
        raise SpecError(f"{len(items)} items need as many episodes, got {len(episodes)}")

    def spoil(number: int) -> Any:
        episode = None if episodes is None else episodes[number]
        moment = item_moment(target, first + number, seed, episode)
        try:
            return chosen.corrupt(target, items[number], moment, max_range_m=max_range_m)
        except SpecError as error:
            raise SpecError(f"item {number}: {error}") from None

    if not isinstance(items, np.ndarray):
        return [_own(spoil(number)) for number in range(len(items))]
    spoiled = np.empty_like(items)
    for number in range(len(items)):
        spoiled[number] = spoil(number)
    return spoiled


def _own(item: Any) -> Any:
    """The item, in an array that nobody else holds."""
    return item.copy() if isinstance(item, np.ndarray) else item
