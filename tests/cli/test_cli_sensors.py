"""``navproof run --sensors``: the file's sensors reach the agent and the run's description."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from cli_run_samples import navproof, refusal

from navproof.core.types import Episode, Goal, Pose
from navproof.log import RunFolder
from navproof.runner.plan import task_specs
from navproof.runner.spec import RunSpec, describe, differences, hash_of
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
    old, new = describe(plain, episodes, tasks), describe(sensed, episodes, more)
    assert "sensors" not in old  # as before there were any
    assert hash_of(old) != hash_of(new)
    assert any(line.startswith("sensors: ") for line in differences(old, new))


def test_a_bad_file_is_refused_in_one_line(place: Path) -> None:
    file = place / "bad.toml"
    file.write_text('[[sensor]]\nname = "scan"\nkind = "lidar"\nsize = [0, 1]\n')
    text = refusal(*command(place, "--sensors", str(file)))
    assert "bad.toml: sensor 'scan': size: it must be two whole numbers" in text
    assert "cannot be read" in refusal(*command(place, "--sensors", str(place / "none.toml")))
