"""What an agent is told, and how all of it travels."""

import errno
from enum import Enum
from pathlib import Path
from typing import Any, Dict, Mapping

import numpy as np

from navproof.agents.client.words import Move

__all__ = [
    "Observation",
    "ServeError",
    "TaskBrief",
    "brief_from",
    "decision_to",
    "observation_from",
    "read_plain",
]


class ServeError(Exception):
    """What its user can mend, in one line."""


def read_plain(path: str, most: int) -> bytes:
    """The bytes of a small file; what is no plain file, or larger, is an ``OSError``."""
    if Path(path).exists() and not Path(path).is_file():
        raise OSError(errno.EINVAL, "it is no plain file", path)
    if Path(path).stat().st_size > most:
        raise OSError(errno.EFBIG, f"it is larger than {most >> 10} kB", path)
    return Path(path).read_bytes()


class Record:
    """Values by name. ``USUAL`` are those that do not travel while they have their default."""

    USUAL: Mapping[str, Any] = {}

    def __init__(self, **values: Any) -> None:
        self.__dict__.update({**self.USUAL, **values})

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{type(self).__name__} has no {name!r}")

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
        return f"{type(self).__name__}({inside})"


class Part(Record):
    """A camera, a mount, a gait, …"""


class Robot(Record):
    """The body, as navproof's ``Robot``."""

    USUAL = {
        "acceleration_m_s2": 0.0,
        "turn_acceleration_rad_s2": 0.0,
        "gentle_m_s2": 0.0,
        "camera_m": 0.0,
        "camera_standing_m": 0.0,
        "wheel_radius_m": 0.0,
        "wheel_base_m": 0.0,
        "gait": None,
        "balance": None,
    }


class SensorSpec(Record):
    """One sensor, as navproof's ``SensorSpec``."""

    USUAL = {
        "mount": None,
        "scan": None,
        "of": "rgb",
        "views": 0,
        "frame": "episode",
        "gravity": True,
        "noise": None,
        "corrupt": "",
        "options": (),
    }


class TaskBrief(Record):
    """What is told before an episode. ``slot`` is the connection's place in a batch, ``clock``
    says whether the world goes on while the agent makes up its mind."""

    USUAL = {"clock": "wait"}


class Observation(Record):
    """``step``, ``readings`` (arrays by sensor), ``instruction``, ``collided``, ``time_s`` (seconds
    since the episode began, as the world counts them) and ``slot``; the usual readings are
    ``obs.rgb``, ``obs.depth``, …, and None where they are not given."""

    USUAL = dict.fromkeys(("rgb", "depth", "semantic", "pose", "pointgoal", "expert"))


def brief_from(plain: Mapping[str, Any], slot: int = 0) -> TaskBrief:
    values = dict(plain, slot=slot)
    values["robot"] = _with_parts(plain["robot"], Robot)
    values["sensors"] = tuple(_with_parts(sensor, SensorSpec) for sensor in plain["sensors"])
    values["actions"] = tuple(Move(name) for name in plain["actions"])
    for name in ("labels", "facts"):
        if plain[name] is not None:
            values[name] = {int(key): value for key, value in plain[name].items()}
    return TaskBrief(**values)


def _with_parts(plain: Mapping[str, Any], kind: Any) -> Any:
    """A record in which maps are records."""
    return kind(**{k: Part(**v) if isinstance(v, dict) else v for k, v in plain.items()})


def observation_from(plain: Mapping[str, Any], slot: int = 0) -> Observation:
    """Arrays are the agent's own to change."""
    readings = {
        name: np.frombuffer(a["data"], np.dtype(a["dtype"])).reshape(a["shape"]).copy()
        for name, a in plain["readings"].items()
    }
    told = {name: plain[name] for name in ("step", "instruction", "collided")}
    told["time_s"] = plain.get("time_s", 0.0)
    usual = {name: array for name, array in readings.items() if name in Observation.USUAL}
    return Observation(**told, **usual, readings=readings, slot=slot)


def _plain(value: Any) -> Any:
    """NumPy's scalars and arrays, tuples and enums as msgpack has them."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, (list, tuple)) else value


def decision_to(value: Any, beliefs: bool = True) -> Dict[str, Any]:
    """What ``act`` returned, as it travels; a ``ServeError`` where it is no action. Navproof's own
    types do as well as those of this file: they are told by their fields."""
    told: Dict[str, Any] = {}
    if hasattr(value, "action"):
        if value.intent is not None:
            told["intent"] = _plain(value.intent)
        if getattr(value, "took_s", None) is not None:
            told["took_s"] = _plain(value.took_s)
        if beliefs and value.beliefs is not None:
            told["beliefs"] = [
                [_plain([d.label, d.score, d.box, d.position]) for d in value.beliefs.perceived],
                [_plain([r.label, r.position, r.step]) for r in value.beliefs.remembered],
                _plain(list(value.beliefs.plan)),
            ]
        value = value.action
    if isinstance(value, str):
        told["action"] = _plain(value)
    elif hasattr(value, "v_m_s"):
        told["action"] = ["velocity", _plain(value.v_m_s), _plain(value.w_rad_s)]
    elif hasattr(value, "points"):
        told["action"] = ["waypoints", _plain([list(point) for point in value.points])]
    elif type(value).__name__ == "Answer":
        told["action"] = ["answer", value.text]
    else:
        what = " ".join(repr(value).split())[:80]
        raise ServeError(f"the agent returned {what} of type {type(value).__name__}, no action")
    return told
