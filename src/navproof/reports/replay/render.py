"""``render_replay``: a replay as a file, of the kind that its name says."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from navproof.core.errors import NavproofError, RunError
from navproof.core.files import write_atomically
from navproof.log import Trace
from navproof.reports.draw.canvas import Image
from navproof.reports.exports.video import needs_video, write_gif, write_mp4
from navproof.reports.replay.picture import pictures, strip
from navproof.reports.transcript import transcript
from navproof.world.scene import Scene

__all__ = ["FORMATS", "check_format", "frame_steps", "render_replay"]

FORMATS = (".mp4", ".gif", ".png", ".md")
_MOVING = (".mp4", ".gif")
_GIF_WIDTH, _GIF_MOST = 720, 150


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


def check_format(out: Path, fps: float = 10.0) -> str:
    """The suffix that says what is to be written; raises ``RunError`` where it says nothing, and
    ``MissingExtraError`` where what writes it is not installed."""
    suffix = out.suffix.lower()
    if suffix not in FORMATS:
        raise RunError(f"cannot write '{out.name}': a replay ends in {', '.join(FORMATS)}")
    if not 0 < fps <= 60:
        raise RunError(f"--fps must be above 0 and at most 60, got {fps:g}")
    if suffix in _MOVING:
        needs_video(f"a {suffix} replay (unlike .png)")
    return suffix


def render_replay(trace: Trace, out: Path, fps: float = 10.0, scene: Scene | None = None) -> Path:
    """Write the replay of ``trace`` to ``out`` (.mp4, .gif, .png for a contact strip, or .md for
    what was asked of a language model).

    ``scene`` is loaded by the episode's reference when it is not given.
    """
    suffix = check_format(out, fps)
    if suffix != ".md" and scene is None:
        from navproof.world.library import load_scene

        scene = load_scene(trace.episode.scene)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        if scene is None or suffix == ".md":
            write_atomically(out, transcript(trace).encode())
        elif suffix == ".png":
            _save_png(strip(trace, scene), out)
        else:
            steps, rate = frame_steps(trace, suffix, fps)
            frames = pictures(trace, scene, steps)
            if suffix == ".mp4":
                write_mp4(frames, out, rate)
            else:
                write_gif(_small(frames), out, rate)
    except OSError as error:
        raise RunError(f"cannot write {out}: {error.strerror or error}") from None
    return out


def _save_png(image: Image, out: Path) -> None:
    done, data = cv2.imencode(".png", cv2.cvtColor(image, cv2.COLOR_RGB2BGR))
    if not done:
        raise NavproofError(f"OpenCV could not encode {out.name}")
    write_atomically(out, data.tobytes())


def _small(frames: Iterator[Image]) -> Iterator[Image]:
    for frame in frames:
        rows, columns = frame.shape[:2]
        size = (_GIF_WIDTH, round(rows * _GIF_WIDTH / columns))
        yield np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)
