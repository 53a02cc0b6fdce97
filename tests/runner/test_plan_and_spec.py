"""Plans, dispatching, specs and what tells two runs apart."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.agents.limits import Limits
from navproof.core.errors import NavproofError, SpecError
from navproof.core.types import Camera, Episode, Goal, Instruction, Pose, SensorSpec, SubTask, Walk
from navproof.play.jobs import Dispatcher, Job
from navproof.runner.conditions import in_styles
from navproof.runner.identity import describe, differences, hash_of
from navproof.runner.plan import check_styles, choose, plan, task_specs
from navproof.runner.spec import RunSpec
from navproof.tasks.specs import spec_for

SPEC = RunSpec(("a", "b"), "tiny", seeds=(0, 1))


def episode(index: int, task: str = "pointnav-v1", scene: str = "s") -> Episode:
    goal = Goal("point", ((1.0, 0.0, 0.0),))
    return Episode(f"e{index}", task, scene, Pose(0, 0), (goal,), 1.0, (), 50, index)


MIXED = tuple(
    episode(i, task, f"s{i % 3}")
    for i, task in enumerate(["pointnav-v1"] * 6 + ["vln-v1"] * 3 + ["objectnav-v1"] * 1)
)


def test_a_limit_spreads_over_the_tasks() -> None:
    assert [e.episode_id for e in choose(MIXED, 5)] == ["e0", "e1", "e6", "e7", "e9"]
    assert choose(MIXED, None) == choose(MIXED, 99) == MIXED
    first, both = ({e.episode_id for e in choose(MIXED, n)} for n in (5, 9))
    assert {e.episode_id for e in choose(MIXED, 4, skip=5)} == both - first
    assert [e for e in MIXED if e.episode_id not in first] == list(choose(MIXED, None, skip=5))


def mission(index: int, robot: str = "") -> Episode:
    plain = episode(index, "mission-v1")
    part = SubTask("goto_point", "go there", plain.goals[0], 0.36)
    words = {"concise": "There.", "verbose": "Please go there now."}
    text = Instruction("Go there.")
    return replace(plain, subtasks=(part,), robot=robot, instruction=text, wordings=words)


MISSIONS = tuple(mission(i, "carter" if i < 4 else "h1") for i in range(6))


def test_a_limit_spreads_over_the_robots_of_a_task() -> None:
    assert [e.episode_id for e in choose(MISSIONS, 3)] == ["e0", "e1", "e4"]
    assert [e.episode_id for e in choose(MISSIONS, 5)] == ["e0", "e1", "e2", "e4", "e5"]
    assert [e.episode_id for e in choose(MISSIONS + MIXED[7:8], 3)] == ["e0", "e4", "e7"]


def test_a_style_is_a_condition_with_its_own_words() -> None:
    spec = RunSpec(("a",), "tiny", conditions=("spatter+concise", "verbose", "clean"))
    assert spec.conditions == ("clean", "concise+spatter", "verbose")
    jobs = plan(spec, MISSIONS[:1], task_specs(spec, MISSIONS))
    told = {j.key.condition: j.episode.instruction for j in jobs}
    assert {name: words.text for name, words in told.items() if words} == {
        "clean": "Go there.",
        "concise+spatter": "There.",
        "verbose": "Please go there now.",
    }
    check_styles(MISSIONS, spec.conditions)
    with pytest.raises(NavproofError, match="has no concise wording"):
        check_styles(MIXED, spec.conditions)


def test_styles_multiply_with_conditions() -> None:
    assert in_styles(("spatter",), ("original",)) == ("spatter",)
    found = in_styles(("spatter",), ("original", "concise"))
    assert found == ("spatter", "concise", "concise+spatter")
    assert in_styles((), ()) == ()


def description(spec: RunSpec, episodes: tuple[Episode, ...]) -> dict[str, Any]:
    return describe(spec, episodes, task_specs(spec, episodes), {}, {})


def test_robots_are_a_label_and_reacting_people_another_protocol() -> None:
    old = description(SPEC, MISSIONS)
    named = description(replace(SPEC, robots=("carter", "h1")), MISSIONS)
    assert hash_of(old) == hash_of(named)
    assert named["robots"] == ["carter", "h1"]
    assert differences(old, named) == []
    walk = Walk("p1", "red_jacket", ((1.0, 0.0, 0.0),))
    among = (*(replace(e, people=(walk,)) for e in MISSIONS), MIXED[7])
    old = description(SPEC, among)
    reacting = description(replace(SPEC, reacting_people=True), among)
    assert hash_of(old) != hash_of(reacting)
    changed = {name for name, hashed in old["tasks"].items() if reacting["tasks"][name] != hashed}
    assert changed == {"mission-v1"}
    assert "people: scheduled there, reacting now" in differences(old, reacting)
    with pytest.raises(SpecError, match="no people in these episodes"):
        description(replace(SPEC, reacting_people=True), MISSIONS)


def test_own_sensors_stay_where_they_are_mounted() -> None:
    eye = SensorSpec("eye", "rgb", Camera(32, 32, height_m=0.3))
    spec = RunSpec(("a",), "tiny", sensors=(eye,))
    jobs = plan(spec, (MISSIONS[0], MISSIONS[5]), task_specs(spec, MISSIONS))
    heights = [{s.name: s.camera.height_m for s in j.spec.sensors if s.camera} for j in jobs]
    assert [h["eye"] for h in heights] == [0.3, 0.3]
    assert heights[0]["rgb"] != heights[1]["rgb"]


def test_unusable_suites_are_refused() -> None:
    with pytest.raises(SpecError, match="'e0' occurs twice"):
        choose((MIXED[0], MIXED[0]), None)
    with pytest.raises(SpecError, match="no episodes"):
        choose((), None)
    with pytest.raises(SpecError, match="99 episodes cannot be left out: the suite has"):
        choose(MIXED, 1, skip=99)


def test_a_plan_has_every_job_once_scene_by_scene() -> None:
    jobs = plan(SPEC, MIXED, task_specs(SPEC, MIXED))
    assert len({job.key for job in jobs}) == len(jobs) == 10 * 2 * 2
    scenes = [job.episode.scene for job in jobs]
    assert scenes == sorted(scenes)
    assert {job.key.agent for job in jobs[:4]} == {"a", "b"}  # of one episode
    assert len({job.key.episode_id for job in jobs[:4]}) == 1


@given(
    sizes=st.lists(st.integers(1, 9), min_size=1, max_size=6),
    order=st.lists(st.integers(0, 3), min_size=1, max_size=60),
)
def test_dispatching_loses_nothing_whoever_asks_when(sizes: list[int], order: list[int]) -> None:
    all_episodes = tuple(
        episode(100 * s + i, scene=f"s{s}") for s, n in enumerate(sizes) for i in range(n)
    )
    spec = RunSpec(("a",), "tiny")
    jobs = plan(spec, all_episodes, task_specs(spec, all_episodes))
    dispatcher = Dispatcher(jobs)
    given_out: list[Job] = []
    for worker in order + list(range(4)) * len(jobs):
        job = dispatcher.next(worker)
        if job is not None:
            given_out.append(job)
    assert sorted(j.key for j in given_out) == sorted(j.key for j in jobs)
    assert dispatcher.left == 0


def test_a_worker_stays_in_its_scene() -> None:
    spec = RunSpec(("a",), "tiny")
    dispatcher = Dispatcher(plan(spec, MIXED, task_specs(spec, MIXED)))
    for _ in range(3):
        first, second = dispatcher.next(0), dispatcher.next(1)
        assert first is not None
        assert second is not None
        assert (first.episode.scene, second.episode.scene) == ("s0", "s1")


def test_camera_sizes_change_every_camera() -> None:
    specs = task_specs(replace(SPEC, camera=(64, 48)), MIXED)
    cameras = [s.camera for spec in specs.values() for s in spec.sensors if s.camera]
    assert {(c.width, c.height) for c in cameras} == {(64, 48)}


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: RunSpec((), "mini"), "at least one agent"),
        (lambda: RunSpec(("a", "a"), "mini"), "agent 'a' is given twice"),
        (lambda: RunSpec(("a",), "mini", seeds=(1, 1)), "seed 1 is given twice"),
        (lambda: RunSpec(("a",), "mini", robots=("h1", "h1")), "robot 'h1' is given twice"),
        (lambda: RunSpec(("a",), "mini", episode_limit=0), "at least 1, got 0"),
        (lambda: RunSpec(("a",), "mini", episode_skip=-1), "at least 0, got -1"),
        (lambda: Limits(step_s=0), "step_s must be a positive number"),
        (lambda: Limits(memory_mb=float("nan")), "memory_mb must be a positive number"),
    ],
)
def test_senseless_settings_are_refused(make: object, says: str) -> None:
    with pytest.raises(SpecError, match=says):
        make()  # type: ignore[operator]


def test_an_episode_is_run_with_its_own_robot() -> None:
    plain = episode(0, "mission-v1")
    tall = replace(plain, episode_id="tall", robot="h1")
    spec = RunSpec(("a",), "tiny", conditions=("clean",))
    jobs = plan(spec, (plain, tall), task_specs(spec, (plain, tall)))
    assert [job.spec for job in jobs] == [
        spec_for("mission-v1"),
        spec_for("mission-v1", robot="h1"),
    ]
