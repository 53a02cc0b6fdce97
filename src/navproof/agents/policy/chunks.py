"""What a policy server is shown, and what its answers mean: chunks of actions, done one by one."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.agents.policy.policy_map import TOLD, Entry, PolicyMap
from navproof.agents.wire import WireError
from navproof.core.errors import AgentError
from navproof.core.types import (
    Action,
    Move,
    Observation,
    TaskBrief,
    Velocity,
    Waypoints,
)

__all__ = ["Chunks", "shown"]

_STILL = 1e-2  # m/s, rad/s
_REACHED_M = 0.1


# ------------------------------------------------------------------------------ what it is shown
def shown(policy: PolicyMap, brief: TaskBrief, obs: Observation, *, first: bool) -> dict[str, Any]:
    """The message of an observation. An ``AgentError`` in one line where the map asks for what is
    not there."""
    message: dict[str, Any] = {}
    for entry in policy.entries:
        inside = message
        for key in entry.path[:-1]:
            inside = inside.setdefault(key, {})
        inside[entry.path[-1]] = _given(entry, brief, obs, first)
    return message


def _given(entry: Entry, brief: TaskBrief, obs: Observation, first: bool) -> Any:
    if not entry.source:
        return entry.value
    if entry.source in TOLD:
        told = {
            "instruction": obs.instruction,
            "system": brief.system,
            "goal_category": brief.goal_category or "",
            "step": obs.step,
            "first": first,
        }
        return told[entry.source]
    reading = obs.readings.get(entry.source)
    if reading is None:
        raise AgentError(f"key '{'.'.join(entry.path)}': there is no sensor '{entry.source}'")
    try:
        return _converted(entry, np.asarray(reading))
    except (IndexError, ValueError, cv2.error) as error:
        why = " ".join(str(error).split())[:120]
        shape = "×".join(map(str, reading.shape))
        what = f"key '{'.'.join(entry.path)}': a {shape} {reading.dtype} of '{entry.source}'"
        raise AgentError(f"{what} cannot be converted as the map says ({why})") from None


def _converted(entry: Entry, array: NDArray[Any]) -> NDArray[Any]:
    if entry.size is not None:
        array = _resized(array, entry.size, entry.fit)
    if entry.is_bgr:
        array = array[..., ::-1]
    match entry.axes:
        case "chw":
            array = np.moveaxis(array if array.ndim == 3 else array[..., None], 2, 0)
        case "hw":
            array = array.reshape(array.shape[:2])
        case "hw1":
            array = array.reshape(*array.shape[:2], 1)
        case "1hw":
            array = array.reshape(1, *array.shape[:2])
    if entry.scale != 1.0 or entry.offset != 0.0:
        array = array.astype(np.float32) * np.float32(entry.scale) + np.float32(entry.offset)
    if entry.take is not None:
        array = array.reshape(-1)[list(entry.take)]
    if entry.dtype:
        array = array.astype(entry.dtype)
    return np.ascontiguousarray(array[None] if entry.batch else array)


def _resized(image: NDArray[Any], size: tuple[int, int], fit: str) -> NDArray[Any]:
    """(height, width, …) of another size: colours are averaged, other values picked. ``pad`` keeps
    the proportions and fills up with 0, ``crop`` keeps them and cuts."""
    height, width = image.shape[:2]
    wide, high = size
    if fit == "crop":
        ratio = min(width / wide, height / high)
        w, h = round(wide * ratio), round(high * ratio)
        left, top = (width - w) // 2, (height - h) // 2
        image = image[top : top + h, left : left + w]
    elif fit == "pad":
        ratio = max(width / wide, height / high)
        inner = (max(1, int(width / ratio)), max(1, int(height / ratio)))
        padded = np.zeros((high, wide, *image.shape[2:]), image.dtype)
        left, top = int((wide - inner[0]) / 2), int((high - inner[1]) / 2)
        padded[top : top + inner[1], left : left + inner[0]] = _resized(image, inner, "stretch")
        return padded
    if image.shape[:2] == (high, wide):
        return image
    is_colour = image.dtype == np.uint8 and image.ndim == 3
    shrinks = wide * high < image.shape[0] * image.shape[1]
    how = (
        (cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR) if is_colour else cv2.INTER_NEAREST_EXACT
    )
    return np.asarray(cv2.resize(np.ascontiguousarray(image), (wide, high), interpolation=how))


# --------------------------------------------------------------------------- what it answers
class Chunks:
    """The actions of one episode. ``asked`` says whether the server is needed for the next."""

    def __init__(self, policy: PolicyMap) -> None:
        self._rule = policy.action
        self._waiting: deque[Action] = deque()
        self._path: NDArray[np.float64] | None = None  # in the episode frame
        self._ticks = self._still = 0
        self.is_first = True

    @property
    def is_needed(self) -> bool:
        return not self._waiting and self._ticks == 0

    def take(self, answer: Mapping[Any, Any], obs: Observation) -> None:
        """An answer has come. A ``WireError`` where it does not hold what the map says."""
        self.is_first = False
        rule = self._rule
        if rule.stop is not None:
            key, limit = rule.stop
            told = _array(_found(answer, key), key)
            if told.dtype.kind not in "biuf" or not told.size:
                raise WireError(f"'{'.'.join(key)}' holds no number")
            if float(np.max(told)) > limit:
                self._waiting.append(Move.STOP)
                return
        chunk = _array(_found(answer, rule.key), rule.key)
        if rule.kind == "moves":
            self._take_moves(chunk)
            return
        rows = self._rows(chunk)
        if rule.kind == "velocity":
            self._waiting += [Velocity(float(v), float(w)) for v, w in rows]
            return
        self._path = _in_episode(rows, obs)
        self._ticks = rule.execute or 1

    def next(self, obs: Observation) -> Action:
        """The next action, of which there is one (``is_needed``)."""
        if self._waiting:
            action = self._waiting.popleft()
            return self._stopped(action) if isinstance(action, Velocity) else action
        assert self._path is not None
        self._ticks -= 1
        here = _from_robot(self._path, obs)
        reached = np.hypot(here[:, 0], here[:, 1])
        nearest = int(np.argmin(reached))
        ahead = here[nearest + 1 :] if reached[nearest] < _REACHED_M else here[nearest:]
        left = ahead if len(ahead) else here[-1:]
        return Waypoints(tuple((float(x), float(y)) for x, y in left))

    def _stopped(self, action: Velocity) -> Action:
        is_still = abs(action.v_m_s) < _STILL and abs(action.w_rad_s) < _STILL
        self._still = self._still + 1 if is_still else 0
        return Move.STOP if self._rule.still and self._still >= self._rule.still else action

    def _take_moves(self, chunk: NDArray[Any]) -> None:
        rule = self._rule
        if rule.argmax:
            if chunk.ndim < 1 or chunk.dtype.kind not in "iuf":
                raise WireError(f"'{'.'.join(rule.key)}' holds no scores")
            chunk = np.argmax(chunk, axis=-1)
        flat = chunk.reshape(-1)
        for one in flat[: rule.execute or None].tolist():
            key = str(int(one)) if isinstance(one, float) and one.is_integer() else str(one)
            if key not in rule.moves:
                raise WireError(f"'{'.'.join(rule.key)}' holds {key[:40]}, which is no move")
            self._waiting.append(rule.moves[key])
        if not len(flat):
            raise WireError(f"'{'.'.join(rule.key)}' is empty")

    def _rows(self, chunk: NDArray[Any]) -> NDArray[np.float64]:
        """(n, 2): the rows that are to be done, their columns and scale as the map says."""
        rule, key = self._rule, ".".join(self._rule.key)
        if chunk.dtype.kind not in "iuf":
            raise WireError(f"'{key}' holds no numbers")
        while chunk.ndim > 2 and chunk.shape[0] == 1:
            chunk = chunk[0]
        rows = np.atleast_2d(chunk)
        if rows.ndim != 2 or not len(rows) or rows.shape[1] <= max(rule.columns):
            shape = "×".join(map(str, chunk.shape)) or "single"
            raise WireError(f"'{key}' is a {shape} array, without column {max(rule.columns)}")
        picked: NDArray[np.float64] = rows[:, list(rule.columns)] * np.array(rule.scale)
        if not np.isfinite(picked).all():
            raise WireError(f"'{key}' holds numbers that are not finite")
        is_path = rule.kind == "waypoints"
        return picked if is_path or not rule.execute else picked[: rule.execute]


def _array(value: Any, path: tuple[str, ...]) -> NDArray[Any]:
    try:
        return np.asarray(value)
    except (ValueError, OverflowError):  # lists of several lengths, or numbers that are too large
        raise WireError(f"'{'.'.join(path)}' holds no array") from None


def _found(answer: Mapping[Any, Any], path: tuple[str, ...]) -> Any:
    """What lies under a key; keys may be text or bytes."""
    found: Any = answer
    for key in path:
        if not isinstance(found, Mapping) or not {key, key.encode()} & set(found):
            known = sorted(
                k.decode(errors="replace") if isinstance(k, bytes) else str(k) for k in answer
            )
            raise WireError(f"it has no '{'.'.join(path)}', but {', '.join(known)[:120]}")
        found = found[key] if key in found else found[key.encode()]
    return found


def _in_episode(points: NDArray[np.float64], obs: Observation) -> NDArray[np.float64]:
    x, y, yaw = _pose(obs)
    c, s = math.cos(yaw), math.sin(yaw)
    return np.stack(
        [x + c * points[:, 0] - s * points[:, 1], y + s * points[:, 0] + c * points[:, 1]], 1
    )


def _from_robot(points: NDArray[np.float64], obs: Observation) -> NDArray[np.float64]:
    x, y, yaw = _pose(obs)
    c, s = math.cos(yaw), math.sin(yaw)
    dx, dy = points[:, 0] - x, points[:, 1] - y
    return np.stack([c * dx + s * dy, c * dy - s * dx], 1)


def _pose(obs: Observation) -> tuple[float, float, float]:
    if obs.pose is None:
        raise AgentError("waypoints are kept in place by the 'pose' sensor, which is not there")
    return float(obs.pose[0]), float(obs.pose[1]), float(obs.pose[3])
