"""Sensors: pure functions of the world at one moment, one file per kind."""

from navproof.sensors.protocol import Reading, ReadingSpec, Sensor, View
from navproof.sensors.select import KINDS, build, choose, privileged

__all__ = [
    "KINDS",
    "Reading",
    "ReadingSpec",
    "Sensor",
    "View",
    "build",
    "choose",
    "privileged",
]
