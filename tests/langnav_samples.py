"""LangNav traces written by hand over the tiny scene: three goals, straight ways."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from navproof.core.types import Episode, Event, Goal, Point, Pose, Scalar
from navproof.log import RunFolder, RunInfo, Trace, TraceKey
from navproof.tasks.specs import spec_for, spec_hash

__all__ = ["GOALS", "START", "Leg", "langnav_run", "langnav_trace"]

START = Pose(-3.0, 1.0, 0.0, math.pi / 2)
_DOOR = (0.0, 2.0)
GOALS = (
    Goal(
        "object",
        ((-2.0, 2.5, 0.0), (-1.0, 2.8, 0.0)),
        "table",
        (10,),
        "Find the red wooden table.",
        tags={"colour": "red", "material": "wooden", "attributes": 2},
    ),
    Goal("object", ((2.0, 2.6, 0.0),), "chair", (11,), "Go to a chair.", tags={"attributes": 0}),
    Goal(
        "object",
        ((2.6, 0.6, 0.0), (2.8, 0.4, 0.0)),
        "box",
        (12,),
        "Look for the small box on the floor.",
        tags={"size": "small", "support": "floor", "attributes": 2},
    ),
)


@dataclass(frozen=True)
class Leg:
    """Walk straight to ``to`` in steps of 0.25 m (through the door where it must), wait there for
    ``wait`` steps, then claim (``won`` or not), or let the goal's time run out."""

    to: tuple[float, float]
    won: bool = False
    timeout: bool = False
    intents: tuple[tuple[int, Mapping[str, Scalar]], ...] = ()  # (step within the leg, what)
    wait: int = 0
    distance_m: float | None = None
    viewpoint_m: float | None = None


def geodesic(here: tuple[float, float], goal: Goal) -> float:
    """Straight in a room, else through the middle of the doorway."""
    ends = [p[:2] for p in goal.positions]
    return min(
        math.dist(here, end)
        if (here[0] < 0) == (end[0] < 0)
        else math.dist(here, _DOOR) + math.dist(_DOOR, end)
        for end in ends
    )


def _walk(poses: list[Pose], to: tuple[float, float]) -> None:
    here = (poses[-1].x, poses[-1].y)
    corners = [to] if (here[0] < 0) == (to[0] < 0) else [_DOOR, to]
    for corner in corners:
        count = max(1, math.ceil(math.dist(here, corner) / 0.25 - 1e-9))
        yaw = math.atan2(corner[1] - here[1], corner[0] - here[0])
        for i in range(1, count + 1):
            share = i / count
            x, y = (a + share * (b - a) for a, b in zip(here, corner, strict=True))
            poses.append(Pose(round(x, 9), round(y, 9), 0.0, yaw))
        here = corner


def langnav_trace(
    agent: str,
    legs: Sequence[Leg],
    episode_id: str = "langnav-000",
    *,
    goals: Sequence[Goal] = GOALS,
    reason: str = "",
    tags: Mapping[str, Scalar] | None = None,
    scene: str = "tiny",
) -> Trace:
    """The trace of ``legs``; with ``reason`` the agent broke off after the last of them."""
    poses, actions, events, distances = [START], [], [], []
    for index, leg in enumerate(legs):
        goal, begin = goals[index], len(poses) - 1
        _walk(poses, leg.to)
        poses += [poses[-1]] * leg.wait
        actions += ["forward"] * (len(poses) - 1 - len(actions))
        if not leg.timeout:
            actions.append("found")
            poses.append(poses[-1])
        events += [Event(begin + at, "intent", dict(what)) for at, what in leg.intents]
        distances += [geodesic((p.x, p.y), goal) for p in poses[begin:-1]]
        last, here = len(actions) - 1, (poses[-1].x, poses[-1].y)
        near = geodesic(here, goal)
        data: dict[str, Scalar] = {"goal": index}
        if not leg.timeout:
            data["success"] = leg.won
        data["distance_m"] = near if leg.distance_m is None else leg.distance_m
        data["viewpoint_m"] = near if leg.viewpoint_m is None else leg.viewpoint_m
        if index == len(legs) - 1 and reason:
            break
        events.append(Event(last, "goal_timeout" if leg.timeout else "found", data))
        if index + 1 < len(goals):
            ahead = geodesic(here, goals[index + 1])
            events.append(Event(last, "reveal", {"goal": index + 1, "geodesic_m": ahead}))
    in_force = goals[min(len(legs), len(goals) - 1)]
    distances.append(geodesic((poses[-1].x, poses[-1].y), in_force))
    episode = Episode(
        episode_id=episode_id,
        task="langnav-v1",
        scene=scene,
        start=START,
        goals=tuple(goals),
        geodesic_m=geodesic((START.x, START.y), goals[0]),
        reference_path=(START.point, goals[0].positions[0]),
        budget_steps=1500,
        seed=0,
        tags=tags or {},
    )
    return Trace(
        key=TraceKey(agent, episode_id),
        episode=episode,
        spec=spec_for("langnav-v1"),
        status="agent_error" if reason else "ok",
        reason=reason,
        poses=tuple(poses),
        actions=tuple(actions),
        collisions=(False,) * len(actions),
        distances_m=tuple(distances),
        events=tuple(events),
    )


def best(goal: Goal) -> tuple[float, float]:
    x, y, _ = goal.positions[0]
    return x, y


def langnav_run(
    folder: Path,
    agents: Mapping[str, Sequence[str]],
    extra: Sequence[Trace] = (),
) -> Path:
    """A run folder. Per agent one word per episode, a letter per goal: w(on), d(etector wrong),
    m(ap wrong), t(imeout), e(xhausted), n(ear but not there: out of time on the way)."""
    traces: list[Trace] = []
    for agent, words in agents.items():
        for index, word in enumerate(words):
            legs = [_leg(letter, goal) for letter, goal in zip(word, GOALS, strict=True)]
            traces.append(langnav_trace(agent, legs, f"langnav-{index:03d}"))
    traces += extra
    run = RunFolder(folder)
    names = tuple(dict.fromkeys(t.key.agent for t in traces))
    run.create(
        RunInfo(
            spec={"suite": "langnav-sample", "agents": list(names), "episode_count": 1},
            spec_hash=spec_hash(traces[0].spec),
            agents=names,
            episodes=tuple(dict.fromkeys(t.key.episode_id for t in traces)),
            versions={"navproof": "0.2.0"},
        )
    )
    for trace in traces:
        run.write(trace)
    return folder


def _leg(letter: str, goal: Goal) -> Leg:
    away: dict[int, tuple[float, float]] = {10: (-3.5, 0.5), 11: (3.5, 2.0), 12: (0.6, 3.4)}
    wrong = away[goal.object_ids[0]]
    target = _episode_frame((*best(goal), 0.0))
    approach: Mapping[str, Scalar] = {"is": "approach", "x": target[0], "y": target[1]}
    explore = (0, {"is": "explore"})
    if letter == "w":
        claim = {"is": "claim", "by": "both", "x": target[0], "y": target[1]}
        return Leg(best(goal), won=True, intents=(explore, (3, claim)))
    if letter in "dm":
        by = "detector" if letter == "d" else "map"
        return Leg(wrong, intents=(explore, (2, {"is": "claim", "by": by, "x": 0.0, "y": 0.0})))
    if letter == "e":
        return Leg(wrong, intents=(explore, (2, {"is": "exhausted"})))
    if letter == "n":
        return Leg(wrong, timeout=True, intents=(explore, (2, {**approach, "by": "map"})))
    return Leg(wrong, timeout=True, intents=(explore,))


def _episode_frame(point: Point) -> tuple[float, float]:
    """A point as the agent says it: the start pose is the origin, facing +x."""
    c, s = math.cos(START.yaw), math.sin(START.yaw)
    dx, dy = point[0] - START.x, point[1] - START.y
    return c * dx + s * dy, -s * dx + c * dy


def with_tag(goal: Goal, **tags: Scalar) -> Goal:
    """The same goal in other words."""
    return replace(goal, tags=tags)
