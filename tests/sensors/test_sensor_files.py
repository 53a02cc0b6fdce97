"""Sensor files: what they say comes out, and what is wrong with them is told in one line."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from navproof.core.errors import NavproofError, SpecError
from navproof.core.plain import as_plain
from navproof.core.types import Camera, Mount, Noise, Scan, SensorSpec
from navproof.sensors import SENSORS, build, choose, with_sensors
from navproof.sensors.config import kinds_in_files, load_sensors, sensors_from
from navproof.tasks import spec_for, spec_hash

EXAMPLE = Path(__file__).parents[2] / "examples" / "sensors.toml"


def parsed(text: str) -> tuple[SensorSpec, ...]:
    return sensors_from(tomllib.loads(text), "my.toml")


def one(body: str, name: str = "it") -> SensorSpec:
    return parsed(f'[[sensor]]\nname = "{name}"\n{body}')[0]


def test_the_example_has_every_kind_of_reading_and_all_can_be_built() -> None:
    sensors = load_sensors(EXAMPLE)
    assert {s.kind for s in sensors} == {"rgb", "panorama", "lidar", "imu", "gps", "compass"}
    for spec in sensors:
        assert build(spec).spec is spec


def test_everything_that_a_file_says_is_in_the_spec() -> None:
    found = one(
        'kind = "depth"\nmount = { height_m = 0.9, forward_m = 0.1, left_m = -0.2, yaw_deg = 90, '
        "pitch_deg = -5.5 }\nsize = [64, 48]\nfov_deg = 70\nrange_m = [0.3, 6]\nevery = 3\n"
        'delay = 2\ncorrupt = "depth_gaussian@0.4"'
    )
    camera = Camera(64, 48, 70.0, 0.9, 0.1, -0.2, -5.5, 90.0)
    wanted = SensorSpec("it", "depth", camera, 0.3, 6.0, 3, 2, corrupt="depth_gaussian@0.4")
    assert found == wanted


def test_lidar_imu_gps_and_compass() -> None:
    lidar = one(
        'kind = "lidar"\nsize = [90, 4]\nfov_deg = 180\nelevation_deg = [-10, 5]\n'
        "range_m = [0.1, 20]\nmount = { height_m = 0.4 }\nnoise = { range_sigma_m = 0.02 }"
    )
    assert lidar.scan == Scan(90, 4, 180.0, -10.0, 5.0)
    assert lidar.mount == Mount(0.4)
    assert lidar.noise == Noise(range_sigma_m=0.02)
    assert one('kind = "lidar"').scan == Scan()
    assert one('kind = "imu"\ngravity = false\nnoise = "adis16448"') == SensorSpec(
        "it", "imu", mount=Mount(), gravity=False, noise=SENSORS.get("imu").parts["adis16448"]
    )
    assert one('kind = "gps"\nframe = "world"').frame == "world"
    assert one('kind = "compass"\nnoise = { heading_sigma_deg = 2 }').noise == Noise(
        heading_sigma_deg=2.0
    )


def test_a_panorama_is_all_around_unless_it_has_views() -> None:
    around = one('kind = "panorama"\nof = "depth"')
    assert (around.camera, around.of, around.views) == (Camera(512, 256, 360.0), "depth", 0)
    ring = one('kind = "panorama"\nviews = 12\nfov_deg = 30\nsize = [32, 32]')
    assert (ring.camera, ring.of, ring.views) == (Camera(32, 32, 30.0), "rgb", 12)


PARTS = [(kind.name, *part) for kind in SENSORS.values() for part in kind.parts.items()]


@pytest.mark.parametrize(("kind", "part", "noise"), PARTS)
def test_every_part_fits_its_kind(kind: str, part: str, noise: Noise) -> None:
    assert one(f'kind = "{kind}"\nnoise = "{part}"').noise == noise


@pytest.mark.parametrize("kind", kinds_in_files())
def test_every_kind_needs_nothing_but_a_name(kind: str) -> None:
    assert kind in SENSORS
    assert one(f'kind = "{kind}"').kind == kind


RGB = 'kind = "rgb"\n'
LIDAR = 'kind = "lidar"\n'
IMU = 'kind = "imu"\n'


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ('kind = "sonar"', "kind: there is no 'sonar'"),
        ('kind = "lidr"', "kind: there is no 'lidr'; did you mean 'lidar'?"),
        ('kind = "expert"', "kind: there is no 'expert'"),
        ("", "kind is missing"),
        (RGB + "sise = [3, 4]", "rgb sensors have no field 'sise'; did you mean 'size'?"),
        (RGB + "range_m = [0, 3]", "rgb sensors have no field 'range_m'"),
        (RGB + "size = 64", "size: it must be two whole numbers from 1 to 8192, got 64"),
        (RGB + "size = [64, 0]", "size: it must be two whole numbers"),
        (RGB + "size = [64, 99999]", "size: it must be two whole numbers"),
        (RGB + "size = [8192, 8192]", "size: it must be at most 16,777,216 pixels in all"),
        (LIDAR + "size = [8192, 8192]", "size: it must be"),
        (RGB + "fov_deg = 180", "fov_deg: it must be between 1 and 179, got 180"),
        (RGB + 'fov_deg = "wide"', "fov_deg: it must be a number, got 'wide'"),
        (RGB + "fov_deg = nan", "fov_deg: it must be a finite number"),
        (RGB + "mount = { hight_m = 1 }", "mount: there is no 'hight_m'; did you mean 'height_m'?"),
        (RGB + "mount = { height_m = true }", "mount.height_m: it must be a number, got true"),
        (RGB + "mount = 1.2", "mount: it must be a table such as { height_m = 0.1 }, got 1.2"),
        (RGB + "every = 0", "every: it must be a whole number from 1"),
        (RGB + "delay = 1.5", "delay: it must be a whole number from 0"),
        (
            RGB + 'corrupt = "spater"',
            "corrupt: there is no corruption 'spater'; did you mean 'spat",
        ),
        (RGB + 'corrupt = "spatter@2"', "corrupt: condition 'spatter@2': intensity must be"),
        (
            RGB + 'corrupt = "depth_gaussian"',
            "corrupt: depth_gaussian acts on depth; rgb sensors take",
        ),
        (RGB + 'corrupt = "odometry_drift"', "corrupt: odometry_drift acts on pose"),
        (LIDAR + "range_m = [5, 1]", "range_m: it must be [low, high], got [5, 1]"),
        (LIDAR + "range_m = [-1, 1]", "range_m: it must be 0 ≤ low < high"),
        (LIDAR + "fov_deg = 720", "sensor 'it' has hfov_deg 720"),
        (LIDAR + "noise = { range_sigma = 1 }", "noise: there is no 'range_sigma'; did you mean"),
        (LIDAR + "noise = { gyro_walk = 1 }", "noise: there is no 'gyro_walk'; known: range_"),
        (LIDAR + "noise = { range_sigma_m = -1 }", "noise range_sigma_m is -1.0; it must be 0 or"),
        (
            LIDAR + 'noise = "utm-30"',
            "noise: there is no lidar part 'utm-30'; did you mean 'utm-30l",
        ),
        (IMU + 'corrupt = "motion_blur"', "imu sensors have no field 'corrupt'"),
        (IMU + "gravity = 9.81", "gravity: it must be true or false, got 9.81"),
        ('kind = "gps"\nframe = "map"', "frame: there is no 'map'; known: episode, world"),
        ('kind = "panorama"\nof = "semantic"', "of: there is no 'semantic'"),
        ('kind = "panorama"\nviews = -1', "views: it must be a whole number from 0 to 360"),
        ('kind = "panorama"\nsize = [64, 64]', "sensor 'it' would be 360° high"),
    ],
)
def test_a_bad_field_is_named_in_one_line(body: str, told: str) -> None:
    with pytest.raises(NavproofError) as error:
        one(body)
    text = str(error.value)
    assert text.startswith("my.toml: sensor 'it'")
    assert told in text
    assert "\n" not in text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "my.toml: it lists no sensor"),
        ("sensor = 3", "my.toml: sensor must be a list of tables"),
        ("[[sensors]]\n", "my.toml: unknown field 'sensors'; did you mean 'sensor'?"),
        ('[[sensor]]\nkind = "rgb"', "my.toml: sensor 1: name is missing"),
        ('[[sensor]]\nname = "a b"\nkind = "rgb"', "my.toml: sensor 1: name: letters"),
        ('[[sensor]]\nname = "instruction"\nkind = "rgb"', "my.toml: sensor 1: name: letters"),
        ('[[sensor]]\nname = "depth"\nkind = "lidar"', "name: 'depth' is the name of another kind"),
        ('[[sensor]]\nname = "a"\nkind = "rgb"\n' * 2, "my.toml: sensor 2: name 'a' is used twice"),
    ],
)
def test_a_bad_file_is_told_in_one_line(text: str, told: str) -> None:
    with pytest.raises(SpecError) as error:
        parsed(text)
    assert told in str(error.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"none\.toml: cannot be read"):
        load_sensors(tmp_path / "none.toml")
    bad = tmp_path / "bad.toml"
    bad.write_text("[[sensor]\n")
    with pytest.raises(SpecError, match=r"bad\.toml: not a TOML file"):
        load_sensors(bad)
    bad.write_bytes(b"\xff\xfe")
    with pytest.raises(SpecError, match=r"bad\.toml: not a TOML file"):
        load_sensors(bad)


def test_sensors_come_on_top_of_the_tasks_own_and_change_its_hash() -> None:
    task = spec_for("objectnav-v1")
    sensors = parsed(
        '[[sensor]]\nname = "rgb"\nkind = "rgb"\nsize = [64, 64]\n'
        '[[sensor]]\nname = "scan"\nkind = "lidar"\n'
    )
    wider = with_sensors(task, sensors)
    assert [s.name for s in choose(wider, None)] == ["rgb", "depth", "pose", "scan"]
    assert choose(wider, ("rgb",))[0].camera == Camera(64, 64, 90.0)
    assert [s.name for s in choose(wider, ("pose", "scan"))] == ["pose", "scan"]
    assert spec_hash(wider) != spec_hash(task)
    assert with_sensors(task, ()) == task
    assert "scan" not in as_plain(task.sensors[0])  # the field, left out as before
