"""Missions from the command line: robots, styles, people, corruptions, in every interface."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from cli_run_samples import navproof, refusal

from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.log import RunFolder, Trace
from navproof.tasks.episodes import write_episodes
from navproof.testing import tiny_scene
from navproof.world.io import save_scene

AGENT = """
from navproof import Decision, Move, Velocity, Waypoints

class Discrete:
    sensors = ("rgb", "depth", "pose")
    how = (Move.FORWARD, Move.LEFT)

    def reset(self, brief):
        self.left = 4

    def act(self, obs):
        self.left -= 1
        action = Move.STOP if self.left < 0 else self.how[self.left % 2]
        told = {"words": obs.instruction, "depth": float(obs.depth.sum())}
        return Decision(action, intent=told)

class Drives(Discrete):
    how = (Velocity(0.3, 0.0), Velocity(0.0, 0.5))

class Tracks(Discrete):
    how = (Waypoints(((0.3, 0.0),)), Waypoints(((0.2, 0.2),)))
"""
AGENTS = ("Discrete", "Drives", "Tracks")
WORDS = "Bedroom, chair, back. Table colour?"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a scene, an agent file and two missions: one of Carter, one of Aliengo."""
    folder = tmp_path_factory.mktemp("missions")
    save_scene(tiny_scene(), folder / "tiny.scene")
    (folder / "mine.py").write_text(AGENT)
    base = replace(
        tiny_episode("mission-v1", tiny_simulator("mission-v1")),
        scene=str(folder / "tiny.scene"),
        wordings={"concise": WORDS},
    )
    both = [replace(base, episode_id=robot, robot=robot) for robot in ("carter", "aliengo")]
    write_episodes(folder / "missions.jsonl.gz", both)
    return folder


def command(place: Path, out: str, *more: str) -> list[str]:
    agents = ",".join(f"{place / 'mine.py'}:{name}" for name in AGENTS)
    suite = str(place / "missions.jsonl.gz")
    where = ("-o", str(place / out), "-j", "1", "--camera", "32x32")
    return ["run", "--agent", agents, "--suite", suite, *where, *more]


@pytest.fixture(scope="module")
def run(place: Path) -> Path:
    wanted = ("--robot", "aliengo", "--style", "concise", "--corrupt", "depth.gaussian@0.6")
    done = navproof(*command(place, "run", *wanted, "--people", "reacting"))
    assert done.returncode == 0, done.stderr
    return place / "run"


def told(trace: Trace) -> list[tuple[object, object]]:
    intents = [event.data for event in trace.events if event.kind == "intent"]
    return [(data["words"], data["depth"]) for data in intents]


def test_styles_and_corruptions_reach_the_agent_in_every_interface(run: Path) -> None:
    found = {(t.key.agent.rpartition(":")[2], t.key.condition): t for t in RunFolder(run).traces()}
    conditions = ("clean", "depth_gaussian", "concise", "concise+depth_gaussian")
    assert set(found) == {(agent, c) for agent in AGENTS for c in conditions}
    assert {t.key.episode_id for t in found.values()} == {"aliengo"}
    assert {t.status for t in found.values()} == {"ok"}
    assert {t.spec.robot.name for t in found.values()} == {"aliengo"}
    assert all(t.spec.reacting_people for t in found.values())
    for agent in AGENTS:
        clean, noisy, concise, both = (told(found[agent, c]) for c in conditions)
        assert {words for words, _ in clean + noisy} != {WORDS}
        assert {words for words, _ in concise + both} == {WORDS}
        assert [depth for _, depth in clean] == [depth for _, depth in concise]
        assert all(a[1] != b[1] for a, b in zip(clean, noisy, strict=True))
        assert [depth for _, depth in noisy] == [depth for _, depth in both]


def test_score_gate_report_and_replay_work_on_it(run: Path, tmp_path: Path) -> None:
    done = navproof("score", str(run))
    assert done.returncode == 0, done.stderr
    assert "full-SR" in done.stdout
    assert "concise" in done.stdout
    done = navproof("gate", str(run), "--min", "sr.clean=0", "--min", "sr.concise=0")
    assert done.returncode == 0, done.stderr
    done = navproof("report", str(run), "-o", str(tmp_path / "r.html"), "--episodes", "1")
    assert done.returncode == 0, done.stderr
    assert "People react to the robot here" in (tmp_path / "r.html").read_text()
    for condition in ("clean", "concise+depth.gaussian"):
        words = ("replay", str(run), "aliengo", "-a", "Tracks", "-c", condition)
        done = navproof(*words, "-o", str(tmp_path / "r.png"))
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "r.png").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--robot", "alien"), "there is no robot 'alien'; did you mean 'aliengo'? (or"),
        (("--style", "terse"), "there is no style 'terse'"),
        (("--style", "verbose"), "has no verbose wording"),
        (("--people", "shy"), "'shy' is not one of 'scheduled', 'reacting'"),
    ],
)
def test_wrong_names_are_one_line_and_leave_nothing(
    place: Path, more: tuple[str, ...], says: str
) -> None:
    assert says in refusal(*command(place, "none", *more))
    assert not (place / "none").exists()
