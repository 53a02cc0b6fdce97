"""Files for other programs: decoded again by the libraries that read them."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sample_run import make_trace

from navproof.core.errors import MissingExtraError
from navproof.core.types import Beliefs, Detection, Pose, Remembered
from navproof.log import Trace
from navproof.reports.exports.recording import write_recording
from navproof.reports.exports.video import BYTES_A_PICTURE, write_gif, write_mp4
from navproof.reports.replay import render_replay
from navproof.testing import tiny_scene

SCENE = tiny_scene()
TRACE = make_trace("wanderer", "objectnav-v1", 1)


def decoded(path: Path) -> tuple[Any, list[np.ndarray]]:
    """The codec context of a video's stream, and its pictures."""
    av = pytest.importorskip("av", reason="PyAV is not installed (the extra video)")
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        frames = [frame.to_ndarray(format="rgb24") for frame in container.decode(stream)]
        return stream.codec_context, frames


def boxes_of(path: Path) -> list[str]:
    """The names of an MP4's outermost boxes, in order."""
    data, at, names = path.read_bytes(), 0, []
    while at < len(data):
        names.append(data[at + 4 : at + 8].decode())
        at += int.from_bytes(data[at : at + 4], "big")
    return names


def moving(count: int, height: int = 120, width: int = 160) -> list[np.ndarray]:
    """A bright square on its way over a ramp."""
    ramp = np.linspace(20, 200, width).astype(np.uint8)
    still = np.stack([np.tile(ramp, (height, 1))] * 3, axis=-1)
    still[..., 2] //= 2
    frames = []
    for i in range(count):
        frame = still.copy()
        frame[20:60, 2 * i : 2 * i + 40] = (230, 90, 40)
        frames.append(frame)
    return frames


def test_a_video_is_what_browsers_play(tmp_path: Path) -> None:
    frames = moving(24)
    write_mp4(frames, tmp_path / "v.mp4", 12.0)
    codec, seen = decoded(tmp_path / "v.mp4")
    assert (codec.name, codec.pix_fmt) == ("h264", "yuv420p")
    assert len(seen) == 24
    for wanted, got in zip(frames, seen, strict=True):
        assert got.shape == wanted.shape
        assert np.abs(got.astype(int) - wanted).mean() < 6
    names = boxes_of(tmp_path / "v.mp4")
    assert names.index("moov") < names.index("mdat")  # it plays while it loads
    assert [p.name for p in tmp_path.iterdir()] == ["v.mp4"]


def test_odd_sides_become_even(tmp_path: Path) -> None:
    write_mp4([frame[:65, :33] for frame in moving(3)], tmp_path / "v.mp4", 7.3)
    codec, seen = decoded(tmp_path / "v.mp4")
    assert (codec.width, codec.height, len(seen)) == (34, 66, 3)


def test_the_same_pictures_are_the_same_animation(tmp_path: Path) -> None:
    for name in ("a.gif", "b.gif"):
        write_gif(moving(8), tmp_path / name, 10.0)
    assert (tmp_path / "a.gif").read_bytes() == (tmp_path / "b.gif").read_bytes()


def test_a_video_has_a_bound_whatever_it_shows(tmp_path: Path) -> None:
    """Noise cannot be compressed: the encoder keeps to its bytes all the same, at worse quality."""
    rng = np.random.default_rng(0)
    frames = (rng.integers(0, 256, (480, 640, 3)).astype(np.uint8) for _ in range(40))
    write_mp4(frames, tmp_path / "v.mp4", 10.0)
    first_ones = 20 * BYTES_A_PICTURE  # two seconds of the rate, which the buffer lets pass
    assert (tmp_path / "v.mp4").stat().st_size < 40 * BYTES_A_PICTURE + first_ones
    assert 500 * BYTES_A_PICTURE + first_ones < 5_000_000


def test_an_animation_has_one_palette_for_all(tmp_path: Path) -> None:
    frames = moving(10)
    write_gif(frames, tmp_path / "a.gif", 5.0)
    _, seen = decoded(tmp_path / "a.gif")
    assert len(seen) == 10
    for wanted, got in zip(frames, seen, strict=True):
        assert np.abs(got.astype(int) - wanted).max() <= 10
    data = (tmp_path / "a.gif").read_bytes()
    assert b"NETSCAPE2.0" in data  # it goes on and on


def test_a_replay_is_such_a_video(tmp_path: Path) -> None:
    codec, seen = decoded(render_replay(TRACE, tmp_path / "r.mp4", fps=5, scene=SCENE))
    assert (codec.name, codec.pix_fmt) == ("h264", "yuv420p")
    assert len(seen) == len(TRACE.poses) + 5
    assert codec.width % 2 == codec.height % 2 == 0


@pytest.mark.parametrize("suffix", [".mp4", ".gif"])
def test_without_the_extra_a_line_names_it(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'navproof\[video\]'"):
        render_replay(TRACE, tmp_path / f"r{suffix}", scene=SCENE)
    assert render_replay(TRACE, tmp_path / "r.png", scene=SCENE).is_file()
    monkeypatch.setitem(sys.modules, "rerun", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'navproof\[rerun\]'"):
        write_recording(TRACE, tmp_path / "r.rrd", SCENE)


# ------------------------------------------------------------------------------------ recordings
def believing(trace: Trace) -> Trace:
    """The trace of an agent that sees a mug 1 m ahead of its start, keeps it, and plans a way."""
    mug = Detection("mug", 0.9, (10.0, 20.0, 30.0, 40.0), (1.0, 0.0, 0.5))
    beliefs = Beliefs((mug,), (Remembered("mug", (1.0, 0.0, 0.5), 0),), ((0.0, 0.0), (1.0, 0.0)))
    return replace(trace, beliefs=(beliefs,) * len(trace.actions))


class Opened:
    """A recording, read again: the column of a component as a list of (step, values)."""

    def __init__(self, path: Path) -> None:
        chunks = pytest.importorskip("rerun.chunk", reason="rerun-sdk is not installed")
        self.chunks = list(chunks.RrdReader(str(path)).stream())
        self.blueprints = chunks.RrdReader(str(path)).blueprints()

    @property
    def paths(self) -> set[str]:
        return {str(chunk.entity_path) for chunk in self.chunks}

    def column(self, path: str, ending: str) -> list[tuple[int | None, Any]]:
        found: list[tuple[int | None, Any]] = []
        for chunk in self.chunks:
            if str(chunk.entity_path) != path:
                continue
            told = chunk.to_record_batch().to_pydict()
            names = [name for name in told if name.endswith(ending)]
            assert names, f"{path} has {sorted(told)}"
            steps = told.get("step", [None] * len(told[names[0]]))
            found += zip(steps, told[names[0]], strict=True)
        return sorted(found, key=lambda one: one[0] or 0)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Opened:
    rerun = pytest.importorskip("rerun", reason="rerun-sdk is not installed (the extra rerun)")
    was = rerun.strict_mode()
    rerun.set_strict_mode(True)  # else its mistakes are warnings
    try:
        path = write_recording(
            believing(TRACE), tmp_path_factory.mktemp("rrd") / "new" / "e.rrd", SCENE
        )
    finally:
        rerun.set_strict_mode(was)
    assert [p.name for p in path.parent.iterdir()] == ["e.rrd"]
    return Opened(path)


def test_a_recording_holds_every_step_on_both_timelines(opened: Opened) -> None:
    steps = list(range(len(TRACE.poses)))
    for path, ending in (
        ("/world/camera/rgb", "blob"),
        ("/world/camera/depth", "blob"),
        ("/plan/robot", "origins"),
        ("/numbers/distance_m", "scalars"),
    ):
        assert [step for step, _ in opened.column(path, ending)] == steps, path
    timelines = {t for c in opened.chunks if not c.is_static for t in c.timeline_names}
    assert timelines == {"step", "time"}
    assert len(opened.blueprints) == 1
    numbers = [values[0] for _, values in opened.column("/numbers/distance_m", "scalars")]
    assert numbers == pytest.approx(list(TRACE.distances_m))


def test_depth_in_a_recording_is_in_millimetres(opened: Opened) -> None:
    import cv2

    from navproof.reports.draw.frames import camera_of
    from navproof.sim.render.render import Renderer

    step, blob = opened.column("/world/camera/depth", "blob")[3]
    data = np.array(blob[0], dtype=np.uint8)
    shown = cv2.imdecode(data, cv2.IMREAD_UNCHANGED)
    real = Renderer(SCENE).render(camera_of(TRACE.spec, 256), TRACE.poses[step]).depth
    assert shown is not None
    assert shown.dtype == np.uint16
    assert np.abs(shown / 1000.0 - real).max() <= 0.0006


def test_beliefs_are_carried_into_the_world(opened: Opened) -> None:
    start = TRACE.poses[0]
    ahead = (start.x + np.cos(start.yaw), start.y + np.sin(start.yaw))
    for path in ("/world/beliefs/detections", "/world/beliefs/remembered"):
        for _, positions in opened.column(path, "positions"):
            assert positions[0][:2] == pytest.approx(ahead, abs=1e-4), path
    plan = opened.column("/world/beliefs/plan", "strips")[0][1][0]
    assert [p[:2] for p in plan] == [
        pytest.approx((start.x, start.y), abs=1e-4),
        pytest.approx(ahead, abs=1e-4),
    ]
    assert opened.column("/world/camera/detections", "labels")[0][1] == ["mug 0.90"]
    assert len(opened.column("/world/camera/detections", "labels")) == len(TRACE.actions)


def test_people_are_where_they_walked(tmp_path: Path) -> None:
    from navproof.core.types import Walk
    from navproof.play.seen import moments

    walk = Walk("p1", "red_jacket", ((0.5, 0.5, 0.0), (1.5, 0.5, 0.0)))
    trace = replace(TRACE, episode=replace(TRACE.episode, people=(walk,)))
    short = replace(
        *(trace,),
        poses=trace.poses[:4],
        actions=trace.actions[:3],
        collisions=trace.collisions[:3],
        distances_m=trace.distances_m[:4],
    )
    found = Opened(write_recording(short, tmp_path / "p.rrd", SCENE))
    wanted = [m.people[0].pose for m in moments(short, range(4), SCENE)]
    got = [at[0] for _, at in found.column("/world/people/p1", "origins")]
    assert [Pose(*at[:2]).point[:2] for at in got] == [
        pytest.approx((p.x, p.y), abs=1e-4) for p in wanted
    ]
    assert {"/world/people/p1/body", "/plan/people/p1"} <= found.paths
