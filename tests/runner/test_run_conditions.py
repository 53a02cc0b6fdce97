"""Conditions in runs: which there are, who can feel them, and that runs under them are runs."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import runner_fakes as fakes
from navproof.agents.declaration import Declaration
from navproof.agents.load import load_agent
from navproof.core.errors import RunError, SpecError, UnknownNameError
from navproof.core.types import Episode
from navproof.corruptions.condition import parse_condition
from navproof.corruptions.navtrust import PAPER
from navproof.corruptions.registry import CORRUPTIONS
from navproof.log import RunFolder, Skipped, Trace
from navproof.play.abilities import skipped, skips_in_words, why_not
from navproof.play.seen import seen
from navproof.runner import Limits, RunSpec
from navproof.runner.conditions import GROUPS, expand_conditions, group
from navproof.runner.identity import describe, differences, hash_of
from navproof.runner.plan import plan, task_specs
from navproof.runner.run import run
from navproof.tasks import spec_for
from navproof.tasks.suites import SUITES
from navproof.testing import tiny_scene

LIMITS = Limits(step_s=20.0, episode_s=60.0, memory_mb=4096)
CONDITIONS = ("depth_gaussian", "wheel_slip", "mask_100", "white_box")


def spec(*agents: str, **changes: Any) -> RunSpec:
    names = tuple(f"runner_fakes:{name}" for name in agents)
    usual = RunSpec(
        names, "tiny", simulator=fakes.SIMULATOR, limits=LIMITS, camera=(16, 12), seeds=(0, 1)
    )
    return replace(usual, **changes)


def contents(folder: RunFolder) -> list[Trace]:
    return [replace(trace, timing={}) for trace in folder.traces()]


# ------------------------------------------------------------------------------------ the names
def test_groups_hold_the_published_conditions() -> None:
    families = {name: parse_condition(name).family for name in PAPER}
    counts = [list(families.values()).count(f) for f in ("rgb", "depth", "instruction", "mixed")]
    assert counts == [8, 4, 9, 2]
    assert GROUPS["trust"] == GROUPS["paper"] == PAPER
    singles = [name for name in PAPER if name in CORRUPTIONS]
    assert len(expand_conditions(GROUPS["trust-sweep"])) == 1 + 4 * len(singles)
    for names in GROUPS.values():
        assert len(expand_conditions(names)) == 1 + len(names)
    with pytest.raises(UnknownNameError, match="did you mean 'trust-sweep'"):
        group("trust-swep")


def test_clean_comes_first_and_equal_conditions_are_one() -> None:
    default = CORRUPTIONS["spatter"].default
    asked = ("spatter", f"spatter@{default}", "depth_gaussian@0.3", "clean")
    assert expand_conditions(asked) == ("clean", "spatter", "depth_gaussian@0.3")
    assert RunSpec(("a",), "mini").conditions == ("clean",)
    assert RunSpec(("a",), "mini", conditions=asked).conditions[0] == "clean"
    with pytest.raises(UnknownNameError, match="did you mean 'spatter'"):
        RunSpec(("a",), "mini", conditions=("splatter",))


def test_the_trust_suites_bring_their_conditions() -> None:
    for name in ("trust", "trust-sweep", "trust-mini"):
        assert RunSpec(("a",), name).conditions == expand_conditions(GROUPS[name])
        (part,) = SUITES[name].parts
        assert part.aligned
        assert all("/val/" in scene for scene in part.scenes)
    own = RunSpec(("a",), "trust", conditions=("spatter",))
    assert own.conditions == ("clean", "spatter")
    (part,) = SUITES["trust"].parts
    assert part.per_scene * len(part.scenes) >= 50
    assert SUITES["trust-sweep"].parts == SUITES["trust"].parts


# ------------------------------------------------------------------------------------- the hash
def test_conditions_are_in_the_hash(episodes: tuple[Episode, ...]) -> None:
    def described(conditions: Sequence[str]) -> dict[str, Any]:
        wanted = spec("Walker", conditions=tuple(conditions))
        return describe(wanted, episodes, task_specs(wanted, episodes), {}, {})

    clean, one, two = described(()), described(["spatter"]), described(["spatter@0.9"])
    assert len({hash_of(d) for d in (clean, one, two)}) == 3
    assert differences(clean, one) == ['conditions: ["clean"] there, ["clean", "spatter"] now']


# -------------------------------------------------------------------------- what is felt, and why
STANDARD = Declaration()


@pytest.mark.parametrize(
    ("abilities", "task", "condition", "why"),
    [
        (STANDARD, "objectnav-v1", "spatter", ""),
        (STANDARD, "objectnav-v1", "friendly", "it does not read the words of this task"),
        (STANDARD, "vln-v1", "friendly", ""),
        (STANDARD, "langnav-v1", "mask_100", ""),
        (STANDARD, "vln-v1", "white_box", "it has no system prompt"),
        (STANDARD, "vln-v1", "clean", ""),
        (STANDARD, "vln-v1", "wheel_slip+odometry_drift+latency", ""),
        (Declaration(("depth", "pose")), "vln-v1", "spatter", "no rgb reaches it"),
        (Declaration(("depth", "pose")), "vln-v1", "depth_missing", ""),
        (Declaration(("rgb",)), "vln-v1", "motion_blur+depth_missing", "no depth reaches it"),
        (Declaration(("rgb",)), "vln-v1", "odometry_drift", "it has no pose sensor"),
        (Declaration(("pose",)), "vln-v1", "latency", "it has no camera"),
        (Declaration(("semantic",)), "vln-v1", "frame_drop", ""),
        (Declaration((), frozenset()), "vln-v1", "low_battery", ""),
        (Declaration(feels=frozenset({"words"})), "objectnav-v1", "friendly", ""),
        (Declaration(feels=frozenset({"words"})), "objectnav-v1", "spatter", "no rgb reaches it"),
        (Declaration(feels=frozenset({"rgb"})), "vln-v1", "mask_50", "it does not read the words"),
        (Declaration(feels=frozenset({"prompt"})), "vln-v1", "white_box", ""),
        (Declaration(("depth",), frozenset({"rgb"})), "vln-v1", "spatter", "no rgb reaches it"),
        (Declaration(tasks=("vln-v1",)), "objectnav-v1", "clean", "it does vln-v1 only"),
        (Declaration(("lidar",)), "vln-v1", "clean", ""),
    ],
)
def test_what_an_agent_can_feel(
    abilities: Declaration, task: str, condition: str, why: str
) -> None:
    found = why_not(abilities, spec_for(task), condition)
    assert found.startswith(why) if why else found == ""


def test_what_agents_declare() -> None:
    assert load_agent("oracle").feels == frozenset()
    assert load_agent("route").tasks == ("vln-v1",)
    assert load_agent("runner_fakes:Walker").feels is None


def test_what_is_skipped_is_told_once_each() -> None:
    agents = {"a": Declaration(("depth",)), "b": Declaration(tasks=("vln-v1",))}
    tasks = {name: spec_for(name) for name in ("vln-v1", "objectnav-v1")}
    found = skipped(agents, tasks, ("clean", "spatter", "flare", "depth_missing"))
    assert Skipped("a", "vln-v1", "flare", "no rgb reaches it") in found
    assert skips_in_words(found) == [
        "a skips spatter, flare in vln-v1, objectnav-v1: no rgb reaches it",
        "b skips objectnav-v1: it does vln-v1 only",
    ]
    with pytest.raises(SpecError, match="agent 'b' can do nothing in objectnav-v1: it does vln"):
        skipped(agents, {"objectnav-v1": spec_for("objectnav-v1")}, ("clean",))


def test_skipped_jobs_are_not_planned(episodes: tuple[Episode, ...]) -> None:
    wanted = spec("Walker", "Seer", conditions=("spatter",))
    skips = (Skipped("runner_fakes:Walker", "pointnav-v1", "spatter", "no rgb reaches it"),)
    jobs = plan(wanted, episodes, task_specs(wanted, episodes), skips)
    assert len(jobs) == 4 * 2 * (1 + 2)
    assert {j.key.agent for j in jobs if j.key.condition == "spatter"} == {"runner_fakes:Seer"}


# ------------------------------------------------------------------------------------- the runs
class Listener:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.resumed = self.total = 0

    def announce(self, text: str) -> None:
        self.lines.append(text)

    def making(self, done: int, total: int, what: str) -> None: ...

    def begin(self, total: int, resumed: Any) -> None:
        self.total, self.resumed = total, len(resumed)

    def finished(self, trace: Trace) -> None: ...


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunFolder, Listener]:
    listener = Listener()
    folder = run(
        spec("Walker", "Seer", conditions=CONDITIONS),
        tmp_path_factory.mktemp("conditions") / "whole",
        episodes=fakes.tiny_episodes(2),
        progress=listener,
    )
    return folder, listener


def test_skips_are_said_once_and_kept(whole: tuple[RunFolder, Listener]) -> None:
    folder, listener = whole
    words = "it does not read the words of this task"
    assert [line for line in listener.lines if " skips " in line] == [
        "runner_fakes:Walker skips depth_gaussian in pointnav-v1: no depth reaches it",
        f"runner_fakes:Walker skips mask_100 in pointnav-v1: {words}",
        "runner_fakes:Walker skips white_box in pointnav-v1: it has no system prompt",
        "runner_fakes:Seer skips white_box in pointnav-v1: it has no system prompt",
    ]
    assert len(folder.info.skipped) == 4
    assert folder.info.conditions == ("clean", *CONDITIONS)
    assert folder.keys() == folder.info.planned()
    assert listener.total == len(folder.keys()) == 2 * 2 * (2 + 4)


def test_a_spoiled_episode_has_its_clean_twins_id_and_agent_seed(
    whole: tuple[RunFolder, Listener],
) -> None:
    traces = {trace.key: trace for trace in whole[0].traces()}
    assert all(trace.status == "ok" for trace in traces.values()), traces
    for key, trace in traces.items():
        twin = traces[replace(key, condition="clean")]
        assert trace.actions == twin.actions  # these agents go by their seed alone
        assert ("corrupt_s" in trace.timing) == (key.condition != "clean")
        moved = trace.poses != twin.poses
        assert moved == (key.condition == "wheel_slip" and "forward" in trace.actions)
        heard = [e.data["text"] for e in trace.events if e.kind == "heard"]
        assert bool(heard) == (key.condition == "mask_100")


def test_results_do_not_depend_on_the_number_of_workers(
    whole: tuple[RunFolder, Listener], tmp_path: Path
) -> None:
    wanted = spec("Walker", "Seer", conditions=CONDITIONS)
    other = run(wanted, tmp_path / "two", workers=2, episodes=fakes.tiny_episodes(2))
    assert contents(other) == contents(whole[0])
    one, two = (f.path / "run.json" for f in (whole[0], other))
    assert one.read_bytes() == two.read_bytes()


def test_a_run_under_conditions_resumes(whole: tuple[RunFolder, Listener], tmp_path: Path) -> None:
    path = tmp_path / "cut"
    shutil.copytree(whole[0].path, path)
    folder = RunFolder(path)
    gone = folder.keys()[1::3]
    for key in gone:
        folder.trace_path(key).unlink()
    wanted, listener = spec("Walker", "Seer", conditions=CONDITIONS), Listener()
    run(wanted, path, episodes=fakes.tiny_episodes(2), progress=listener)
    assert listener.resumed == listener.total - len(gone)
    assert contents(folder) == contents(whole[0])
    fewer = replace(wanted, conditions=CONDITIONS[:2])
    with pytest.raises(RunError, match="conditions: "):
        run(fewer, path, episodes=fakes.tiny_episodes(2))


def test_what_an_agent_saw_in_a_worker_comes_back(whole: tuple[RunFolder, Listener]) -> None:
    trace = next(
        t
        for t in whole[0].traces()
        if (t.key.agent, t.key.condition) == ("runner_fakes:Seer", "depth_gaussian")
    )
    told = [e.data["saw"] for e in trace.events if e.kind == "intent"]
    again = seen(trace, range(len(trace.actions)), tiny_scene())
    assert told == [fakes.fingerprint(obs) for obs in again]


def test_an_agent_that_can_do_nothing_there_is_refused(
    tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    with pytest.raises(SpecError, match="can do nothing in pointnav-v1: it does vln-v1 only"):
        run(spec("Follower"), tmp_path / "r", episodes=episodes)
    assert not (tmp_path / "r").exists()
