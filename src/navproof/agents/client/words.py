"""What an agent says: moves, commands, and what led to them."""

from enum import Enum
from typing import Any, Mapping, NamedTuple, Optional, Sequence, Tuple

__all__ = [
    "Answer",
    "Beliefs",
    "Decision",
    "Detection",
    "Move",
    "Remembered",
    "Velocity",
    "Waypoints",
]


class Move(str, Enum):
    """Discrete actions; their names as text do as well."""

    FORWARD = "forward"
    LEFT = "left"
    RIGHT = "right"
    STOP = "stop"
    FOUND = "found"


class Velocity(NamedTuple):
    """Forward (m/s) and counter-clockwise (rad/s), for a tick of 0.1 s."""

    v_m_s: float
    w_rad_s: float


class Waypoints(NamedTuple):
    """Points (x ahead, y to the left) in metres from the robot, tracked for a tick of 0.1 s."""

    points: Sequence[Tuple[float, float]]


class Answer(NamedTuple):
    """An answer to the question in the instruction."""

    text: str


class Detection(NamedTuple):
    """Something seen now; ``box`` is (u0, v0, u1, v1) in pixels."""

    label: str
    score: float = 1.0
    box: Optional[Sequence[float]] = None
    position: Optional[Sequence[float]] = None


class Remembered(NamedTuple):
    """Something seen before: what, where (episode frame), at which step."""

    label: str
    position: Sequence[float]
    step: int


class Beliefs(NamedTuple):
    """What led to an action."""

    perceived: Sequence[Any] = ()
    remembered: Sequence[Any] = ()
    plan: Sequence[Tuple[float, float]] = ()


class Decision(NamedTuple):
    """An action and what led to it; ``intent`` is a few facts such as {"is": "explore"}, ``took_s``
    how long the decision took, for worlds that go on meanwhile (``brief.clock`` "declared")."""

    action: Any
    beliefs: Optional[Any] = None
    intent: Optional[Mapping[str, Any]] = None
    took_s: Optional[float] = None
