"""An episode drawn on the plan of its scene."""

from __future__ import annotations

import math
from itertools import cycle
from pathlib import Path

import cv2
import numpy as np

from navproof.core.errors import EpisodeError
from navproof.core.types import Episode
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks.specs import spec_for
from navproof.world.drawing.plan import plan_scale
from navproof.world.library import load_scene

__all__ = ["draw_episode"]

_PATH, _START = (196, 78, 30), (60, 150, 40)  # BGR
_GOALS = ((40, 40, 210), (20, 140, 230), (170, 40, 150))  # red, orange, purple
_M_PER_PX = 0.02


def draw_episode(episode: Episode, target: Path) -> None:
    """Write a PNG: the path in blue, the start with its heading in green, goal positions in red
    (several goals in several colours), and the instruction underneath."""
    sim = EmbeddedSimulator()
    sim.load(load_scene(episode.scene), spec_for(episode.task).robot)
    plan = sim.top_down(plan_scale(sim.scene, _M_PER_PX))
    image = np.ascontiguousarray(plan.image[..., ::-1])

    def pixel(x: float, y: float) -> tuple[int, int]:
        column, row = plan.pixel(x, y)
        return round(column), round(row)

    for goal, colour in zip(episode.goals, cycle(_GOALS), strict=False):
        for x, y, _ in goal.positions:
            cv2.circle(image, pixel(x, y), 3, colour, -1, cv2.LINE_AA)
    path = episode.reference_path or (episode.start.point, episode.goals[0].positions[0])
    line = np.array([pixel(p[0], p[1]) for p in path], dtype=np.int32)
    cv2.polylines(image, [line.reshape(-1, 1, 2)], False, _PATH, 4, cv2.LINE_AA)
    start = episode.start
    tip = pixel(start.x + 0.5 * math.cos(start.yaw), start.y + 0.5 * math.sin(start.yaw))
    cv2.arrowedLine(image, pixel(start.x, start.y), tip, _START, 4, cv2.LINE_AA, tipLength=0.4)
    cv2.circle(image, pixel(start.x, start.y), 8, _START, -1, cv2.LINE_AA)
    _mark_goals(image, episode, line)
    if episode.instruction is not None:
        image = _captioned(image, episode.instruction.text)
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.suffix.lower() != ".png" or not cv2.imwrite(str(target), image):
        raise EpisodeError(f"{target}: cannot be written; give the name of a .png file")


def _mark_goals(image: np.ndarray, episode: Episode, line: np.ndarray) -> None:
    """Where the path reaches each goal: its corner nearest to a position, numbered if several."""
    at = 0
    for index, goal in enumerate(episode.goals):
        last = index == len(episode.goals) - 1
        path = episode.reference_path
        views = set(goal.positions)
        indices = [i for i in range(at, len(path)) if path[i] in views]
        at = len(line) - 1 if last or not indices else indices[0]
        centre = (int(line[at][0]), int(line[at][1]))
        cv2.circle(image, centre, 11, _GOALS[index % len(_GOALS)], -1, cv2.LINE_AA)
        if len(episode.goals) > 1:
            where, white = (centre[0] - 5, centre[1] + 5), (255, 255, 255)
            font = cv2.FONT_HERSHEY_SIMPLEX
            cv2.putText(image, str(index + 1), where, font, 0.5, white, 2, cv2.LINE_AA)


def _captioned(image: np.ndarray, text: str) -> np.ndarray:
    """The picture with the text below it, broken into lines."""
    font, scale = cv2.FONT_HERSHEY_SIMPLEX, 0.55
    lines: list[str] = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if cv2.getTextSize(longer, font, scale, 1)[0][0] > image.shape[1] - 24 and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    strip = np.full((24 * len(lines) + 16, image.shape[1], 3), 255, dtype=np.uint8)
    for index, words in enumerate(lines):
        at = (12, 26 + 24 * index)
        cv2.putText(strip, words, at, font, scale, (40, 40, 40), 1, cv2.LINE_AA)
    return np.vstack([image, strip])
