"""Sensors of one's own: from a file, with options, mounts, rates and conditions as the rest."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.codec import from_plain, to_plain
from navproof.core.errors import SpecError
from navproof.core.types import Move, Pose, SensorSpec
from navproof.corruptions.condition import parse_condition
from navproof.play.env import Env
from navproof.sensors import SENSORS, View, build, coloured, register_sensor, sees, with_sensors
from navproof.sensors.config import load_sensors
from navproof.tasks import make_task, spec_for

SONAR = '''
from dataclasses import dataclass

import numpy as np

from navproof.core.types import Camera, Mount
from navproof.sensors import ReadingSpec, register_sensor


@register_sensor("sonar", sees="depth", noise=("range",))
class Sonar:
    """Ranges in cones ahead: of the nearest thing in each."""

    @dataclass(frozen=True)
    class Options:
        beam_deg: float = 20.0
        beams: int = 1
        echo: bool = False

    def __init__(self, spec, options):
        self.spec, self.options = spec, options
        mount = spec.mount or Mount()
        self.camera = Camera(32, 32, options.beam_deg, mount.height_m, mount.forward_m)
        self.reading = ReadingSpec((options.beams,), "float32", 0.0, spec.max_range_m)

    def read(self, view):
        depth = view.frame(self.camera).depth
        near = min(float(depth[depth > 0].min(initial=np.inf)), self.spec.max_range_m)
        return np.full(self.options.beams, near, dtype=np.float32)


class Bare:
    """As little as a sensor can be, made by keyword."""

    def __init__(self, spec, *, bright: bool = False):
        from navproof.core.types import Camera

        self.camera = Camera(8, 8)
        self.bright = bright

    reading = ReadingSpec((), "float64", 0.0, 255.0)

    def read(self, view):
        rgb = view.frame(self.camera).rgb
        return np.array(float(rgb.max() if self.bright else rgb.mean()))


class Liar(Bare):
    def read(self, view):
        return [1.0]


class Broken(Bare):
    def __init__(self, spec):
        raise RuntimeError("no driver")


class NoReading:
    def __init__(self, spec): ...
    def read(self, view): ...


class NoRead:
    def __init__(self, spec): ...


class OddReading(Bare):
    reading = "float32"
'''
FILE = """
[[sensor]]
name = "sonar"
kind = "sonar.py:Sonar"
mount = { height_m = 0.5, forward_m = 0.1 }
range_m = [0.0, 6.0]
every = 2
delay = 1
corrupt = "depth_gaussian@1"
beam_deg = 10
beams = 4
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "sonar.py").write_text(SONAR)
    (tmp_path / "parts" / "my.toml").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    for held in ("_things", "_registered"):
        monkeypatch.setattr(SENSORS, held, dict(getattr(SENSORS, held)))
    return tmp_path


def env_with(specs: tuple[SensorSpec, ...], condition: str = "clean") -> Env:
    sim = tiny_simulator("pointnav-v1")
    task = with_sensors(spec_for("pointnav-v1"), specs)
    names = [spec.name for spec in specs]
    env = Env(sim, make_task("pointnav-v1", task), names, condition=parse_condition(condition))
    env.reset(tiny_episode("pointnav-v1", sim))
    return env


def test_a_file_says_everything_of_a_kind_of_ones_own(place: Path) -> None:
    (spec,) = load_sensors("parts/my.toml")
    assert spec.kind == "parts/sonar.py:Sonar"  # as workers find it from here
    assert spec.options == (("beam_deg", 10), ("beams", 4))
    assert spec.mount is not None
    assert (spec.mount.height_m, spec.max_range_m, spec.every) == (0.5, 6.0, 2)
    assert from_plain(SensorSpec, to_plain(spec)) == spec
    assert sees(spec) == "depth"
    assert coloured([build(spec)]) == frozenset()


def test_files_are_found_from_the_working_folder_too(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place / "my.toml").write_text(FILE.replace("sonar.py", "parts/sonar.py"))
    monkeypatch.chdir("/")
    (spec,) = load_sensors(place / "my.toml")
    assert spec.kind == f"{place.relative_to('/')}/parts/sonar.py:Sonar"
    (place / "other").mkdir()
    monkeypatch.chdir(place / "other")
    (spec,) = load_sensors(place / "my.toml")
    assert spec.kind == f"{place / 'parts' / 'sonar.py'}:Sonar"


def test_its_rate_and_delay_are_the_environments(place: Path) -> None:
    (spec,) = load_sensors("parts/my.toml")
    env = env_with((spec,))
    shown = [env.shown()["sonar"]]
    for _ in range(4):
        env.step(Move.FORWARD)
        shown.append(env.shown()["sonar"])
    assert shown == [0, 0, 0, 2, 2]


def test_conditions_reach_it_if_it_says_what_it_sees(place: Path) -> None:
    plain = SensorSpec("sonar", "parts/sonar.py:Sonar", options=(("beams", 3),))
    clean = env_with((plain,)).observe().readings["sonar"]
    assert clean.shape == (3,)
    assert len(set(clean.tolist())) == 1
    noisy = env_with((plain,), "depth_gaussian@1").observe().readings["sonar"]
    assert noisy.shape == (3,)
    assert not np.array_equal(noisy, clean)
    own = SensorSpec(
        "sonar", "parts/sonar.py:Sonar", options=(("beams", 3),), corrupt="depth_gaussian@1"
    )
    assert not np.array_equal(env_with((own,)).observe().readings["sonar"], clean)


def test_a_bare_class_gets_colours_and_keyword_options(place: Path) -> None:
    mean, most = (
        env_with((SensorSpec("light", "parts/sonar.py:Bare", options=options),))
        for options in ((), (("bright", True),))
    )
    assert 0.0 < float(mean.observe().readings["light"]) < float(most.observe().readings["light"])


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("beem_deg = 3", "have no field 'beem_deg'; did you mean 'beam_deg'?"),
        ('beam_deg = "wide"', "sensor 'sonar': beam_deg must be a number, not 'wide'"),
        ("beams = 1.5", "beams must be a whole number, not '1.5'"),
        ("beams = [1]", "beams: text, a number, or true or false, got [1]"),
        ('noise = "hc-sr04"', "there is no parts/sonar.py:Sonar part 'hc-sr04'"),
        ('kind = "sonar.py:Sonra"', "has no 'Sonra'; did you mean 'Sonar'?"),
        ('kind = "sonnar.py:Sonar"', "there is no file sonnar.py"),
        ('kind = "sonar.py:Broken"', "could not be made: RuntimeError: no driver"),
        ('kind = "sonar.py:NoReading"', "needs a ReadingSpec as its reading"),
        ('kind = "sonar.py:NoRead"', "has no method 'read'; a sensor needs reading, read(view)"),
        ('kind = "sonar.py:OddReading"', "needs a ReadingSpec as its reading"),
        ('kind = "sonar.py:np"', "is a module, not a class"),
        ('name = "lidar"', "'lidar' is the name of another kind than parts/sonar.py:Sonar"),
    ],
)
def test_what_is_wrong_is_one_line(place: Path, line: str, says: str) -> None:
    table = {"name": 'name = "sonar"', "kind": 'kind = "sonar.py:Sonar"'}
    table[line.partition(" =")[0]] = line
    (place / "parts" / "my.toml").write_text("\n".join(["[[sensor]]", *table.values()]))
    with pytest.raises(SpecError) as refusal:
        load_sensors("parts/my.toml")
    assert str(refusal.value).startswith("parts/my.toml: sensor ")
    assert says in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_reading_is_held_to_what_is_said_of_it(place: Path) -> None:
    sim = tiny_simulator("pointnav-v1")
    sim.place(Pose(-3.0, 1.0))
    sensor = build(SensorSpec("light", "parts/sonar.py:Liar"))
    with pytest.raises(SpecError, match=r"sensor 'light' .* read \[1.0\], but says float64 \(\)"):
        sensor.read(View(sim, (), sim.pose))


def test_a_registered_kind_is_a_name_like_any_other(place: Path) -> None:
    assert "sonar" not in SENSORS
    SENSORS.get("parts/sonar.py:Sonar")
    (place / "parts" / "my.toml").write_text('[[sensor]]\nname = "s"\nkind = "sonar"\n')
    (spec,) = load_sensors("parts/my.toml")
    assert spec.kind == "sonar"
    with pytest.raises(SpecError, match="navproof has its own sensor kind 'lidar'"):
        register_sensor("lidar")(type("Mine", (), {"reading": None, "read": lambda s, v: v}))
    with pytest.raises(SpecError, match="fields: there is no 'mont'; did you mean 'mount'"):
        register_sensor("mine", fields=("mont",))(type("M", (), {"reading": 1, "read": print}))
