"""What is done with files that may be damaged: as far as they go, as their users would.

Each use takes the folder that the files are in. It ends, or raises what navproof raises; a use that
goes on after a refusal says so.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from fuzz_seeds import SCENE

from navproof.agents.policy.policy_map import PolicyMap
from navproof.cli.main import app
from navproof.core.errors import NavproofError
from navproof.core.types import (
    Camera,
    Decision,
    Episode,
    Goal,
    Move,
    Observation,
    Point,
    Pose,
    Robot,
    SensorSpec,
    TaskBrief,
    Velocity,
    Walk,
    Waypoints,
)
from navproof.log.folder import RunFolder
from navproof.log.trace import TraceKey
from navproof.play.env import Env
from navproof.play.session import Session, causes_of_faults
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.render.render import Renderer
from navproof.sim.robots import load_robot
from navproof.tasks import make_task, spec_for, with_camera
from navproof.tasks.specs import with_robot
from navproof.world.library import load_scene, scene_digest
from navproof.world.light.lighting import Lighting, relight
from navproof.world.people.people import APPEARANCES
from navproof.world.scene import Scene

__all__ = [
    "Use",
    "command",
    "use_campaign",
    "use_class_names",
    "use_decision",
    "use_demonstrations",
    "use_diagnosis",
    "use_episodes",
    "use_eyes",
    "use_pack",
    "use_picture",
    "use_policy",
    "use_policy_answer",
    "use_robot",
    "use_run",
    "use_salt",
    "use_scene",
    "use_sensors",
    "use_token",
]

Use = Callable[[Path, random.Random], None]
_ROBOT = Robot("r", 0.2, 1.2)
_REFUSED = contextlib.suppress(NavproofError)
_TASKS = ("pointnav", "objectnav", "vln", "langnav", "mission")


def command(*words: str) -> None:
    """A command, in this process. What it refuses is raised; what the system refuses (a folder that
    cannot be written) is a line, too."""
    nothing = io.StringIO()
    with contextlib.redirect_stdout(nothing), contextlib.redirect_stderr(nothing):
        try:
            app(list(words), standalone_mode=False)
        except OSError as error:
            raise NavproofError(f"{error.filename}: {error.strerror}") from None


# --------------------------------------------------------------------------------------- scenes
def use_scene(name: str, place: Path, chance: random.Random) -> None:
    """Load it, look at it, walk in it, change its light, make episodes in it."""
    scene = load_scene(name)
    if chance.random() < 0.2:
        scene_digest(name)
    _look(scene, chance)
    sim = EmbeddedSimulator()
    sim.load(scene, _ROBOT)
    here, there = (sim.random_point(np.random.default_rng(chance.randrange(99))) for _ in range(2))
    _walk(sim, here, there)
    _play(name, here, there)
    if scene.baked is not None:
        off = frozenset(light.id for light in scene.lights if chance.random() < 0.3)
        Renderer(relight(scene, Lighting(1.2, 0.5, off=off))).render(Camera(32, 32), sim.pose)
    if chance.random() < 0.3:
        _meet(scene, here)
    if chance.random() < 0.2:
        with _REFUSED:
            _with_physics(scene, here)
    if chance.random() < 0.1:
        command("scene", "show", name, "-o", str(place / "out.png"))
    if chance.random() < 0.4:
        out = str(place / "made.jsonl")
        with _REFUSED:
            words = ("--task", chance.choice(_TASKS), "--scene", name, "--count", "1", "-o", out)
            command("episodes", "make", *words)


def _look(scene: Scene, chance: random.Random) -> None:
    """Two frames from the middle of rooms, two from anywhere."""
    low, high = scene.geometry.vertices.min(axis=0), scene.geometry.vertices.max(axis=0)
    renderer = Renderer(scene)
    for number in range(4):
        x, y, z = (float(a + chance.random() * (b - a)) for a, b in zip(low, high, strict=True))
        if scene.rooms and number < 2:
            room = chance.choice(scene.rooms)
            x, y = (sum(c) / len(room.polygon) for c in zip(*room.polygon, strict=True))
            z = scene.storeys[room.storey].elevation_m
        camera = Camera(chance.choice((32, 65)), 48, chance.choice((40.0, 90.0, 120.0)))
        renderer.render(camera, Pose(x, y, z, chance.uniform(-3, 3)))


def _walk(sim: EmbeddedSimulator, here: Point, there: Point) -> None:
    sim.place(Pose(*here))
    sim.apply(Move.FORWARD)
    sim.apply(Velocity(0.5, 0.3), 0.1)
    sim.apply(Waypoints(((0.3, 0.1),)), 0.1)
    sim.render(Camera(32, 32))
    sim.geodesic(here, (there,))
    sim.shortest_path(here, (there,))
    sim.line_of_sight((here[0], here[1], here[2] + 1.0), (there[0], there[1], there[2] + 1.0))
    sim.top_down(0.1)
    sim.scene.room_at(*here)


def _play(name: str, here: Point, there: Point) -> None:
    """Two steps of PointNav."""
    spec = with_camera(spec_for("pointnav-v1"), 32, 32)
    goals = (Goal("point", (there,)),)
    episode = Episode("e", "pointnav-v1", name, Pose(*here), goals, 1.0, (), 9, 0)
    env = Env(EmbeddedSimulator(), make_task("pointnav-v1", spec))
    session = Session(env, TraceKey("a", "e"))
    with causes_of_faults():
        session.begin(episode)
        session.step(Decision(Move.FORWARD))
        session.step(Decision(Move.STOP))


def _meet(scene: Scene, at: Point) -> None:
    """Somebody walks by, and minds the robot."""
    sim = EmbeddedSimulator()
    path = ((at[0], at[1], 0.0), (at[0] + 1.0, at[1], 0.0))
    sim.load(scene, _ROBOT, (Walk("p", next(iter(APPEARANCES)), path),), reacting=True)
    sim.place(Pose(*at))
    sim.apply(Move.LEFT)
    sim.apply(Move.FORWARD)
    sim.render(Camera(32, 32))


def _with_physics(scene: Scene, at: Point) -> None:
    from navproof.sim.physics.simulator import PhysicsSimulator

    sim = PhysicsSimulator()
    sim.load(scene, load_robot("carter"))
    sim.place(Pose(*at))
    sim.apply(Move.FORWARD)


# ------------------------------------------------------------------------------------- episodes
def use_episodes(place: Path, chance: random.Random) -> None:
    """List them, check them, count them, draw one, and play the beginning of each."""
    from navproof.tasks.episodes import read_episodes

    file = str(place / "episodes.jsonl.gz")
    episodes = read_episodes(file)
    command("episodes", "show", file)
    command("episodes", "validate", file)
    with _REFUSED:
        command("episodes", "stats", file, "-o", str(place / "stats"))
    with _REFUSED:
        one = chance.choice(episodes).episode_id
        command("episodes", "show", file, one, "-o", str(place / "one.png"))
    for episode in episodes:
        with _REFUSED, causes_of_faults():
            _begin(episode)


def _begin(episode: Episode) -> None:
    spec = with_camera(spec_for(episode.task, episode.robot or None), 16, 16)
    env = Env(EmbeddedSimulator(), make_task(episode.task, spec))
    session = Session(env, TraceKey("a", episode.episode_id))
    session.begin(episode)
    claims = [Move.FOUND] if Move.FOUND in session.brief.actions else []
    for move in (Move.LEFT, Move.FORWARD, *claims, Move.STOP):
        if not session.done:
            session.step(Decision(move))


def use_demonstrations(place: Path, chance: random.Random) -> None:
    from navproof.tasks.mission.demonstrations import read_demonstrations

    for one in read_demonstrations(place / "demonstrations.jsonl.gz"):
        assert one.length_m >= 0.0
        assert one.seconds >= 0.0


# ----------------------------------------------------------------------------------------- TOML
def use_robot(place: Path, chance: random.Random) -> None:
    _drive(load_robot(place / "robot.toml"), ())


def use_sensors(place: Path, chance: random.Random) -> None:
    from navproof.sensors.config import load_sensors

    _drive(_ROBOT, load_sensors(place / "sensors.toml"))


def _drive(robot: Robot, sensors: Sequence[SensorSpec]) -> None:
    """A few steps by every way of driving, with these sensors."""
    from navproof.check.tiny import tiny_episode, tiny_simulator

    task = "pointnav-v1"
    sim = tiny_simulator(task)
    spec = with_robot(with_camera(spec_for(task, control="any"), 16, 16), robot)
    names = {sensor.name for sensor in sensors}
    kept = tuple(sensor for sensor in spec.sensors if sensor.name not in names)
    env = Env(sim, make_task(task, replace(spec, sensors=(*kept, *sensors))))
    session = Session(env, TraceKey("a", "e"))
    with causes_of_faults():
        session.begin(replace(tiny_episode(task, tiny_simulator(task), 20), scene=sim.scene.id))
        for action in (
            *(Move.LEFT, Move.FORWARD, Velocity(0.6, 0.3), Velocity(1e9, -1e9)),
            *(Waypoints(((0.4, 0.1), (0.6, 0.2))), Move.RIGHT, Move.FORWARD),
        ):
            if not session.done:
                session.step(Decision(action))


# ----------------------------------------------------------------------------------------- runs
def use_run(place: Path, chance: random.Random) -> None:
    """Score it, compare, hold it against a gate, report it, replay it, simulate it again."""
    run, agents = str(place / "run"), ("seeds:Talker", "random")
    folder = RunFolder(run)
    if chance.random() < 0.7:
        _seal(folder.path)
    what = chance.randrange(8)
    if what == 0:
        command("score", run)
    elif what == 1:
        command("compare", f"{run}:{agents[0]}", f"{run}:{agents[1]}")
    elif what == 2:
        command("gate", run, "--min", "sr.clean=0.1")
    elif what == 3:
        command("report", run, "-o", str(place / "r.html"), "--episodes", "2")
    elif what == 4:
        key = chance.choice(folder.keys())
        who = ("--agent", key.agent, "-c", key.condition)
        command("replay", run, key.episode_id, *who, "-o", str(place / "r.png"))
    elif what == 5:
        folder.results()
        assert sum(1 for _ in folder.traces()) > 0
    else:
        _again(folder, chance)


def _again(folder: RunFolder, chance: random.Random) -> None:
    """Read every trace, and simulate some."""
    from navproof.check.tiny import tiny_simulator
    from navproof.verification.again import session_of, simulated_again

    for key in list(folder.keys()):
        trace = folder.trace(key)
        if chance.random() < 0.15:
            session = session_of(trace, tiny_simulator(trace.episode.task), words_as_heard=True)
            with contextlib.suppress(ValueError), causes_of_faults():  # no action in its words
                simulated_again(session, trace)


def _seal(run: Path) -> None:
    """Make the manifest agree with the files, as whoever edits a run on purpose would."""
    lines = []
    for path in sorted((*run.glob("traces/*/*"), run / "results.parquet")):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        lines.append(json.dumps({"file": path.relative_to(run).as_posix(), "sha256": digest}))
    (run / "manifest.jsonl").write_text("\n".join(lines) + "\n")


def use_diagnosis(place: Path, chance: random.Random) -> None:
    """Show what the causes were."""
    command("report", str(place / "run"), "-o", str(place / "r.html"), "--episodes", "0")


def use_campaign(place: Path, chance: random.Random) -> None:
    """Read it, and write its page."""
    from navproof.diagnosis.fuzz.campaign import read_campaign

    read_campaign(place / "campaign")
    command("report", str(place / "campaign"), "-o", str(place / "c.html"))


# ------------------------------------------------------------------------------ packed suites
def use_pack(place: Path, chance: random.Random) -> None:
    """Read all that is in it, put its scenes in place, begin its episodes."""
    from navproof.tasks.suites.pack import open_pack

    pack = open_pack(place / "packed.suite")
    assert len(pack.episodes) == pack.manifest.episodes
    command("suite", "show", str(pack.path))
    pack.unpack()
    command("episodes", "validate", str(pack.path))
    episode = chance.choice(pack.episodes)
    spec = with_camera(pack.settings.spec(episode.task, episode.robot or None), 16, 16)
    sim = EmbeddedSimulator()
    session = Session(Env(sim, make_task(episode.task, spec)), TraceKey("a", "e"))
    with causes_of_faults():
        session.begin(episode)
        session.step(Decision(Move.LEFT))


# ------------------------------------------------------------------------- what agents answer
def use_decision(place: Path, chance: random.Random) -> None:
    """What came over the boundary: carried out, recorded, kept, scored."""
    from navproof.agents.validate import as_decision
    from navproof.agents.wire import WireError, decision_from, unpack
    from navproof.check.tiny import tiny_episode, tiny_simulator
    from navproof.log.storage import decode_trace, encode_trace
    from navproof.metrics.catalogue import result_rows

    task = "pointnav-v1"
    sim = tiny_simulator(task)
    spec = replace(spec_for(task, control="any"), clock="declared")
    env = Env(sim, make_task(task, spec), ("pose",))
    session = Session(env, TraceKey("a", "e"), beliefs=True)
    session.begin(tiny_episode(task, tiny_simulator(task), 20))
    try:
        told = unpack((place / "decision.msgpack").read_bytes()).get("answer")
        decision = as_decision(decision_from(told), session.brief)
    except WireError as error:
        raise NavproofError(str(error)) from None
    for _ in range(2):
        if not session.done:
            session.step(decision)
    trace = session.trace("ok", "")
    again = decode_trace(encode_trace(trace), "it")
    assert result_rows([again])


def use_policy(place: Path, chance: random.Random) -> None:
    """What a server is shown by such a map, and what is done with a sound answer."""
    from navproof.agents.policy.packing import pack_policy
    from navproof.agents.policy.policy_map import load_policy_map
    from navproof.agents.wire import WireError

    policy = load_policy_map(place / "policy.toml")
    assert policy.declaration is not None
    try:
        pack_policy(_shown(policy))
        _done(policy, {"actions": np.zeros((3, 2)), "done": np.zeros(1)})
    except WireError as error:
        raise NavproofError(str(error)) from None


def use_policy_answer(place: Path, chance: random.Random) -> None:
    """An answer of a server, by a map of each kind."""
    from navproof.agents.policy.packing import unpack_policy
    from navproof.agents.policy.policy_map import load_policy_map
    from navproof.agents.wire import WireError

    kind = chance.choice(("velocity", "waypoints", "moves"))
    moves = 'moves = { 0 = "stop", 1 = "forward" }\n' if kind == "moves" else ""
    text = f'[observation]\np = {{ value = 1 }}\n[action]\nas = "{kind}"\n{moves}'
    (place / "map.toml").write_text(text)
    try:
        answer = unpack_policy((place / "answer.msgpack").read_bytes())
        _done(load_policy_map(place / "map.toml"), answer)
    except WireError as error:
        raise NavproofError(str(error)) from None


def _brief() -> TaskBrief:
    moves = (Move.STOP, Move.FORWARD, Move.LEFT, Move.RIGHT)
    return TaskBrief("mission-v1", "go", _ROBOT, (), "any", moves, 9, 0)


def _seen() -> Observation:
    draw = np.random.default_rng(0)
    readings: dict[str, Any] = {
        "rgb": draw.integers(0, 255, (48, 64, 3), dtype=np.uint8),
        "depth": draw.random((48, 64), dtype=np.float32),
        "pose": np.zeros(4),
    }
    return Observation(0, readings, "go")


def _shown(policy: PolicyMap) -> dict[str, Any]:
    from navproof.agents.policy.chunks import shown

    return shown(policy, _brief(), _seen(), first=True)


def _done(policy: PolicyMap, answer: Mapping[Any, Any]) -> None:
    from navproof.agents.policy.chunks import Chunks
    from navproof.agents.validate import as_decision

    chunks = Chunks(policy)
    brief = _brief()
    chunks.take(answer, _seen())
    for _ in range(4):
        if not chunks.is_needed:
            as_decision(chunks.next(_seen()), brief)


# ---------------------------------------------------------------------------------- other files
def use_class_names(place: Path, chance: random.Random) -> None:
    from navproof.perception.foundation.class_names import class_names

    about: Any = SimpleNamespace(file=place / "names.onnx", metadata={})
    if chance.random() < 0.3:
        text = (place / "names.json").read_bytes().decode(errors="replace")
        about.metadata["names"] = text
    assert class_names(about, "it")


def use_token(place: Path, chance: random.Random) -> None:
    from navproof.agents.address import Address, token_for

    assert token_for(Address("localhost", 80, token_file=place / "token"))


def use_eyes(place: Path, chance: random.Random) -> None:
    from navproof.perception import load_encoder

    eyes = load_encoder(f"onnx:{place / 'eyes'}")
    eyes.encode_text(["red chair", "a table"])
    eyes.encode_patches(np.zeros((40, 40, 3), dtype=np.uint8))


def use_salt(place: Path, chance: random.Random) -> None:
    from navproof.core.salt import Salt

    assert Salt.read(place / "salt").fingerprint


def use_picture(name: str, place: Path, chance: random.Random) -> None:
    depth = ("--depth", str(place / "depth.png")) if chance.random() < 0.5 else ()
    command(
        *("corruptions", "show", "--image", str(place / name), *depth, "--only", "defocus"),
        *("--scene", str(place / SCENE), "-o", str(place / "sheet.png")),
    )
