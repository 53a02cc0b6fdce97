"""The floor plan with what happened on it, as SVG: rooms, doors, things, goals and paths.

World x runs to the right and y up. The drawing is in units of its own: ``Frame`` maps metres to
them. A scene without rooms (an imported mesh) is drawn on its top-down picture instead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from navproof.core.types import Goal, Point, Pose
from navproof.reports.draw.svg import COLOURS, dash, mark, number, picture, tag, text, title
from navproof.world.scene import Box, Door, Room, Scene

__all__ = ["Backdrop", "Leg", "View", "Walk", "floor_svg", "plan_svg", "view_of"]

_WIDTH = 560.0
_TALLEST = 560.0
_WALL_M = 0.16


@dataclass(frozen=True, slots=True)
class Leg:
    """The way to one of several goals: its number (from 1), first and last pose, and success."""

    goal: int
    begin: int
    end: int
    success: bool


@dataclass(frozen=True, slots=True)
class Walk:
    """One agent's path. ``stops`` are the steps whose frames are shown, numbered on the plan.
    ``legs``, where there are several goals, follow each other from the first pose to the last;
    each ends in the number of its goal."""

    label: str
    series: int
    poses: tuple[Pose, ...]
    success: bool
    stops: tuple[int, ...] = ()
    legs: tuple[Leg, ...] = ()


@dataclass(frozen=True, slots=True)
class Backdrop:
    """A picture from above as a data URI, and the rectangle of the world that it covers."""

    uri: str
    left: float
    top: float
    width_m: float
    height_m: float


@dataclass(frozen=True, slots=True)
class View:
    """World metres to drawing units: u = (x − left) · scale, v = (top − y) · scale."""

    left: float
    top: float
    scale: float
    width: float
    height: float

    def __call__(self, x: float, y: float) -> tuple[float, float]:
        return (x - self.left) * self.scale, (self.top - y) * self.scale

    def points(self, corners: Sequence[tuple[float, float]]) -> str:
        return " ".join(f"{number(u)},{number(v)}" for u, v in (self(x, y) for x, y in corners))


def view_of(points: Sequence[tuple[float, float]], margin_m: float = 0.35) -> View:
    """The view that holds all points, 560 units wide (narrower when the plan is tall)."""
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    left, right = min(xs) - margin_m, max(xs) + margin_m
    bottom, top = min(ys) - margin_m, max(ys) + margin_m
    scale = min(_WIDTH / (right - left), _TALLEST / (top - bottom))
    return View(left, top, scale, (right - left) * scale, (top - bottom) * scale)


def plan_svg(
    scene: Scene | None,
    start: Pose,
    goals: Sequence[Goal],
    reference: Sequence[Point],
    walks: Sequence[Walk],
    success_m: float,
    label: str,
    backdrop: Backdrop | None = None,
    believed: tuple[float, float] | None = None,
) -> str:
    """The plan of the start's storey with goals, reference path and every agent's path.

    Several goals are numbered. ``backdrop`` is drawn where the scene has no rooms; ``believed`` is
    where an agent took its goal to be.
    ``label`` is the text alternative. A path has one point per step, and its pointer the headings
    (degrees, clockwise), so that the page can move the pointer along.
    """
    rooms = _rooms_around(scene, start)
    storey = [r.polygon for r in rooms]
    extent = [corner for polygon in storey for corner in polygon]
    if backdrop is not None and not extent:
        right, bottom = backdrop.left + backdrop.width_m, backdrop.top - backdrop.height_m
        extent = [(backdrop.left, backdrop.top), (right, bottom)]
    else:
        extent += [(p.x, p.y) for w in walks for p in w.poses]
        extent += [(x, y) for g in goals for x, y, _ in g.positions]
        extent += [(x, y) for x, y, _ in reference] + [(start.x, start.y)]
    view = view_of(extent)
    parts: list[str] = []
    if scene is not None and rooms:
        parts += _building(scene, rooms, goals, view)
    elif backdrop is not None:
        u, v = view(backdrop.left, backdrop.top)
        width, height = backdrop.width_m * view.scale, backdrop.height_m * view.scale
        parts.append(tag("image", href=backdrop.uri, x=u, y=v, width=width, height=height))
    parts += _targets(goals, success_m, view)
    if len(reference) > 1:
        corners = [(x, y) for x, y, _ in reference]
        parts.append(tag("polyline", class_="reference-path", points=view.points(corners)))
    parts += [_halo(walk, view) for walk in walks]
    parts += _room_names(rooms, view)
    if len(goals) > 1:
        parts += _badges(scene, goals, view)
    parts += [_walk(walk, view) for walk in walks]
    if believed is not None:
        parts.append(_cross(believed, view))
    parts.append(_start(start, view))
    parts.append(_ruler(view))
    return picture(view.width, view.height + 24, label, *parts, class_="plan")


def floor_svg(scene: Scene, floor_m: float) -> tuple[View, str] | None:
    """The rooms and things of the storey at ``floor_m``, as a group for a drawing of the view; None
    where the scene has no rooms."""
    rooms = _rooms_around(scene, Pose(0.0, 0.0, floor_m))
    if not rooms:
        return None
    view = view_of([corner for room in rooms for corner in room.polygon])
    return view, tag("g", *_building(scene, rooms, (), view), *_room_names(rooms, view))


def _rooms_around(scene: Scene | None, start: Pose) -> list[Room]:
    """The rooms on the storey where the episode starts."""
    if scene is None:
        return []
    floors = {s.index: s.elevation_m for s in scene.storeys}
    nearest = min(floors, key=lambda i: (abs(floors[i] - start.z), i)) if floors else 0
    return [r for r in scene.rooms if r.storey == nearest]


def _box_corners(box: Box) -> list[tuple[float, float]]:
    c, s = math.cos(box.yaw), math.sin(box.yaw)
    hx, hy = box.size[0] / 2, box.size[1] / 2
    return [
        (box.centre[0] + c * dx - s * dy, box.centre[1] + s * dx + c * dy)
        for dx, dy in ((hx, hy), (-hx, hy), (-hx, -hy), (hx, -hy))
    ]


def _building(scene: Scene, rooms: Sequence[Room], goals: Sequence[Goal], view: View) -> list[str]:
    """Walls (thick outlines that fill the gap between rooms), floors, openings, things."""
    here = {r.id for r in rooms}
    wall = 2 * _WALL_M * view.scale
    parts = [
        tag("polygon", class_="wall", points=view.points(r.polygon), stroke_width=wall)
        for r in rooms
    ]
    parts += [tag("polygon", class_="room", points=view.points(r.polygon)) for r in rooms]
    parts += [_opening(d, view) for d in scene.doors if d.passable and here & set(d.rooms)]
    for window in scene.windows:
        if window.room in here:
            c, s = math.cos(window.yaw + math.pi / 2), math.sin(window.yaw + math.pi / 2)
            half = window.width_m / 2
            x, y, _ = window.centre
            ends = [(x - c * half, y - s * half), (x + c * half, y + s * half)]
            parts.append(tag("polyline", class_="window", points=view.points(ends)))
    wanted = {i for goal in goals for i in goal.object_ids}
    shown = [
        o
        for o in scene.objects
        if (o.position_kind == "floor" and o.room in here) or o.id in wanted
    ]
    for thing in sorted(shown, key=lambda o: (o.box.centre[2] + o.box.size[2] / 2, o.id)):
        style = "thing wanted" if thing.id in wanted else "thing"
        style += " flat" if thing.box.size[2] < 0.05 else ""
        corners = view.points(_box_corners(thing.box))
        parts.append(tag("polygon", title(thing.category), class_=style, points=corners))
    return parts


def _room_names(rooms: Sequence[Room], view: View) -> list[str]:
    parts = []
    for room in rooms:
        u, v = view(*_middle(room.polygon))
        parts.append(text(u, v + 4, room.name, class_="room-name", text_anchor="middle"))
    return parts


def _opening(door: Door, view: View) -> str:
    """A gap in the wall: as wide as the door and deeper than any wall between two rooms."""
    c, s = math.cos(door.yaw), math.sin(door.yaw)
    deep, half = _WALL_M + 0.02, door.width_m / 2
    x, y, _ = door.centre
    corners = [
        (x + c * dx - s * dy, y + s * dx + c * dy)
        for dx, dy in ((deep, half), (-deep, half), (-deep, -half), (deep, -half))
    ]
    return tag("polygon", class_="opening", points=view.points(corners))


def _middle(polygon: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The centroid of the polygon's area (of its corners when it has none)."""
    area = x = y = 0.0
    for (x0, y0), (x1, y1) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        cross = x0 * y1 - x1 * y0
        area += cross
        x += (x0 + x1) * cross
        y += (y0 + y1) * cross
    if abs(area) < 1e-9:
        n = len(polygon)
        return sum(p[0] for p in polygon) / n, sum(p[1] for p in polygon) / n
    return x / (3 * area), y / (3 * area)


def _targets(goals: Sequence[Goal], success_m: float, view: View) -> list[str]:
    """A ring where success begins, a dot on every viewpoint, a target on point goals."""
    groups: list[str] = []
    for count, goal in enumerate(goals, 1):
        parts: list[str] = []
        for x, y, _ in goal.positions:
            u, v = view(x, y)
            if len(goal.positions) == 1 and not goal.object_ids:
                parts.append(tag("circle", class_="near", cx=u, cy=v, r=success_m * view.scale))
                parts += [tag("circle", class_="target", cx=u, cy=v, r=r) for r in (7.5, 3.0)]
            else:
                parts.append(tag("circle", class_="viewpoint", cx=u, cy=v, r=2.4))
        groups.append(tag("g", *parts, data_goal=str(count) if len(goals) > 1 else None))
    return groups


def _badges(scene: Scene | None, goals: Sequence[Goal], view: View) -> list[str]:
    """The number of a goal on each of its objects, or amid its viewpoints."""
    groups: list[str] = []
    for count, goal in enumerate(goals, 1):
        parts: list[str] = []
        known = scene.by_id if scene is not None else {}
        spots = [known[i].box.centre[:2] for i in goal.object_ids if i in known]
        for x, y in spots or [_mean(goal.positions)]:
            u, v = view(x, y)
            words = title(f"goal {count}: {goal.text}")
            parts.append(tag("circle", words, class_="badge", cx=u, cy=v, r=8))
            parts.append(text(u, v + 4, str(count), class_="badge-number", text_anchor="middle"))
        groups.append(tag("g", *parts, data_goal=str(count)))
    return groups


def _mean(points: Sequence[Point]) -> tuple[float, float]:
    n = len(points)
    return sum(p[0] for p in points) / n, sum(p[1] for p in points) / n


def _cross(believed: tuple[float, float], view: View) -> str:
    u, v = view(*believed)
    shape = f"M{number(u)} {number(v)} m-6 -6 l12 12 m0 -12 l-12 12"
    return tag("path", title("where the agent took the goal to be"), class_="believed", d=shape)


def _halo(walk: Walk, view: View) -> str:
    corners = [(p.x, p.y) for p in walk.poses]
    moved = [c for i, c in enumerate(corners) if i == 0 or c != corners[i - 1]]
    return tag("polyline", class_="halo", points=view.points(moved))


def _walk(walk: Walk, view: View) -> str:
    """The path, its numbered frames, and its end (or its goals' ends): filled for a success."""
    seen = [(p.x, p.y) for p in walk.poses]
    yaws = " ".join(str(round(-math.degrees(p.yaw))) for p in walk.poses)
    parts = [title(f"{walk.label}: {'success' if walk.success else 'failure'}")]
    if walk.legs:
        parts += [_leg(leg, walk, view) for leg in walk.legs]
    else:
        line = {"points": view.points(seen), "stroke_dasharray": dash(walk.series)}
        parts.append(tag("polyline", class_="path", **line))
    for count, step in enumerate(walk.stops, 1):
        if 0 < step < len(walk.poses) - 1:
            u, v = view(*seen[step])
            parts.append(tag("circle", class_="stop", cx=u, cy=v, r=6.2))
            parts.append(text(u, v + 3, str(count), class_="stop-number", text_anchor="middle"))
    if not walk.legs:
        parts.append(mark(walk.series, *view(*seen[-1]), 6.5, hollow=not walk.success))
    pointer = tag("path", d="M10 0 L-6 6 L-3 0 L-6 -6 Z")
    parts.append(tag("g", pointer, class_="pointer", data_yaw=yaws))
    style = f"walk s{walk.series % COLOURS}"
    return tag("g", *parts, class_=style, data_series=str(walk.series))


def _leg(leg: Leg, walk: Walk, view: View) -> str:
    """The way to one goal, ending in its number: filled where it was found."""
    points = view.points([(p.x, p.y) for p in walk.poses[leg.begin : leg.end + 1]])
    last = walk.poses[leg.end]
    u, v = view(last.x, last.y)
    style = "leg-end" if leg.success else "leg-end hollow"
    words = title(f"{walk.label}, goal {leg.goal}: {'found' if leg.success else 'not found'}")
    return tag(
        "g",
        tag("polyline", class_="path", points=points, stroke_dasharray=dash(walk.series)),
        tag("circle", words, class_=style, cx=u, cy=v, r=7),
        text(
            u, v + 3.5, str(leg.goal), class_=style.replace("end", "number"), text_anchor="middle"
        ),
        data_goal=str(leg.goal),
    )


def _start(start: Pose, view: View) -> str:
    """An arrow head at the start, pointing where the robot looked."""
    u, v = view(start.x, start.y)
    turn = f"translate({number(u)} {number(v)}) rotate({number(-math.degrees(start.yaw))})"
    words = title("start")
    shape = tag("path", words, class_="start", d="M11 0 L-7 7.5 L-3 0 L-7 -7.5 Z")
    return tag("g", shape, transform=turn)


def _ruler(view: View) -> str:
    """A scale bar below the plan."""
    metres = next((m for m in (10, 5, 2, 1) if m * view.scale < 0.35 * view.width), 1)
    y, end = view.height + 14, 2 + metres * view.scale
    return tag(
        "path", class_="ruler", d=f"M2 {number(y - 4)} V{number(y)} H{number(end)} V{number(y - 4)}"
    ) + text(end + 7, y + 1, f"{metres} m", class_="tick")
