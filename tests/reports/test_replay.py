"""Replays: readable files with the right number of frames, and clear words when they cannot be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from sample_run import make_trace

from navproof.core.errors import RunError
from navproof.log import RunFolder, Trace
from navproof.reports import render_replay
from navproof.reports.draw.canvas import fit, width_of, wrap
from navproof.reports.draw.frames import camera_of, spread
from navproof.reports.replay import find_key, frame_steps
from navproof.testing import tiny_scene

SCENE = tiny_scene()
TRACE = make_trace("wanderer", "objectnav-v1", 1)


def frames_of(path: Path) -> list[np.ndarray]:
    capture = cv2.VideoCapture(str(path))
    frames = []
    while True:
        there, frame = capture.read()
        if not there:
            return frames
        frames.append(frame)


@pytest.mark.parametrize("suffix", [".mp4", ".gif"])
def test_moving_pictures_have_every_step_and_a_second_at_the_end(
    suffix: str, tmp_path: Path
) -> None:
    out = render_replay(TRACE, tmp_path / f"r{suffix}", fps=5, scene=SCENE)
    frames = frames_of(out)
    assert len(frames) == len(TRACE.poses) + 5
    shapes = {f.shape for f in frames}
    assert len(shapes) == 1
    height, width, _ = shapes.pop()
    assert width > height > 200
    assert np.abs(frames[0].astype(int) - frames[len(TRACE.poses) // 2]).mean() > 1
    assert np.abs(frames[-1].astype(int) - frames[-3]).mean() < 1


def test_a_strip_is_one_picture(tmp_path: Path) -> None:
    out = render_replay(TRACE, tmp_path / "r.png", scene=SCENE)
    image = cv2.imread(str(out))
    assert image is not None
    assert image.shape[1] > 1500
    assert image.std() > 20


def test_an_episode_that_broke_at_once_still_replays(tmp_path: Path) -> None:
    trace = make_trace("broken", "vln-v1", 0)
    short = replace(
        *(trace,), poses=trace.poses[:1], actions=(), collisions=(), distances_m=(3.0,), events=()
    )
    assert len(frames_of(render_replay(short, tmp_path / "r.mp4", fps=4, scene=SCENE))) == 5
    assert render_replay(short, tmp_path / "r.png", scene=SCENE).stat().st_size > 1000


def test_long_animations_leave_steps_out_but_keep_their_speed() -> None:
    long = replace(TRACE, poses=TRACE.poses[:1] * 501)
    steps, rate = frame_steps(long, ".gif", 10.0)
    assert rate == pytest.approx(2.5)
    assert steps[:3] == (0, 4, 8)
    assert steps[-1] == 500
    assert len(steps) <= 150
    assert frame_steps(long, ".mp4", 10.0) == ((*range(501), *[500] * 10), 10.0)


@pytest.mark.parametrize(("name", "fps"), [("r.avi", 10.0), ("r", 10.0), ("r.mp4", 0.0)])
def test_impossible_wishes_are_one_line(name: str, fps: float, tmp_path: Path) -> None:
    with pytest.raises(RunError) as caught:
        render_replay(TRACE, tmp_path / name, fps=fps, scene=SCENE)
    assert "\n" not in str(caught.value)


def test_episodes_are_found_by_id_and_unique_prefix(run_path: Path) -> None:
    run = RunFolder(run_path)
    assert find_key(run, "vln-003").agent == "direct"
    assert find_key(run, "vln-003", "broken").agent == "broken"
    with pytest.raises(RunError, match="fits 12 episodes"):
        find_key(run, "vln")
    with pytest.raises(RunError, match="did you mean 'vln-003'"):
        find_key(run, "vnl-003")
    with pytest.raises(RunError, match="did you mean 'broken'"):
        find_key(run, "vln-003", "borken")
    with pytest.raises(RunError, match="has no episode 'zzzzzz'"):
        find_key(run, "zzzzzz")


def test_a_unique_prefix_is_enough(tmp_path: Path) -> None:
    from sample_run import sample_run

    run = RunFolder(sample_run(tmp_path / "run", agents=("direct",), count=1))
    assert find_key(run, "obj").episode_id == "objectnav-000"


def test_not_a_run_folder(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"run\.json"):
        find_key(RunFolder(tmp_path), "x")


# ------------------------------------------------------------------------------------- the parts
def test_spread_has_both_ends_and_no_repetition() -> None:
    assert spread(100, 5) == (0, 25, 50, 75, 100)
    assert spread(2, 5) == (0, 1, 2)
    assert spread(0, 5) == (0,)


def test_camera_keeps_proportions() -> None:
    camera = camera_of(TRACE.spec, 320)
    assert (camera.width, camera.height, camera.hfov_deg) == (320, 240, 79.0)


def test_text_is_wrapped_into_its_room() -> None:
    lines = wrap("walk past the kitchen " * 12, 20, 300, 2)
    assert len(lines) == 2
    assert lines[-1].endswith("…")
    assert all(width_of(line, 20) <= 300 for line in lines)
    assert wrap("", 20, 300, 2) == [""]


def test_fit_keeps_proportions() -> None:
    out = fit(np.full((10, 20, 3), 255, np.uint8), 40, 40)
    white = np.argwhere(out.min(axis=2) == 255)
    assert white.min(axis=0).tolist() == [10, 0]
    assert white.max(axis=0).tolist() == [29, 39]


def test_several_goals_change_the_words_and_the_colour_of_the_way() -> None:
    from langnav_samples import Leg, langnav_trace
    from navproof.metrics import goal_results
    from navproof.reports.draw.canvas import leg_colour
    from navproof.reports.replay.picture import pictures

    trace = langnav_trace("a", [Leg((-2.0, 2.5), won=True), Leg((2.0, 2.6)), Leg((2.6, 0.6))])
    ends = [g.end for g in goal_results(trace)]
    steps = (0, ends[0] - 1, ends[0], ends[1], ends[2])
    frames = [f.copy() for f in pictures(trace, tiny_scene(), steps)]
    top = frames[0].shape[0] - 480 - 72
    heads = [f[34:top].tobytes() for f in frames]
    assert heads[0] == heads[1]  # the first goal is in force
    assert len(set(heads[1:])) == 4  # and then the others, and the last one is over

    def pixels(frame: np.ndarray, goal: int) -> int:
        """How much of the plan is drawn in the colour of a goal."""
        plan = frame[top : top + 480, 512:]
        return int((np.abs(plan.astype(int) - leg_colour(goal)).max(axis=2) < 6).sum())

    ways = [[pixels(f, goal) for f in frames] for goal in range(3)]
    assert ways[0][1] > ways[0][0] + 50  # the first leg is drawn in the first colour
    assert ways[1][3] > ways[1][2] + 50
    assert ways[2][4] > ways[2][3] + 50
    assert ways[2][2] <= ways[2][0]


def test_several_goals_have_a_strip_and_a_broken_episode_too(tmp_path: Path) -> None:
    from langnav_samples import Leg, langnav_trace

    legs = [Leg((-2.0, 2.5), won=True), Leg((1.0, 1.0))]
    trace = langnav_trace("mlfm@layers=1", legs, reason="act raised ValueError")
    for name in ("a.png", "a.gif"):
        assert render_replay(trace, tmp_path / name, scene=tiny_scene()).stat().st_size > 10_000


def test_goals_are_shown_in_the_words_that_the_agent_read() -> None:
    from langnav_samples import GOALS, Leg, langnav_trace
    from navproof.core.types import Event
    from navproof.metrics import goal_results
    from navproof.reports.replay.parts import goal_words
    from navproof.reports.replay.picture import pictures

    trace = langnav_trace("a", [Leg((-2.0, 2.5), won=True), Leg((2.0, 2.6)), Leg((2.6, 0.6))])
    heard = Event(9, "heard", {"text": "Walk to [MASK].", "number": 1})
    spoiled = replace(trace, events=(*trace.events, heard))
    goals = goal_results(spoiled)
    assert goal_words(spoiled, goals) == [GOALS[0].text, "Walk to [MASK].", GOALS[2].text]
    step = goals[0].end
    (a,), (b,) = (list(pictures(t, tiny_scene(), (step,))) for t in (trace, spoiled))
    assert not np.array_equal(a[34:-552], b[34:-552])
    assert np.array_equal(a[-552:], b[-552:])


def test_words_that_stay_the_same_are_heard_once() -> None:
    from types import SimpleNamespace
    from typing import Any, cast

    from navproof.core.types import Event
    from navproof.reports.replay.parts import goal_words

    goals = [SimpleNamespace(text=text) for text in ("a cup", "a cup", "a bed")]
    events = (Event(0, "heard", {"text": "a [MASK]", "number": 0}),)
    events += (Event(5, "heard", {"text": "[MASK] bed", "number": 1}),)
    trace = SimpleNamespace(events=events)
    assert goal_words(cast("Any", trace), cast("Any", goals)) == [
        "a [MASK]",
        "a [MASK]",
        "[MASK] bed",
    ]


def test_a_mission_shows_all_its_words_its_part_in_force_and_the_people() -> None:
    from navproof.core.types import Instruction
    from navproof.reports.draw.canvas import leg_colour
    from navproof.reports.replay.head import Head

    trace = _mission()
    assert trace.episode.instruction is not None
    head = Head(trace, 1000)

    def underlined(image: np.ndarray, index: int) -> int:
        """Pixels in the colour of a part, its sign in the row of endings left out."""
        return int((image[: head._row - 12] == leg_colour(index)).all(axis=2).sum())

    first, second, over = head.at(0), head.at(3), head.at(None)
    assert underlined(first, 0) > 300 > underlined(first, 1)
    assert underlined(second, 1) > 300 > underlined(second, 0)
    assert underlined(over, 0) == underlined(over, 1) == 0
    long = replace(
        trace,
        episode=replace(trace.episode, instruction=Instruction("so many words to be read " * 26)),
    )
    tall = Head(long, 1000)
    assert tall.height > head.height  # nothing is cut off, and the part is named below
    assert sum(len(line) for line in tall._lines) == 6 * 26


def _mission() -> Trace:
    """To a point 2 m ahead and back, with somebody about."""
    from mission_traces import home, mission_trace, point
    from navproof.core.types import Instruction, Walk

    her = Walk("p1", "red_jacket", ((1.0, 1.0, 0.0), (2.0, 1.0, 0.0)))
    spots = [(1.0, 1.0, True), (2.0, 1.0, True), (2.0, 1.0, False), (2.0, 1.0, False)]
    path = [(0.0, 0.0), (2.0, 0.0), (1.0, 0.0), (0.0, 0.0)]
    trace = mission_trace(path, point(1.5, 1.5), home(), people=[(her, spots)], done={0: 0})
    subtasks = tuple(
        replace(s, text=text)
        for s, text in zip(
            trace.episode.subtasks, ("go two metres ahead", "come back"), strict=True
        )
    )
    words = Instruction("Go two metres ahead, then come back. Mind her.")
    return replace(trace, episode=replace(trace.episode, subtasks=subtasks, instruction=words))


def test_people_and_the_area_of_the_goal_in_force_are_on_the_plan() -> None:
    from navproof.core.types import Pose
    from navproof.reports.draw.canvas import BAD
    from navproof.reports.draw.panel import PanelPlan, Someone

    trace = _mission()
    plan = PanelPlan(SCENE, trace.episode, trace.spec.success_m, 480, 480, [1])
    bare = plan.at(trace.poses, 0, 79.0, -1).astype(int)
    with_area = plan.at(trace.poses, 0, 79.0, 0).astype(int)
    other_area = plan.at(trace.poses, 0, 79.0, 1).astype(int)
    changed = (with_area != bare).any(axis=2)
    metre = plan._scale  # pixels
    assert changed.sum() == pytest.approx(np.pi * (0.36 * metre) ** 2, rel=0.25)
    assert (other_area != with_area).any()
    her = Someone("p1", "red_jacket", Pose(1.0, 1.0), ((0.5, 1.0), (1.0, 1.0)))
    drawn = plan.at(trace.poses, 0, 79.0, 0, [her])
    u, v = (round(c) for c in plan._place(1.0, 1.0))
    red, green, blue = (int(c) for c in drawn[v, u])
    assert red > 120 > 80 > max(green, blue)
    ringed = plan.at(trace.poses, 0, 79.0, 0, [replace(her, too_near=True)])
    assert (np.abs(ringed.astype(int) - BAD).max(axis=2) < 6).sum() > 60


def test_the_area_of_a_sub_task_is_in_its_rooms() -> None:
    from navproof.reports.draw.areas import area_of, mask_of

    trace = _mission()
    room = SCENE.rooms[0]
    subtask = replace(trace.episode.subtasks[0], within_m=50.0, rooms=(room.id,))
    episode = replace(trace.episode, subtasks=(subtask, *trace.episode.subtasks[1:]))
    area = area_of(SCENE, episode, 2.0, 0)
    mask = mask_of(area, lambda x, y: (10 * (x + 10), 10 * (10 - y)), 10.0, 200, 200)
    xs, ys = zip(*room.polygon, strict=True)
    box = (max(xs) - min(xs)) * (max(ys) - min(ys)) * 100
    assert 0.5 * box < mask.sum() < 1.4 * box
    assert not mask[:, :2].any()


def test_a_sub_task_in_other_words_is_named_below() -> None:
    from navproof.core.types import Instruction
    from navproof.reports.replay.parts import asked_of, part_in_force

    trace = _mission()
    asked = asked_of(trace)
    assert [asked.text[a:b] for a, b in filter(None, asked.spans)] == [
        "Go two metres ahead",
        "come back",
    ]
    assert [part_in_force(asked.parts, step) for step in range(4)] == [0, 1, 1, 1]
    words = Instruction("Two metres, and back.")
    styled = replace(trace, episode=replace(trace.episode, instruction=words))
    assert asked_of(styled).spans == (None, None)
