"""The conformance checks of corruptions: identity at 0, the form kept, randomness from outside."""

from __future__ import annotations

import hashlib
import time
from itertools import pairwise
from typing import Any

import numpy as np

from navproof.check.elsewhere import same_elsewhere
from navproof.check.result import Check, NotChecked, Wrong, checked, other_global_seed
from navproof.core.errors import NavproofError
from navproof.core.names import parse_name
from navproof.core.seeding import rng
from navproof.core.types import Camera, Pose, SensorSpec
from navproof.corruptions.body import Actuation
from navproof.corruptions.protocol import Corruption
from navproof.corruptions.registry import CORRUPTIONS
from navproof.play.deadline import deadline

__all__ = ["check_corruption"]

_SIZES = ((1, 1), (1, 7), (7, 1), (33, 47), (20, 160))
_STRENGTHS = (1e-6, 0.1, 0.5, 1.0)
_RISING = (0.25, 0.5, 0.75, 1.0)
_MAX_RANGE_M = 3.3
_SLOW_S = 0.5
CALL_LIMIT_S = 30.0
"""One call on an image of some hundred pixels."""
_SAID = ("Walk past the large brown sofa, turn left and stop at the kitchen door.", "Go on.")
_SYSTEM = "You are a careful robot."


def check_corruption(name: str, *, elsewhere: bool | None = None) -> tuple[Check, ...]:
    """All checks of a corruption by its name or reference (an intensity in it does not matter).
    ``elsewhere``: whether to ask other processes, too (by default for those from outside)."""
    try:
        name = parse_name(name, "corruption").ref
        corruption = CORRUPTIONS.get(name)
    except NavproofError as error:
        mend = "a corruption is a function (image, intensity, rng), or depth or text in its place"
        return (Check("loads", False, str(error), mend),)
    player = _Player(corruption)
    what = f"spoils {corruption.target}, {corruption.default:g} unless said otherwise"
    checks = [
        Check("loads", True, what),
        checked(
            "nothing at intensity 0",
            "begin with: if intensity == 0.0: return a copy of what came in",
            player.identity,
        ),
        checked(
            "form is kept",
            "return an array of the same shape and dtype, in range; text for text",
            player.form,
        ),
        *player.for_arrays(),
        checked(
            "same generators, same result",
            "draw random numbers from `rng` and `still` alone",
            player.deterministic,
        ),
        checked(
            "something at intensity 1",
            "let intensity scale how strong it is, up to its worst at 1",
            player.effective,
        ),
        *player.for_numbers(),
        checked("cost", "work on whole arrays instead of loops over pixels", player.cost),
    ]
    outside = CORRUPTIONS.origin(name) is not None
    if (outside if elsewhere is None else elsewhere) and all(c.ok is not False for c in checks):
        checks.append(same_elsewhere(_digest, name))
    return tuple(checks)


class _Player:
    """Calls one corruption on what its target is."""

    def __init__(self, corruption: Corruption) -> None:
        self.corruption = corruption
        self.target = corruption.target
        self._has_raised = self._hangs = False

    def call(self, x: Any, intensity: float, fresh: int = 0, still: int | None = 0) -> Any:
        """What becomes of ``x``; ``fresh`` and ``still`` number the generators. The first time that
        the corruption raises, or takes too long, is told with its place; a check after that could
        not be made."""
        if self._hangs:
            raise NotChecked("could not be made: the corruption does not return (see above)")
        try:
            with deadline(CALL_LIMIT_S, "a call", TimeoutError):
                return self._applied(x, intensity, fresh, still)
        except (Exception, SystemExit) as error:
            self._hangs = isinstance(error, TimeoutError)
            if self._has_raised:
                raise NotChecked("could not be made: the corruption raises (see above)") from error
            self._has_raised = True
            raise

    def _applied(self, x: Any, intensity: float, fresh: int, still: int | None) -> Any:
        """``x`` as the loop would hand it over."""
        apply = self.corruption.apply
        random = rng(fresh, "check", "fresh")
        lasting = None if still is None else rng(still, "check", "lasting")
        if self.target == "rgb":
            return apply(x, intensity, random, lasting)
        if self.target == "depth":
            return apply(x, intensity, random, lasting, _MAX_RANGE_M)
        if self.target in ("words", "prompt"):
            return apply(x, intensity, random)
        if self.target == "mount":
            return apply(x, intensity, rng(still or 0, "check", "lasting"))
        if self.target == "arrival":
            return apply(intensity, random)
        if self.target == "pose":
            return apply(*x, intensity, random, lasting)
        return apply(intensity, random, lasting)

    def inputs(self) -> list[Any]:
        """What it is tried on: of arrays several sizes, ordinary and odd contents."""
        if self.target == "rgb":
            return [image(*size) for size in _SIZES] + [np.full((24, 32, 3), 128, np.uint8)]
        if self.target == "depth":
            flat = np.full((24, 32), 2.0, np.float32)
            return [metres(*size) for size in _SIZES] + [flat, np.zeros_like(flat)]
        if self.target == "words":
            return list(_SAID)
        if self.target == "prompt":
            return ["", _SYSTEM]
        if self.target == "mount":
            camera = Camera(64, 48, 80.0, 1.2)
            return [SensorSpec("rgb", "rgb", camera), SensorSpec("depth", "depth", camera)]
        if self.target == "pose":
            return [(Pose(0.0, 0.0), Pose(0.0, 0.0), Pose(0.3, 0.1, 0.0, 0.2))]
        return [None]

    def large(self) -> Any:
        """One input to judge damage by."""
        if self.target == "rgb":
            return image(96, 128)
        if self.target == "depth":
            return metres(96, 128)
        return self.inputs()[0]

    # ------------------------------------------------------------------------------- checks
    def for_arrays(self) -> list[Check]:
        """The check that makes sense only for what can be changed in place."""
        if self.target not in ("rgb", "depth"):
            return []
        mend = "work on a copy: image = image.copy()"
        return [checked("leaves its input alone", mend, self.untouched)]

    def for_numbers(self) -> list[Check]:
        """The check that makes sense only where damage is a number."""
        if self.target not in ("rgb", "depth", "arrival", "drive"):
            return []
        mend = "let more intensity never do less damage"
        return [checked("stronger is not weaker", mend, self.monotone)]

    def identity(self) -> str:
        for x in self.inputs():
            for still in (0, None):
                y = self.call(x, 0.0, still=still)
                if not _same(y, self.nothing(x)):
                    raise Wrong(f"at intensity 0 {_shown(x)} became {_shown(y)}")
                if isinstance(y, np.ndarray) and np.shares_memory(x, y):
                    raise Wrong("at intensity 0 the array that came in is returned, not a copy")
        return f"{len(self.inputs())} inputs come back as they were"

    def nothing(self, x: Any) -> Any:
        """What no corruption at all gives for ``x``."""
        if self.target == "arrival":
            return False
        if self.target == "pose":
            return x[2]
        return Actuation() if self.target == "drive" else x

    def form(self) -> str:
        tried = 0
        for x in self.inputs():
            for strength in _STRENGTHS:
                for still in (0, None):
                    y = self.call(x, strength, tried, still)
                    why = self.unlike(x, y)
                    if why:
                        raise Wrong(f"{_shown(x)} at intensity {strength:g}: {why}")
                    tried += 1
        return f"{tried} results of {len(self.inputs())} inputs"

    def unlike(self, x: Any, y: Any) -> str:
        """Why ``y`` cannot take the place of ``x``; "" where it can."""
        if isinstance(x, np.ndarray):
            if not isinstance(y, np.ndarray):
                return f"a {type(y).__name__} came back, not an array"
            if y.shape != x.shape or y.dtype != x.dtype:
                return f"became {y.dtype} {y.shape}"
            if self.target == "depth":
                return _odd_depth(x, y)
        elif isinstance(x, str) and not isinstance(y, str):
            return f"became {_shown(y)}, not a text"
        elif isinstance(x, SensorSpec) and not isinstance(y, SensorSpec):
            return f"became {_shown(y)}, not a SensorSpec"
        elif self.target == "arrival" and not isinstance(y, bool | np.bool_):
            return f"gave {_shown(y)}, not True or False"
        elif self.target in ("pose", "drive") and not np.isfinite(_numbers(y)).all():
            return f"gave {_shown(y)}"
        return ""

    def untouched(self) -> str:
        for x in self.inputs():
            before = x.copy()
            y = self.call(x, 0.7)
            if not np.array_equal(before, x):
                raise Wrong(f"{_shown(x)} was changed in place")
            if isinstance(y, np.ndarray) and np.shares_memory(x, y):
                raise Wrong("what comes back shares memory with what came in")
            x.flags.writeable = False
            self.call(x, 0.7)
        return f"{len(self.inputs())} inputs unchanged"

    def deterministic(self) -> str:
        for x in self.inputs():
            for strength in (0.3, 1.0):
                first = self.call(x, strength)
                with other_global_seed():
                    self.call(self.inputs()[-1], 0.4, 9, 9)
                    again = self.call(x, strength)
                if not _same(first, again):
                    raise Wrong(f"{_shown(x)} came out in two ways")
        return "twice alike"

    def effective(self) -> str:
        inputs = [self.large(), *self.inputs()]
        for number in range(12):
            for x in inputs:
                if not _same(self.call(x, 1.0, number, number), self.nothing(x)):
                    return "what comes out differs"
        raise Wrong("at intensity 1 nothing is changed")

    def monotone(self) -> str:
        damage = [self.damage(strength) for strength in _RISING]
        told = ", ".join(f"{d:.3g}" for d in damage)
        if not np.isfinite(damage).all():
            raise Wrong(f"damage at 0.25, 0.5, 0.75 and 1 is {told}: not always a number")
        slack = 1e-9 + 0.02 * max(damage)
        if any(b < a - slack for a, b in pairwise(damage)):
            raise NotChecked(f"damage at 0.25, 0.5, 0.75 and 1 is {told}: it falls")
        return f"damage at 0.25, 0.5, 0.75 and 1: {told}"

    def damage(self, strength: float) -> float:
        """Mean distance of what comes out from what no corruption gives."""
        x = self.large()
        draws = 4 if isinstance(x, np.ndarray) else 200
        clean = _numbers(self.nothing(x))
        found = []
        for k in range(draws):
            y = self.call(x, strength, k, k)
            if isinstance(x, np.ndarray) and np.shape(y) not in ((), x.shape):
                raise NotChecked(f"could not be made: {_shown(x)} became {_shown(y)}")
            found.append(_numbers(y) - clean)
        return float(np.sqrt(np.mean(np.square(found))))

    def cost(self) -> str:
        x = self.large()
        if isinstance(x, np.ndarray):
            x = image(256, 256) if self.target == "rgb" else metres(256, 256)
        seconds = []
        for number in range(4):
            began = time.perf_counter()
            self.call(x, 0.6, number)
            seconds.append(time.perf_counter() - began)
        took = min(seconds)
        said = f"{1e3 * took:.1f} ms{' for 256 × 256' if isinstance(x, np.ndarray) else ''}"
        if took > _SLOW_S:
            raise Wrong(f"{said}; over {_SLOW_S:g} s for every step of every episode")
        return said


def image(height: int, width: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Gradients, a checkerboard and noise."""
    y, x = np.mgrid[:height, :width]
    made = np.stack([2 * x, 2 * y, x + y], axis=2) % 256
    board = ((x // 8 + y // 8) % 2) * 190 + 30
    half = made[: height // 2, : width // 2]
    half[:] = board[: height // 2, : width // 2, None]
    below = made[height // 2 :, width // 2 :]
    below[:] = rng(0, "check", "image").integers(0, 256, below.shape)
    return made.astype(np.uint8)


def metres(height: int, width: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """A slanted floor up to the greatest range, a box before it, and some holes."""
    y, x = np.mgrid[:height, :width]
    made = 0.5 + (_MAX_RANGE_M - 0.5) * (1.0 - y / max(height - 1, 1))
    made[(x > width // 3) & (x < width // 2)] = 1.2
    made[(x * 7 + y * 3) % 29 == 5] = 0.0
    inside = np.minimum(made, _MAX_RANGE_M * (1.0 - 1e-6))
    return np.asarray(inside, dtype=np.float32)


def _odd_depth(before: Any, after: Any) -> str:
    if not np.isfinite(after).all():
        return "holds numbers that are not finite"
    if (after[before == 0] != 0).any():
        return "holes (0) were filled"
    if (after < 0).any() or (after.astype(np.float64) > _MAX_RANGE_M).any():
        low, high = float(after.min()), float(after.max())
        return f"goes from {low:.3g} to {high:.3g} m, the range is 0–{_MAX_RANGE_M} m"
    return ""


def _numbers(value: Any) -> Any:
    """What is compared, as an array of numbers."""
    if isinstance(value, Pose):
        return np.array((*value.point, value.yaw))
    if hasattr(value, "veer_rad"):
        return np.array((value.forward, value.turn, value.veer_rad))
    return np.asarray(value, dtype=np.float64)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return type(one) is type(other) and one.dtype == other.dtype and np.array_equal(one, other)
    if hasattr(one, "veer_rad") and hasattr(other, "veer_rad"):
        return bool(np.array_equal(_numbers(one), _numbers(other)))
    return bool(one == other)


def _shown(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape}"
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:59]}…"


def _digest(name: str) -> str:
    """What the corruption does, in hex: the same in every process."""
    player = _Player(CORRUPTIONS.get(name))
    digest = hashlib.sha256()
    for number, x in enumerate(player.inputs()):
        y = player.call(x, 0.7, number)
        digest.update(y.tobytes() if isinstance(y, np.ndarray) else repr(y).encode())
    return digest.hexdigest()
