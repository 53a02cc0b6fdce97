"""Sound files of every kind that navproof reads, made once: what is then damaged."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from navproof.agents.policy.packing import pack_policy
from navproof.agents.wire import decision_to, pack
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.plain import as_plain
from navproof.core.types import (
    Beliefs,
    Clock,
    Decision,
    Detection,
    Episode,
    Exchange,
    Goal,
    Move,
    Observation,
    Pose,
    Remembered,
    Robot,
    TaskBrief,
    Velocity,
    Walk,
)
from navproof.diagnosis.fuzz.campaign import run_campaign
from navproof.diagnosis.fuzz.minimise import MinimalCase
from navproof.diagnosis.fuzz.mutate import SceneMutator
from navproof.diagnosis.fuzz.suite import MINIMAL_NAME, distinct
from navproof.diagnosis.fuzz.testers import make_tester
from navproof.diagnosis.fuzz.types import Budget
from navproof.log.folder import RunFolder, RunInfo
from navproof.log.trace import Trace, TraceKey
from navproof.metrics.catalogue import result_rows
from navproof.play.env import Env
from navproof.play.play import play
from navproof.play.session import Session
from navproof.tasks import TASKS, make_task, spec_for, with_camera
from navproof.tasks.episodes import write_episodes
from navproof.tasks.mission.demonstrations import Demonstration, write_demonstrations
from navproof.testing import tiny_scene
from navproof.world.io import save_scene
from navproof.world.library import load_scene
from navproof.world.light.bake import bake

__all__ = ["HOME", "SCENE", "make_seeds"]

SCENE, HOME = "tiny.scene", "home.scene"
_PIXELS = 64
_SUITE = Path(__file__).parents[1] / "data" / "packed" / "tiny.suite"


class Talker:
    """Walks about, and says what it believes."""

    sensors = ("rgb", "pose")

    def reset(self, brief: TaskBrief) -> None:
        self._draw = np.random.default_rng(brief.seed)

    def act(self, obs: Observation) -> Decision:
        seen = Detection("chair", 0.5, (1.0, 2.0, 9.0, 9.0), (1.0, 0.5, 0.2))
        told = Beliefs((seen,), (Remembered("chair", (1.0, 0.5, 0.2), obs.step),), ((0.2, 0.0),))
        move = Move.STOP if obs.step > 6 else Move.FORWARD
        if self._draw.random() < 0.4 and obs.step <= 6:
            move = Move.LEFT
        asked = Exchange("decide", "m", "where?", "ahead", tokens_in=9, tokens_out=1, seconds=0.1)
        return Decision(move, told, {"is": "explore"}, (asked,) if obs.step < 3 else (), 0.13)


def make_seeds(folder: Path) -> None:
    """Write them into ``folder``. Scenes are named relative to it."""
    folder.mkdir(parents=True, exist_ok=True)
    save_scene(bake(tiny_scene()), folder / SCENE)
    save_scene(load_scene("home/val/0"), folder / HOME)
    episodes = tiny_episodes()
    write_episodes(folder / "episodes.jsonl.gz", episodes)
    write_demonstrations(
        folder / "demonstrations.jsonl.gz",
        [
            Demonstration(
                "e0", "carter", "algorithmic", ((0.0, 1.0, 0.0, 0.0), (1.0, 1.0, 0.0, 2.0)), (1,)
            ),
            Demonstration("e1", "h1", "human", ((0.5, 1.0, 3.1, 0.0),)),
        ],
    )  # fmt: skip
    body = resources.files("navproof.sim.bodies") / "h1.toml"
    (folder / "robot.toml").write_text(body.read_text().replace('"h1"', '"mine"'))
    (folder / "sensors.toml").write_text(_SENSORS)
    (folder / "salt").write_bytes(bytes(range(7, 47)))
    (folder / "token").write_text("abcdefghijklmnop\n")
    (folder / "policy.toml").write_text(_POLICY)
    (folder / "names.json").write_text(json.dumps(["chair", "table", "bed"]))
    shutil.copyfile(_SUITE, folder / "packed.suite")
    _messages(folder)
    _pictures(folder)
    _meshes(folder)
    _run(folder / "run", episodes)
    _campaign(folder / "campaign")
    _eyes(folder / "eyes")


def tiny_episodes() -> list[Episode]:
    """One of each task in the two-room flat, and one with people."""
    found = []
    for task in TASKS:
        episode = tiny_episode(task, tiny_simulator(task), 12)
        found.append(replace(episode, scene=SCENE, episode_id=f"{task}-0"))
    walk = Walk("p1", "woman_red", ((-3.0, 1.0, 0.0), (-1.0, 1.0, 1.0)))
    from navproof.world.people.people import APPEARANCES

    walk = replace(walk, appearance=next(iter(APPEARANCES)))
    point = Goal("point", ((-1.5, 2.0, 0.0),))
    found.append(
        replace(
            found[0],
            task="pointnav-v1",
            episode_id="people-0",
            goals=(point,),
            start=Pose(-3.0, 2.0),
            people=(walk,),
            instruction=None,
        )
    )
    return found


def _played(episode: Episode, agent: str, condition: str = "clean") -> Trace:
    sim = tiny_simulator(episode.task)
    spec = spec_for(episode.task, episode.robot or None)
    clock: Clock = "declared" if agent != "random" and condition == "clean" else "wait"
    spec = replace(with_camera(spec, _PIXELS, _PIXELS), clock=clock)
    task = make_task(episode.task, spec)
    from navproof.corruptions.condition import parse_condition

    env = Env(sim, task, Talker.sensors, condition=parse_condition(condition))
    session = Session(env, TraceKey(agent, episode.episode_id, condition), beliefs=True)
    sim.load(replace(sim.scene, id=episode.scene), spec.robot)
    return play(session, Talker(), episode)


def _run(path: Path, episodes: list[Episode]) -> None:
    from navproof.diagnosis.attribution.attribute import Settings
    from navproof.diagnosis.capabilities import Capability, ErrorType
    from navproof.diagnosis.files import write_diagnosis
    from navproof.diagnosis.summary import Summary, row_of, write_summary
    from navproof.diagnosis.types import Attribution, Diagnosis, Evidence, Repair, Thresholds

    agents, conditions = ("seeds:Talker", "random"), ("clean", "motion_blur")
    folder = RunFolder(path)
    folder.create(
        RunInfo(
            {"simulator": "embedded", "agents": list(agents), "navproof": "0"},
            "hash",
            agents,
            tuple(e.episode_id for e in episodes),
            conditions,
            tasks=tuple(e.task for e in episodes),
        )
    )
    rows = []
    for agent in agents:
        for condition in conditions:
            for episode in episodes:
                trace = _played(episode, agent, condition)
                folder.write(trace)
                kind = ErrorType.MISSED
                repair = Repair(kind.capability, 1, "alone", trace.poses, trace.actions)
                source = Attribution(
                    kind.capability, 1, 0.5, kind, "alone", Evidence(1, "so"), repair, "mend it"
                )
                told = Diagnosis(trace.key, "attributed", source, said="it missed the chair")
                write_diagnosis(folder, told)
                rows.append(row_of(told, episode.task))
    folder.write_results(result_rows(folder.traces()))
    limits = dict.fromkeys(
        agents, Thresholds(dict.fromkeys(Capability, 0.3), True, 0.95, 3, 20, 0, 3)
    )
    write_summary(folder, Summary("hash", Settings(), "lexicon", limits, tuple(rows)))


def _campaign(folder: Path) -> None:
    from navproof.diagnosis.oracles.oracles import Oracles  # noqa: F401  (its kernels)

    mutator = SceneMutator("objectnav", [tiny_scene()], ("goal", "start"), ())
    campaign = run_campaign(
        f"{Path(__file__)}:Talker",
        make_tester("random", ("goal", "start")),
        mutator,
        Budget(4),
        seed=3,
        initial=2,
        folder=folder,
        about={"task": "objectnav-v1", "scenes": [SCENE], "axes": ["goal", "start"]},
        sim=tiny_simulator("objectnav-v1"),
    )
    cases = [MinimalCase(result.case, (), 0) for result in distinct(campaign.failures)]
    lines = (json.dumps(as_plain(case), sort_keys=True) for case in cases)
    (folder / MINIMAL_NAME).write_text("".join(f"{line}\n" for line in lines))


def _messages(folder: Path) -> None:
    """What an agent's process answers, and what a policy server does."""
    talker = Talker()
    talker.reset(TaskBrief("pointnav-v1", "", Robot("r", 0.2, 1.2), (), "any", (), 9, 0))
    told = decision_to(replace(talker.act(Observation(0, {})), action=Velocity(0.3, 0.1)))
    (folder / "decision.msgpack").write_bytes(pack({"seq": 3, "answer": told}))
    chunk = {"actions": np.array([[0.2, 0.1], [0.1, 0.0]]), "done": np.array([0.1])}
    (folder / "answer.msgpack").write_bytes(pack_policy(chunk))


def _pictures(folder: Path) -> None:
    import cv2

    draw = np.random.default_rng(0)
    cv2.imwrite(str(folder / "photo.png"), draw.integers(0, 255, (48, 64, 3), dtype=np.uint8))
    cv2.imwrite(str(folder / "photo.jpg"), draw.integers(0, 255, (48, 64, 3), dtype=np.uint8))
    cv2.imwrite(str(folder / "depth.png"), draw.integers(0, 9000, (48, 64), dtype=np.uint16))


def _meshes(folder: Path) -> None:
    try:
        import trimesh
        from PIL import Image
    except ImportError:
        return
    flat = tiny_scene().geometry
    mesh = trimesh.Trimesh(flat.vertices, flat.faces, process=False)
    mesh.export(folder / "mesh.stl")
    mesh.export(folder / "text.stl", file_type="stl_ascii")
    mesh.export(folder / "mesh.off")
    coloured = mesh.copy()
    coloured.visual.vertex_colors = np.full((len(flat.vertices), 4), (90, 120, 60, 255), np.uint8)
    coloured.export(folder / "mesh.ply")
    coloured.export(folder / "text.ply", encoding="ascii")
    coloured.export(folder / "mesh.obj")
    picture = Image.fromarray(np.random.default_rng(1).integers(0, 255, (16, 16, 3), np.uint8))
    skin = trimesh.visual.TextureVisuals(uv=flat.uvs, image=picture)
    textured = trimesh.Trimesh(flat.vertices, flat.faces, visual=skin, process=False)
    whole = trimesh.Scene()
    whole.add_geometry(textured, node_name="a")
    whole.add_geometry(coloured, node_name="b", parent_node_name="a")
    whole.export(folder / "mesh.glb")


def _eyes(folder: Path) -> None:
    """The encoder that comes with navproof is large: a small one of one's own, as ONNX files."""
    try:
        import onnx
    except ImportError:
        return
    helper, kinds = onnx.helper, onnx.TensorProto
    folder.mkdir(exist_ok=True)

    def save(name: str, nodes: list[Any], into: Any, out: Any, **held: Any) -> None:
        graph = helper.make_graph(
            nodes,
            "eyes",
            [helper.make_tensor_value_info(*into)],
            [helper.make_tensor_value_info(*out)],
            [onnx.numpy_helper.from_array(np.asarray(v), k) for k, v in held.items()],
        )
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.ml", 2)]
        model = helper.make_model(graph, opset_imports=opsets)
        model.ir_version = 8
        onnx.save(model, str(folder / name))

    node = helper.make_node
    save(
        "image.onnx",
        [
            node("AveragePool", ["image"], ["pooled"], kernel_shape=[8, 8], strides=[8, 8]),
            node("Transpose", ["pooled"], ["patches"], perm=[0, 2, 3, 1]),
        ],
        ("image", kinds.FLOAT, [1, 3, "H", "W"]),
        ("patches", kinds.FLOAT, [1, "h", "w", 3]),
    )
    words = ["red", "green", "blue"]
    look_up = node(
        "LabelEncoder",
        ["text"],
        ["row"],
        domain="ai.onnx.ml",
        keys_strings=words,
        values_int64s=[0, 1, 2],
        default_int64=3,
    )
    save(
        "text.onnx",
        [look_up, node("Gather", ["table", "row"], ["words"])],
        ("text", kinds.STRING, ["n"]),
        ("words", kinds.FLOAT, ["n", 3]),
        table=np.array([*np.eye(3), np.ones(3)], np.float32),
    )
    (folder / "encoder.json").write_text(
        json.dumps({"scale": 20.0, "bias": -15.0, "size": [32, 64]})
    )


_POLICY = """\
[observation]
"observation/image" = { from = "rgb", size = [32, 24], fit = "pad", axes = "chw" }
"observation/depth" = { from = "depth", scale = 0.1, axes = "hw1", dtype = "float32" }
"observation/state" = { from = "pose", take = [0, 1, 3], dtype = "float32" }
prompt = { from = "instruction" }
embodiment = { value = "wheeled" }

[action]
key = "actions"
as = "velocity"
columns = [0, 1]
scale = [1.0, 0.5]
execute = 2
still = 10
stop = { key = "done", above = 0.5 }

[agent]
tasks = ["mission"]
"""

_SENSORS = """\
[[sensor]]
name = "scan"
kind = "lidar"
mount = { height_m = 0.3, forward_m = 0.1 }
size = [36, 1]
range_m = [0.1, 12.0]
every = 2
noise = { range_sigma_m = 0.01 }

[[sensor]]
name = "rgb"
kind = "rgb"
size = [64, 48]
fov_deg = 80.0
corrupt = "motion_blur@0.5"

[[sensor]]
name = "around"
kind = "panorama"
of = "rgb"
size = [64, 32]

[[sensor]]
name = "imu"
kind = "imu"
delay = 1
noise = { gyro_density = 0.001 }

[[sensor]]
name = "gps"
kind = "gps"
frame = "world"
"""
