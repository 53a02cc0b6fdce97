"""``navproof run --sensors``: the file's sensors reach the agent and the run's description."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from cli_run_samples import navproof, refusal

from navproof.core.types import Episode, Goal, Pose
from navproof.log import RunFolder
from navproof.runner.identity import describe, differences, hash_of
from navproof.runner.plan import task_specs
from navproof.runner.spec import RunSpec
from navproof.sensors.config import load_sensors
from navproof.tasks.episodes import write_episodes
from navproof.tasks.specs import spec_hash
from navproof.testing import tiny_scene
from navproof.world.io import save_scene

AGENT = """
from navproof import Decision

class Scanner:
    sensors = ("scan", "imu")

    def reset(self, brief):
        self.kinds = ",".join(f"{s.name}:{s.kind}" for s in brief.sensors)

    def act(self, obs):
        scan = obs.readings["scan"]
        told = {"kinds": self.kinds, "beams": len(scan), "ahead": round(float(scan[4]), 3)}
        return Decision("forward" if scan[4] > 1.0 else "stop", intent=told)
"""
FILE = """
[[sensor]]
name = "scan"
kind = "lidar"
mount = { height_m = 0.5 }
size = [8, 1]

[[sensor]]
name = "imu"
kind = "imu"
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    save_scene(tiny_scene(), tmp_path / "tiny.scene")
    (tmp_path / "mine.py").write_text(AGENT)
    (tmp_path / "my.toml").write_text(FILE)
    write_episodes(tmp_path / "tiny.jsonl.gz", [episode(tmp_path)])
    return tmp_path


def episode(place: Path) -> Episode:
    return Episode(
        episode_id="tiny-0",
        task="pointnav-v1",
        scene=str(place / "tiny.scene"),
        start=Pose(-3.0, 1.0),
        goals=(Goal("point", ((3.0, 2.0, 0.0),)),),
        geodesic_m=6.2,
        reference_path=((-3.0, 1.0, 0.0), (3.0, 2.0, 0.0)),
        budget_steps=40,
        seed=0,
    )


def command(place: Path, *more: str) -> list[str]:
    agent, suite = f"{place / 'mine.py'}:Scanner", str(place / "tiny.jsonl.gz")
    return ["run", "-a", agent, "-s", suite, "-o", str(place / "out"), "-j", "1", *more]


def test_the_agent_gets_what_the_file_says(place: Path) -> None:
    done = navproof(*command(place, "--sensors", str(place / "my.toml")), timeout=300)
    assert done.returncode == 0, done.stderr
    folder = RunFolder(place / "out")
    (trace,) = folder.traces()
    assert trace.status == "ok"
    told = [event.data for event in trace.events if event.kind == "intent"]
    assert told[0] == {"kinds": "scan:lidar,imu:imu", "beams": 8, "ahead": 3.0}
    assert [step["ahead"] for step in told] == pytest.approx([3 - 0.25 * i for i in range(9)])
    assert trace.facts["sensors"] == "scan,imu"
    assert folder.info.spec["sensors"][0]["scan"]["beams"] == 8
    assert {s.name for s in trace.spec.sensors} >= {"rgb", "scan", "imu"}


def test_sensors_are_part_of_what_a_run_is(place: Path) -> None:
    plain = RunSpec(("a",), "tiny")
    sensed = replace(plain, sensors=load_sensors(place / "my.toml"))
    episodes = (episode(place),)
    tasks, more = task_specs(plain, episodes), task_specs(sensed, episodes)
    assert spec_hash(tasks["pointnav-v1"]) != spec_hash(more["pointnav-v1"])
    old, new = (
        describe(plain, episodes, tasks, {}, {}),
        describe(sensed, episodes, more, {}, {}),
    )
    assert "sensors" not in old  # as before there were any
    assert hash_of(old) != hash_of(new)
    assert any(line.startswith("sensors: ") for line in differences(old, new))


SONAR = """
import numpy as np
from heads import HEAD
from navproof.sensors import ReadingSpec, register_sensor

@register_sensor("sonar", sees="depth")
class Sonar:
    reading = ReadingSpec((1,), "float32", 0.0, 10.0)

    def __init__(self, spec, *, gain: float = 1.0):
        self.gain = gain

    def read(self, view):
        depth = view.frame(HEAD).depth
        return np.array([self.gain * depth[depth.shape[0] // 2].min()], dtype=np.float32)
"""
LISTENER = """
from navproof import Decision

class Listener:
    sensors = ("ping",)

    def __init__(self, near: float = 0.5):
        self.near = near

    def reset(self, brief): ...

    def act(self, obs):
        ahead = float(obs.readings["ping"][0])
        move = "forward" if ahead > self.near else "stop"
        return Decision(move, intent={"ahead": round(ahead, 3)})
"""


def test_a_sensor_of_ones_own_from_a_folder_outside(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = place / "parts"
    parts.mkdir()
    (parts / "sonar.py").write_text(SONAR)
    (parts / "heads.py").write_text(
        "from navproof.core.types import Camera\nHEAD = Camera(8, 8, 20.0, 0.5)\n"
    )
    (parts / "my.toml").write_text(
        '[[sensor]]\nname = "ping"\nkind = "sonar.py:Sonar"\ngain = 0.5\n'
    )
    (place / "hears.py").write_text(LISTENER)
    monkeypatch.chdir(place)
    words = (
        *("run", "-a", "hears.py:Listener@near=0.8", "-s", "tiny.jsonl.gz", "-o", "out", "-j", "1"),
        *("-c", "depth_gaussian@1", "--sensors", "parts/my.toml"),
    )
    done = navproof(*words, timeout=300)
    assert done.returncode == 0, done.stderr
    folder = RunFolder(place / "out")
    ahead = {
        trace.key.condition: [e.data["ahead"] for e in trace.events if e.kind == "intent"]
        for trace in folder.traces()
    }
    assert ahead["clean"][:3] == pytest.approx([1.5, 1.375, 1.25])
    assert len(ahead["clean"]) == 7  # it stops where half of the way is nearer than 0.8 m
    assert ahead["depth_gaussian@1"][0] != ahead["clean"][0]
    listed = {p["kind"]: (p["name"], p["source"]) for p in folder.info.spec["plugins"]}
    assert listed["sensor kind"] == ("parts/sonar.py:Sonar", "sonar.py:Sonar")
    assert listed["agent"] == ("hears.py:Listener", "hears.py:Listener")
    (parts / "heads.py").write_text((parts / "heads.py").read_text().replace("0.5", "0.6"))
    text = refusal(*words)
    assert "(the file of sensor kind parts/sonar.py:Sonar has changed since)" in text


def test_a_bad_file_is_refused_in_one_line(place: Path) -> None:
    file = place / "bad.toml"
    file.write_text('[[sensor]]\nname = "scan"\nkind = "lidar"\nsize = [0, 1]\n')
    text = refusal(*command(place, "--sensors", str(file)))
    assert "bad.toml: sensor 'scan': size: it must be two whole numbers" in text
    assert "cannot be read" in refusal(*command(place, "--sensors", str(place / "none.toml")))
