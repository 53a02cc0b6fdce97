"""Depth images that the tests of depth corruptions share."""

from __future__ import annotations

import hashlib
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.core.seeding import rng
from navproof.corruptions import depth

Depth = NDArray[np.float32]
REAL = Path(__file__).parents[3] / "shared" / "data" / "rgbd"


def real(name: str, units_per_m: float) -> Depth:
    raw = cv2.imread(str(REAL / f"{name}.depth.png"), cv2.IMREAD_UNCHANGED)
    return raw.astype(np.float32) / np.float32(units_per_m)


def room(height: int = 256, width: int = 256) -> Depth:
    """A box-shaped room with a pillar in it and a few holes, hfov 90°."""
    y, x = np.mgrid[0:height, 0:width]
    x = (x + 0.5 - width / 2) / (width / 2)
    y = (y + 0.5 - height / 2) / (width / 2)
    with np.errstate(divide="ignore"):
        walls = [2.0 / np.abs(x), 1.25 / np.abs(y), np.full(x.shape, 5.0)]
    z = np.minimum.reduce(walls)
    z[height // 4 :, width // 3 : width // 2] = np.minimum(
        z[height // 4 :, width // 3 : width // 2], 2.0
    )
    z[height // 8 : height // 6, width // 8 : width // 6] = 0.0
    return z.astype(np.float32)


def corner(side: int = 256, away_m: float = 2.0) -> Depth:
    """Two walls at 45° to the view that meet ``away_m`` straight ahead."""
    x = (np.arange(side) + 0.5 - side / 2) / (side / 2)
    return np.tile((away_m / (1.0 + np.abs(x))).astype(np.float32), (side, 1))


def wall(z: float, height: int = 256, width: int = 256) -> Depth:
    return np.full((height, width), z, dtype=np.float32)


def fresh(step: int = 0) -> np.random.Generator:
    return rng(1, "episode", "depth", step)


def lasting(episode: str = "episode") -> np.random.Generator:
    return rng(1, episode, "depth.lasting")


def rmse(before: Depth, after: Depth) -> float:
    """Over what is still measured."""
    both = (before > 0) & (after > 0)
    return float(np.sqrt(np.mean(np.square(after[both] - before[both], dtype=np.float64))))


def lost(before: Depth, after: Depth) -> float:
    """Share of the measured pixels that became holes."""
    return float(np.mean(after[before > 0] == 0))


def fingerprint() -> str:
    """Of what every corruption makes of a room: the same in any process."""
    digest = hashlib.sha256()
    for corrupt in (depth.gaussian, depth.missing, depth.multipath, depth.quantisation):
        digest.update(corrupt(room(64, 80), 0.6, fresh(), lasting()).tobytes())
    return digest.hexdigest()
