"""Sensors from a TOML file: any number of ``[[sensor]]`` tables (fields: docs/guides/sensors.md).

    [[sensor]]
    name = "scan"
    kind = "lidar"
    mount = { height_m = 0.3, forward_m = 0.1 }
    size = [360, 1]                       # beams, rings
    range_m = [0.1, 12.0]
    every = 2
    noise = "utm-30lx"                    # or { range_sigma_m = 0.01 }

``kind = "my_sonar.py:Sonar"`` is a kind of one's own; its file is looked for beside the sensor file
first, then in the working folder. Its options are further fields of the table.

What is wrong with a file is told in one line with file, sensor and field.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from navproof.core.errors import NavproofError, SpecError, one_line
from navproof.core.input.reading import read_toml
from navproof.core.options import describe_options
from navproof.core.registry import suggest
from navproof.core.types import Camera, Mount, Noise, Scan, SensorSpec
from navproof.sensors.fields import Fields
from navproof.sensors.own import own_condition
from navproof.sensors.registry import SENSORS, SensorKind
from navproof.sensors.select import build

__all__ = ["kinds_in_files", "load_sensors", "sensors_from"]

_ALWAYS = ("name", "kind", "every", "delay")
_SIDE = 8192
"""The longest side of an image, in pixels."""
_MOST_STEPS = 100_000
_MOST_PIXELS, _MOST_BEAMS = 1 << 24, 1 << 22
"""Of one sensor, all its views or rings together: 4096 × 4096 pixels take seconds a frame."""


def load_sensors(path: Path | str) -> tuple[SensorSpec, ...]:
    """The sensors of a file, checked: every one of them can be built."""
    try:
        told = read_toml(Path(path))
    except OSError as error:
        raise SpecError(f"{path}: cannot be read ({error.strerror or error})") from None
    except ValueError as error:
        raise SpecError(f"{path}: not a TOML file ({one_line(error)})") from None
    return sensors_from(told, str(path), Path(path).parent)


def kinds_in_files() -> tuple[str, ...]:
    """The names that ``kind`` may have; references come on top."""
    ours = SENSORS.built_in()
    return tuple(n for n in SENSORS if n not in ours or SENSORS.get(n).fields is not None)


def sensors_from(
    told: Mapping[str, Any], where: str, folder: Path | None = None
) -> tuple[SensorSpec, ...]:
    """As ``load_sensors``, from parsed TOML; ``where`` begins every message. Files of kinds are
    looked for in ``folder`` first."""
    for key in told:
        if key != "sensor":
            raise SpecError(f"{where}: unknown field '{key}'{suggest(key, ['sensor'])}")
    tables = told.get("sensor", [])
    if not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
        raise SpecError(f"{where}: sensor must be a list of tables, each begun with [[sensor]]")
    if not tables:
        raise SpecError(f"{where}: it lists no sensor; begin each with [[sensor]]")
    found: dict[str, SensorSpec] = {}
    for number, table in enumerate(tables, start=1):
        spec = _sensor(Fields(table, f"{where}: sensor {number}"), where, folder)
        if spec.name in found:
            raise SpecError(f"{where}: sensor {number}: name '{spec.name}' is used twice")
        found[spec.name] = spec
    return tuple(found.values())


def _sensor(fields: Fields, where: str, folder: Path | None) -> SensorSpec:
    name = fields.name("name")
    fields = fields.within(f"{where}: sensor '{name}'")
    kind = _kind(fields, folder)
    if name in SENSORS.built_in() and name != kind.name:
        raise fields.wrong("name", f"'{name}' is the name of another kind than {kind.name}")
    options = {} if kind.is_built_in else describe_options(kind.make, first=1)
    own = [one for one in kind.fields or () if one not in options]
    fields.only({*_ALWAYS, *own, *options}, f"{kind.name} sensors")
    given = tuple((one, fields.scalar(one)) for one in sorted(options) if fields.has(one))
    fields = fields.part((*_ALWAYS, *own))
    low, high = fields.pair("range_m", (0.0, 10.0))
    if not 0.0 <= low < high:
        raise fields.wrong("range_m", f"it must be 0 ≤ low < high, got [{low:g}, {high:g}]")
    spec = SensorSpec(
        name,
        kind.name,
        camera=_camera(fields, kind) if kind.camera else None,
        min_range_m=low,
        max_range_m=high,
        every=fields.whole("every", 1, 1, _MOST_STEPS),
        delay_steps=fields.whole("delay", 0, 0, _MOST_STEPS),
        mount=_mount(fields) if "mount" in own and not kind.camera else None,
        scan=_scan(fields) if "elevation_deg" in own else None,
        of="depth" if fields.one_of("of", ("rgb", "depth"), "rgb") == "depth" else "rgb",
        views=fields.whole("views", 0, 0, 360),
        frame="world"
        if fields.one_of("frame", ("episode", "world"), "episode") == "world"
        else "episode",
        gravity=fields.flag("gravity", True),
        noise=_noise(fields, kind),
        corrupt=fields.text("corrupt", ""),
        options=given,
    )
    if spec.corrupt:
        try:
            own_condition(spec)
        except NavproofError as error:
            raise fields.wrong("corrupt", str(error)) from None
    try:
        build(spec)
    except NavproofError as error:
        raise SpecError(f"{where}: {error}") from None
    return spec


def _kind(fields: Fields, folder: Path | None) -> SensorKind:
    """The kind that a table names."""
    told = fields.get("kind")
    if isinstance(told, str) and (":" in told or told in SENSORS):
        try:
            kind = SENSORS.get(_located(told, folder) if ":" in told else told)
        except NavproofError as error:
            raise fields.wrong("kind", str(error)) from None
        if kind.fields is not None:
            return kind
    return SENSORS.get(fields.one_of("kind", kinds_in_files()))


def _located(reference: str, folder: Path | None) -> str:
    """A reference to a file, as worker processes find it: from the working folder, or in full."""
    where, _, name = reference.rpartition(":")
    if not where.endswith(".py"):
        return reference
    for base in (folder, Path.cwd()):
        if base is not None and (base / where).is_file():
            full = (base / where).resolve()
            here = Path.cwd().resolve()
            inside = full.is_relative_to(here)
            return f"{full.relative_to(here).as_posix() if inside else full}:{name}"
    return reference


def _mount(fields: Fields) -> Mount:
    return Mount(**fields.numbers("mount", Mount()))


def _camera(fields: Fields, kind: SensorKind) -> Camera:
    """A pinhole camera, or the size and extent of an equirectangular image."""
    around = kind.camera == "around" and not fields.whole("views", 0, 0, 360)
    width, height = fields.size("size", (512, 256) if around else (256, 256), _SIDE)
    if width * height * max(1, fields.whole("views", 0, 0, 360)) > _MOST_PIXELS:
        raise fields.wrong("size", f"it must be at most {_MOST_PIXELS:,} pixels in all")
    fov = fields.number("fov_deg", 360.0 if around else 90.0)
    if not (0.0 < fov <= 360.0 if around else 1.0 < fov < 179.0):
        limits = "above 0, up to 360" if around else "between 1 and 179"
        raise fields.wrong("fov_deg", f"it must be {limits}, got {fov:g}")
    mount = fields.numbers("mount", Mount(height_m=Camera().height_m))
    return Camera(width, height, fov, **mount)


def _scan(fields: Fields) -> Scan:
    beams, rings = fields.size("size", (360, 1), 100_000)
    if beams * rings > _MOST_BEAMS:
        raise fields.wrong("size", f"it must be at most {_MOST_BEAMS:,} beams in all")
    low, high = fields.pair("elevation_deg", (-15.0, 15.0) if rings > 1 else (0.0, 0.0))
    return Scan(beams, rings, fields.number("fov_deg", 360.0), low, high)


def _noise(fields: Fields, kind: SensorKind) -> Noise | None:
    """A part by its name, or a table of numbers."""
    told = fields.get("noise")
    if told is None:
        return None
    if isinstance(told, str):
        if told not in kind.parts:
            hint = suggest(told, list(kind.parts))
            raise fields.wrong("noise", f"there is no {kind.name} part '{told}'{hint}")
        return kind.parts[told]
    usual = {k: v for k, v in fields.table_of(Noise()).items() if k.startswith(kind.noise)}
    return Noise(**fields.numbers("noise", usual))
