"""What a run is: what changes it, and what is told of that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

import runner_fakes as fakes
from navproof.agents.declaration import Declaration
from navproof.agents.limits import Limits
from navproof.api.report import report
from navproof.api.score import score
from navproof.core.errors import AgentError, RunError
from navproof.core.types import Episode
from navproof.log.folder import RunFolder
from navproof.runner import identity
from navproof.runner import run as run_module
from navproof.runner.identity import agent_code, describe, differences, hash_of, scene_digests
from navproof.runner.plan import task_specs
from navproof.runner.run import run
from navproof.runner.spec import RunSpec

SPEC = RunSpec(("a", "b"), "tiny", seeds=(0, 1))
EPISODES = fakes.tiny_episodes(4)


def description(
    spec: RunSpec = SPEC,
    episodes: tuple[Episode, ...] = EPISODES,
    scenes: Mapping[str, str] | None = None,
) -> dict[str, object]:
    codes = {agent: agent_code(agent, Declaration()) for agent in spec.agents if ":" in agent}
    return describe(spec, episodes, task_specs(spec, episodes), codes, scenes or {})


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"agents": ("a",)}, 'agents: ["a", "b"] there, ["a"] now'),
        ({"seeds": (0,)}, "seeds: [0, 1] there, [0] now"),
        ({"camera": (64, 64)}, "camera: null there, [64, 64] now"),
        ({"beliefs": True}, "beliefs: false there, true now"),
        ({"limits": Limits(step_s=1)}, "limit step_s: 30.0 there, 1 now"),
        ({"simulator": "x:Y"}, "simulator: embedded there, x:Y now"),
    ],
)
def test_every_setting_is_in_the_hash(change: dict[str, object], says: str) -> None:
    old, new = description(), description(replace(SPEC, **change))  # type: ignore[arg-type]
    assert hash_of(old) != hash_of(new)
    assert says in differences(old, new)


def test_episodes_count_by_content_not_by_name() -> None:
    same = description(replace(SPEC, suite="/elsewhere/tiny.jsonl.gz"))
    assert hash_of(same) == hash_of(description())
    fewer = description(episodes=EPISODES[:-1])
    assert differences(description(), fewer)[0] == "episodes: 4 of tiny there, 3 of tiny now"
    others = {**description(replace(SPEC, episode_skip=3)), "episodes": "other"}
    (said,) = differences(description(), others)
    assert said == "episodes: 4 of tiny there, 4 of tiny (after 3) now"
    changed = description(episodes=(replace(EPISODES[0], seed=99), *EPISODES[1:]))
    assert "the content of 4 of tiny has changed" in differences(description(), changed)[0]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("{}:A", "the file of agent {}:A has changed since"),
        ("{}:A@eyes=clip:folder", "the file of agent {}:A has changed since"),
        ("mlfm@encoder={}:A", "a file that agent mlfm@encoder={}:A names has changed since"),
        ("m:B@ckpt={}", "a file that agent m:B@ckpt={} names has changed since"),
    ],
)
def test_an_edited_agent_is_another_agent(name: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("class A: ...")
    agent = name.format(path)
    spec = replace(SPEC, agents=(agent,))
    old = description(spec)
    path.write_text("class A: pass")
    new = description(spec)
    assert hash_of(old) != hash_of(new)
    assert differences(old, new) == [told.format(path)]


# ------------------------------------------------------------------------ what an agent is made of
AGENT = """
import helper, importlib
class Mine:
    files = ("weights.bin",)
    sensors = ("pose", "pointgoal")
    def reset(self, brief):
        self.left = int(open(__file__.replace("mine.py", "weights.bin")).read())
        importlib.import_module("json")
    def act(self, obs):
        self.left -= 1
        return helper.WORD if self.left > 0 else "stop"
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an agent, its helper and its weights."""
    (tmp_path / "own").mkdir()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own" / "mine.py").write_text(AGENT)
    (tmp_path / "own" / "helper.py").write_text("WORD = 'left'\n")
    (tmp_path / "own" / "weights.bin").write_text("3")
    return tmp_path


def played(names: tuple[str, ...] = ("own/mine.py:Mine",), **more: object) -> RunFolder:
    spec = RunSpec(names, "tiny", simulator=fakes.SIMULATOR)
    return run(spec, "out", episodes=EPISODES[:1], **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("mine.py", AGENT + "# edited", "the file of agent own/mine.py:Mine has changed since"),
        ("helper.py", "WORD = 'right'", "the file of agent own/mine.py:Mine has changed since"),
        ("weights.bin", "4", "a file that agent own/mine.py:Mine names has changed since"),
    ],
)
def test_a_run_is_not_gone_on_with_where_its_agent_has_changed(
    place: Path, file: str, text: str, told: str
) -> None:
    assert played().info.spec["agent_files"].keys() == {"own/mine.py:Mine"}
    played()
    (place / "own" / file).write_text(text)
    with pytest.raises(RunError, match=rf"out holds a run that differs \({told}\)"):
        played()
    played(fresh=True)


@pytest.mark.parametrize(
    ("file", "what"),
    [("helper.py", "the file of agent"), ("weights.bin", "a file that agent")],
)
def test_an_agent_that_is_edited_while_a_run_goes_on_ends_it(
    place: Path, file: str, what: str
) -> None:
    """A process that started late may have loaded the one or the other."""
    kept = (place / "own" / file).read_text()
    edits = EDITS.format(file=file)
    (place / "own" / "mine.py").write_text(
        AGENT.replace("return helper", f"{edits}; return helper")
    )
    with pytest.raises(RunError, match=rf"{what} .*has changed since .*; put it back"):
        played()
    (place / "own" / file).write_text(kept)
    rows = played().results()
    assert [row["status"] for row in rows] == ["ok"]


EDITS = "open(__file__.replace('mine.py', '{file}'), 'a').write(' ')"


def test_what_of_an_agent_could_not_be_followed_is_kept_and_told(place: Path) -> None:
    lines: list[str] = []

    class Listener(run_module._NoProgress):
        def announce(self, text: str) -> None:
            lines.append(text)

    info = played(progress=Listener()).info
    assert info.unfollowed == {"own/mine.py:Mine": ("mine.py:8 calls import_module",)}
    assert lines == [
        "own/mine.py:Mine: not part of the run's identity: mine.py:8 calls import_module; "
        "what decides its actions belongs into the class's `files` "
        "(the files that these and its options name are part of it)"
    ]


def test_what_an_agent_may_read_is_told_wherever_its_run_is(place: Path) -> None:
    """By the run, in its scores, and in full in its report; until it is named, it is not known to
    be part of what the run is."""
    agent = """
class Mine:
    sensors = ("pose", "pointgoal")
    def reset(self, brief):
        path = __file__.replace("mine.py", "weights" + ".bin")
        open(__file__.replace("mine.py", "weights.bin2"), "w").write("3")
        open(path).read()
        open(path + "2").read()
        open(path)
        open(path)
    def act(self, obs):
        return "stop"
"""
    (place / "own" / "mine.py").write_text(agent)
    folder = played()
    lines = [
        f"mine.py:{line} reads a file that is not known before: open({what})"
        for line, what in ((7, "path"), (8, "path + '2'"), (9, "path"), (10, "path"))
    ]
    assert folder.info.unfollowed == {"own/mine.py:Mine": tuple(sorted(lines))}
    (note,) = score(folder).notes
    assert "own/mine.py:Mine: not part of the run's identity: mine.py:10 reads" in note
    assert note.endswith("… (4 in all); what decides its actions belongs into the class's `files`")
    page = unescape(report(folder).path.read_text("utf-8"))
    for line in lines:
        assert line in page


def test_files_that_an_agent_names_must_be_there(place: Path) -> None:
    (place / "own" / "weights.bin").unlink()
    with pytest.raises(AgentError, match=r"names weights\.bin in its files: there is no own/w"):
        played()


def test_a_run_that_is_done_starts_no_agent(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = played()

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr("navproof.play.pool.WorkerProcess", refuse)
    assert played().info == first.info


# ------------------------------------------------------------------------------ worlds, own code
def test_scenes_are_part_of_a_run() -> None:
    old = description(scenes={"home/val/0": "aaaaaaaaaaaa", "home/val/1": "bbbbbbbbbbbb"})
    new = description(scenes={"home/val/0": "aaaaaaaaaaaa", "home/val/1": "cccccccccccc"})
    assert hash_of(old) != hash_of(new)
    assert differences(old, new) == ["scene home/val/1 is not what it was"]


def test_each_scene_of_the_episodes_has_a_digest() -> None:
    episodes = [replace(e, scene="home/val/0") for e in EPISODES]
    (digest,) = scene_digests("embedded", episodes).values()
    assert len(digest) == 12
    assert scene_digests(fakes.SIMULATOR, episodes) == {}


def test_a_scene_that_is_changed_while_a_run_goes_on_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digests = iter([{"tiny": "aaaaaaaaaaaa"}, {"tiny": "bbbbbbbbbbbb"}])
    monkeypatch.setattr(run_module, "scene_digests", lambda *_: next(digests))
    spec = RunSpec(("runner_fakes:Walker",), "tiny", simulator=fakes.SIMULATOR)
    with pytest.raises(RunError, match="scene tiny was changed while the run went on"):
        run(spec, tmp_path / "r", episodes=EPISODES[:1])
    assert not (tmp_path / "r" / "results.parquet").exists()


def test_navproof_itself_is_part_of_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    old = description()
    monkeypatch.setattr(identity, "own_code", lambda: "edited")
    new = description()
    assert hash_of(old) != hash_of(new)
    assert differences(old, new) == ["the code of navproof itself has been edited since"]
