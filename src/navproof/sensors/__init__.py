"""Sensors: pure functions of the world at one moment, one file per kind."""

from navproof.sensors.protocol import Reading, ReadingSpec, Sensor, Tick, View
from navproof.sensors.registry import SENSORS
from navproof.sensors.select import (
    build,
    choose,
    coloured,
    privileged,
    sees,
    with_sensors,
)

__all__ = [
    "SENSORS",
    "Reading",
    "ReadingSpec",
    "Sensor",
    "Tick",
    "View",
    "build",
    "choose",
    "coloured",
    "privileged",
    "sees",
    "with_sensors",
]
