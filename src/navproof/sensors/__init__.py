"""Sensors: pure functions of the world at one moment, one file per kind."""

from navproof.sensors.protocol import Reading, ReadingSpec, Sensor, Tick, View
from navproof.sensors.registry import SENSORS, SensorKind, register_sensor
from navproof.sensors.select import (
    build,
    choose,
    coloured,
    kind_of,
    privileged,
    reads,
    sees,
    standard_sensors,
    with_sensors,
)

__all__ = [
    "SENSORS",
    "Reading",
    "ReadingSpec",
    "Sensor",
    "SensorKind",
    "Tick",
    "View",
    "build",
    "choose",
    "coloured",
    "kind_of",
    "privileged",
    "reads",
    "register_sensor",
    "sees",
    "standard_sensors",
    "with_sensors",
]
