"""An episode as a recording for the Rerun viewer (the extra ``rerun``): what the agent was given,
where it was on the plan, who was about, and what it believed, on the timelines ``step`` and
``time``.

Below ``plan`` everything is drawn on the plan seen from above (pixels); below ``world`` it is in
metres, x and y along the floor and z up. Positions that the agent believed, which are in its own
frame, are carried into the world by the pose that it was told: relative to the robot they stay.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import MissingExtraError, NavproofError, RunError
from navproof.core.types import Beliefs, Camera, Observation, Pose
from navproof.diagnosis.oracles.own_frame import OwnFrame
from navproof.log import Trace
from navproof.log.actions import rounded_words
from navproof.play.seen import Moment, moments, pictured, seen_in_turn
from navproof.reports.draw.areas import targets_of
from navproof.reports.draw.frames import camera_of
from navproof.reports.exports.video import beside
from navproof.reports.replay.parts import asked_of, part_in_force
from navproof.sensors.pose import to_episode_frame
from navproof.sim.camera import focal_px, world_to_camera
from navproof.world.drawing.plan import draw_plan, plan_scale
from navproof.world.library import load_scene
from navproof.world.scene import Scene

__all__ = ["needs_rerun", "write_recording"]

XY = tuple[float, float]
_APPLICATION = "navproof"
_JPEG = 85
_PATH, _REFERENCE, _GOAL = (0, 114, 178), (120, 124, 132), (184, 0, 110)
_PERSON, _REMEMBERED, _PLANNED = (196, 40, 40), (0, 126, 94), (196, 78, 0)
_MM = 1000.0  # depth is kept as millimetres, 16 bits


def needs_rerun() -> ModuleType:
    """The Rerun SDK; a ``MissingExtraError`` where it is not installed."""
    try:
        import rerun
    except ImportError:
        raise MissingExtraError("rerun-sdk", "rerun", "a Rerun recording") from None
    module: ModuleType = rerun
    return module


def write_recording(trace: Trace, out: Path, scene: Scene | None = None) -> Path:
    """Write the episode of ``trace`` to ``out`` (.rrd). ``scene`` is loaded by the episode's
    reference where it is not given. The content follows from the trace, the bytes do not: Rerun
    packs them as they come."""
    rr = needs_rerun()
    scene = load_scene(trace.episode.scene) if scene is None else scene
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with beside(out) as temporary:
            stream = rr.RecordingStream(_APPLICATION, recording_id=_name_of(trace))
            stream.set_log_time_enabled(False)
            stream.set_log_tick_enabled(False)
            stream.save(str(temporary), default_blueprint=_blueprint(rr, trace))
            _Recording(rr, stream, trace, scene).write()
            stream.flush()
            stream.disconnect()
    except OSError as error:
        raise RunError(f"cannot write {out}: {error.strerror or error}") from None
    return out


def _name_of(trace: Trace) -> str:
    """The same for the same episode, so that the viewer does not show it twice."""
    key = trace.key
    told = "\n".join((key.agent, key.episode_id, key.condition, str(key.seed)))
    return f"{key.agent} {key.episode_id} {hashlib.sha256(told.encode()).hexdigest()[:8]}"


def _blueprint(rr: Any, trace: Trace) -> Any:
    import rerun.blueprint as rrb

    views = [rrb.Spatial2DView(origin="world/camera", name="What the agent was given")]
    views.append(rrb.Spatial2DView(origin="plan", name="Plan"))
    below = [
        rrb.TimeSeriesView(origin="numbers", name="Distance to the goal"),
        rrb.TextDocumentView(origin="instruction", name="Instruction"),
        rrb.TextLogView(origin="log", name="Actions and events"),
    ]
    return rrb.Blueprint(
        rrb.Vertical(
            rrb.Horizontal(*views, rrb.Spatial3DView(origin="world", name="World")),
            rrb.Horizontal(*below),
            row_shares=[3, 1],
        )
    )


class _Recording:
    """One episode on its way into a stream."""

    def __init__(self, rr: Any, stream: Any, trace: Trace, scene: Scene) -> None:
        self.rr, self.stream, self.trace, self.scene = rr, stream, trace, scene
        _, storey = min((abs(s.elevation_m - trace.poses[0].z), s.index) for s in scene.storeys)
        self.metres = plan_scale(scene, 0.02, storey)
        self.plan, self.left, self.top = draw_plan(scene, self.metres, storey=storey)
        self.floor_m = trace.poses[0].z
        self.people_seen: set[str] = set()

    def write(self) -> None:
        self._still()
        steps = range(len(self.trace.poses))
        asked, part = asked_of(self.trace), -1
        given = self._given(steps)
        around = moments(self.trace, steps, self.scene)
        for moment, (rgb, depth, camera, told) in zip(around, given, strict=True):
            step = moment.step
            self.stream.set_time("step", sequence=step)
            self.stream.set_time("time", duration=moment.time_s)
            current = part_in_force(asked.parts, step)
            if current != part:
                part = current
                self._instruction(asked.text, part)
            self._camera(step, rgb, depth, camera)
            self._robot(step)
            self._people(moment)
            self._numbers(step)
            self._log(step)
            self._beliefs(step, told)

    # -------------------------------------------------------------------- what does not change
    def _still(self) -> None:
        rr, episode = self.rr, self.trace.episode
        self.stream.log("world", rr.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
        self.stream.log(
            "plan", rr.EncodedImage(contents=_png(self.plan), media_type="image/png"), static=True
        )
        rows, columns = self.plan.shape[:2]
        right, bottom = self.left + columns * self.metres, self.top - rows * self.metres
        corners = [(x, y) for y in (self.top, bottom) for x in (self.left, right)]
        floor = rr.Mesh3D(
            vertex_positions=[(x, y, self.floor_m) for x, y in corners],
            vertex_texcoords=[(0, 0), (1, 0), (0, 1), (1, 1)],
            triangle_indices=[(0, 2, 1), (1, 2, 3)],
            albedo_texture=self.plan,
        )
        self.stream.log("world/plan", floor, static=True)
        if len(episode.reference_path) > 1:
            path = [(x, y) for x, y, _ in episode.reference_path]
            self._line("reference", path, _REFERENCE, static=True)
        for index, goal in enumerate(targets_of(episode)):
            if goal.positions:
                spots = [(x, y) for x, y, _ in goal.positions]
                label = goal.text or goal.category or "goal"
                self._spots(f"goals/{index}", spots, _GOAL, [label], 0.08, static=True)

    def _instruction(self, text: str, part: int) -> None:
        parts = asked_of(self.trace).parts
        words = [text, ""]
        for index, one in enumerate(parts):
            line = f"{index + 1}. {one.text}"
            words.append(f"**{line}**" if index == part else line)
            words.append("")
        document = self.rr.TextDocument("\n".join(words), media_type="text/markdown")
        self.stream.log("instruction", document)

    # ----------------------------------------------------------------------------- at each step
    def _given(self, steps: range) -> Iterator[tuple[NDArray[Any], NDArray[Any], Camera, Any]]:
        """(colours, depth, camera, observation) of every step: what the agent was given; what it
        has no sensor for is rendered as it really looked."""
        sensors = {s.name: s for s in self.trace.spec.sensors if s.camera is not None}
        names = str(self.trace.facts.get("sensors") or "").split(",")
        camera = camera_of(self.trace.spec, 256)
        real = pictured(self.trace, steps, camera, self.scene)
        both = {"rgb", "depth"} <= set(names) & sensors.keys()
        for told in seen_in_turn(self.trace, steps, self.scene):
            frame = None if both else next(real)
            colours = told.rgb if told.rgb is not None else frame.rgb if frame else None
            depth = told.depth if told.depth is not None else frame.depth if frame else None
            assert colours is not None
            assert depth is not None
            used = sensors["rgb"].camera if told.rgb is not None and "rgb" in sensors else camera
            yield colours, depth, used or camera, told

    def _camera(self, step: int, rgb: NDArray[Any], depth: NDArray[Any], camera: Camera) -> None:
        rr, pose = self.rr, self.trace.poses[step]
        height, width = rgb.shape[:2]
        focal = focal_px(camera) * width / camera.width
        lens = rr.Pinhole(focal_length=focal, width=width, height=height)
        rotation, centre = world_to_camera(camera, pose)
        place = rr.Transform3D(translation=centre, mat3x3=rotation.T)
        picture = rr.EncodedImage(contents=_jpeg(rgb), media_type="image/jpeg")
        millimetres = np.clip(np.round(depth * _MM), 0, 65535).astype(np.uint16)
        far = rr.EncodedDepthImage(blob=_png16(millimetres), media_type="image/png", meter=_MM)
        self.stream.log("world/camera", place, lens)
        self.stream.log("world/camera/rgb", picture)
        self.stream.log("world/camera/depth", far)

    def _robot(self, step: int) -> None:
        poses = self.trace.poses
        here, so_far = poses[step], _ways_points(poses[: step + 1])
        if len(so_far) > 1:
            self._line("path", so_far, _PATH)
        ahead = (0.35 * math.cos(here.yaw), 0.35 * math.sin(here.yaw))
        self._arrow("robot", (here.x, here.y), ahead, _PATH, self.trace.key.agent)

    def _people(self, moment: Moment) -> None:
        rr = self.rr
        for person in moment.people:
            at, yaw = (person.pose.x, person.pose.y), person.pose.yaw
            ahead = (0.35 * math.cos(yaw), 0.35 * math.sin(yaw))
            name = person.person
            self._arrow(f"people/{name}", at, ahead, _PERSON, name)
            body = rr.Boxes3D(
                centers=[(*at, self.floor_m + 0.85)], sizes=[(0.45, 0.45, 1.7)], labels=[name]
            )
            self.stream.log(f"world/people/{name}/body", body)

    def _numbers(self, step: int) -> None:
        distance = self.trace.distances_m[step]
        if math.isfinite(distance):
            self.stream.log("numbers/distance_m", self.rr.Scalars(distance))

    def _log(self, step: int) -> None:
        rr, trace = self.rr, self.trace
        if step < len(trace.actions):
            self.stream.log("log/action", rr.TextLog(rounded_words(trace.actions[step])))
        for event in (e for e in trace.events if e.step == step):
            facts = ", ".join(f"{name} {value}" for name, value in event.data.items())
            level = "WARN" if event.kind in ("intrusion", "fall", "timeout") else "INFO"
            self.stream.log("log/event", rr.TextLog(f"{event.kind} {facts}".strip(), level=level))
        for exchange in (e for e in trace.exchanges if e.step == step):
            words = f"{exchange.purpose}: {' '.join(exchange.answer.split())}"
            self.stream.log("log/language_model", rr.TextLog(words))

    def _beliefs(self, step: int, told: Observation) -> None:
        """Detections on the picture; what is remembered and planned, on the plan."""
        beliefs = self.trace.beliefs[step] if step < len(self.trace.beliefs) else None
        if beliefs is None:
            return
        rr = self.rr
        boxed = [d for d in beliefs.perceived if d.box is not None]
        boxes = rr.Boxes2D(
            array=[d.box for d in boxed] or np.zeros((0, 4)),
            array_format=rr.Box2DFormat.XYXY,
            labels=[f"{d.label} {d.score:.2f}" for d in boxed],
        )
        self.stream.log("world/camera/detections", boxes)
        frame = _own_frame(self.trace.poses[0], self.trace.poses[step], told)
        self._believed(beliefs, frame)

    def _believed(self, beliefs: Beliefs, frame: OwnFrame) -> None:
        seen = [d for d in beliefs.perceived if d.position is not None]
        places = [frame.in_world(*d.position[:2]) for d in seen if d.position is not None]
        self._spots("beliefs/detections", places, _GOAL, [d.label for d in seen], 0.06)
        kept = [frame.in_world(*r.position[:2]) for r in beliefs.remembered]
        labels = [f"{r.label} (step {r.step})" for r in beliefs.remembered]
        self._spots("beliefs/remembered", kept, _REMEMBERED, labels, 0.07)
        planned = [frame.in_world(x, y) for x, y in beliefs.plan]
        self._line("beliefs/plan", planned, _PLANNED)

    # -------------------------------------------------------------- on the plan and in the world
    def _pixels(self, points: Sequence[XY]) -> list[XY]:
        return [((x - self.left) / self.metres, (self.top - y) / self.metres) for x, y in points]

    def _heights(self, points: Sequence[XY]) -> list[tuple[float, float, float]]:
        return [(x, y, self.floor_m + 0.05) for x, y in points]

    def _line(self, name: str, points: Sequence[XY], colour: Any, static: bool = False) -> None:
        rr, here = self.rr, points if len(points) > 1 else []
        flat = rr.LineStrips2D([self._pixels(here)] if here else [], colors=[colour], radii=[1.5])
        self.stream.log(f"plan/{name}", flat, static=static)
        line = rr.LineStrips3D([self._heights(here)] if here else [], colors=[colour], radii=[0.02])
        self.stream.log(f"world/{name}", line, static=static)

    def _spots(
        self,
        name: str,
        points: Sequence[XY],
        colour: Any,
        labels: Sequence[str],
        radius_m: float,
        static: bool = False,
    ) -> None:
        rr, said = self.rr, list(labels) if len(labels) == len(points) else list(labels[:1])
        flat = rr.Points2D(
            np.array(self._pixels(points)).reshape(-1, 2),
            colors=[colour],
            labels=said,
            radii=[radius_m / self.metres],
        )
        self.stream.log(f"plan/{name}", flat, static=static)
        spots = rr.Points3D(
            np.array(self._heights(points)).reshape(-1, 3),
            colors=[colour],
            labels=said,
            radii=[radius_m],
        )
        self.stream.log(f"world/{name}", spots, static=static)

    def _arrow(self, name: str, at: XY, ahead: XY, colour: Any, label: str) -> None:
        rr = self.rr
        flat = rr.Arrows2D(
            origins=self._pixels([at]),
            vectors=[(ahead[0] / self.metres, -ahead[1] / self.metres)],
            colors=[colour],
            labels=[label],
            radii=[3.0],
        )
        self.stream.log(f"plan/{name}", flat)
        arrow = rr.Arrows3D(
            origins=self._heights([at]),
            vectors=[(*ahead, 0.0)],
            colors=[colour],
            labels=[label],
            radii=[0.04],
        )
        self.stream.log(f"world/{name}", arrow)


def _own_frame(start: Pose, here: Pose, told: Observation) -> OwnFrame:
    """The frame in which the agent believes itself to be at one step."""
    if told.pose is not None:
        x, y, z, yaw = (float(v) for v in told.pose)
        return OwnFrame(here, Pose(x, y, z, yaw))
    x, y = to_episode_frame(start, here.x, here.y)
    return OwnFrame(here, Pose(x, y, 0.0, math.remainder(here.yaw - start.yaw, math.tau)))


def _ways_points(poses: Sequence[Pose]) -> list[XY]:
    """Where a way led; where the robot stayed or turned is one point."""
    points = [(p.x, p.y) for p in poses]
    return [point for i, point in enumerate(points) if i == 0 or point != points[i - 1]]


def _jpeg(rgb: NDArray[Any]) -> bytes:
    return _encoded(".jpg", cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, _JPEG])


def _png(rgb: NDArray[Any]) -> bytes:
    return _encoded(".png", cv2.cvtColor(rgb, cv2.COLOR_RGB2BGR), [])


def _png16(depth: NDArray[np.uint16]) -> bytes:
    return _encoded(".png", depth, [])


def _encoded(suffix: str, image: NDArray[Any], settings: Sequence[int]) -> bytes:
    done, data = cv2.imencode(suffix, image, list(settings))
    if not done:
        raise NavproofError(f"OpenCV could not encode a {suffix} picture")
    return data.tobytes()
