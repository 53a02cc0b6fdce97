"""Sensors from a TOML file: any number of ``[[sensor]]`` tables (fields: docs/guides/sensors.md).

    [[sensor]]
    name = "scan"
    kind = "lidar"
    mount = { height_m = 0.3, forward_m = 0.1 }
    size = [360, 1]                       # beams, rings
    range_m = [0.1, 12.0]
    every = 2
    noise = "utm-30lx"                    # or { range_sigma_m = 0.01 }

What is wrong with a file is told in one line with file, sensor and field.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from navproof.core.errors import NavproofError, SpecError, one_line
from navproof.core.registry import suggest
from navproof.core.types import Camera, Mount, Noise, Scan, SensorKind, SensorSpec
from navproof.sensors._fields import Fields
from navproof.sensors.noise import HAS_NOISE, PARTS
from navproof.sensors.own import own_condition
from navproof.sensors.registry import SENSORS
from navproof.sensors.select import build

__all__ = ["KINDS_IN_FILES", "load_sensors", "sensors_from"]

KINDS_IN_FILES: tuple[SensorKind, ...] = (
    "rgb", "depth", "semantic", "panorama", "lidar", "imu", "gps", "compass", "pose",
)  # fmt: skip
_CAMERAS = ("rgb", "depth", "semantic", "panorama")
_ALWAYS = {"name", "kind", "every", "delay"}
_FIELDS: Mapping[str, set[str]] = {
    "rgb": {"mount", "size", "fov_deg", "corrupt"},
    "depth": {"mount", "size", "fov_deg", "range_m", "corrupt"},
    "semantic": {"mount", "size", "fov_deg", "corrupt"},
    "panorama": {"mount", "size", "fov_deg", "range_m", "corrupt", "of", "views"},
    "lidar": {"mount", "size", "fov_deg", "elevation_deg", "range_m", "noise", "corrupt"},
    "imu": {"mount", "gravity", "noise"},
    "gps": {"mount", "frame", "noise"},
    "compass": {"mount", "frame", "noise"},
    "pose": set(),
}
_SIDE = 8192
"""The longest side of an image, in pixels."""
_MOST_STEPS = 100_000


def load_sensors(path: Path | str) -> tuple[SensorSpec, ...]:
    """The sensors of a file, checked: every one of them can be built."""
    try:
        told = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise SpecError(f"{path}: cannot be read ({error.strerror or error})") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SpecError(f"{path}: not a TOML file ({one_line(error)})") from None
    return sensors_from(told, str(path))


def sensors_from(told: Mapping[str, Any], where: str) -> tuple[SensorSpec, ...]:
    """As ``load_sensors``, from parsed TOML; ``where`` begins every message."""
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
        spec = _sensor(Fields(table, f"{where}: sensor {number}"), where)
        if spec.name in found:
            raise SpecError(f"{where}: sensor {number}: name '{spec.name}' is used twice")
        found[spec.name] = spec
    return tuple(found.values())


def _sensor(fields: Fields, where: str) -> SensorSpec:
    name = fields.name("name")
    fields = fields.within(f"{where}: sensor '{name}'")
    kind = cast(SensorKind, fields.one_of("kind", KINDS_IN_FILES))
    if name in SENSORS and name != kind:
        raise fields.wrong("name", f"'{name}' is the name of another kind than {kind}")
    fields.only(_ALWAYS | _FIELDS[kind], f"{kind} sensors")
    low, high = fields.pair("range_m", (0.0, 10.0))
    if not 0.0 <= low < high:
        raise fields.wrong("range_m", f"it must be 0 ≤ low < high, got [{low:g}, {high:g}]")
    spec = SensorSpec(
        name,
        kind,
        camera=_camera(fields, kind) if kind in _CAMERAS else None,
        min_range_m=low,
        max_range_m=high,
        every=fields.whole("every", 1, 1, _MOST_STEPS),
        delay_steps=fields.whole("delay", 0, 0, _MOST_STEPS),
        mount=_mount(fields) if kind in ("lidar", *HAS_NOISE) else None,
        scan=_scan(fields) if kind == "lidar" else None,
        of="depth" if fields.one_of("of", ("rgb", "depth"), "rgb") == "depth" else "rgb",
        views=fields.whole("views", 0, 0, 360),
        frame="world"
        if fields.one_of("frame", ("episode", "world"), "episode") == "world"
        else "episode",
        gravity=fields.flag("gravity", True),
        noise=_noise(fields, kind),
        corrupt=fields.text("corrupt", ""),
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


def _mount(fields: Fields) -> Mount:
    return Mount(**fields.numbers("mount", Mount()))


def _camera(fields: Fields, kind: SensorKind) -> Camera:
    """A pinhole camera, or the size and extent of an equirectangular image."""
    around = kind == "panorama" and not fields.whole("views", 0, 0, 360)
    width, height = fields.size("size", (512, 256) if around else (256, 256), _SIDE)
    fov = fields.number("fov_deg", 360.0 if around else 90.0)
    if not (0.0 < fov <= 360.0 if around else 1.0 < fov < 179.0):
        limits = "above 0, up to 360" if around else "between 1 and 179"
        raise fields.wrong("fov_deg", f"it must be {limits}, got {fov:g}")
    mount = fields.numbers("mount", Mount(height_m=Camera().height_m))
    return Camera(width, height, fov, **mount)


def _scan(fields: Fields) -> Scan:
    beams, rings = fields.size("size", (360, 1), 100_000)
    low, high = fields.pair("elevation_deg", (-15.0, 15.0) if rings > 1 else (0.0, 0.0))
    return Scan(beams, rings, fields.number("fov_deg", 360.0), low, high)


def _noise(fields: Fields, kind: SensorKind) -> Noise | None:
    """A part by its name, or a table of numbers."""
    told = fields.get("noise")
    if told is None:
        return None
    if isinstance(told, str):
        parts = [name for name, (of, _) in PARTS.items() if of == kind]
        if told not in parts:
            raise fields.wrong("noise", f"there is no {kind} part '{told}'{suggest(told, parts)}")
        return PARTS[told][1]
    begins = tuple(HAS_NOISE[kind].split())
    usual = {k: v for k, v in fields.table_of(Noise()).items() if k.startswith(begins)}
    return Noise(**fields.numbers("noise", usual))
