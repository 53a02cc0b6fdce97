"""Lidar: ranges along beams, in one plane (2-D) or on several cones (3-D).

Beams go counter-clockwise. Over a full turn beam i is at −180° + i·360°/n, so that beam n/2 looks
straight ahead; over less, they reach from −hfov/2 to +hfov/2 with both ends. Rings go from
``low_deg`` up to ``high_deg``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SpecError
from navproof.core.types import Mount, Noise, Scan, SensorSpec
from navproof.sensors.noise import check_noise, noisy_ranges
from navproof.sensors.protocol import ReadingSpec, View
from navproof.sensors.rays import Face, aim, axes, ranges_along
from navproof.sensors.registry import register_sensor

__all__ = ["LidarSensor", "azimuths_rad", "beams", "elevations_rad", "lidar", "points"]

F64 = NDArray[np.float64]
_FACE_PX, _STRIP_PX = 512, 2048
"""Pixels over 90° (a level 2-D lidar needs but one row of them). Of 512, one is 4 mm wide at a
metre in the middle of a face, and 2 mm at its ends."""
_MOST_BEAMS = 1_000_000


def azimuths_rad(scan: Scan) -> F64:
    """(beams,) counter-clockwise from straight ahead."""
    half = math.radians(scan.hfov_deg) / 2.0
    full = scan.hfov_deg >= 360.0
    return np.linspace(-half, half, scan.beams, endpoint=not full)


def elevations_rad(scan: Scan) -> F64:
    """(rings,) from the lowest up."""
    return np.radians(np.linspace(scan.low_deg, scan.high_deg, scan.rings))


def beams(scan: Scan) -> F64:
    """(rings, beams, 3) unit vectors in the lidar's frame (x ahead, y left, z up)."""
    turn, rise = np.meshgrid(azimuths_rad(scan), elevations_rad(scan))
    flat = np.cos(rise)
    return np.stack([flat * np.cos(turn), flat * np.sin(turn), np.sin(rise)], axis=-1)


def points(spec: SensorSpec, ranges: NDArray[np.floating]) -> F64:
    """A reading as points (n, 3) in the robot's frame, holes left out."""
    mount, scan = spec.mount or Mount(), spec.scan or Scan()
    reach = np.asarray(ranges, dtype=np.float64).reshape(-1)
    local = (beams(scan).reshape(-1, 3) * reach[:, None])[reach > 0.0]
    found: F64 = local @ axes(mount) + (mount.forward_m, mount.left_m, mount.height_m)
    return found


@dataclass(frozen=True)
class LidarSensor:
    """float32 metres along each beam, (beams,) with one ring and (rings, beams) with more; 0 where
    nothing was hit between ``min_range_m`` and ``max_range_m``."""

    spec: SensorSpec
    scan: Scan
    noise: Noise
    faces: tuple[Face, ...]

    @property
    def reading(self) -> ReadingSpec:
        shape = (self.scan.rings, self.scan.beams) if self.scan.rings > 1 else (self.scan.beams,)
        return ReadingSpec(shape, "float32", 0.0, self.spec.max_range_m)

    def read(self, view: View) -> NDArray[np.float32]:
        ranges = ranges_along(view, self.faces)
        ranges = noisy_ranges(ranges, self.noise, view, self.spec.name)
        low, high = self.spec.min_range_m, self.spec.max_range_m
        ranges[(ranges < low) | (ranges > high)] = 0.0
        shape = (self.scan.rings, self.scan.beams) if self.scan.rings > 1 else (self.scan.beams,)
        return np.minimum(ranges, high).astype(np.float32).reshape(shape)


@register_sensor(
    "lidar",
    sees="depth",
    own_conditions=True,
    fields=("mount", "size", "fov_deg", "elevation_deg", "range_m", "noise", "corrupt"),
    noise=("range",),
    parts={
        # Hokuyo UTM-30LX data sheet: repeated accuracy σ < 10 mm from 0.1 to 10 m.
        "utm-30lx": Noise(range_sigma_m=0.01),
        # Velodyne VLP-16 user manual: ±3 cm typical, taken as two σ.
        "vlp-16": Noise(range_sigma_m=0.015),
    },
    rehearsal=SensorSpec("scan", "lidar", scan=Scan(8)),
)
def lidar(spec: SensorSpec) -> LidarSensor:
    scan, name = spec.scan or Scan(), f"sensor '{spec.name}'"
    if scan.beams < 1 or scan.rings < 1 or scan.beams * scan.rings > _MOST_BEAMS:
        raise SpecError(
            f"{name} has {scan.beams} beams in {scan.rings} rings; from 1 to {_MOST_BEAMS} in all"
        )
    if not 0.0 < scan.hfov_deg <= 360.0:
        raise SpecError(f"{name} has hfov_deg {scan.hfov_deg}; it must be above 0, up to 360")
    if not -90.0 <= scan.low_deg <= scan.high_deg <= 90.0:
        raise SpecError(
            f"{name} has elevations {scan.low_deg}–{scan.high_deg}°; "
            "it must be −90 ≤ low ≤ high ≤ 90"
        )
    if not 0.0 <= spec.min_range_m < spec.max_range_m:
        raise SpecError(
            f"{name} has range {spec.min_range_m}–{spec.max_range_m} m; it must be 0 ≤ min < max"
        )
    mount = spec.mount or Mount()
    level = scan.rings == 1 and scan.low_deg == 0.0 and mount.pitch_deg == 0.0
    faces = aim(beams(scan), mount, _STRIP_PX if level else _FACE_PX)
    return LidarSensor(spec, scan, check_noise(spec), faces)
