"""Missions written by hand: where the robot and the people were, one second between moments."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from navproof.core.types import (
    Episode,
    Event,
    Goal,
    Instruction,
    Pose,
    Question,
    Robot,
    Scalar,
    SubTask,
    TaskSpec,
    Walk,
)
from navproof.log.trace import Status, Trace, TraceKey

__all__ = [
    "Spots",
    "behind",
    "follow",
    "home",
    "landmark",
    "mission_trace",
    "person",
    "point",
    "room",
    "thing",
    "walk",
]

Spots = Sequence[tuple[float, ...]]
Who = tuple[Walk, Sequence[tuple[float, float, bool]]]

_KINDS = {
    "goto_point": ("point", 0.36),
    "goto_object": ("object", 1.0),
    "goto_landmark": ("object", 3.0),
    "goto_room": ("room", 3.0),
    "return_to": ("point", 2.0),
}


def _reach(kind: str, x: float, y: float) -> SubTask:
    what, within_m = _KINDS[kind]
    goal = Goal(what, ((x, y, 0.0),))  # type: ignore[arg-type]
    rooms = (3,) if kind == "goto_room" else ()
    return SubTask(kind, "go there", goal, within_m, rooms=rooms)  # type: ignore[arg-type]


def point(x: float, y: float) -> SubTask:
    return _reach("goto_point", x, y)


def thing(x: float, y: float) -> SubTask:
    return _reach("goto_object", x, y)


def landmark(x: float, y: float) -> SubTask:
    return _reach("goto_landmark", x, y)


def room(x: float, y: float) -> SubTask:
    return _reach("goto_room", x, y)


def home(x: float = 0.0, y: float = 0.0) -> SubTask:
    return _reach("return_to", x, y)


def follow(who: str = "p1", end: tuple[float, float] | None = (12.0, 0.0)) -> SubTask:
    places = () if end is None else ((*end, 0.0),)
    return SubTask("follow_human", "follow her", Goal("person", places), 3.0, person=who)


def walk(who: str, *path: tuple[float, ...], speed_m_s: float = 1.0, begins_s: float = 0.0) -> Walk:
    stops = tuple((p[0], p[1], p[2] if len(p) > 2 else 0.0) for p in path)
    return Walk(who, "red coat", stops, speed_m_s, begins_s)


def person(who: str, count: int, *, x0: float = 2.0, x1: float = 12.0) -> Who:
    """Walks along +x at 1 m/s from ``x0`` to ``x1`` and stays; ``count`` moments of a second."""
    spots = [(min(x0 + t, x1), 0.0, x0 + t < x1) for t in range(count)]
    return walk(who, (x0, 0.0), (x1, 0.0)), spots


def behind(gap_m: float, who: Who) -> list[tuple[float, float, float]]:
    """The robot at each moment, ``gap_m`` behind her along x, facing her."""
    return [(x - gap_m, y, 0.0) for x, y, _ in who[1]]


def mission_trace(
    robot: Spots,
    *subtasks: SubTask,
    people: Sequence[Who] = (),
    done: Mapping[int, int] | None = None,
    events: Sequence[Event] = (),
    distances: Mapping[int, Sequence[float]] | None = None,
    times: Sequence[float] | None = None,
    stops: bool = True,
    status: Status = "ok",
    geodesic_m: float = 10.0,
    question: Question | None = None,
    recorded: bool = True,
    channels: Mapping[str, Sequence[float]] | None = None,
    agent: str = "agent",
    episode_id: str = "m0",
    name: str = "",
    scene: str = "home/val/0",
    tags: Mapping[str, Scalar] | None = None,
    text: str = "",
    wordings: Mapping[str, str] | None = None,
) -> Trace:
    """The robot at (x, y[, yaw in degrees]) at each moment; the last action is a stop unless it
    is said that it is none. ``done`` has the step at which each sub-task was completed.
    Distances to goals are straight unless given."""
    poses = [Pose(s[0], s[1], 0.0, math.radians(s[2]) if len(s) > 2 else 0.0) for s in robot]
    count = len(poses) - 1
    series: dict[str, tuple[float, ...]] = {
        "time_s": tuple(times) if times is not None else tuple(float(t) for t in range(count + 1))
    }
    for index, task in enumerate(subtasks):
        given = (distances or {}).get(index)
        if task.goal.positions:
            x, y, _ = task.goal.positions[0]
            straight = [math.hypot(p.x - x, p.y - y) for p in poses]
            series[f"subtask.{index}.distance_m"] = tuple(straight if given is None else given)
    for her, spots in people:
        for axis, values in zip(("x", "y", "moving"), zip(*spots, strict=True), strict=True):
            series[f"person.{her.person}.{axis}"] = tuple(float(v) for v in values)
    series |= {key: tuple(values) for key, values in (channels or {}).items()}
    words = ("velocity 0.50 0.00",) * count
    if stops and count:
        words = (*words[:-1], "stop")
    completed = [
        Event(step, "subtask_done", {"index": index, "kind": subtasks[index].kind})
        for index, step in (done or {}).items()
    ]
    return Trace(
        key=TraceKey(agent, episode_id),
        episode=Episode(
            episode_id,
            "mission-v1",
            scene,
            poses[0],
            (subtasks[-1].goal,),
            geodesic_m,
            (),
            1000,
            0,
            Instruction(text) if text else None,
            tags or {},
            people=tuple(her for her, _ in people),
            subtasks=subtasks,
            question=question,
            wordings=wordings or {},
            robot=name,
        ),
        spec=TaskSpec("mission-v1", Robot("carter", 0.3, 0.66), (), 2.0, 1000, "velocity"),
        status=status,
        reason="" if status == "ok" else "why",
        poses=tuple(poses),
        actions=words,
        collisions=(False,) * count,
        distances_m=(1.0,) * (count + 1),
        events=(*completed, *events),
        channels=series if recorded else {},
    )
