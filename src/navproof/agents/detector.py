"""What is seen now: the seam through which agents get labels, and the ground-truth detector."""

from __future__ import annotations

from typing import Protocol, final

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit
from navproof.core.types import FIRST_OBJECT_ID, Camera, Detection, Observation, Pose, TaskBrief
from navproof.sim.camera import focal_px, world_to_camera

__all__ = ["Detector", "GroundTruthDetector"]

Mounted = tuple[NDArray[np.float64], NDArray[np.float64]]


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
    height, width = instances.shape
    for v in range(height):
        ends = 0
        while ends < width:  # by runs of one id: most of a row is few of them
            begins, one = ends, instances[v, ends]
            while ends < width and instances[v, ends] == one:
                ends += 1
            i = one - first
            if i < 0 or i >= count:
                continue
            row = table[i]
            row[0] += ends - begins
            row[1] = min(row[1], begins)
            row[2] = min(row[2], v)
            row[3] = max(row[3], ends)
            row[4] = max(row[4], v + 1.0)
            if not has_depth:
                continue
            pixels, sum_u, sum_v, sum_z = row[5], row[6], row[7], row[8]
            for u in range(begins, ends):
                z = depth[v, u]
                if z > 0.0:
                    pixels += 1.0
                    sum_u += (u + 0.5) * z
                    sum_v += (v + 0.5) * z
                    sum_z += z
            row[5], row[6], row[7], row[8] = pixels, sum_u, sum_v, sum_z
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
        mounted = _mounted(camera, obs)
        detections: list[Detection] = []
        for index in np.flatnonzero(table[:, 0] >= max(4.0, self.min_share * instances.size)):
            label = labels.get(int(index) + FIRST_OBJECT_ID)
            if label is not None:
                row = table[index]
                box = (float(row[1]), float(row[2]), float(row[3]), float(row[4]))
                detections.append(Detection(label, 1.0, box, _position(row, camera, mounted)))
        return tuple(detections)


def _mounted(camera: Camera | None, obs: Observation) -> Mounted | None:
    """Where the camera is: rotation and centre, as ``sim.camera.world_to_camera`` tells them."""
    if camera is None or obs.pose is None:
        return None
    x, y, z, yaw = (float(v) for v in obs.pose)
    return world_to_camera(camera, Pose(x, y, z, yaw))


def _position(
    row: NDArray[np.float64], camera: Camera | None, mounted: Mounted | None
) -> tuple[float, float, float] | None:
    if row[5] == 0.0 or camera is None or mounted is None:
        return None
    rotation, centre = mounted
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
