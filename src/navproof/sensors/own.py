"""Conditions on readings: the run's on every sensor that sees, and a sensor's own
(``SensorSpec.corrupt``) on it alone.

Depth corruptions act on ranges too, taken as rows of an image: on a lidar's where its own condition
says so. Of a panorama of k views, each is spoiled by itself. A sensor's own mount is drawn apart
from all others'.
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
from navproof.sensors.registry import Sees
from navproof.sensors.select import kind_of, reads, sees

__all__ = ["OwnCondition", "own_condition", "remounted", "spoiled"]


def spoiled(condition: Condition, spec: SensorSpec, reading: Reading, moment: Moment) -> Reading:
    """A reading after the parts of a run's ``condition`` that act on it."""
    return _spoiled(condition, spec, reading, moment, sees(spec))


def _spoiled(
    condition: Condition, spec: SensorSpec, reading: Reading, moment: Moment, what: Sees | None
) -> Reading:
    if what is None or what == "pose" or not condition.parts_of(what):
        return reading
    reach = spec.max_range_m
    if not spec.views:
        flat = reading.reshape(-1, reading.shape[-1]) if what == "depth" else reading
        picture: Reading = condition.corrupt(what, flat, moment, max_range_m=reach)
        return picture.reshape(reading.shape) if what == "depth" else picture
    views = (
        condition.corrupt(what, one, replace(moment, slot=f"{moment.slot}.{i}"), max_range_m=reach)
        for i, one in enumerate(reading)
    )
    return np.stack(list(views))


def remounted(disturbance: Disturbance, spec: SensorSpec, episode: str) -> SensorSpec:
    """The sensor as it is really mounted. An equirectangular image has no focal length that could
    be wrong: it keeps its field of view."""
    found = disturbance.mounted(spec, episode)
    if kind_of(spec).camera == "around" and not spec.views and found.camera and spec.camera:
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
        return _spoiled(self.disturbance.condition, spec, reading, moment, reads(spec))

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
    felt: set[Target] = set() if spec.camera is None else {"mount", "arrival"}
    what = reads(spec)
    if what == "rgb" or what == "depth":
        felt.add(what)
    return felt
