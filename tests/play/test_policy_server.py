"""Servers of the robot-policy convention, played through a map. The server here packs by itself,
after the published format, and by ``openpi-client`` too where that is installed."""

from __future__ import annotations

import contextlib
import importlib.util
import math
import threading
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
import pytest
from numpy.typing import NDArray

import runner_fakes as fakes
from navproof.agents.limits import Limits
from navproof.agents.policy.chunks import Chunks, shown
from navproof.agents.policy.packing import pack_policy, unpack_policy
from navproof.agents.policy.policy_map import load_policy_map
from navproof.agents.wire import WireError
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.errors import AgentError, SpecError
from navproof.core.types import (
    Action,
    Control,
    Episode,
    Move,
    Observation,
    TaskBrief,
    Velocity,
    Waypoints,
)
from navproof.log.trace import Trace, TraceKey
from navproof.play.env import Env
from navproof.play.hosted import HostedAgent
from navproof.play.session import Session
from navproof.play.worker import Worker
from navproof.tasks import make_task, spec_for

websockets_server = pytest.importorskip("websockets.sync.server")
OPENPI = importlib.util.find_spec("openpi_client") is not None
LIMITS = Limits(step_s=1.0, setup_s=3.0)
METADATA = {"action_horizon": 4, "model": "mine", "reset_pose": [0.0, 0.5]}
Policy = Callable[[dict[str, Any]], dict[str, Any]]


# ------------------------------------------------------- the convention, written independently
def pack(value: Any) -> bytes:
    """As the published packing: every array and scalar a map whose keys are bytes."""
    if isinstance(value, np.ndarray):
        shape = b"".join(map(msgpack.packb, value.shape))
        pairs = [
            (b"__ndarray__", msgpack.packb(True)),
            (b"data", msgpack.packb(value.tobytes())),
            (b"dtype", msgpack.packb(value.dtype.str)),
            (b"shape", bytes([0x90 + value.ndim]) + shape),
        ]
        return b"\x84" + b"".join(msgpack.packb(key) + held for key, held in pairs)
    if isinstance(value, np.generic):
        pairs = [
            (b"__npgeneric__", msgpack.packb(True)),
            (b"data", msgpack.packb(value.item())),
            (b"dtype", msgpack.packb(value.dtype.str)),
        ]
        return b"\x83" + b"".join(msgpack.packb(key) + held for key, held in pairs)
    if isinstance(value, dict):
        inside = b"".join(pack(key) + pack(held) for key, held in value.items())
        return bytes([0x80 + len(value)]) + inside
    packed: bytes = msgpack.packb(value)
    return packed


def unpack(data: bytes) -> Any:
    def restored(value: Any) -> Any:
        if isinstance(value, dict) and b"__ndarray__" in value:
            flat = np.frombuffer(value[b"data"], dtype=value[b"dtype"])
            return flat.reshape(value[b"shape"])
        if isinstance(value, dict):
            return {key: restored(held) for key, held in value.items()}
        return value

    return restored(msgpack.unpackb(data))


@contextlib.contextmanager
def policy_server(
    policy: Policy,
    *,
    packs: Callable[[Any], bytes] = pack,
    unpacks: Callable[[bytes], Any] = unpack,
    metadata: Any = METADATA,
    port: int = 0,
) -> Iterator[tuple[str, list[bytes]]]:
    """Its address, and what it was sent. Metadata first; an error is a text frame, then 1011."""
    sent: list[bytes] = []

    def talk(connection: Any) -> None:
        with contextlib.suppress(Exception):
            connection.send(packs(metadata))
            for data in connection:
                sent.append(data)
                try:
                    answer = policy(unpacks(data))
                    answer["server_timing"] = {"infer_ms": 1.5}
                    connection.send(packs(answer))
                except Exception:
                    connection.send(traceback.format_exc())
                    connection.close(1011, "Internal server error.")

    with websockets_server.serve(
        talk, "localhost", port, compression=None, max_size=None, close_timeout=0.1
    ) as listening:
        threading.Thread(target=listening.serve_forever, daemon=True).start()
        try:
            yield f"ws://localhost:{listening.socket.getsockname()[1]}", sent
        finally:
            listening.shutdown()


MOVES = """
[observation]
"observation/depth" = { from = "depth", size = [8, 6], scale = 0.1, axes = "hw1" }
"observation/state" = { from = "pose", take = [0, 1, 3], dtype = "float32" }
prompt = { from = "instruction" }
new = { from = "first" }

[observation.extra]
goal = { from = "pointgoal" }
mode = { value = "navigate" }

[action]
key = "actions"
as = "moves"
moves = { 0 = "stop", 1 = "forward", 2 = "left", 3 = "right" }
execute = 3
"""


def turner(asked: list[dict[str, Any]]) -> Policy:
    """Turns left four times in chunks of four, of which three are done, then stops."""

    def policy(obs: dict[str, Any]) -> dict[str, Any]:
        asked.append(obs)
        return {"actions": np.array([2, 2, 2, 0] if obs["new"] else [2, 0, 1, 1], np.int64)}

    return policy


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker(fakes.TinySimulator, LIMITS)
    yield made
    made.close()


def played(worker: Worker, name: str, episode: Episode) -> Trace:
    job = fakes.Job(TraceKey(name, episode.episode_id), episode, spec_for(episode.task))
    return replace(worker.play(job), timing={})


def written(folder: Path, text: str) -> Path:
    path = folder / "map.toml"
    path.write_text(text)
    return path


# ----------------------------------------------------------------------------------- it plays
def test_chunks_are_done_one_by_one_and_every_episode_begins_anew(
    worker: Worker, tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    asked: list[dict[str, Any]] = []
    with policy_server(turner(asked)) as (address, sent):
        name = f"{address}@map={written(tmp_path, MOVES)}"
        for episode in episodes[:2]:
            trace = played(worker, name, episode)
            assert (trace.status, trace.actions) == ("ok", ("left",) * 4 + ("stop",))
        declared = worker._hosted(name).declaration
    assert [obs["new"] for obs in asked] == [True, False, True, False]
    assert declared.sensors == ("depth", "pose", "pointgoal")
    assert declared.feels == frozenset({"rgb", "depth", "words"})
    assert declared.served is not None
    assert (declared.served["action_horizon"], declared.served["model"]) == ("4", "mine")
    first = asked[0]
    assert first["observation/depth"].shape == (6, 8, 1)
    assert first["observation/depth"].dtype == np.float32
    assert 0.0 < first["observation/depth"].max() <= 1.0
    np.testing.assert_array_equal(first["observation/state"], np.zeros(3, np.float32))
    assert first["prompt"] == "Go to the goal point."
    assert first["extra"]["mode"] == "navigate"
    assert first["extra"]["goal"].shape == (2,)
    assert len(sent) == 4


def test_an_error_is_told_as_the_server_tells_it_and_costs_the_episode_alone(
    worker: Worker, tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    asked: list[dict[str, Any]] = []

    def policy(obs: dict[str, Any]) -> dict[str, Any]:
        if len(asked) == 1:
            asked.append(obs)
            raise RuntimeError("CUDA out of memory")
        return turner(asked)(obs)

    with policy_server(policy) as (address, _):
        name = f"{address}@map={written(tmp_path, MOVES)}"
        trace = played(worker, name, episodes[0])
        assert (trace.status, len(trace.actions)) == ("agent_error", 3)
        assert trace.reason == "step 3: its server says: RuntimeError: CUDA out of memory"
        assert played(worker, name, episodes[1]).status == "ok"


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ({"action": np.zeros(3)}, "step 0: it has no 'actions', but action, server_timing"),
        ({"actions": np.array([7])}, "step 0: 'actions' holds 7, which is no move"),
        ({"actions": np.array([], int)}, "step 0: 'actions' is empty"),
    ],
)
def test_answers_that_are_none_cost_the_episode(
    worker: Worker, tmp_path: Path, episodes: tuple[Episode, ...], answer: Any, says: str
) -> None:
    with policy_server(lambda obs: dict(answer)) as (address, _):
        trace = played(worker, f"{address}@map={written(tmp_path, MOVES)}", episodes[0])
    assert (trace.status, trace.reason) == ("agent_error", says)


def test_a_server_that_goes_mad_or_silent_costs_its_episode(
    worker: Worker, tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    def mad(value: Any) -> bytes:
        return pack(value) if "model" in value else b"\xc1"

    name = f"@map={written(tmp_path, MOVES)}"
    with policy_server(turner([]), packs=mad) as (address, _):
        trace = played(worker, f"{address}{name}", episodes[0])
    assert (
        trace.reason == "step 0: what its server sent is no answer: it is not msgpack (FormatError)"
    )
    done = threading.Event()

    def silent(obs: dict[str, Any]) -> dict[str, Any]:
        done.wait(5.0)
        return {}

    with policy_server(silent) as (address, _):
        trace = played(worker, f"{address}{name}", episodes[0])
        done.set()
    assert (trace.status, trace.reason) == ("agent_timeout", "step 0 took longer than 1 s")


def test_a_server_between_two_episodes_may_restart_but_not_stay_away(
    tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    worker = Worker(fakes.TinySimulator, replace(LIMITS, setup_s=0.5))
    with policy_server(turner([])) as (address, _):
        name = f"{address}@map={written(tmp_path, MOVES)}"
        assert played(worker, name, episodes[0]).status == "ok"
    port = int(address.rpartition(":")[2])
    with policy_server(turner([]), port=port):
        assert played(worker, name, episodes[1]).status == "ok"
    trace = played(worker, name, episodes[2])
    assert trace.status == "infrastructure"
    assert "its server: nothing answers at localhost" in trace.reason
    with policy_server(turner([]), port=port):
        assert played(worker, name, episodes[3]).status == "ok"
    worker.close()


def test_another_policy_at_the_address_is_not_taken_for_the_first(
    worker: Worker, tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    metadata = dict(METADATA)
    with policy_server(turner([]), metadata=metadata) as (address, _):
        name = f"{address}@map={written(tmp_path, MOVES)}"
        assert played(worker, name, episodes[0]).status == "ok"
        metadata["model"] = "another"
        trace = played(worker, name, episodes[1])
    assert trace.status == "infrastructure"
    assert "plays another agent than when the run began" in trace.reason


def test_the_wrong_kind_of_server_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from agent_servers import served

    monkeypatch.setattr("navproof.play.policy_server.PolicyServer._hello_s", 0.3)
    path = written(tmp_path, MOVES)
    with policy_server(turner([])) as (address, _):
        with pytest.raises(AgentError, match="a server of the robot-policy convention needs a map"):
            HostedAgent(address, LIMITS).declaration  # noqa: B018
        with pytest.raises(AgentError, match="a policy server takes no option 'beam'"):
            HostedAgent(f"{address}@map={path}@beam=2", LIMITS).declaration  # noqa: B018
    with (
        served("runner_fakes:Walker") as address,
        pytest.raises(AgentError, match="is no policy server: leave out @map"),
    ):
        HostedAgent(f"{address}@map={path}", LIMITS).declaration  # noqa: B018


# ------------------------------------------------------------------------------- the same bytes
def samples() -> list[dict[str, Any]]:
    rng = np.random.default_rng(0)
    return [
        {
            "observation/image": rng.integers(0, 256, (24, 32, 3), np.uint8),
            "observation/state": rng.normal(size=7).astype(np.float32),
            "nested": {"depth": rng.normal(size=(4, 5)).astype(np.float16), "on": True},
            "prompt": "walk past the sofa – then stop",
            "scalar": np.float32(1.5),
            "empty": np.zeros((0, 3), np.int64),
            "step": 3,
        },
        {},
    ]


@pytest.mark.parametrize("index", range(2))
def test_it_packs_as_the_format_says(index: int) -> None:
    sample = samples()[index]
    assert pack_policy(sample) == pack(sample)
    same(unpack_policy(pack(sample)), sample)


@pytest.mark.skipif(not OPENPI, reason="openpi-client is not installed")
@pytest.mark.parametrize("index", range(2))
def test_it_packs_as_openpis_client_does(index: int) -> None:
    from openpi_client import msgpack_numpy

    sample = samples()[index]
    assert pack_policy(sample) == msgpack_numpy.packb(sample)
    same(unpack_policy(msgpack_numpy.packb(sample)), sample)
    same(msgpack_numpy.unpackb(pack_policy(sample)), sample)


@pytest.mark.skipif(not OPENPI, reason="openpi-client is not installed")
def test_a_server_is_sent_the_bytes_that_openpis_client_sends(
    tmp_path: Path, worker: Worker, episodes: tuple[Episode, ...]
) -> None:
    from openpi_client import msgpack_numpy
    from openpi_client.websocket_client_policy import WebsocketClientPolicy

    asked: list[dict[str, Any]] = []
    with policy_server(turner(asked), packs=msgpack_numpy.packb, unpacks=msgpack_numpy.unpackb) as (
        address,
        sent,
    ):
        trace = played(worker, f"{address}@map={written(tmp_path, MOVES)}", episodes[0])
        assert (trace.status, trace.actions) == ("ok", ("left",) * 4 + ("stop",))
        ours = list(sent)
        theirs = WebsocketClientPolicy("localhost", int(address.rpartition(":")[2]))
        same(theirs.get_server_metadata(), METADATA)
        for obs in asked[: len(ours)]:
            theirs.infer(obs)
    assert sent[len(ours) :] == ours


def same(one: Any, other: Any) -> None:
    if isinstance(other, dict):
        assert one.keys() == other.keys()
        for key in other:
            same(one[key], other[key])
    elif isinstance(other, np.ndarray | np.generic):
        np.testing.assert_array_equal(one, other)
        assert one.dtype == other.dtype
    else:
        assert one == other


@pytest.mark.parametrize(
    "described",
    [
        {b"__ndarray__": True, b"data": b"\0" * 8, b"dtype": "|O", b"shape": [1]},
        {b"__ndarray__": True, b"data": b"\0" * 7, b"dtype": "<f8", b"shape": [1]},
        {b"__ndarray__": True, b"data": b"\0" * 8, b"dtype": "<f8"},
        {b"__ndarray__": True, b"data": "text", b"dtype": "<f8", b"shape": [1]},
        {b"__npgeneric__": True, b"data": [], b"dtype": "<f8"},
        {b"__npgeneric__": True, b"data": 1, b"dtype": "navproof"},
    ],
)
def test_arrays_that_are_none_are_refused(described: Any) -> None:
    with pytest.raises(WireError, match="an array is not described as one"):
        unpack_policy(msgpack.packb({"actions": described}))


# --------------------------------------------------------------------------------- conversions
def given(tmp_path: Path, entry: str, reading: NDArray[Any]) -> Any:
    policy = load_policy_map(
        written(
            tmp_path, f'[observation]\nx = {{ from = "s", {entry} }}\n[action]\nas = "velocity"\n'
        )
    )
    return shown(policy, brief(), Observation(0, {"s": reading}), first=True)["x"]


def brief(control: Control = "any") -> TaskBrief:
    sim = tiny_simulator("mission-v1")
    env = Env(sim, make_task("mission-v1"), ("pose",))
    session = Session(env, TraceKey("x", "y"), timed=False)
    session.begin(tiny_episode("mission-v1", sim, 10))
    return replace(session.brief, control=control)


def test_pictures_are_converted_as_the_map_says(tmp_path: Path) -> None:
    picture = np.zeros((6, 8, 3), np.uint8)
    picture[:, 4:] = (10, 20, 30)
    assert given(tmp_path, 'colour = "bgr"', picture)[0, 5].tolist() == [30, 20, 10]
    assert given(tmp_path, 'axes = "chw"', picture).shape == (3, 6, 8)
    assert given(tmp_path, "batch = true", picture).shape == (1, 6, 8, 3)
    half = given(tmp_path, "size = [4, 3]", picture)
    assert half.shape == (3, 4, 3)
    assert half[0].tolist() == [[0, 0, 0], [0, 0, 0], [10, 20, 30], [10, 20, 30]]
    padded = given(tmp_path, 'size = [8, 8], fit = "pad"', picture)
    assert padded.shape == (8, 8, 3)
    assert not padded[0].any()
    assert not padded[7].any()
    np.testing.assert_array_equal(padded[1:7], picture)
    cropped = given(tmp_path, 'size = [6, 6], fit = "crop"', picture)
    np.testing.assert_array_equal(cropped, picture[:, 1:7])
    scaled = given(tmp_path, 'scale = 0.1, offset = -1.0, dtype = "float32"', picture)
    np.testing.assert_allclose(scaled[0, 5], [0.0, 1.0, 2.0], atol=1e-6)
    depth = np.arange(12, dtype=np.float32).reshape(3, 4)
    assert given(tmp_path, 'axes = "1hw"', depth).shape == (1, 3, 4)
    assert set(given(tmp_path, "size = [2, 2]", depth).ravel()) <= set(depth.ravel())
    assert given(tmp_path, "take = [1, 0]", np.array([5.0, 6.0])).tolist() == [6.0, 5.0]
    with pytest.raises(AgentError, match=r"key 'x': a 2 float64 of 's' cannot be converted"):
        given(tmp_path, "take = [4]", np.array([5.0, 6.0]))


def chunks(tmp_path: Path, action: str) -> Chunks:
    text = f"[observation]\nx = {{ value = 1 }}\n[action]\n{action}\n"
    return Chunks(load_policy_map(written(tmp_path, text)))


def at(x: float = 0.0, y: float = 0.0, yaw: float = 0.0) -> Observation:
    return Observation(0, {"pose": np.array([x, y, 0.0, yaw])})


def taken(held: Chunks) -> list[Action]:
    actions = []
    while not held.is_needed:
        actions.append(held.next(at()))
    return actions


def test_velocities_are_columns_of_a_chunk(tmp_path: Path) -> None:
    held = chunks(tmp_path, 'as = "velocity"\nexecute = 2\ncolumns = [2, 0]\nscale = [2.0, -1.0]')
    rows = np.array([[[0.1, 9.0, 0.5], [0.2, 9.0, 0.25], [0.3, 9.0, 0.1]]], np.float32)
    held.take({b"actions": rows}, at())
    expected = [(1.0, -0.1), (0.5, -0.2)]
    for action, (v, w) in zip(taken(held), expected, strict=True):
        assert isinstance(action, Velocity)
        assert (action.v_m_s, action.w_rad_s) == pytest.approx((v, w))
    held.take({"actions": [0.5, 0.0, 0.25]}, at())
    assert len(taken(held)) == 1
    for wrong, says in (
        (np.zeros((2, 2)), "'actions' is a 2×2 array, without column 2"),
        (np.full((1, 3), np.nan), "numbers that are not finite"),
        ("text", "holds no numbers"),
    ):
        with pytest.raises(WireError, match=says):
            held.take({"actions": wrong}, at())


def test_an_episode_is_stopped_by_a_key_or_by_standing_still(tmp_path: Path) -> None:
    held = chunks(tmp_path, 'as = "velocity"\nstill = 2\nstop = { key = "info.done", above = 0.5 }')
    held.take(
        {"actions": np.array([[0, 0], [0.5, 0], [0, 0], [0, 0]]), "info": {"done": 0.4}}, at()
    )
    actions = taken(held)
    assert actions[-1] is Move.STOP
    assert sum(action is Move.STOP for action in actions) == 1
    held.take({"info": {"done": np.array([0.9])}}, at())
    assert taken(held) == [Move.STOP]


def test_scores_of_moves_are_read(tmp_path: Path) -> None:
    held = chunks(
        tmp_path, 'as = "moves"\nargmax = true\nmoves = { 0 = "stop", 1 = "forward", 2 = "left" }'
    )
    held.take({"actions": np.array([[0.1, 0.7, 0.2], [0.0, 0.1, 0.9]])}, at())
    assert taken(held) == [Move.FORWARD, Move.LEFT]
    named = chunks(tmp_path, 'as = "moves"\nmoves = { walk = "forward", halt = "stop" }')
    named.take({"actions": ["walk", "halt"]}, at())
    assert taken(named) == [Move.FORWARD, Move.STOP]


def test_waypoints_stay_where_they_are_while_the_robot_moves_on(tmp_path: Path) -> None:
    held = chunks(tmp_path, 'as = "waypoints"\nexecute = 3\nscale = [1.0, -1.0]')
    held.take({"actions": np.array([[1.0, 0.0], [1.0, -1.0]])}, at())  # ahead, then to the left
    first = held.next(at())
    assert isinstance(first, Waypoints)
    np.testing.assert_allclose(first.points, [(1.0, 0.0), (1.0, 1.0)], atol=1e-9)
    second = held.next(at(0.5, 0.0, math.pi / 2))
    assert isinstance(second, Waypoints)
    np.testing.assert_allclose(second.points, [(0.0, -0.5), (1.0, -0.5)], atol=1e-9)
    third = held.next(at(1.0, 0.05, math.pi / 2))  # the first one is reached
    assert isinstance(third, Waypoints)
    np.testing.assert_allclose(third.points, [(0.95, 0.0)], atol=1e-9)
    assert held.is_needed


def test_a_policy_drives_by_velocity_and_waypoints(tmp_path: Path) -> None:
    """Straight ahead at 0.5 m/s for ten ticks of 0.1 s leads half a metre ahead."""
    sim = tiny_simulator("mission-v1")
    episode = tiny_episode("mission-v1", sim, 10)
    worker = Worker(lambda: sim, LIMITS)
    for action, answer in (
        ('as = "velocity"\nexecute = 5', {"actions": np.tile([0.5, 0.0], (8, 1))}),
        ('as = "waypoints"\nexecute = 5', {"actions": np.array([[2.0, 0.0]])}),
    ):
        text = f'[observation]\nprompt = {{ from = "instruction" }}\n[action]\n{action}\n'
        with policy_server(lambda obs, answer=answer: dict(answer)) as (address, sent):  # type: ignore[misc]
            trace = played(worker, f"{address}@map={written(tmp_path, text)}", episode)
        assert trace.status == "ok"
        assert len(sent) == 2
        moved = trace.poses[-1].x - trace.poses[0].x
        assert 0.2 < moved < 0.6
        assert trace.poses[-1].y == pytest.approx(trace.poses[0].y, abs=1e-6)
    worker.close()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("x", "not a TOML file"),
        ("[action]\nas = 'velocity'", "observation: it names no key of the server"),
        ("[observation]\nx = 1", "'x' must read { from"),
        ("[observation]\nx = { from = 'rgb', sise = [1, 1] }", "no field 'sise'; did you mean"),
        ("[observation]\nx = { from = 'rgb', size = [0, 1] }", "size: it must be two whole"),
        ("[observation]\nx = { from = 'rgb', dtype = 'float' }", "dtype: there is no 'float'"),
        ("[observation]\nx = { from = 'rgb', take = [] }", "take: it must be a list of places"),
        (
            "[observation]\nx = { value = 1 }\n[action]\nas = 'velocities'",
            "did you mean 'velocity'",
        ),
        ("[observation]\nx = { value = 1 }\n[action]\nkey = 'a'", "as is missing"),
        ("[observation]\nx = { value = 1 }\n[action]\nas = 'moves'", "which number means what"),
        (
            "[observation]\nx = { value = 1 }\n[action]\nas = 'moves'\nmoves = { 1 = 'foward' }",
            "there is no move 'foward'; did you mean 'forward'",
        ),
        ("[observation]\nx = { value = 1 }\n[actions]", "no field 'actions'; did you mean"),
        (
            "[observation]\nx = { value = 1 }\n[action]\nas = 'velocity'\n[agent]\ntasks = ['vnl']",
            "there is no task",
        ),
        (
            "[observation]\nx = { value = 1 }\n[action]\nas = 'velocity'\ncolumns = [0.5, 1]",
            "columns: it must be two places",
        ),
        (
            "[observation]\nx = { value = 1 }\n[action]\nas = 'velocity'\nstop = { key = 'x' }",
            "stop: it must read",
        ),
    ],
)
def test_what_is_wrong_with_a_map_is_one_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(SpecError) as caught:
        load_policy_map(written(tmp_path, text))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path))
