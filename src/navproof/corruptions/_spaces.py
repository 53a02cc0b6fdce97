"""Which spaces of an environment hold images, depth and words, and what they become."""

from __future__ import annotations

import string
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from navproof.core.errors import MissingExtraError, SpecError
from navproof.core.registry import suggest
from navproof.corruptions._observations import Path, depth_shaped, image_shaped
from navproof.corruptions.condition import Condition, Reading

try:
    from gymnasium import spaces
except ImportError:
    raise MissingExtraError("gymnasium", "gym", "navproof.corruptions.wrapper") from None

__all__ = ["Entry", "choose_entries", "fitted", "range_m", "unit_m", "with_space"]

_WHOLE = "observation"
_DEFAULT_RANGE_M = 10.0
_UNBOUNDED_M = 1e6
_PRINTABLE = string.ascii_letters + string.digits + string.punctuation + " "
_FORMS: dict[Reading, str] = {
    "rgb": "uint8 images with 3 or 4 channels",
    "depth": "float or uint16 maps (h, w), (h, w, 1) or (1, h, w)",
    "words": "text",
    "prompt": "text",
}
Space: TypeAlias = Any
"""Any Gymnasium space."""
Leaves: TypeAlias = Mapping[str, tuple[Path, Space]]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to corrupt in an observation: its space, and the space of what is seen."""

    path: Path
    target: Reading
    space: Space
    seen: Space

    @property
    def name(self) -> str:
        return _name(self.path)


def _name(path: Path) -> str:
    return ".".join(path) or _WHOLE


def _leaves(space: Space, path: Path = ()) -> dict[str, tuple[Path, Space]]:
    """Every space that holds no other, by name."""
    if isinstance(space, spaces.Dict):
        inside = [(str(key), value) for key, value in space.spaces.items()]
    elif isinstance(space, spaces.Tuple):
        inside = [(str(number), value) for number, value in enumerate(space.spaces)]
    else:
        return {_name(path): (path, space)}
    found: dict[str, tuple[Path, Space]] = {}
    for key, value in inside:
        found |= _leaves(value, (*path, key))
    return found


def choose_entries(
    condition: Condition, observed: Space, keys: Mapping[str, Reading] | None
) -> tuple[Entry, ...]:
    """What the condition changes; each of its corruptions must find something to change."""
    leaves = _leaves(observed)
    targets = _guessed(leaves) if keys is None else _told(leaves, keys)
    for part in condition.parts:
        target = part.corruption.target
        if target not in _FORMS:
            raise SpecError(
                f"{part.corruption.name} acts on a robot ({target}), not on what is observed: "
                "it needs navproof's own environment"
            )
        if target not in targets.values():
            offered = ", ".join(f"{name} {space}" for name, (_, space) in leaves.items())
            raise SpecError(
                f"{part.corruption.name} changes {target} ({_FORMS[target]}), and no observation "
                f"is known to be that; name one with keys={{…: '{target}'}} out of: {offered}"
            )
    touched = {part.corruption.target for part in condition.parts}
    return tuple(
        Entry(path, target, space, _widened(space, target))
        for name, target in targets.items()
        if target in touched
        for path, space in (leaves[name],)
    )


def _guessed(leaves: Leaves) -> dict[str, Reading]:
    targets: dict[str, Reading] = {}
    for name, (_, space) in leaves.items():
        if isinstance(space, spaces.Text):
            targets[name] = "words"
        elif _fits(space, "rgb"):
            if _colourful(name.lower(), space.shape):
                targets[name] = "rgb"
        elif _fits(space, "depth"):
            lone = len(leaves) == 1 and space.dtype != np.uint16 and bool(np.all(space.low >= 0))
            if lone or "depth" in name.lower():
                targets[name] = "depth"
    return targets


def _colourful(name: str, shape: tuple[int, ...]) -> bool:
    """Whether a uint8 image is taken for colours; four channels may as well be four frames."""
    if any(word in name for word in ("semantic", "segment", "label", "mask")):
        return False
    return 3 in (shape[0], shape[2]) or any(word in name for word in ("rgb", "color", "colour"))


def _told(leaves: Leaves, keys: Mapping[str, Reading]) -> dict[str, Reading]:
    for name, target in keys.items():
        if name not in leaves:
            raise SpecError(f"there is no observation '{name}'{suggest(name, list(leaves))}")
        if target not in _FORMS:
            raise SpecError(f"keys: '{name}' is '{target}'{suggest(str(target), list(_FORMS))}")
        if not _fits(leaves[name][1], target):
            raise SpecError(f"'{name}' is no {target} ({_FORMS[target]}): {leaves[name][1]}")
    return dict(keys)


def _fits(space: Space, target: Reading) -> bool:
    if target in ("words", "prompt"):
        return not isinstance(space, spaces.Box | spaces.Discrete)
    if not isinstance(space, spaces.Box):
        return False
    if target == "rgb":
        return space.dtype == np.uint8 and image_shaped(space.shape)
    real = np.issubdtype(space.dtype, np.floating) or space.dtype == np.uint16
    return bool(real) and depth_shaped(space.shape)


def unit_m(entry: Entry) -> float:
    """What a depth of 1 usually means: a metre, and in whole numbers a millimetre. A ``SpecError``
    for floats up to 1, which may be metres, or as often shares of a range."""
    if entry.space.dtype == np.uint16:
        return 0.001
    if np.all(entry.space.high == 1.0):
        raise SpecError(
            f"depth '{entry.name}' goes up to 1: say what 1 means in metres (depth_unit_m=10.0 for "
            "depth up to 10 m that is scaled to [0, 1], 1.0 for metres)"
        )
    return 1.0


def range_m(space: Space, unit: float) -> float:
    """How far depth of that space reaches: its upper bound, or 10 m where it has none."""
    high = float(np.max(space.high))
    bounded = space.dtype != np.uint16 or high < np.iinfo(np.uint16).max
    return high * unit if bounded and high * unit < _UNBOUNDED_M else _DEFAULT_RANGE_M


# ----------------------------------------------------------------------------- what can be seen
def _widened(space: Space, target: Reading) -> Space:
    """The space of an entry once corrupted: depth has holes (0), and texts grow."""
    if isinstance(space, spaces.Box) and target == "depth":
        return spaces.Box(np.minimum(space.low, 0), space.high, space.shape, space.dtype.type)
    if type(space) is spaces.Text:
        letters = space.character_set | frozenset(_PRINTABLE)
        longest = 4 * space.max_length + 1024
        return spaces.Text(longest, min_length=space.min_length, charset=letters)
    return space


def with_space(space: Space, path: Path, inside: Space) -> Space:
    """The space with another one at the path."""
    if not path:
        return inside
    key, rest = path[0], path[1:]
    if isinstance(space, spaces.Dict):
        changed = {k: with_space(v, rest, inside) if str(k) == key else v for k, v in space.items()}
        return spaces.Dict(changed)
    held = list(space.spaces)
    held[int(key)] = with_space(held[int(key)], rest, inside)
    return spaces.Tuple(held)


def fitted(text: str, space: Space) -> str:
    """The text as its space can hold it: cut, and "?" for characters that it does not know."""
    if not isinstance(space, spaces.Text):
        return text
    known = space.character_set
    return "".join(c if c in known else "?" for c in text[: space.max_length])
