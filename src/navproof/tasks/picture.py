"""An episode drawn on the plan of its scene."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np

from navproof.errors import EpisodeError
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks.specs import spec_for
from navproof.types import Episode
from navproof.world.library import load_scene

__all__ = ["draw_episode"]

_PATH, _START, _GOAL = (196, 78, 30), (60, 150, 40), (40, 40, 210)  # BGR
_M_PER_PX = 0.02


def draw_episode(episode: Episode, target: Path) -> None:
    """Write a PNG: the path in blue, the start with its heading in green, goal positions in red,
    and the instruction underneath."""
    sim = EmbeddedSimulator()
    sim.load(load_scene(episode.scene), spec_for(episode.task).robot)
    plan = sim.top_down(_M_PER_PX)
    image = np.ascontiguousarray(plan.image[..., ::-1])

    def pixel(x: float, y: float) -> tuple[int, int]:
        column, row = plan.pixel(x, y)
        return round(column), round(row)

    for goal in episode.goals:
        for x, y, _ in goal.positions:
            cv2.circle(image, pixel(x, y), 3, _GOAL, -1, cv2.LINE_AA)
    path = episode.reference_path or (episode.start.point, episode.goals[0].positions[0])
    line = np.array([pixel(p[0], p[1]) for p in path], dtype=np.int32)
    cv2.polylines(image, [line.reshape(-1, 1, 2)], False, _PATH, 4, cv2.LINE_AA)
    start = episode.start
    tip = pixel(start.x + 0.5 * math.cos(start.yaw), start.y + 0.5 * math.sin(start.yaw))
    cv2.arrowedLine(image, pixel(start.x, start.y), tip, _START, 4, cv2.LINE_AA, tipLength=0.4)
    cv2.circle(image, pixel(start.x, start.y), 8, _START, -1, cv2.LINE_AA)
    cv2.circle(image, tuple(int(v) for v in line[-1]), 8, _GOAL, -1, cv2.LINE_AA)
    if episode.instruction is not None:
        image = _captioned(image, episode.instruction.text)
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.suffix.lower() != ".png" or not cv2.imwrite(str(target), image):
        raise EpisodeError(f"{target}: cannot be written; give the name of a .png file")


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
