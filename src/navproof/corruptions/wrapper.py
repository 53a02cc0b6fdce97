"""Corrupted observations in any Gymnasium environment.

>>> from navproof.corruptions.wrapper import CorruptObservation
>>> env = CorruptObservation(gymnasium.make("Mine-v0"), "spatter@0.75")  # doctest: +SKIP
"""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import MissingExtraError, SpecError
from navproof.core.registry import suggest
from navproof.corruptions.arguments import check_seed
from navproof.corruptions.condition import Condition, Reading, parse_condition
from navproof.corruptions.protocol import Moment
from navproof.corruptions.tokens import Maker, remade, untold

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.utils import RecordConstructorArgs
except ImportError:
    raise MissingExtraError("gymnasium", "gym", "navproof.corruptions.wrapper") from None

__all__ = ["CorruptObservation"]

Path: TypeAlias = tuple[str, ...]
"""The keys (of tuples: the indices) that lead into an observation."""
_CHANNELS = (3, 4)
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
class _Entry:
    """One thing to corrupt in an observation: its space, and the space of what is seen."""

    path: Path
    target: Reading
    space: Space
    seen: Space

    @property
    def name(self) -> str:
        return _name(self.path)


class CorruptObservation(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """An environment whose images, depth and words are seen under a condition.

    Observations may be one array or text, or (nested) ``Dict`` and ``Tuple`` spaces. ``keys`` says
    what is what: ``{"camera": "rgb", "sensors.range": "depth", "task": "words"}``, with "." into
    nested spaces, ``"observation"`` where all of it is one thing, and ``"prompt"`` for a system
    prompt. Without ``keys``: uint8 images with three channels (last or first), or four and "rgb" or
    "colour" in their name, are RGB, unless they are called semantic, segment, label or mask; float
    or uint16 maps with "depth" in their name, and a lone non-negative float map, are depth;
    ``Text`` is words. What the condition changes must be there; everything else passes untouched.

    A depth of 1 means ``depth_unit_m`` metres (10.0 for depth up to 10 m that is scaled to [0, 1];
    for floats up to 1 it must be said); by default floats are metres and uint16 millimetres.
    ``max_range_m`` is by default the upper bound of the space, or 10 m where it has none.

    Where the condition changes words, what else is made of them has to change too. ``tokens`` says
    what makes it of a text: ``{"instruction.tokens": tokenise}``, None for what only looks so. It
    follows the words that lie beside it, or the only ones that there are. What looks made of words
    (by its name, in the space or beside the words in an observation) and is not told is refused.

    What is seen depends on ``(seed, episode, key, step)`` and on the clean observation alone. The
    episode is the seed of ``reset(seed=…)`` and the number of resets since. Words are corrupted
    once, when they come into force.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        condition: Condition | str,
        seed: int = 0,
        keys: Mapping[str, Reading] | None = None,
        *,
        depth_unit_m: float | None = None,
        max_range_m: float | None = None,
        tokens: Mapping[str, Maker] | None = None,
    ) -> None:
        if not isinstance(env, gymnasium.Env):
            kind = type(env).__name__
            raise SpecError(f"CorruptObservation wraps one gymnasium.Env, got a {kind}")
        for name, value in (("depth_unit_m", depth_unit_m), ("max_range_m", max_range_m)):
            if value is not None and not 0.0 < value < math.inf:
                raise SpecError(f"{name} must be above 0, got {value}")
        seed = check_seed(seed)
        chosen = condition if isinstance(condition, Condition) else parse_condition(condition)
        RecordConstructorArgs.__init__(
            self,
            condition=chosen.name,
            seed=seed,
            keys=None if keys is None else dict(keys),
            depth_unit_m=depth_unit_m,
            max_range_m=max_range_m,
            tokens=None if tokens is None else dict(tokens),
        )
        gymnasium.Wrapper.__init__(self, env)
        self.condition = chosen
        self._seed = seed
        self._active = Condition(tuple(part for part in chosen.parts if part.intensity > 0.0))
        self._entries = _choose_entries(self._active, env.observation_space, keys)
        self._depths_m: dict[Path, tuple[float, float]] = {}  # (unit, range)
        for entry in self._entries:
            if entry.target == "depth":
                unit = depth_unit_m or _unit_m(entry)
                self._depths_m[entry.path] = (unit, max_range_m or _range_m(entry.space, unit))
        self._tokens = dict(tokens or {})
        self._words = {entry.path: entry for entry in self._entries if entry.target == "words"}
        if self._words:
            self._refuse_untold(env.observation_space)
        seen = env.observation_space
        for entry in self._entries:
            seen = _with_space(seen, entry.path, entry.seen)
        self.observation_space = seen
        self._reset_seed: int | None = None
        self._resets = 0
        self._step = 0
        self._heard: dict[Path, tuple[Any, str]] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        observation, info = self.env.reset(seed=seed, options=options)
        if seed is not None:
            self._reset_seed, self._resets = seed, 0
        self._resets += 1
        self._step = 0
        self._heard = {}
        return self._corrupted(observation), info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._step += 1
        return self._corrupted(observation), reward, terminated, truncated, info

    def _corrupted(self, observation: Any) -> Any:
        for entry in self._entries:
            spoil = partial(self._spoiled, entry)
            observation = _replaced(observation, entry.path, spoil)
        return self._with_tokens(observation) if self._words else observation

    def _refuse_untold(self, space: Space) -> None:
        """Nothing that is made of changed words may pass clean."""
        leaves = _leaves(space)
        texts = {_name(path) for path in self._words}
        others = (name for name, leaf in leaves.items() if not _is_text(leaf))
        refusal = untold(others, self._tokens)
        if refusal is not None:
            raise refusal
        for name, maker in self._tokens.items():
            lonely = not any(_beside(path, name) for path in self._words)
            if maker is not None and len(self._words) > 1 and lonely:
                told = ", ".join(sorted(texts))
                raise SpecError(f"tokens: '{name}' lies beside none of the words ({told})")

    def _with_tokens(self, observation: Any) -> Any:
        """What is made of words, made again of those that are heard."""
        for path in self._words:  # Habitat's space does not name what its instruction holds
            beside = _inside(observation, path[:-1])
            if isinstance(beside, Mapping):
                others = (k for k, v in beside.items() if not isinstance(v, str | Mapping))
                refusal = untold((_name((*path[:-1], str(k))) for k in others), self._tokens)
                if refusal is not None:
                    raise refusal
        for name, maker in self._tokens.items():
            if maker is None:
                continue
            own = next((path for path in self._words if _beside(path, name)), None)
            words = next(iter(self._words)) if own is None else own
            text = str(_inside(observation, words))
            place = () if name == _WHOLE else tuple(name.split("."))
            _inside(observation, place)  # says so where there is nothing
            observation = _replaced(observation, place, partial(remade, name, maker, text))
        return observation

    def _spoiled(self, entry: _Entry, x: Any) -> Any:
        episode = f"{self._reset_seed}.{self._resets}"
        moment = Moment(self._seed, episode, entry.name, self._step)
        if entry.target == "rgb":
            return _of_colours(x, self._active.corrupt("rgb", _colours(x), moment))
        if entry.target == "depth":
            unit, far = self._depths_m[entry.path]
            clean = _metres(x, unit)
            spoiled = self._active.corrupt("depth", clean, moment, max_range_m=far)
            return _of_metres(x, spoiled, unit)
        if self._heard.get(entry.path, (None,))[0] != x:
            said = str(self._active.corrupt(entry.target, str(x), moment))
            self._heard[entry.path] = (x, _fitted(said, entry.seen))
        return self._heard[entry.path][1]


# --------------------------------------------------------------- which spaces hold what
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


def _choose_entries(
    condition: Condition, observed: Space, keys: Mapping[str, Reading] | None
) -> tuple[_Entry, ...]:
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
        _Entry(path, target, space, _widened(space, target))
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
        return space.dtype == np.uint8 and _image_shaped(space.shape)
    real = np.issubdtype(space.dtype, np.floating) or space.dtype == np.uint16
    return bool(real) and _depth_shaped(space.shape)


def _unit_m(entry: _Entry) -> float:
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


def _range_m(space: Space, unit: float) -> float:
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


def _with_space(space: Space, path: Path, inside: Space) -> Space:
    """The space with another one at the path."""
    if not path:
        return inside
    key, rest = path[0], path[1:]
    if isinstance(space, spaces.Dict):
        changed = {
            k: _with_space(v, rest, inside) if str(k) == key else v for k, v in space.items()
        }
        return spaces.Dict(changed)
    held = list(space.spaces)
    held[int(key)] = _with_space(held[int(key)], rest, inside)
    return spaces.Tuple(held)


def _fitted(text: str, space: Space) -> str:
    """The text as its space can hold it: cut, and "?" for characters that it does not know."""
    if not isinstance(space, spaces.Text):
        return text
    known = space.character_set
    return "".join(c if c in known else "?" for c in text[: space.max_length])


# ------------------------------------------------- values out of an observation and back into it
def _replaced(observation: Any, path: Path, change: Callable[[Any], Any]) -> Any:
    """The observation with one entry changed; what lies beside the path is shared, not copied."""
    if not path:
        return change(observation)
    key, rest = path[0], path[1:]
    if isinstance(observation, Mapping):
        return {**observation, key: _replaced(observation[key], rest, change)}
    index = int(key)
    inside = _replaced(observation[index], rest, change)
    return (*observation[:index], inside, *observation[index + 1 :])


def _inside(observation: Any, path: Path) -> Any:
    """What lies at a path; a ``SpecError`` where nothing does."""
    for key in path:
        try:
            observation = observation[key if isinstance(observation, Mapping) else int(key)]
        except (KeyError, IndexError, ValueError, TypeError):
            raise SpecError(f"there is no '{_name(path)}' in an observation") from None
    return observation


def _beside(words: Path, name: str) -> bool:
    """Whether what is called ``name`` lies where the words do."""
    return tuple(name.split("."))[:-1] == words[:-1]


def _is_text(leaf: tuple[Path, Space]) -> bool:
    return isinstance(leaf[1], spaces.Text)


def _image_shaped(shape: tuple[int, ...]) -> bool:
    """Three or four channels, last or first."""
    return len(shape) == 3 and (shape[2] in _CHANNELS or shape[0] in _CHANNELS)


def _colours(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The (h, w, 3) colours of an image with its channels last or first, with or without alpha."""
    last = np.moveaxis(image, 0, 2) if _channels_first(image) else image
    return np.ascontiguousarray(last[..., :3])


def _of_colours(image: NDArray[np.uint8], changed: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """An image of the old form with changed colours; alpha stays."""
    first = _channels_first(image)
    alpha = (np.moveaxis(image, 0, 2) if first else image)[..., 3:]
    last = np.concatenate([changed, alpha], axis=2)
    return np.ascontiguousarray(np.moveaxis(last, 2, 0)) if first else last


def _channels_first(image: NDArray[np.uint8]) -> bool:
    return image.ndim == 3 and image.shape[2] not in _CHANNELS


def _depth_shaped(shape: tuple[int, ...]) -> bool:
    """(h, w), or the same with an axis of one channel."""
    return len(shape) == 2 or (len(shape) == 3 and 1 in (shape[0], shape[2]))


def _metres(depth: NDArray[Any], unit_m: float) -> NDArray[np.float32]:
    """Depth as (h, w) float32 metres, where a value of 1 means ``unit_m``."""
    flat = depth
    if depth.ndim == 3:
        flat = depth[..., 0] if depth.shape[2] == 1 else depth[0]
    return np.ascontiguousarray(flat, dtype=np.float32) * np.float32(unit_m)


def _of_metres(depth: NDArray[Any], changed: NDArray[np.float32], unit_m: float) -> NDArray[Any]:
    """Changed metres in the old shape, type and unit."""
    values = changed.reshape(depth.shape) / np.float32(unit_m)
    if np.issubdtype(depth.dtype, np.integer):
        values = np.clip(np.rint(values), 0, np.iinfo(depth.dtype).max)
    return values.astype(depth.dtype)
