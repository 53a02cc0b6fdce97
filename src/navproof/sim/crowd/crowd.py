"""The people of an episode in a simulator: where they are, and what happens when a robot meets one.

Somebody is a disc of ``PERSON_RADIUS_M`` that a robot cannot enter. In the plain mode people keep
to their schedule whatever the robot does (as predefined trajectories do in OmniNavBench and most
benchmarks), so that an episode's people are the same for every agent: a robot that drives into
somebody is stopped or slides round her, one that stands in her way is pushed aside by her, and one
that cannot give way (a wall behind it) is walked through. Each of these is a collision.

In the *reacting* mode, which must be asked for and is part of a task's hash, people see the robot:
they slow down, step aside or wait (see ``reaction``), and never walk into it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from navproof.core.types import FIRST_PERSON_ID, Motion, Pose, Walk
from navproof.sim.crowd.reaction import Reaction, Surroundings, react, reacted
from navproof.sim.geodesic.navgrid import SLACK_M, NavGrid
from navproof.world.people.people import PERSON_RADIUS_M, PersonState, check_people, where

if TYPE_CHECKING:
    from navproof.world.people.bodies import LightField, PersonMesh

__all__ = ["Crowd", "CrowdState"]

TICK_S = 0.02
"""Contacts are looked for this often."""
_SPREAD_RAD = tuple(math.radians(a) for a in (0, 25, -25, 50, -50, 75, -75, 100, -100))
"""Directions in which a robot may be pushed, from straight away from the person."""
_GIVE_M = 0.01

CrowdState = tuple[Reaction, ...]
"""What people carry from one moment to the next: nothing, unless they react."""


@dataclass(frozen=True, slots=True)
class _Path:
    """A robot's way during one command: straight and even, of ``ticks`` pieces."""

    begin: Pose
    step_x: float
    step_y: float
    began_s: float
    tick_s: float
    ticks: int


class Crowd:
    """The people of one episode. ``reacting`` people carry a state; the others none."""

    def __init__(self, walks: Sequence[Walk] = (), *, reacting: bool = False) -> None:
        check_people(walks)
        self.walks = tuple(walks)
        self.reacting = reacting and bool(walks)
        self.state: CrowdState = ()
        self._meshes: tuple[tuple[float, float, CrowdState], list[PersonMesh]] | None = None
        self.begin()

    def begin(self) -> None:
        """Go back to the beginning of the episode."""
        self.state = tuple(Reaction() for _ in self.walks) if self.reacting else ()

    def people(self, time_s: float, z_m: float = 0.0) -> tuple[PersonState, ...]:
        """Everybody, ``time_s`` after the episode began, on a floor at ``z_m``."""
        if self.reacting:
            return tuple(
                reacted(walk, own, z_m) for walk, own in zip(self.walks, self.state, strict=True)
            )
        return tuple(where(walk, time_s, z_m) for walk in self.walks)

    def meshes(self, time_s: float, z_m: float, light: LightField) -> list[PersonMesh]:
        """Their bodies then, for ``Renderer.render``; made once for a moment."""
        from navproof.world.people.bodies import body_of

        moment = (time_s, z_m, self.state)
        if self._meshes is None or self._meshes[0] != moment:
            made = [
                body_of(p.appearance).mesh(
                    p, FIRST_PERSON_ID + i, light.at(p.pose.x, p.pose.y, z_m)
                )
                for i, p in enumerate(self.people(time_s, z_m))
            ]
            self._meshes = (moment, made)
        return self._meshes[1]

    # ---------------------------------------------------------------------------------- meeting
    def meet(
        self, begin: Pose, motion: Motion, began_s: float, ended_s: float, grid: NavGrid,
        *, sliding: bool = True, room: NavGrid | None = None,
    ) -> Motion:  # fmt: skip
        """What becomes of a robot's motion from ``begin`` in the time from ``began_s`` to
        ``ended_s``, which nothing but people disturbs; ``grid`` is the robot's. Reacting people
        move on meanwhile, where there is ``room`` for them.

        The very motion where nobody was touched."""
        if not self.walks:
            return motion
        if not (self.reacting or self._may_touch(begin, motion, began_s, ended_s, grid)):
            return motion
        ticks = max(1, math.ceil((ended_s - began_s) / TICK_S - 1e-9))
        path = _Path(
            begin,
            (motion.pose.x - begin.x) / ticks,
            (motion.pose.y - begin.y) / ticks,
            began_s,
            (ended_s - began_s) / ticks,
            ticks,
        )
        return self._go(path, motion, grid, sliding, room)

    def _may_touch(
        self, begin: Pose, motion: Motion, began_s: float, ended_s: float, grid: NavGrid
    ) -> bool:
        """Whether anybody is near enough to be touched in that time."""
        reach = grid.radius + PERSON_RADIUS_M
        reach += math.hypot(motion.pose.x - begin.x, motion.pose.y - begin.y)
        last_s = ended_s - began_s
        return any(
            math.hypot(p.pose.x - begin.x, p.pose.y - begin.y) <= reach + last_s * walk.speed_m_s
            for walk, p in zip(self.walks, self.people(began_s), strict=True)
        )

    def _go(
        self, path: _Path, motion: Motion, grid: NavGrid, sliding: bool, room: NavGrid | None
    ) -> Motion:
        x, y = path.begin.x, path.begin.y
        moved, touched = 0.0, False
        for tick in range(1, path.ticks + 1):
            time_s = path.began_s + tick * path.tick_s
            if self.reacting:
                self._react(x, y, path.tick_s, grid, room)
            drives = sliding or not touched
            nx = x + path.step_x if drives else x
            ny = y + path.step_y if drives else y
            nearest = self._nearest(nx, ny, time_s)
            if nearest[0] < grid.radius + PERSON_RADIUS_M:
                touched = True
                nx, ny = _give_way(x, y, nx, ny, nearest, grid, self._most(path))
            elif touched and not _fits(grid, nx, ny):
                nx, ny = x, y
            moved += math.hypot(nx - x, ny - y)
            x, y = nx, ny
        if not touched:
            return motion
        pose = Pose(round(x, 6) + 0.0, round(y, 6) + 0.0, motion.pose.z, motion.pose.yaw)
        return replace(motion, pose=pose, collided=True, moved_m=moved)

    def _most(self, path: _Path) -> float:
        """The longest way that a robot is driven and pushed in one tick."""
        own = math.hypot(path.step_x, path.step_y)
        return own + _GIVE_M + path.tick_s * max(walk.speed_m_s for walk in self.walks)

    def _nearest(self, x: float, y: float, time_s: float) -> tuple[float, float, float]:
        """(distance, x, y) of whoever is nearest."""
        return min(
            (math.hypot(p.pose.x - x, p.pose.y - y), p.pose.x, p.pose.y)
            for p in self.people(time_s)
        )

    def _react(
        self, x: float, y: float, tick_s: float, grid: NavGrid, room: NavGrid | None
    ) -> None:
        around = Surroundings(x, y, grid.radius + PERSON_RADIUS_M, room)
        self.state = tuple(
            react(walk, own, around, tick_s)
            for walk, own in zip(self.walks, self.state, strict=True)
        )


def _fits(grid: NavGrid, x: float, y: float) -> bool:
    return grid.room_for(x, y) >= grid.radius - SLACK_M


def _give_way(
    x: float, y: float, to_x: float, to_y: float, person: tuple[float, float, float],
    grid: NavGrid, most_m: float,
) -> tuple[float, float]:  # fmt: skip
    """Where a robot at (x, y) that would go to (to_x, to_y) is, one tick later, beside a person
    who leaves it no room there: on her rim, as straight away from her as walls allow, at most
    ``most_m`` from where it was. Where it was, if there is no such place."""
    distance, px, py = person
    away = math.atan2(to_y - py, to_x - px) if distance > 0.0 else math.atan2(y - py, x - px)
    reach = grid.radius + PERSON_RADIUS_M
    now = math.hypot(x - px, y - py)
    for turn in _SPREAD_RAD:
        dx = px + reach * math.cos(away + turn) - x
        dy = py + reach * math.sin(away + turn) - y
        far = math.hypot(dx, dy)
        share = min(1.0, most_m / far) if far > 0.0 else 0.0
        nx, ny = x + share * dx, y + share * dy
        if math.hypot(nx - px, ny - py) >= min(now, reach) - 1e-9 and _fits(grid, nx, ny):
            return nx, ny
    return x, y
