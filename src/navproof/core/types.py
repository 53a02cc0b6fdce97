"""The value types that everything speaks in. Frozen, small, without logic.

Frames and units
----------------
World frame: right-handed, z up, metres. Yaw is counter-clockwise from +x, radians, in (−π, π].
Robot frame: x forward, y left, z up, origin on the floor under the robot.
Camera: looks along the robot's +x (after ``yaw_deg``/``pitch_deg``); image u to the right, v down;
depth is the distance *along the optical axis*, 0 where nothing was hit or out of range.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "CEILING",
    "FIRST_OBJECT_ID",
    "FIRST_PERSON_ID",
    "FLOOR",
    "VOID",
    "WALL",
    "Action",
    "Answer",
    "Balance",
    "Beliefs",
    "Camera",
    "Clock",
    "Command",
    "Control",
    "Decision",
    "Detection",
    "Episode",
    "Event",
    "Exchange",
    "Frame",
    "Gait",
    "Goal",
    "Instruction",
    "Motion",
    "Mount",
    "Move",
    "Noise",
    "Observation",
    "Point",
    "Pose",
    "Question",
    "Remembered",
    "Robot",
    "Scalar",
    "Scan",
    "SensorSpec",
    "SubTask",
    "SubTaskKind",
    "TaskBrief",
    "TaskSpec",
    "Velocity",
    "Walk",
    "Waypoints",
]

Point: TypeAlias = tuple[float, float, float]
"""(x, y, z) in the world, metres."""
Scalar: TypeAlias = str | int | float | bool | None

# Instance ids in a rendered frame. Objects (doors and windows too) start at FIRST_OBJECT_ID.
VOID, WALL, FLOOR, CEILING = 0, 1, 2, 3
FIRST_OBJECT_ID = 10
FIRST_PERSON_ID = 1_000_000
"""The people of an episode, in their order."""

_LATER = {"later": True}
"""Marks fields that files and hashes leave out while they have their default (``plain``)."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a robot stands: its foot point in the world and its heading."""

    x: float
    y: float
    z: float = 0.0
    yaw: float = 0.0

    @property
    def point(self) -> Point:
        return (self.x, self.y, self.z)


# ------------------------------------------------------------------------------------- actions
class Move(StrEnum):
    """Discrete actions. ``FOUND`` claims the current goal of a multi-goal task; ``STOP`` ends."""

    FORWARD = "forward"
    LEFT = "left"
    RIGHT = "right"
    STOP = "stop"
    FOUND = "found"


@dataclass(frozen=True, slots=True)
class Velocity:
    """Drive at v (forward) and w (counter-clockwise) until the next control tick."""

    v_m_s: float
    w_rad_s: float


@dataclass(frozen=True, slots=True)
class Waypoints:
    """Points in the robot's frame, (x forward, y left) metres, to be tracked in order."""

    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to the question in the instruction. Does not move the robot or end the episode."""

    text: str


Action: TypeAlias = Move | Velocity | Waypoints | Answer
Command: TypeAlias = Move | Velocity | Waypoints
"""What a simulator executes (``STOP``/``FOUND`` never reach it)."""
Control = Literal["discrete", "velocity", "waypoints", "any"]
"""The commands that a task takes. Any: each may be of another kind."""
Clock = Literal["wait", "declared", "measured"]
"""What the world does while an agent makes up its mind: it waits; it goes on for as long as the
agent says that it took; or for as long as its judge waited for it."""


@dataclass(frozen=True, slots=True)
class Detection:
    """Something the agent believes it sees now. ``box`` is (u0, v0, u1, v1) in pixels."""

    label: str
    score: float = 1.0
    box: tuple[float, float, float, float] | None = None
    position: Point | None = None


@dataclass(frozen=True, slots=True)
class Remembered:
    """Something the agent believes it saw: what, where (episode frame), at which step."""

    label: str
    position: Point
    step: int


@dataclass(frozen=True, slots=True)
class Beliefs:
    """What led to an action; positions are in the episode frame (see ``Observation.pose``)."""

    perceived: tuple[Detection, ...] = ()
    remembered: tuple[Remembered, ...] = ()
    plan: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question that an agent put to a language model, and the answer, as the agent tells it.

    ``purpose`` is what it was asked for ("decide"); ``images`` are digests of the pictures that
    were sent with ``prompt``. ``system`` is the system prompt where it is another than in the
    exchange before. ``fault`` says why the answer could not be used ("" where it could).
    ``price`` is in whatever the agent was told a token costs in. ``kept``: the answer was one of
    before. ``step`` is filled in where it is recorded.
    """

    purpose: str
    model: str
    prompt: str
    answer: str
    images: tuple[str, ...] = ()
    system: str = field(default="", metadata=_LATER)
    fault: str = field(default="", metadata=_LATER)
    tokens_in: int | None = None
    tokens_out: int | None = None
    price: float = field(default=0.0, metadata=_LATER)
    seconds: float = field(default=0.0, metadata=_LATER)
    attempts: int = field(default=1, metadata=_LATER)
    kept: bool = field(default=False, metadata=_LATER)
    step: int = 0


@dataclass(frozen=True, slots=True)
class Decision:
    """An action, and what led to it. An agent may return one instead of a plain action.

    ``intent`` says in a few facts what the agent is about: ``{"is": "explore"}``,
    ``{"is": "approach", "by": "map", "x": 1.2, "y": 0.4}`` (episode frame). A change of it is
    kept in the trace as an event "intent", so that failures can be told apart. ``exchanges`` are
    the questions that it put to language models in this step.

    ``took_s`` says how long making up its mind took, or would take on the robot. Under the clock
    "declared" the world goes on for so long before the action; None counts as no time.
    """

    action: Action
    beliefs: Beliefs | None = None
    intent: Mapping[str, Scalar] | None = None
    exchanges: tuple[Exchange, ...] = ()
    took_s: float | None = None


# ------------------------------------------------------------------------- robots and sensors
@dataclass(frozen=True, slots=True)
class Gait:
    """How the cameras of a walking robot swing (``sim.motion.gait`` has the equations): amplitudes
    at full speed, and the way that a stride (two steps) covers."""

    stride_m: float
    bob_m: float = 0.0
    sway_m: float = 0.0
    pitch_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Balance:
    """What keeps a walking robot upright (``sim.motion.stability`` has the equations).

    Its centre of mass is ``height_m`` up; its feet support it from ``behind_m`` to ``ahead_m`` and
    ``side_m`` to either side of where its gait expects the capture point, and bring it back with
    the time constant ``recovery_s``. It has fallen when it leans by more than ``fall_pitch_deg``
    or ``fall_roll_deg``, when a leg of ``leg_m`` (base above ankle) leans so far that less than
    ``fall_leg_m`` is left of its height, or when it ran into something faster than
    ``impact_m_s``. 0 stands for "never by this" in the last three.
    """

    height_m: float
    ahead_m: float
    behind_m: float
    side_m: float
    recovery_s: float
    fall_pitch_deg: float
    fall_roll_deg: float
    leg_m: float = 0.0
    fall_leg_m: float = 0.0
    impact_m_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Robot:
    """A kinematic body: a cylinder that moves on the floor.

    ``acceleration_m_s2`` and ``turn_acceleration_rad_s2`` limit how fast its speeds change (0: at
    once). Its own controllers, which do discrete moves and track waypoints, use no more than
    ``gentle_m_s2`` (0: all of it). Cameras are ``camera_m`` high when it is in use.
    """

    name: str
    radius_m: float
    height_m: float
    forward_m: float = 0.25
    turn_deg: float = 30.0
    sliding: bool = True
    max_speed_m_s: float = 1.0
    max_turn_rad_s: float = 1.5
    acceleration_m_s2: float = field(default=0.0, metadata=_LATER)
    turn_acceleration_rad_s2: float = field(default=0.0, metadata=_LATER)
    gentle_m_s2: float = field(default=0.0, metadata=_LATER)
    camera_m: float = field(default=0.0, metadata=_LATER)
    camera_standing_m: float = field(default=0.0, metadata=_LATER)
    wheel_radius_m: float = field(default=0.0, metadata=_LATER)
    wheel_base_m: float = field(default=0.0, metadata=_LATER)
    gait: Gait | None = field(default=None, metadata=_LATER)
    balance: Balance | None = field(default=None, metadata=_LATER)


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera on a robot. ``pitch_deg`` > 0 looks up; ``yaw_deg`` > 0 looks left."""

    width: int = 256
    height: int = 256
    hfov_deg: float = 90.0
    height_m: float = 1.25
    forward_m: float = 0.0
    left_m: float = 0.0
    pitch_deg: float = 0.0
    yaw_deg: float = 0.0
    near_m: float = 0.05


@dataclass(frozen=True, slots=True)
class Mount:
    """Where a sensor without a camera sits on a robot, and where it looks; as in ``Camera``."""

    height_m: float = 0.0
    forward_m: float = 0.0
    left_m: float = 0.0
    pitch_deg: float = 0.0
    yaw_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Scan:
    """The beams of a lidar: ``beams`` over ``hfov_deg``, in each of ``rings`` at elevations evenly
    from ``low_deg`` to ``high_deg``. One ring is a 2-D lidar."""

    beams: int = 360
    rings: int = 1
    hfov_deg: float = 360.0
    low_deg: float = 0.0
    high_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Noise:
    """What a sensor gets wrong (models and typical values: ``navproof.sensors.noise``).

    ``density`` is white noise per √Hz, ``walk`` that of the bias, ``bias`` the σ of an offset that
    is drawn once per episode. Gyroscope in rad/s, accelerometer in m/s².
    """

    range_sigma_m: float = 0.0
    range_sigma_ratio: float = 0.0
    range_dropout: float = 0.0
    gyro_density: float = 0.0
    gyro_walk: float = 0.0
    gyro_bias: float = 0.0
    accel_density: float = 0.0
    accel_walk: float = 0.0
    accel_bias: float = 0.0
    position_sigma_m: float = 0.0
    position_bias_m: float = 0.0
    heading_sigma_deg: float = 0.0
    heading_bias_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class SensorSpec:
    """One sensor; ``kind`` is a name or a reference (``sensors.registry``). ``camera`` for imaging
    kinds; ``min/max_range_m`` clip depth to holes (0).

    ``every`` n steps a new reading; it arrives ``delay_steps`` late. Kinds without a camera have
    a ``mount``, a lidar its ``scan`` too. A panorama shows what ``of`` says, in one
    equirectangular image (``views`` = 0) or in so many pinhole ones. ``corrupt`` is a condition
    that only this sensor suffers; ``frame`` that of gps and compass; ``gravity``: whether an imu
    feels it. ``options`` are those of a kind from outside.
    """

    name: str
    kind: str
    camera: Camera | None = None
    min_range_m: float = 0.0
    max_range_m: float = 10.0
    every: int = 1
    delay_steps: int = 0
    mount: Mount | None = field(default=None, metadata=_LATER)
    scan: Scan | None = field(default=None, metadata=_LATER)
    of: Literal["rgb", "depth"] = field(default="rgb", metadata=_LATER)
    views: int = field(default=0, metadata=_LATER)
    frame: Literal["episode", "world"] = field(default="episode", metadata=_LATER)
    gravity: bool = field(default=True, metadata=_LATER)
    noise: Noise | None = field(default=None, metadata=_LATER)
    corrupt: str = field(default="", metadata=_LATER)
    options: tuple[tuple[str, Scalar], ...] = field(default=(), metadata=_LATER)


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One rendered view. ``instances`` holds object ids or VOID/WALL/FLOOR/CEILING."""

    rgb: NDArray[np.uint8]  # (h, w, 3)
    depth: NDArray[np.float32]  # (h, w) metres along the optical axis, 0 = nothing
    instances: NDArray[np.int32]  # (h, w)


@dataclass(frozen=True, slots=True)
class Motion:
    """What a command did. ``moved_m`` is the length of the path really travelled."""

    pose: Pose
    collided: bool
    moved_m: float
    fell: bool = False


# -------------------------------------------------------------------------- tasks and episodes
@dataclass(frozen=True, slots=True)
class TaskSpec:
    """Every protocol setting of a task. Its hash goes with every result (``tasks.spec_hash``)."""

    task: str  # versioned id, "objectnav-v1"
    robot: Robot
    sensors: tuple[SensorSpec, ...]
    success_m: float
    budget_steps: int
    control: Control = "discrete"
    distance_to: Literal["point", "viewpoints"] = "point"
    reacting_people: bool = field(default=False, metadata=_LATER)  # they mind the robot
    clock: Clock = field(default="wait", metadata=_LATER)


@dataclass(frozen=True, slots=True)
class Instruction:
    """Words for the agent, and the structure they were made from (see ``language``)."""

    text: str
    clauses: tuple[Mapping[str, Scalar], ...] = ()


@dataclass(frozen=True, slots=True)
class Goal:
    """One goal. The agent succeeds near any of ``positions`` (points, or viewpoints of objects).

    ``text`` are its words, ``description`` the structure they were made from (category, attributes,
    relations; see ``language.goals.goals``), ``tags`` the linguistic features in them.
    """

    kind: Literal["point", "object", "room", "person"]
    positions: tuple[Point, ...]
    category: str | None = None
    object_ids: tuple[int, ...] = ()
    text: str = ""
    description: Mapping[str, Scalar] = field(default_factory=dict)
    tags: Mapping[str, Scalar] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Walk:
    """Somebody in an episode: who, and where she walks. ``path`` holds (x, y, seconds of rest
    there); she sets out at ``begins_s`` and stays where it ends."""

    person: str
    appearance: str
    path: tuple[tuple[float, float, float], ...]
    speed_m_s: float = 1.0
    begins_s: float = 0.0


SubTaskKind = Literal[
    "goto_room", "goto_landmark", "goto_object", "goto_point", "return_to", "follow_human"
]


@dataclass(frozen=True, slots=True)
class SubTask:
    """One part of a mission: its words, and what must come true within ``within_m`` of its goal.
    ``person`` is who is to be followed; ``rooms`` are those that must be entered."""

    kind: SubTaskKind
    text: str
    goal: Goal
    within_m: float
    person: str | None = None
    rooms: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """Asked in a mission. ``accepted`` are answers as good as ``answer``."""

    text: str
    kind: str
    answer: str
    accepted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Episode:
    """One problem, complete: any simulator with the scene can run it.

    Missions have ``subtasks`` in order, perhaps a ``question``, ``people`` who walk about, and
    ``wordings`` of the instruction by style. ``robot`` replaces the task's own.
    """

    episode_id: str
    task: str
    scene: str
    start: Pose
    goals: tuple[Goal, ...]
    geodesic_m: float
    reference_path: tuple[Point, ...]
    budget_steps: int
    seed: int
    instruction: Instruction | None = None
    tags: Mapping[str, Scalar] = field(default_factory=dict)
    schema_version: int = 1
    people: tuple[Walk, ...] = field(default=(), metadata=_LATER)
    subtasks: tuple[SubTask, ...] = field(default=(), metadata=_LATER)
    question: Question | None = field(default=None, metadata=_LATER)
    wordings: Mapping[str, str] = field(default_factory=dict, metadata=_LATER)
    robot: str = field(default="", metadata=_LATER)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at ``step``: stop, found, timeout, goal_done, intrusion, …

    ``in_delay`` is None for what came of the action itself. What happened before it, while the
    agent took its time, has the number of the slice of that time at whose end it did (from 0)."""

    step: int
    kind: str
    data: Mapping[str, Scalar] = field(default_factory=dict)
    in_delay: int | None = field(default=None, metadata=_LATER)


# ------------------------------------------------------------------ what passes to the agent
@dataclass(frozen=True, slots=True)
class TaskBrief:
    """What an agent is told before an episode. No ground truth, except ``labels`` and ``facts``,
    which are filled only for agents that ask for the ``semantic`` sensor.

    ``budget_steps`` are for each of ``goal_count`` goals, which are revealed one after the other
    through ``Observation.instruction``.
    ``facts`` holds per object id ``category``, ``support`` (an object id or None), ``room`` (its
    type) and every attribute as ``attr.colour``, ``attr.material``, …
    ``answer`` is that to a mission's question, for agents that ask for the ``mission`` sensor.
    ``system`` are words that an agent with a language model puts into its system prompt.
    ``clock`` says whether the world goes on while the agent makes up its mind.
    """

    task: str
    instruction: str
    robot: Robot
    sensors: tuple[SensorSpec, ...]
    control: Control
    actions: tuple[Move, ...]
    budget_steps: int
    seed: int
    goal_category: str | None = None
    goal_count: int = 1
    labels: Mapping[int, str] | None = None
    facts: Mapping[int, Mapping[str, Scalar]] | None = None
    system: str = ""
    answer: str | None = None
    clock: Clock = field(default="wait", metadata=_LATER)


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """What an agent is given at every step. Arrays are its own to change.

    ``readings`` holds every sensor by name; the properties give the usual ones, or None.
    ``collided``: in the last action, or in the time that the agent took for it. ``time_s`` are the
    seconds since the episode began, as the world counts them.
    """

    step: int
    readings: Mapping[str, NDArray[np.generic]]
    instruction: str = ""
    collided: bool = False
    time_s: float = 0.0

    @property
    def rgb(self) -> NDArray[np.uint8] | None:
        return self.readings.get("rgb")  # type: ignore[return-value]

    @property
    def depth(self) -> NDArray[np.float32] | None:
        return self.readings.get("depth")  # type: ignore[return-value]

    @property
    def semantic(self) -> NDArray[np.int32] | None:
        return self.readings.get("semantic")  # type: ignore[return-value]

    @property
    def pose(self) -> NDArray[np.float64] | None:
        """(x, y, z, yaw) in the episode frame: the start pose is the origin, facing +x."""
        return self.readings.get("pose")  # type: ignore[return-value]

    @property
    def pointgoal(self) -> NDArray[np.float64] | None:
        """(distance m, bearing rad ccw) of the goal point from the robot: PointNav."""
        return self.readings.get("pointgoal")  # type: ignore[return-value]

    @property
    def expert(self) -> NDArray[np.float64] | None:
        """(n, 2) shortest path ahead in the episode frame. Ground truth: for oracles only."""
        return self.readings.get("expert")  # type: ignore[return-value]
