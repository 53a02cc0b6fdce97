"""The pictures of a replay: what the camera saw (under a condition: what the agent was given)
beside the plan with the path so far, the people and the goal in force; above them all that was
asked, below them the step, the action and the distance to the goal, and the last answer of a
language model where the agent asked one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from navproof.log import Trace
from navproof.log.actions import rounded_words
from navproof.log.moments import moment_of, unfolded
from navproof.metrics import METRICS
from navproof.play.seen import moments, seen_in_turn
from navproof.reports.draw.canvas import (
    ACCENT,
    BAD,
    GOOD,
    INK,
    MUTED,
    Image,
    blank,
    fit,
    rectangle,
    width_of,
    wrap,
    write,
)
from navproof.reports.draw.frames import Studio, camera_of, spread
from navproof.reports.draw.panel import PanelPlan, Someone
from navproof.reports.gather import OUTCOMES, outcome_of
from navproof.reports.replay.head import Head
from navproof.reports.replay.parts import Part, asked_of, part_in_force
from navproof.world.scene import Scene

__all__ = ["pictures", "strip"]

_TALL, _PLAN, _GAP, _FOOT = 480, 480, 16, 72
_ASKED, _ASKED_LINES = 84, 3  # below all else: what a language model answered
_SHOTS, _COLUMNS = 8, 4
_STAYS = 10  # steps for which it is shown that the robot came too near to somebody


def pictures(trace: Trace, scene: Scene, steps: Sequence[int]) -> Iterator[Image]:
    """The composed picture of every step, in order; a repeated step is rendered once."""
    camera = camera_of(trace.spec, 640)
    wide = min(720, round(_TALL * camera.width / camera.height / 2) * 2)
    parts = asked_of(trace).parts
    plan = PanelPlan(scene, trace.episode, trace.spec.success_m, _PLAN, _TALL, _ends(trace, parts))
    width = wide + _PLAN + 3 * _GAP
    head = Head(trace, width)
    top = head.height
    different = sorted(set(steps))
    views, people = _views(trace, scene, different, wide), _people(trace, scene, different)
    way = unfolded(trace).poses
    picture = blank(width, top + _TALL + _FOOT + (_ASKED if trace.exchanges else 0))
    empty, shown = picture.copy(), -1
    for step in steps:
        if step != shown:
            shown = step
            picture = empty.copy()
            picture[:top] = head.at(step)
            picture[top : top + _TALL, _GAP : _GAP + wide] = fit(next(views), wide, _TALL)
            right = 2 * _GAP + wide
            moment, current = moment_of(trace, step), part_in_force(parts, step)
            seen = plan.at(way, moment, camera.hfov_deg, current, next(people))
            picture[top : top + _TALL, right : right + _PLAN] = seen
            _footer(picture, trace, step, width, top + _TALL)
            _last_answer(picture, trace, step, width, top + _TALL + _FOOT)
        yield picture


def strip(trace: Trace, scene: Scene) -> Image:
    """A contact strip: the whole path on the plan, and eight views along it."""
    steps = spread(len(trace.poses) - 1, _SHOTS)
    camera = camera_of(trace.spec, 320)
    wide, caption = 320, 30
    tall = min(camera.height, 320)
    rows = math.ceil(len(steps) / _COLUMNS)
    height = max(rows * (tall + caption), 360)
    parts = asked_of(trace).parts
    ends = _ends(trace, parts)
    plan = PanelPlan(scene, trace.episode, trace.spec.success_m, height, height, ends)
    width = height + _COLUMNS * (wide + _GAP) + 2 * _GAP
    head = Head(trace, width)
    top = head.height
    image = blank(width, top + height + _FOOT)
    image[:top] = head.at(None)
    way = unfolded(trace).poses
    people = next(_people(trace, scene, steps[-1:]))
    current = -1 if parts else 0
    seen = plan.at(way, len(way) - 1, camera.hfov_deg, current, people)
    image[top : top + height, _GAP : _GAP + height] = seen
    views = _views(trace, scene, steps, wide)
    for index, (step, view) in enumerate(zip(steps, views, strict=True)):
        x = 2 * _GAP + height + (index % _COLUMNS) * (wide + _GAP)
        y = top + (index // _COLUMNS) * (tall + caption)
        image[y : y + tall, x : x + wide] = fit(view, wide, tall)
        distance = trace.distances_m[step]
        away = f" · {distance:.1f} m" if math.isfinite(distance) else ""
        write(image, x, y + tall + 20, f"step {step}{away}", 16, MUTED)
    _strip_footer(image, trace, top + height)
    return image


def _ends(trace: Trace, parts: Sequence[Part]) -> list[int]:
    """Where on the way goals ended, the last one left out."""
    return [moment_of(trace, part.end) for part in parts[:-1] if part.begin >= 0]


def _views(trace: Trace, scene: Scene, steps: Sequence[int], wide: int) -> Iterator[Image]:
    """What the camera saw at each of the steps, which are in order and different."""
    sensors = str(trace.facts.get("sensors", "")).split(",")
    if trace.key.condition == "clean" or "rgb" not in sensors:
        yield from Studio().moments(scene, trace, steps, wide)
        return
    for observation in seen_in_turn(trace, steps, scene):
        assert observation.rgb is not None
        yield observation.rgb


def _people(trace: Trace, scene: Scene, steps: Sequence[int]) -> Iterator[tuple[Someone, ...]]:
    """The people at each of the steps, which are in order and different."""
    if not trace.episode.people:
        yield from ((),) * len(steps)
        return
    wanted, ways = set(steps), dict[str, list[tuple[float, float]]]()
    for moment in moments(trace, range(max(steps) + 1), scene):
        for person in moment.people:
            ways.setdefault(person.person, []).append((person.pose.x, person.pose.y))
        if moment.step in wanted:
            near = _too_near(trace, moment.step)
            yield tuple(
                Someone(p.person, p.appearance, p.pose, tuple(ways[p.person]), p.person in near)
                for p in moment.people
            )


def _too_near(trace: Trace, step: int) -> set[str]:
    """To whom the robot came too near a short while ago."""
    return {
        str(event.data.get("person"))
        for event in trace.events
        if event.kind == "intrusion" and event.step < step <= event.step + _STAYS
    }


def _footer(image: Image, trace: Trace, step: int, width: int, top: int) -> None:
    """Step, action taken next, distance; a bar for how much of the way is left."""
    last = len(trace.poses) - 1
    write(image, _GAP, top + 36, f"step {step} / {last}", 20, INK)
    distance = trace.distances_m[step]
    known = math.isfinite(distance)
    shown = f"{distance:.1f} m to the goal" if known else "goal out of reach"
    right = width - _GAP - width_of(shown, 20)
    write(image, right, top + 36, shown, 20, INK)
    word, colour = _what(trace, step)
    write(image, _GAP + 180, top + 36, _cut(word, 20, right - _GAP - 200), 20, colour)
    finite = [d for d in trace.distances_m if math.isfinite(d)] or [1.0]
    share = 1.0 - distance / max(*finite, 1e-9) if known else 0.0
    room = width - 2 * _GAP
    rectangle(image, _GAP, top + 52, room, 6, (47, 53, 61))
    rectangle(image, _GAP, top + 52, round(room * min(max(share, 0.0), 1.0)), 6, ACCENT)


def _cut(words: str, size: int, room: int) -> str:
    """One line; what has no room becomes an ellipsis."""
    if width_of(words, size) <= room:
        return words
    return wrap(words, size, room, 1)[0]


def _last_answer(image: Image, trace: Trace, step: int, width: int, top: int) -> None:
    """What a language model answered last."""
    asked = next((e for e in reversed(trace.exchanges) if e.step <= step), None)
    if asked is None:
        return
    words = f"{asked.purpose}, step {asked.step}: {' '.join(asked.answer.split())}"
    for row, line in enumerate(wrap(words, 17, width - 2 * _GAP, _ASKED_LINES)):
        write(image, _GAP, top + 20 + 24 * row, line, 17, BAD if asked.fault else MUTED)


def _what(trace: Trace, step: int) -> tuple[str, tuple[int, int, int]]:
    """The action that the agent takes at this step, or how the episode ended."""
    if step < len(trace.actions):
        bumped = step > 0 and trace.collisions[step - 1]
        action = rounded_words(trace.actions[step])
        if trace.delays.took_s:
            action = f"{action}, in {trace.delays.took_s[step]:.2g} s"
        return (f"{action} (after a collision)", BAD) if bumped else (action, MUTED)
    outcome = outcome_of(trace, bool(METRICS["success"](trace)))
    return OUTCOMES[outcome], GOOD if outcome == "success" else BAD


def _strip_footer(image: Image, trace: Trace, top: int) -> None:
    word, colour = _what(trace, len(trace.actions))
    write(image, _GAP, top + 40, word, 20, colour)
    rest = f"{len(trace.actions)} steps · shortest path {trace.episode.geodesic_m:.1f} m"
    write(image, 2 * _GAP + width_of(word, 20), top + 40, rest, 20, MUTED)
