"""Conditions on readings: the run's on every camera, and a sensor's own (``SensorSpec.corrupt``)
on it alone.

Depth corruptions also act on a lidar's ranges where its own condition says so; of a panorama of k
views, each is spoiled by itself. A sensor's own mount is drawn apart from all others'.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from navproof.core.errors import SpecError
from navproof.core.types import SensorSpec
from navproof.corruptions.condition import Condition, parse_condition
from navproof.corruptions.protocol import Moment, Target
from navproof.corruptions.robot import Disturbance
from navproof.sensors.protocol import Reading
from navproof.sensors.select import sees

__all__ = ["OwnCondition", "own_condition", "remounted", "spoiled"]


def spoiled(condition: Condition, spec: SensorSpec, reading: Reading, moment: Moment) -> Reading:
    """A camera's reading after the parts of ``condition`` that act on it; others as they are."""
    what = sees(spec)
    if what is None or not condition.parts_of(what):
        return reading
    reach = spec.max_range_m
    if not spec.views:
        picture: Reading = condition.corrupt(what, reading, moment, max_range_m=reach)
        return picture
    views = (
        condition.corrupt(what, one, replace(moment, slot=f"{moment.slot}.{i}"), max_range_m=reach)
        for i, one in enumerate(reading)
    )
    return np.stack(list(views))


def remounted(disturbance: Disturbance, spec: SensorSpec, episode: str) -> SensorSpec:
    """The sensor as it is really mounted. An equirectangular image has no focal length that could
    be wrong: it keeps its field of view."""
    found = disturbance.mounted(spec, episode)
    if spec.kind == "panorama" and not spec.views and found.camera and spec.camera:
        kept = replace(found.camera, hfov_deg=spec.camera.hfov_deg)
        return replace(found, camera=kept)
    return found


@dataclass(frozen=True, slots=True)
class OwnCondition:
    """What one sensor suffers alone."""

    name: str
    disturbance: Disturbance

    def mounted(self, spec: SensorSpec, episode: str) -> SensorSpec:
        return remounted(self.disturbance, spec, self._of(episode))

    def lost(self, spec: SensorSpec, episode: str, step: int) -> bool:
        return self.disturbance.lost(spec, self._of(episode), step)

    def spoiled(self, spec: SensorSpec, reading: Reading, episode: str, taken: int) -> Reading:
        moment = self.disturbance.moment(self._of(episode), self.name, taken)
        condition = self.disturbance.condition
        if spec.kind != "lidar":
            return spoiled(condition, spec, reading, moment)
        flat = reading.reshape(-1, reading.shape[-1])
        found: Reading = condition.corrupt("depth", flat, moment, max_range_m=spec.max_range_m)
        return found.reshape(reading.shape)

    def _of(self, episode: str) -> str:
        """Draws are this sensor's, not those of a condition on all."""
        return f"{episode}/{self.name}"


def own_condition(spec: SensorSpec, seed: int = 0) -> OwnCondition:
    """The condition in ``spec.corrupt``; ``SpecError`` where it cannot act on this sensor."""
    condition = parse_condition(spec.corrupt)
    felt = _felt(spec)
    for part in condition.parts:
        known = part.corruption
        if known.target not in felt:
            able = f"corruptions of {', '.join(sorted(felt))}" if felt else "noise instead"
            raise SpecError(f"{known.name} acts on {known.target}; {spec.kind} sensors take {able}")
    return OwnCondition(spec.name, Disturbance(condition, seed))


def _felt(spec: SensorSpec) -> set[Target]:
    if spec.kind == "lidar":
        return {"depth"}
    if spec.camera is None:
        return set()
    felt: set[Target] = {"mount", "arrival"}
    what = sees(spec)
    if what is not None:
        felt.add(what)
    return felt
