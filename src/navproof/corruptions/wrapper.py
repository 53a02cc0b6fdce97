"""Corrupted observations in any Gymnasium environment.

>>> from navproof.corruptions.wrapper import CorruptObservation
>>> env = CorruptObservation(gymnasium.make("Mine-v0"), "spatter@0.75")  # doctest: +SKIP
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

from navproof.core.errors import MissingExtraError, SpecError
from navproof.corruptions import _observations as forms
from navproof.corruptions._checks import check_seed
from navproof.corruptions._observations import Path
from navproof.corruptions._spaces import Entry, choose_entries, fitted, range_m, unit_m, with_space
from navproof.corruptions.condition import Condition, Reading, parse_condition
from navproof.corruptions.protocol import Moment

try:
    import gymnasium
    from gymnasium.utils import RecordConstructorArgs
except ImportError:
    raise MissingExtraError("gymnasium", "gym", "navproof.corruptions.wrapper") from None

__all__ = ["CorruptObservation"]


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
        )
        gymnasium.Wrapper.__init__(self, env)
        self.condition = chosen
        self._seed = seed
        self._active = Condition(tuple(part for part in chosen.parts if part.intensity > 0.0))
        self._entries = choose_entries(self._active, env.observation_space, keys)
        self._depths_m: dict[Path, tuple[float, float]] = {}  # (unit, range)
        for entry in self._entries:
            if entry.target == "depth":
                unit = depth_unit_m or unit_m(entry)
                self._depths_m[entry.path] = (unit, max_range_m or range_m(entry.space, unit))
        seen = env.observation_space
        for entry in self._entries:
            seen = with_space(seen, entry.path, entry.seen)
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
            observation = forms.replaced(observation, entry.path, spoil)
        return observation

    def _spoiled(self, entry: Entry, x: Any) -> Any:
        episode = f"{self._reset_seed}.{self._resets}"
        moment = Moment(self._seed, episode, entry.name, self._step)
        if entry.target == "rgb":
            return forms.of_colours(x, self._active.corrupt("rgb", forms.colours(x), moment))
        if entry.target == "depth":
            unit, far = self._depths_m[entry.path]
            clean = forms.metres(x, unit)
            spoiled = self._active.corrupt("depth", clean, moment, max_range_m=far)
            return forms.of_metres(x, spoiled, unit)
        if self._heard.get(entry.path, (None,))[0] != x:
            said = str(self._active.corrupt(entry.target, str(x), moment))
            self._heard[entry.path] = (x, fitted(said, entry.seen))
        return self._heard[entry.path][1]
