"""First-person frames, rendered again from the poses of a trace.

The only part of the report that needs the simulator: frames are not stored in a trace, because
the simulator gives the same pixels again.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import NavproofError
from navproof.core.types import Camera, Pose, TaskSpec
from navproof.log import Trace
from navproof.reports.draw.plan import Backdrop
from navproof.sim.render.render import Renderer
from navproof.world.drawing.plan import draw_plan, plan_scale
from navproof.world.scene import Scene

__all__ = ["Studio", "backdrop", "camera_of", "encode", "spread"]

Image = NDArray[np.uint8]


def camera_of(spec: TaskSpec, width: int) -> Camera:
    """The camera of the task's first imaging sensor, ``width`` pixels wide, same proportions."""
    found = [s.camera for s in spec.sensors if s.kind == "rgb" and s.camera is not None]
    camera = found[0] if found else Camera()
    height = max(16, round(width * camera.height / camera.width / 2) * 2)
    return replace(camera, width=width, height=height)


def spread(last: int, count: int) -> tuple[int, ...]:
    """``count`` different steps from 0 to ``last``, evenly spaced, both ends among them."""
    if count <= 1 or last <= 0:
        return (0,)
    return tuple(sorted({round(i * last / (count - 1)) for i in range(count)}))


def encode(image: Image, width: int, quality: int) -> str:
    """A JPEG data URI, ``width`` pixels wide (never enlarged)."""
    rows, columns = image.shape[:2]
    if width < columns:
        size = (width, max(1, round(rows * width / columns)))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    bgr = cv2.cvtColor(image, cv2.COLOR_RGB2BGR)
    done, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise NavproofError("OpenCV could not encode a JPEG picture")
    return "data:image/jpeg;base64," + base64.b64encode(data.tobytes()).decode("ascii")


class Studio:
    """Renders views in one scene after another; keeps the last scene's renderer."""

    def __init__(self) -> None:
        self._scene: Scene | None = None
        self._renderer: Renderer | None = None

    def views(self, scene: Scene, spec: TaskSpec, poses: Sequence[Pose], width: int) -> list[Image]:
        """One RGB picture per pose, as the task's camera sees it."""
        if self._renderer is None or self._scene is not scene:
            self._scene, self._renderer = scene, Renderer(scene)
        camera = camera_of(spec, width)
        return [self._renderer.render(camera, pose).rgb for pose in poses]

    def moments(
        self, scene: Scene, trace: Trace, steps: Sequence[int], width: int
    ) -> Iterator[Image]:
        """The view at each of the steps, which are in order and different: with the people of an
        episode, where it has any."""
        if not trace.episode.people:
            for step in steps:
                yield self.views(scene, trace.spec, [trace.poses[step]], width)[0]
            return
        from navproof.play.seen import pictured

        for frame in pictured(trace, steps, camera_of(trace.spec, width), scene):
            yield frame.rgb


def backdrop(scene: Scene) -> Backdrop:
    """The scene from above, for plans of scenes without rooms."""
    metres = plan_scale(scene, 0.04)
    image, left, top = draw_plan(scene, metres, labels=False)
    rows, columns = image.shape[:2]
    return Backdrop(
        encode(image, min(columns, 640), 80), left, top, columns * metres, rows * metres
    )
