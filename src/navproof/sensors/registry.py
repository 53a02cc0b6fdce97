"""Every kind of sensor by name. One declares itself completely, in its own file, on what makes a
``Sensor`` of a ``SensorSpec``::

    @register_sensor("sonar", sees="depth", fields=("mount", "range_m"))
    class Sonar: ...

In a sensor file ``kind = "my_sonar.py:Sonar"`` takes a class from a file, with what its declaration
says, or as it is where it has none. Options of its own (``navproof.core.options``) are further
fields of its table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np

from navproof.core.errors import NavproofError, SpecError, one_line, type_of
from navproof.core.options import read_options
from navproof.core.registry import Registry, suggest
from navproof.core.types import Camera, Noise, SensorSpec
from navproof.sensors.protocol import Reading, ReadingSpec, Sensor, View

__all__ = ["FIELDS", "SENSORS", "OutsideSensor", "Sees", "SensorKind", "register_sensor"]

C = TypeVar("C", bound=Callable[..., Any])
Sees: TypeAlias = Literal["rgb", "depth", "pose"]
FIELDS = (
    "mount", "size", "fov_deg", "elevation_deg", "range_m", "of", "views", "frame", "gravity",
    "noise", "corrupt",
)  # fmt: skip
"""What the table of a sensor may hold besides name, kind, every and delay (``sensors.config``)."""
_PREFIX = "navproof."


@dataclass(frozen=True, slots=True)
class OutsideSensor:
    """Somebody's sensor, whose readings are held to what it says of them."""

    spec: SensorSpec
    sensor: Any
    reading: ReadingSpec

    @property
    def cameras(self) -> tuple[Camera, ...]:
        """What is rendered for it, where it says so."""
        return tuple(getattr(self.sensor, "cameras", ()))

    def read(self, view: View) -> Reading:
        value, form = self.sensor.read(view), self.reading
        fits = isinstance(value, np.ndarray) and value.dtype == np.dtype(form.dtype)
        if not fits or not form.fits(value.shape):
            found = f"{value.dtype} {value.shape}" if isinstance(value, np.ndarray) else repr(value)
            raise SpecError(
                f"sensor '{self.spec.name}' ({self.spec.kind}) read {found[:60]}, "
                f"but says {form.dtype} {form.shape}"
            )
        reading: Reading = value
        return reading


@dataclass(frozen=True, slots=True)
class SensorKind:
    """One kind of sensor, as its file declares it.

    ``make`` makes a sensor of its ``SensorSpec``. ``fields`` are what its table in a sensor file
    may hold out of ``FIELDS``; None where the task alone gives it. ``camera``: "pinhole", "around"
    (equirectangular unless it has ``views``), or "" where it has a mount instead.

    ``sees`` is what its readings are: "rgb" images, "depth" in metres (0 where nothing is), the
    robot's "pose", "of" for what its field ``of`` says, or None for anything else. Conditions of a
    run act on it, unless only its ``own_conditions`` do (its field ``corrupt``). ``colour``:
    whether its views must be rendered with their colours although it does not show them.

    ``privileged``: it is ground truth, given only to an agent that names it. ``labels``: with it
    the brief names what it shows. ``not_given`` says what happens when an agent names it where the
    task does not give it. ``noise`` says how the fields of ``Noise`` that it knows begin, ``parts``
    are real ones by name. ``rehearsal``: one that is cheap, where it has kernels to be compiled.
    """

    name: str
    make: Callable[..., Sensor]
    fields: tuple[str, ...] | None = None
    camera: Literal["", "pinhole", "around"] = ""
    sees: Sees | Literal["of"] | None = None
    own_conditions: bool = False
    colour: bool = False
    privileged: bool = False
    labels: bool = False
    not_given: Literal["refuse", "add", "leave out"] = "refuse"
    noise: tuple[str, ...] = ()
    parts: Mapping[str, Noise] = field(default_factory=dict)
    rehearsal: SensorSpec | None = None

    def reads(self, spec: SensorSpec) -> Sees | None:
        """What the readings of a sensor of this kind are."""
        return spec.of if self.sees == "of" else self.sees

    def build(self, spec: SensorSpec) -> Sensor:
        """The sensor that ``spec`` describes; ``SpecError`` where it makes no sense."""
        if self.is_built_in and not spec.options:
            return self.make(spec)
        what = f"sensor '{spec.name}'"
        given = read_options(what, self.make, spec.options, first=1)
        try:
            made = self.make(spec, *given.positional, **given.named)
            reading = getattr(made, "reading", None)
        except NavproofError as error:
            raise SpecError(f"{what}: {error}") from None
        except (Exception, SystemExit) as error:
            raise SpecError(f"{what} ({self.name}) could not be made: {one_line(error)}") from error
        if not isinstance(reading, ReadingSpec):
            raise SpecError(f"{what} ({self.name}) needs a ReadingSpec as its reading")
        return OutsideSensor(spec, made, reading)

    @property
    def is_built_in(self) -> bool:
        return getattr(self.make, "__module__", "").startswith(_PREFIX)


_declared: dict[Any, SensorKind] = {}


def _kind(value: Any, name: str) -> SensorKind:
    """What stands under a name outside: a class or function that takes a ``SensorSpec``."""
    if isinstance(value, SensorKind):
        return replace(value, name=name)
    known = _declared.get(value) if callable(value) else None
    if known is not None:
        return replace(known, name=name)
    return _checked(SensorKind(name, value, fields=_usual("", None, ()), colour=True))


def _checked(kind: SensorKind) -> SensorKind:
    value, name = kind.make, kind.name
    if not callable(value):
        raise SpecError(f"sensor '{name}' is {type_of(value)}, not a class")
    if isinstance(value, type) and not callable(getattr(value, "read", None)):
        raise SpecError(f"sensor '{name}' has no method 'read'; a sensor needs reading, read(view)")
    if kind.sees == "pose" and not kind.is_built_in:
        raise SpecError(f"sensor '{name}': sees is one of rgb, depth, of, not 'pose'")
    for one in kind.fields or ():
        if one not in FIELDS:
            raise SpecError(
                f"sensor '{name}': fields: there is no '{one}'{suggest(one, list(FIELDS))}"
            )
    return kind


def _usual(camera: str, sees: str | None, noise: tuple[str, ...]) -> tuple[str, ...]:
    """The fields of a kind from outside that does not name them."""
    seen = ("corrupt",) if camera or sees else ()
    if camera:
        return ("mount", "size", "fov_deg", "range_m", *seen)
    return ("mount", "range_m", *(("noise",) if noise else ()), *seen)


SENSORS: Registry[SensorKind] = Registry(
    "sensor kind",
    home="navproof.sensors",
    group="navproof.sensors",
    declared_by="register_sensor",
    convert=_kind,
)


def register_sensor(
    name: str | None = None,
    *,
    fields: tuple[str, ...] | None = None,
    camera: Literal["", "pinhole", "around"] = "",
    sees: Sees | Literal["of"] | None = None,
    own_conditions: bool = False,
    colour: bool | None = None,
    privileged: bool = False,
    labels: bool = False,
    not_given: Literal["refuse", "add", "leave out"] = "refuse",
    noise: tuple[str, ...] = (),
    parts: Mapping[str, Noise] | None = None,
    rehearsal: SensorSpec | None = None,
) -> Callable[[C], C]:
    """Declare a class or function ``(SensorSpec) -> Sensor``, under its own name by default, as a
    decorator. For what can be said of it see ``SensorKind``; of a kind from outside that does not
    say, the usual fields are taken, and that it needs colours unless it sees depth."""

    def declare(value: C) -> C:
        known = name or str(getattr(value, "__name__", ""))
        kind = SensorKind(
            known, value, fields, camera, sees, own_conditions, bool(colour), privileged, labels,
            not_given, noise, parts or {}, rehearsal,
        )  # fmt: skip
        if not kind.is_built_in:
            usual = _usual(camera, sees, noise) if fields is None else fields
            needs_colour = sees is None if colour is None else colour
            kind = replace(kind, fields=usual, colour=needs_colour)
        SENSORS.add(known, _checked(kind))
        _declared[value] = kind
        return value

    return declare
