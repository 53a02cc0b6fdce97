"""Replays: readable files with the right number of frames, and clear words when they cannot be."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_run import make_trace

from navproof.core.errors import RunError
from navproof.log import RunFolder
from navproof.reports import render_replay
from navproof.reports.draw.canvas import fit, width_of, wrap
from navproof.reports.draw.frames import camera_of, spread
from navproof.reports.draw.gif import encode_gif, lzw, palette_of
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
    from dataclasses import replace

    trace = make_trace("broken", "vln-v1", 0)
    short = replace(
        *(trace,), poses=trace.poses[:1], actions=(), collisions=(), distances_m=(3.0,), events=()
    )
    assert len(frames_of(render_replay(short, tmp_path / "r.mp4", fps=4, scene=SCENE))) == 5
    assert render_replay(short, tmp_path / "r.png", scene=SCENE).stat().st_size > 1000


def test_long_animations_leave_steps_out_but_keep_their_speed() -> None:
    from dataclasses import replace

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
def unpack(data: bytes) -> list[int]:
    """A plain LZW decoder, written from the GIF89a specification."""
    table = [bytes([i]) for i in range(256)] + [b"", b""]
    out, width, bits, have = bytearray(), 9, 0, 0
    before: bytes | None = None
    for byte in data:
        bits |= byte << have
        have += 8
        while have >= width:
            code = bits & ((1 << width) - 1)
            bits >>= width
            have -= width
            if code == 256:
                del table[258:]
                width, before = 9, None
                continue
            if code == 257:
                return list(out)
            entry = table[code] if code < len(table) else (before or b"") + (before or b"")[:1]
            out += entry
            if before is not None and len(table) < 4096:
                table.append(before + entry[:1])
            before = entry
            if len(table) == 1 << width and width < 12:
                width += 1
    raise AssertionError("no end code")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 255), min_size=1, max_size=600), st.integers(1, 40))
def test_lzw_unpacks_to_what_was_packed(values: list[int], times: int) -> None:
    pixels = np.array(values * times, dtype=np.uint8)
    assert unpack(lzw(pixels).tobytes()) == pixels.tolist()


def test_lzw_survives_a_full_table() -> None:
    pixels = np.random.default_rng(0).integers(0, 256, 60_000).astype(np.uint8)
    assert unpack(lzw(pixels).tobytes()) == pixels.tolist()


def test_gif_colours_are_near(tmp_path: Path) -> None:
    ramp = np.linspace(0, 255, 64).astype(np.uint8)
    image = np.stack([np.tile(ramp, (48, 1)), np.full((48, 64), 40, np.uint8)] * 2, axis=-1)[
        ..., :3
    ]
    frames = [image, image[::-1].copy(), image]
    path = tmp_path / "a.gif"
    path.write_bytes(encode_gif(frames, 0.1))
    for seen, wanted in zip(frames_of(path), frames, strict=True):
        assert np.abs(seen[..., ::-1].astype(int) - wanted).max() <= 8


def test_palette_of_few_colours_is_exact_to_its_cells() -> None:
    image = np.zeros((8, 8, 3), np.uint8)
    image[:4] = (200, 10, 10)
    assert len(palette_of([image])) == 2


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
    from navproof.reports.replay import _frames

    trace = langnav_trace("a", [Leg((-2.0, 2.5), won=True), Leg((2.0, 2.6)), Leg((2.6, 0.6))])
    ends = [g.end for g in goal_results(trace)]
    steps = (0, ends[0] - 1, ends[0], ends[1], ends[2])
    frames = [f.copy() for f in _frames(trace, tiny_scene(), steps)]
    heads = [f[34:70].tobytes() for f in frames]
    assert heads[0] == heads[1]  # the first goal is in force
    assert len(set(heads[1:4])) == 3  # and then the others
    assert heads[3] == heads[4]

    def pixels(frame: np.ndarray, goal: int) -> int:
        """How much of the plan is drawn in the colour of a goal."""
        plan = frame[104:584, 512:]
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
    from dataclasses import replace

    from langnav_samples import GOALS, Leg, langnav_trace
    from navproof.core.types import Event
    from navproof.metrics import goal_results
    from navproof.reports.replay import _frames, _words_of

    trace = langnav_trace("a", [Leg((-2.0, 2.5), won=True), Leg((2.0, 2.6)), Leg((2.6, 0.6))])
    heard = Event(9, "heard", {"text": "Walk to [MASK].", "number": 1})
    spoiled = replace(trace, events=(*trace.events, heard))
    goals = goal_results(spoiled)
    assert _words_of(spoiled, goals) == [GOALS[0].text, "Walk to [MASK].", GOALS[2].text]
    step = goals[0].end
    (a,), (b,) = (list(_frames(t, tiny_scene(), (step,))) for t in (trace, spoiled))
    assert not np.array_equal(a[34:70], b[34:70])
    assert np.array_equal(a[104:], b[104:])


def test_words_that_stay_the_same_are_heard_once() -> None:
    from types import SimpleNamespace
    from typing import Any, cast

    from navproof.core.types import Event
    from navproof.reports.replay import _words_of

    goals = [SimpleNamespace(text=text) for text in ("a cup", "a cup", "a bed")]
    events = (Event(0, "heard", {"text": "a [MASK]", "number": 0}),)
    events += (Event(5, "heard", {"text": "[MASK] bed", "number": 1}),)
    trace = SimpleNamespace(events=events)
    assert _words_of(cast("Any", trace), cast("Any", goals)) == [
        "a [MASK]",
        "a [MASK]",
        "[MASK] bed",
    ]
