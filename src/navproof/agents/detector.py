"""What is seen now: the seam through which agents get labels, and the ground-truth detector."""

from __future__ import annotations

from typing import Protocol, final

import numpy as np
from numpy.typing import NDArray

from navproof._jit import jit
from navproof.sim.camera import focal_px, world_to_camera
from navproof.types import FIRST_OBJECT_ID, Camera, Detection, Observation, Pose, TaskBrief

__all__ = ["Detector", "GroundTruthDetector"]


class Detector(Protocol):
    """Labels with boxes (pixels) and, where depth allows, positions in the episode frame."""

    def detect(self, obs: Observation, brief: TaskBrief) -> tuple[Detection, ...]: ...


@jit
def _gather(
    instances: NDArray[np.int32], depth: NDArray[np.float32], first: int, count: int
) -> NDArray[np.float64]:
    """(count, 9) per instance id from ``first``: pixels, u0, v0, u1, v1, then over the pixels with
    depth: their number and the sums of u·z, v·z and z."""
    table = np.zeros((count, 9))
    table[:, 1] = np.inf
    table[:, 2] = np.inf
    has_depth = depth.shape == instances.shape
    for v in range(instances.shape[0]):
        for u in range(instances.shape[1]):
            i = instances[v, u] - first
            if i < 0 or i >= count:
                continue
            row = table[i]
            row[0] += 1.0
            row[1] = min(row[1], u)
            row[2] = min(row[2], v)
            row[3] = max(row[3], u + 1.0)
            row[4] = max(row[4], v + 1.0)
            if has_depth and depth[v, u] > 0.0:
                z = depth[v, u]
                row[5] += 1.0
                row[6] += (u + 0.5) * z
                row[7] += (v + 0.5) * z
                row[8] += z
    return table


@final
class GroundTruthDetector:
    """Every object of the ``semantic`` sensor that covers at least ``min_share`` of the image.

    Its position is the mean of its visible surface, out of depth and pose; None without them.
    """

    def __init__(self, min_share: float = 2e-4) -> None:
        self.min_share = min_share

    def detect(self, obs: Observation, brief: TaskBrief) -> tuple[Detection, ...]:
        instances, labels = obs.semantic, brief.labels
        if instances is None or not labels:
            return ()
        depth = obs.depth if obs.depth is not None else np.zeros((0, 0), dtype=np.float32)
        count = max(labels) - FIRST_OBJECT_ID + 1
        table = _gather(instances, depth, FIRST_OBJECT_ID, max(0, count))
        camera = next((s.camera for s in brief.sensors if s.kind == "semantic"), None)
        found: list[Detection] = []
        for index in np.flatnonzero(table[:, 0] >= max(4.0, self.min_share * instances.size)):
            label = labels.get(int(index) + FIRST_OBJECT_ID)
            if label is not None:
                row = table[index]
                box = (float(row[1]), float(row[2]), float(row[3]), float(row[4]))
                found.append(Detection(label, 1.0, box, _position(row, camera, obs)))
        return tuple(found)


def _position(
    row: NDArray[np.float64], camera: Camera | None, obs: Observation
) -> tuple[float, float, float] | None:
    if row[5] == 0.0 or camera is None or obs.pose is None:
        return None
    x, y, z, yaw = (float(v) for v in obs.pose)
    rotation, centre = world_to_camera(camera, Pose(x, y, z, yaw))
    f = focal_px(camera)
    local = np.array(
        [
            (row[6] - row[8] * camera.width / 2.0) / f,
            (row[7] - row[8] * camera.height / 2.0) / f,
            row[8],
        ]
    )
    px, py, pz = (round(float(v), 4) for v in (local / row[5]) @ rotation + centre)
    return px, py, pz
