"""Replays: an episode as a video, an animation or a contact strip, rendered again from its trace;
or, of an agent that asks a language model, what was asked and answered, as text.

The picture shows what the camera saw (under a condition: what the agent was given) beside the plan
with the path so far; above them what was asked, below them the step, the action and the distance to
the goal, and the last answer of a language model where the agent asked one. Of several goals the
words are those of the goal in force, with what became of the ones before.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from navproof.core.errors import NavproofError, RunError
from navproof.core.registry import suggest
from navproof.log import RunFolder, Trace, TraceKey
from navproof.log.actions import rounded_words
from navproof.log.moments import moment_of, unfolded
from navproof.metrics import METRICS, GoalResult, goal_results
from navproof.play.seen import seen_in_turn
from navproof.reports.draw.canvas import (
    ACCENT,
    BAD,
    GOOD,
    INK,
    MUTED,
    Image,
    PanelPlan,
    blank,
    fit,
    leg_colour,
    rectangle,
    width_of,
    wrap,
    write,
)
from navproof.reports.draw.frames import Studio, camera_of, spread
from navproof.reports.gather import OUTCOMES, outcome_of
from navproof.reports.transcript import transcript
from navproof.runner.conditions import condition_name
from navproof.world.scene import Scene

__all__ = ["FORMATS", "find_key", "frame_steps", "render_replay"]

FORMATS = (".mp4", ".gif", ".png", ".md")
_TALL, _PLAN, _GAP, _HEAD, _FOOT = 480, 480, 16, 104, 72
_ASKED, _ASKED_LINES = 84, 3  # below all else: what a language model answered
_GIF_WIDTH, _GIF_MOST = 720, 150
_SHOTS, _COLUMNS = 8, 4


def find_key(
    run: RunFolder, episode: str, agent: str | None = None, condition: str | None = None
) -> TraceKey:
    """The key of an episode by its id or a unique prefix (its first condition, unless one is
    given, and its first seed).

    Raises ``RunError`` with a suggestion where nothing or too much fits. ``agent`` may be left
    out: the first agent of the run that has the episode is taken.
    """
    run.info  # noqa: B018 - raises the one-line error where this is not a run folder
    keys = run.keys()
    agents = sorted({k.agent for k in keys})
    if agent is not None:
        meant = run.agent_named(agent, agents)
        keys = [k for k in keys if k.agent == meant]
    if condition is not None:
        name = condition_name(condition)
        there = list(dict.fromkeys(k.condition for k in keys))
        if name not in there:
            raise RunError(f"{run.path} has no condition '{name}'{suggest(name, there)}")
        keys = [k for k in keys if k.condition == name]
    exact = [k for k in keys if k.episode_id == episode]
    if exact:
        return exact[0]
    ids = sorted({k.episode_id for k in keys})
    fitting = [i for i in ids if i.startswith(episode)]
    if len(fitting) > 1:
        shown = ", ".join(fitting[:4]) + (", …" if len(fitting) > 4 else "")
        raise RunError(
            f"'{episode}' fits {len(fitting)} episodes of {run.path} ({shown}); say more"
        )
    if not fitting:
        hint = suggest(episode, ids) if len(ids) <= 8 else _near(episode, ids)
        raise RunError(f"{run.path} has no episode '{episode}'{hint}")
    return next(k for k in keys if k.episode_id == fitting[0])


def _near(episode: str, ids: list[str]) -> str:
    hint = suggest(episode, ids)
    return hint if hint.startswith("; did") else f"; it has {len(ids)}, such as '{ids[0]}'"


def frame_steps(trace: Trace, suffix: str, fps: float) -> tuple[tuple[int, ...], float]:
    """(steps shown, frames per second) of a video or animation.

    A video shows every step and holds the last one for a second; an animation keeps the same
    speed but leaves steps out so that it has at most 150 frames.
    """
    last = len(trace.poses) - 1
    every = 1 if suffix == ".mp4" else math.ceil((last + 1) / _GIF_MOST)
    rate = fps / every
    steps = list(range(0, last + 1, every))
    if steps[-1] != last:
        steps.append(last)
    return (*steps, *[last] * max(1, round(rate))), rate


def render_replay(trace: Trace, out: Path, fps: float = 10.0, scene: Scene | None = None) -> Path:
    """Write the replay of ``trace`` to ``out`` (.mp4, .gif, .png for a contact strip, or .md for
    what was asked of a language model).

    ``scene`` is loaded by the episode's reference when it is not given.
    """
    suffix = out.suffix.lower()
    if suffix not in FORMATS:
        raise RunError(f"cannot write '{out.name}': a replay ends in {', '.join(FORMATS)}")
    if not 0 < fps <= 60:
        raise RunError(f"--fps must be above 0 and at most 60, got {fps:g}")
    if suffix != ".md" and scene is None:
        from navproof.world.library import load_scene

        scene = load_scene(trace.episode.scene)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        if scene is None or suffix == ".md":
            out.write_text(transcript(trace), encoding="utf-8")
        elif suffix == ".png":
            _save_png(_strip(trace, scene), out)
        else:
            steps, rate = frame_steps(trace, suffix, fps)
            frames = _frames(trace, scene, steps)
            if suffix == ".mp4":
                _save_mp4(frames, out, rate)
            else:
                _save_gif(frames, out, rate)
    except OSError as error:
        raise RunError(f"cannot write {out}: {error.strerror or error}") from None
    return out


# ---------------------------------------------------------------------------------- composition
def _frames(trace: Trace, scene: Scene, steps: tuple[int, ...]) -> Iterator[Image]:
    """The composed picture of every step, in order; a repeated step is rendered once."""
    camera = camera_of(trace.spec, 640)
    wide = min(720, round(_TALL * camera.width / camera.height / 2) * 2)
    goals = goal_results(trace)
    plan = PanelPlan(scene, trace.episode, trace.spec.success_m, _PLAN, _TALL, _ends(trace, goals))
    width = wide + _PLAN + 3 * _GAP
    head = _header(trace, width)
    views = _views(trace, scene, sorted(set(steps)), wide)
    shown = -1
    height = _HEAD + _TALL + _FOOT + (_ASKED if trace.exchanges else 0)
    picture = blank(width, height)
    for step in steps:
        if step != shown:
            shown = step
            picture = blank(width, height)
            picture[:_HEAD] = _goal_header(trace, goals, step, width) if goals else head
            view = next(views)
            picture[_HEAD : _HEAD + _TALL, _GAP : _GAP + wide] = fit(view, wide, _TALL)
            right = 2 * _GAP + wide
            seen = plan.at(unfolded(trace).poses, moment_of(trace, step), camera.hfov_deg)
            picture[_HEAD : _HEAD + _TALL, right : right + _PLAN] = seen
            _footer(picture, trace, step, width)
            _last_answer(picture, trace, step, width)
        yield picture


def _ends(trace: Trace, goals: Sequence[GoalResult]) -> list[int]:
    """Where on the way goals ended, the last one left out."""
    return [moment_of(trace, goal.end) for goal in goals[:-1] if goal.revealed]


def _views(trace: Trace, scene: Scene, steps: Sequence[int], wide: int) -> Iterator[Image]:
    """What the camera saw at each of the steps, which are in order and different."""
    sensors = str(trace.facts.get("sensors", "")).split(",")
    if trace.key.condition == "clean" or "rgb" not in sensors:
        yield from Studio().moments(scene, trace, steps, wide)
        return
    for observation in seen_in_turn(trace, steps, scene):
        assert observation.rgb is not None
        yield observation.rgb


def _title(trace: Trace, width: int) -> Image:
    image = blank(width, _HEAD)
    key, episode = trace.key, trace.episode
    parts = [key.agent, episode.task, episode.scene, episode.episode_id]
    if key.condition != "clean":
        parts.append(key.condition)
    write(image, _GAP, 28, " · ".join(parts), 17, MUTED)
    return image


def _goal_header(trace: Trace, goals: Sequence[GoalResult], step: int, width: int) -> Image:
    """The words of the goal in force, and how the goals ended so far, each in its colour."""
    image = _title(trace, width)
    last = len(trace.poses) - 1
    now = [g for g in goals if g.revealed and g.begin <= step][-1]
    text = f"{now.index + 1} of {len(goals)}: {_words_of(trace, goals)[now.index]}"
    write(image, _GAP, 62, wrap(text, 23, width - 2 * _GAP, 1)[0], 23, INK)
    x = _GAP
    for goal in goals:
        over = goal.revealed and goal.end <= step and (goal is not now or step == last)
        word = f"{goal.index + 1} "
        word += ("found" if goal.success else goal.failure) if over else "…"
        rectangle(image, x, 80, 10, 10, leg_colour(goal.index))
        colour = MUTED if not over else GOOD if goal.success else BAD
        write(image, x + 16, 91, word, 17, colour)
        x += 16 + width_of(word, 17) + 24
    return image


def _words_of(trace: Trace, goals: Sequence[GoalResult]) -> list[str]:
    """The words of each goal as the agent read them: a condition may have changed them. Words that
    stay the same from one goal to the next are heard once."""
    heard = {e.data.get("number"): str(e.data["text"]) for e in trace.events if e.kind == "heard"}
    words, number = list[str](), -1
    for index, goal in enumerate(goals):
        number += index == 0 or goal.text != goals[index - 1].text
        words.append(heard.get(number, goal.text))
    return words


def _header(trace: Trace, width: int) -> Image:
    image = _title(trace, width)
    if goals := goal_results(trace):
        for goal, words in zip(goals, _words_of(trace, goals), strict=True):
            ended = "found" if goal.success else goal.failure
            y = 53 + 22 * goal.index
            rectangle(image, _GAP, y - 11, 10, 10, leg_colour(goal.index))
            line = wrap(f"{goal.index + 1}  {words}", 17, width - 300, 1)[0]
            write(image, _GAP + 18, y, line, 17, INK)
            right = _GAP + 18 + width_of(line, 17) + 14
            write(image, right, y, ended, 17, GOOD if goal.success else BAD)
        return image
    episode = trace.episode
    words = episode.instruction.text if episode.instruction else episode.goals[0].text
    words = next((str(e.data["text"]) for e in trace.events if e.kind == "heard"), words)
    lines = wrap(words, 23, width - 2 * _GAP, 2)
    for row, line in enumerate(lines):
        write(image, _GAP, 60 + 28 * row, line, 23, INK)
    return image


def _footer(image: Image, trace: Trace, step: int, width: int) -> None:
    """Step, action taken next, distance; a bar for how much of the way is left."""
    last = len(trace.poses) - 1
    top = _HEAD + _TALL
    write(image, _GAP, top + 36, f"step {step} / {last}", 20, INK)
    word, colour = _what(trace, step)
    write(image, _GAP + 180, top + 36, word, 20, colour)
    distance = trace.distances_m[step]
    known = math.isfinite(distance)
    shown = f"{distance:.1f} m to the goal" if known else "goal out of reach"
    write(image, width - _GAP - width_of(shown, 20), top + 36, shown, 20, INK)
    finite = [d for d in trace.distances_m if math.isfinite(d)] or [1.0]
    share = 1.0 - distance / max(*finite, 1e-9) if known else 0.0
    room = width - 2 * _GAP
    rectangle(image, _GAP, top + 52, room, 6, (47, 53, 61))
    rectangle(image, _GAP, top + 52, round(room * min(max(share, 0.0), 1.0)), 6, ACCENT)


def _last_answer(image: Image, trace: Trace, step: int, width: int) -> None:
    """What a language model answered last."""
    asked = next((e for e in reversed(trace.exchanges) if e.step <= step), None)
    if asked is None:
        return
    words = f"{asked.purpose}, step {asked.step}: {' '.join(asked.answer.split())}"
    top = _HEAD + _TALL + _FOOT
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


def _strip(trace: Trace, scene: Scene) -> Image:
    """A contact strip: the whole path on the plan, and eight views along it."""
    steps = spread(len(trace.poses) - 1, _SHOTS)
    camera = camera_of(trace.spec, 320)
    wide, caption = 320, 30
    tall = min(camera.height, 320)
    rows = math.ceil(len(steps) / _COLUMNS)
    height = max(rows * (tall + caption), 360)
    ends = _ends(trace, goal_results(trace))
    plan = PanelPlan(scene, trace.episode, trace.spec.success_m, height, height, ends)
    width = height + _COLUMNS * (wide + _GAP) + 2 * _GAP
    image = blank(width, _HEAD + height + _FOOT)
    image[:_HEAD] = _header(trace, width)
    way = unfolded(trace).poses
    seen = plan.at(way, len(way) - 1, camera.hfov_deg)
    image[_HEAD : _HEAD + height, _GAP : _GAP + height] = seen
    views = _views(trace, scene, steps, wide)
    for index, (step, view) in enumerate(zip(steps, views, strict=True)):
        x = 2 * _GAP + height + (index % _COLUMNS) * (wide + _GAP)
        y = _HEAD + (index // _COLUMNS) * (tall + caption)
        image[y : y + tall, x : x + wide] = fit(view, wide, tall)
        distance = trace.distances_m[step]
        away = f" · {distance:.1f} m" if math.isfinite(distance) else ""
        write(image, x, y + tall + 20, f"step {step}{away}", 16, MUTED)
    _strip_footer(image, trace, _HEAD + height)
    return image


def _strip_footer(image: Image, trace: Trace, top: int) -> None:
    word, colour = _what(trace, len(trace.actions))
    write(image, _GAP, top + 40, word, 20, colour)
    rest = f"{len(trace.actions)} steps · shortest path {trace.episode.geodesic_m:.1f} m"
    write(image, 2 * _GAP + width_of(word, 20), top + 40, rest, 20, MUTED)


# -------------------------------------------------------------------------------------- writing
def _save_png(image: Image, out: Path) -> None:
    done, data = cv2.imencode(".png", cv2.cvtColor(image, cv2.COLOR_RGB2BGR))
    if not done:
        raise NavproofError(f"OpenCV could not encode {out.name}")
    out.write_bytes(data.tobytes())


def _save_mp4(frames: Iterator[Image], out: Path, rate: float) -> None:
    writer: cv2.VideoWriter | None = None
    for frame in frames:
        if writer is None:
            height, width = frame.shape[:2]
            code = cv2.VideoWriter.fourcc(*"mp4v")
            writer = cv2.VideoWriter(str(out), code, rate, (width, height))
            if not writer.isOpened():
                raise RunError(f"OpenCV cannot write {out}; is the folder writable? Or try .gif")
        writer.write(cv2.cvtColor(frame, cv2.COLOR_RGB2BGR))
    if writer is not None:
        writer.release()


def _save_gif(frames: Iterator[Image], out: Path, rate: float) -> None:
    from navproof.reports.draw.gif import encode_gif

    small = []
    for frame in frames:
        rows, columns = frame.shape[:2]
        size = (_GIF_WIDTH, round(rows * _GIF_WIDTH / columns))
        small.append(np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8))
    out.write_bytes(encode_gif(small, 1.0 / rate))
