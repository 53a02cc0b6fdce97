"""Every kind of sensor by name. One declares itself, in its own file: ``@register_sensor("name")``
on what makes a ``Sensor`` of a ``SensorSpec``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from navproof.core.errors import SpecError
from navproof.core.registry import Registry
from navproof.core.types import SensorSpec
from navproof.sensors.protocol import Sensor

__all__ = ["SENSORS", "register_sensor"]

C = TypeVar("C", bound=Callable[..., Any])


def _checked(value: Any, name: str) -> Callable[[SensorSpec], Sensor]:
    """A class or function that takes a ``SensorSpec``."""
    if not callable(value):
        raise SpecError(f"sensor '{name}' is a {type(value).__name__}, not a class")
    if isinstance(value, type) and not callable(getattr(value, "read", None)):
        raise SpecError(f"sensor '{name}' has no method 'read'; a sensor needs reading, read(view)")
    return cast("Callable[[SensorSpec], Sensor]", value)


SENSORS: Registry[Callable[[SensorSpec], Sensor]] = Registry(
    "sensor kind",
    home="navproof.sensors",
    group="navproof.sensors",
    declared_by="register_sensor",
    convert=_checked,
)


def register_sensor(name: str) -> Callable[[C], C]:
    """Declare a class or function ``(SensorSpec) -> Sensor`` under a name, as a decorator."""

    def declare(value: C) -> C:
        SENSORS.add(name, _checked(value, name))
        return value

    return declare
