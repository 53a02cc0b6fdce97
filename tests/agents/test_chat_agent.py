"""The chat agent against models that look at the pictures it sends, over HTTP."""

from __future__ import annotations

import copy
import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chat_models import Asked, ChatServer, Looking, Reply, directions_in, numbers_in
from chat_plays import AWAY, begun, name_of, played

from navproof.agents.load import load_agent
from navproof.agents.validate import as_decision
from navproof.core.errors import AgentError
from navproof.core.types import Decision, Move
from navproof.log.storage import decode_trace, encode_trace
from navproof.log.trace import Trace
from navproof.log.usage import usage_of

DIRECTION = {
    "seen": [],
    "room": "",
    "notes": "",
    "why": "",
    "direction": 1,
    "point": None,
    "thing": None,
    "done": False,
    "answer": None,
}


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    for name in ("NAVPROOF_CHAT_KEY", "NAVPROOF_CHAT_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def looking() -> Iterator[ChatServer]:
    with ChatServer(Looking()) as server:
        yield server


def ended(trace: Trace) -> dict[str, Any]:
    """How it ended: the data of the last event that is no intent."""
    assert trace.status == "ok", trace.reason
    return dict([e for e in trace.events if e.kind != "intent"][-1].data)


def purposes(trace: Trace) -> list[str]:
    return [exchange.purpose for exchange in trace.exchanges]


# ------------------------------------------------------------------------------ every task
def test_objectnav_by_what_is_in_the_pictures(looking: ChatServer) -> None:
    trace = played(name_of(looking), start=AWAY)
    assert ended(trace)["success"] is True
    assert purposes(trace)[0] == "decide"
    assert purposes(trace)[-1] == "check"
    shown = [asked.pictures for asked in looking.asked]
    assert all(len(pictures) == 6 for pictures in shown[:-1])  # all around, 60° apart
    assert len(shown[-1]) == 1
    assert any(numbers_in(picture) for picture in shown[0])


def test_langnav_claims_each_goal(looking: ChatServer) -> None:
    trace = played(name_of(looking), "langnav-v1")
    found = [e.data["success"] for e in trace.events if e.kind == "found"]
    assert found[0] is True
    assert "Find the blue chair." in looking.asked[0].words


def test_vln_walks_up_to_what_it_points_at_and_says_when_it_is_done(looking: ChatServer) -> None:
    trace = played(name_of(looking), "vln-v1")
    assert ended(trace)["success"] is True
    assert "choose a way on, or say that it is done" in trace.exchanges[1].fault
    assert purposes(trace) == ["decide", "decide", "decide again", "check"]


class ByHint:
    """Takes the way that leads best to where the point is said to lie."""

    def __call__(self, asked: Asked) -> str:
        told = re.search(r"you are to reach is ([\d.]+) m away, (.*)\.", asked.words)
        assert told is not None
        aim = _degrees(told[2])
        ways = directions_in(asked.words)
        best = min(
            ways,
            key=lambda n: (
                "been there" in ways[n],
                abs(math.remainder(_degrees(ways[n]) - aim, 360.0)),
            ),
        )
        return json.dumps({**DIRECTION, "direction": best})


def _degrees(words: str) -> float:
    found = re.search(r"(\d+)° to the (left|right)", words)
    if found is None:
        return 180.0 if "behind you" in words else 0.0
    return float(found[1]) * (1.0 if found[2] == "left" else -1.0)


def test_pointnav_with_what_the_sensor_tells() -> None:
    with ChatServer(ByHint()) as server:
        trace = played(name_of(server), "pointnav-v1", steps=300)
    assert ended(trace)["success"] is True
    assert "check" not in purposes(trace)


class Returns:
    """Goes to the chair, then back to where it began, and knows the answer."""

    def __call__(self, asked: Asked) -> str:
        if "Look once more" in asked.words:
            return '{"why": "", "done": true}'
        reply = {**DIRECTION, "answer": "red", "notes": "chair done, now back"}
        if "chair done" not in asked.words:
            reply["point"] = Looking().spot(asked.pictures)
        elif "S: the place where you began, here" in asked.words:
            reply["done"] = True
        else:
            reply["thing"] = "S"
        return json.dumps(reply)


def test_a_mission_with_a_way_back_and_an_answer() -> None:
    with ChatServer(Returns()) as server:
        trace = played(name_of(server), "mission-v1", steps=600)
        assert "Your notes from last time: chair done, now back" in server.asked[-2].words
    kinds = [(e.kind, e.data.get("kind")) for e in trace.events if e.kind == "subtask_done"]
    assert kinds == [("subtask_done", k) for k in ("goto_room", "goto_object", "return_to")]
    assert trace.actions[-2:] == ("answer red", "stop")
    assert ended(trace)["success"] is True


def test_a_mission_is_ended_before_its_time_is_up() -> None:
    with ChatServer(lambda asked: json.dumps({**DIRECTION, "answer": "blue"})) as server:
        trace = played(name_of(server), "mission-v1", steps=150)
    assert trace.actions[-2:] == ("answer blue", "stop")
    assert len(trace.actions) < 150


# ---------------------------------------------------------------------------- what it is told
def test_what_was_done_and_seen_comes_back_in_words(looking: ChatServer) -> None:
    looking.answer = lambda asked: (
        '{"why": "", "done": false}'
        if "Look once more" in asked.words
        else json.dumps(
            {
                **DIRECTION,
                "room": "pantry",
                "notes": "try the door",
                "seen": [{"what": "red table", "view": 1, "x": 500, "y": 990}],
                "direction": directions_last(asked),
            }
        )
    )
    played(name_of(looking), steps=60)
    later = looking.asked[-1].words
    assert "pantry" in later
    assert "saw red table" in later
    assert re.search(r"^A: red table, [\d.]+ m away, ", later, re.MULTILINE)
    assert "Your notes from last time: try the door" in later


def directions_last(asked: Asked) -> int:
    return max(directions_in(asked.words))


def test_the_white_box_condition_is_in_the_system_prompt(looking: ChatServer) -> None:
    clean = played(name_of(looking))
    trace = played(name_of(looking), condition="white_box")
    told = next(str(e.data["text"]) for e in trace.events if e.kind == "prompt")
    assert told
    assert looking.asked[-1].system.endswith(f"\n{told}")
    assert trace.exchanges[0].system.endswith(f"\n{told}")
    assert clean.exchanges[0].system + f"\n{told}" == trace.exchanges[0].system
    assert not any(exchange.system for exchange in trace.exchanges[1:])


def test_a_corrupted_picture_is_what_the_model_gets(looking: ChatServer) -> None:
    clean = played(name_of(looking))
    dark = played(name_of(looking), condition="low_light@1")
    assert clean.exchanges[0].images != dark.exchanges[0].images


def test_one_picture_where_a_model_takes_no_more(looking: ChatServer) -> None:
    looking.answer = lambda asked: json.dumps({**DIRECTION, "done": True})
    trace = played(name_of(looking, mosaic="yes", checks="no", image_px=128))
    (first, *_) = looking.asked
    (picture,) = first.pictures
    assert picture.shape == (2 * 96 + 8, 3 * 128 + 16, 3)
    assert "All views are in one picture" in first.words
    assert len(trace.exchanges[0].images) == 1


def test_looking_ahead_alone_takes_no_turns(looking: ChatServer) -> None:
    looking.answer = lambda asked: json.dumps({**DIRECTION, "done": True})
    trace = played(name_of(looking, look="ahead", checks="no"))
    assert trace.actions == ("stop",)
    assert len(looking.asked[0].pictures) == 1


def test_prompts_of_ones_own(looking: ChatServer, tmp_path: Path) -> None:
    (tmp_path / "task-objectnav.txt").write_text("Seek and $goal")
    trace = played(name_of(looking, prompts=tmp_path))
    assert trace.exchanges[0].prompt.startswith("Seek and Find a chair.")
    (tmp_path / "decide.txt").write_text("$nonsense")
    trace = played(name_of(looking, prompts=tmp_path))
    assert trace.status == "agent_error"
    assert "prompt 'decide' asks for $nonsense, which is none of $directions" in trace.reason
    (tmp_path / "decid.txt").write_text("x")
    with pytest.raises(AgentError, match="'decid' is none of the prompts: again, check"):
        load_agent(name_of(looking, prompts=tmp_path))()


# -------------------------------------------------------------------------------- words alone
class Reader:
    """Names the goal's letter as soon as it is among what the robot has seen."""

    def __call__(self, asked: Asked) -> str:
        assert asked.pictures == []
        if "Look once more" in asked.words:
            return '{"why": "", "done": true}'
        found = re.search(r"^([A-Z]): chair, ", asked.words, re.MULTILINE)
        reply = {k: v for k, v in DIRECTION.items() if k not in ("seen", "point")}
        if found is not None:
            reply["thing"] = found[1]
        return json.dumps(reply)


def test_without_pictures_a_detector_says_what_is_there() -> None:
    with ChatServer(Reader()) as server:
        trace = played(name_of(server, images="no", detector="truth"), small=False)
        assert set(server.asked[0].fields) == {
            *("room", "notes", "why", "direction", "thing", "done", "answer")
        }
    assert ended(trace)["success"] is True
    assert trace.facts["privileged"] == "semantic"


def test_without_pictures_or_detector_it_feels_no_colours() -> None:
    blind = load_agent(name_of("http://localhost:1", images="no", detector="none"))
    assert blind.feels == {"depth", "words", "prompt"}
    assert load_agent(name_of("http://localhost:1")).feels == {"rgb", "depth", "words", "prompt"}


# ------------------------------------------------------------------------ beliefs and states
def test_beliefs_hold_what_the_model_named_and_where_it_goes(looking: ChatServer) -> None:
    trace = played(name_of(looking))
    turning = [b for b in trace.beliefs if b is None]
    assert len(turning) >= 9  # nothing is judged before the model is asked
    told = [b for b in trace.beliefs if b is not None]
    first = told[0]
    assert [r.label for r in first.remembered] == ["chair", "blue thing"]
    assert all(math.dist(r.position[:2], (4.8, 2.3)) < 0.5 for r in first.remembered)
    assert len(first.plan) > 3
    assert any("chair" in [d.label for d in beliefs.perceived] for beliefs in told)
    intents = [e.data for e in trace.events if e.kind == "intent"]
    assert [i["is"] for i in intents] == ["explore", "approach", "claim"]


def test_it_can_be_copied_in_mid_episode_and_goes_on_alike(looking: ChatServer) -> None:
    session, agent, episode = begun(name_of(looking), start=AWAY)
    session.begin(episode)
    agent.reset(session.brief)

    def rest(agent: Any) -> list[Any]:
        actions = []
        while not session.done:
            decision = as_decision(agent.act(session.observation), session.brief)
            session.step(decision)
            actions.append(decision.action)
        return actions

    for _ in range(14):
        session.step(as_decision(agent.act(session.observation), session.brief))
    held, twin = session.snapshot(), copy.deepcopy(agent)
    first = rest(agent)
    session.restore(held)
    assert rest(twin) == first


def test_the_trace_keeps_it_and_needs_no_clock(looking: ChatServer) -> None:
    one, other = (played(name_of(looking)) for _ in range(2))
    assert one.exchanges == other.exchanges
    assert decode_trace(encode_trace(one), "it") == one
    assert set(one.timing) >= {"exchange_s", "exchange_attempts", "exchange_kept"}
    used = usage_of([one])
    assert used.calls == len(looking.asked) / 2 == len(one.timing["exchange_s"])
    assert (used.tokens_in, used.tokens_out) == (100 * used.calls, 10 * used.calls)


# ------------------------------------------------------------------------------- unusable answers
@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("I'm sorry, but I can't help with that.", "it holds no JSON object"),
        ("", "it is empty"),
        ('{"direction": 99}', "there is no direction 99; there are 1, 2"),
        ('{"direction": null}', "it chooses nothing"),
        ('{"direction": 1, "thing": "Q"}', "there is no thing Q; there are none"),
        ('{"direction": 1, "point": {"view": 9, "x": 1, "y": 1}}', "there is no view 9"),
        ('{"direction": 1, "done": "perhaps"}', "'done' must be true or false"),
        ("x" * 150_000, "it holds no JSON object"),
    ],
)
def test_it_is_told_why_and_asked_once_more_then_does_without(answer: str, fault: str) -> None:
    with ChatServer(lambda asked: Reply(answer)) as server:
        trace = played(name_of(server), steps=30)
        again = server.asked[1].body["messages"]
    assert trace.status == "ok"
    assert purposes(trace)[:2] == ["decide", "decide again"]
    assert all(fault in exchange.fault for exchange in trace.exchanges)
    assert again[-2] == {"role": "assistant", "content": answer or "(nothing)"}
    assert again[-1]["content"].startswith(f"Your answer cannot be used: {fault}"[:60])
    assert "forward" in trace.actions  # it explores by itself
    used = usage_of([trace])
    assert used.faults == used.calls == len(trace.exchanges)
    assert used.again == used.calls // 2


def test_an_answer_that_is_mended_counts() -> None:
    with ChatServer(lambda asked: "Go!\n```json\n{'direction': '1', done: False,}\n```") as server:
        trace = played(name_of(server), steps=30)
    assert not any(exchange.fault for exchange in trace.exchanges)


def test_where_it_stops_is_asked_again_but_not_for_ever() -> None:
    def never(asked: Asked) -> str:
        if "Look once more" in asked.words:
            return '{"why": "no", "done": false}'
        return json.dumps({**DIRECTION, "done": True})

    with ChatServer(never) as server:
        trace = played(name_of(server))
    assert purposes(trace).count("check") == 2  # the third claim is taken as it is
    assert trace.actions[-1] == "stop"
    with ChatServer(never) as server:
        trace = played(name_of(server, checks="no"))
    assert purposes(trace) == ["decide"]


def test_what_was_denied_is_not_gone_up_to_again() -> None:
    looks = Looking()

    def denies(asked: Asked) -> Reply | str:
        return '{"done": false}' if "Look once more" in asked.words else looks(asked)

    with ChatServer(denies) as server:
        trace = played(name_of(server), steps=120)
    assert any("you went up to that before" in e.fault for e in trace.exchanges)


# ---------------------------------------------------------------------------------- faults
def test_trouble_that_passes_costs_nothing_but_time() -> None:
    looks, faults = (
        Looking(),
        iter(
            [
                Reply(data=b"busy", status=429, headers={"Retry-After": "0"}),
                Reply(data=b"oops", status=500, headers={"Retry-After": "0"}),
                Reply("half", cut=True, headers={"Retry-After": "0"}),
                Reply(data=b"<html>", headers={"Content-Type": "text/html"}),
            ]
        ),
    )
    with ChatServer(lambda asked: next(faults, None) or looks(asked)) as server:
        trace = played(name_of(server))
        assert len(server.asked) == len(trace.exchanges) + 4
    assert ended(trace)["success"] is True
    assert usage_of([trace]).attempts == len(trace.exchanges) + 4


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (Reply(data=b"busy", status=429, headers={"Retry-After": "90"}), "asks to wait 90 s"),
        (Reply("late", wait_s=3.0), "gave no answer within"),
        (Reply(data=b"no such model", status=404), "answered 404 Not Found: no such model"),
        (Reply(data=b"who are you?", status=401), "answered 401 Unauthorized: who are you?"),
        (Reply(data=b'{"choices": []}'), "did not answer with a chat completion"),
    ],
)
def test_trouble_that_stays_costs_the_episode_in_one_line(reply: Reply, says: str) -> None:
    with ChatServer(lambda asked: reply) as server:
        trace = played(name_of(server, patience_s=1.5))
    assert trace.status == "agent_error"
    assert says in trace.reason
    assert "\n" not in trace.reason


def test_nobody_at_the_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("navproof.core.endpoint.model._TRY_S", 0.0)
    with pytest.raises(
        AgentError, match=r"cannot reach the chat model at http://127\.0\.0\.1:9/v1"
    ):
        load_agent(name_of("http://127.0.0.1:9"))()
    assert load_agent(name_of("http://127.0.0.1:9", cache="only"))() is not None


def test_what_an_endpoint_does_not_take_is_left_out() -> None:
    looks, refused = Looking(), ["response_format", "max_tokens", "temperature", "seed"]

    def picky(asked: Asked) -> Reply | str:
        for name in refused:
            if name in asked.body:
                return Reply(data=f"unsupported parameter: '{name}'".encode(), status=400)
        return looks(asked)

    with ChatServer(picky) as server:
        trace = played(name_of(server))
        kept = server.asked[-1].body
    assert ended(trace)["success"] is True
    assert kept["max_completion_tokens"] == 1024
    assert not set(refused) & set(kept)


# ---------------------------------------------------------------------------------- budgets
def test_calls_that_are_used_up_end_the_episode(looking: ChatServer) -> None:
    trace = played(name_of(looking, max_calls=1), start=AWAY)
    assert trace.status == "ok"
    assert len(trace.exchanges) == 1
    assert trace.actions[-1] == "stop"
    assert [e.data for e in trace.events if e.kind == "intent"][-1] == {"is": "exhausted"}


def test_tokens_that_are_used_up_do_so_too(looking: ChatServer) -> None:
    trace = played(name_of(looking, max_tokens=150), start=AWAY)
    assert len(trace.exchanges) == 2  # 110 each, as the endpoint tells
    looking.answer = lambda asked: Reply(json.dumps(DIRECTION), tokens=None)
    trace = played(name_of(looking, max_tokens=3000), start=AWAY)
    assert len(trace.exchanges) == 1  # estimated: six pictures and a page of words
    assert trace.exchanges[0].tokens_in is None


def test_prices(looking: ChatServer) -> None:
    trace = played(name_of(looking, price_in=10, price_out=100))
    for exchange in trace.exchanges:
        assert exchange.price == pytest.approx(1e-6 * (100 * 10 + 10 * 100))


# ---------------------------------------------------------------------------------- kept answers
def test_an_episode_is_played_again_without_the_model(
    looking: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NAVPROOF_CACHE", str(tmp_path))
    first = played(name_of(looking, cache="use"), start=AWAY)
    count = len(looking.asked)
    again = played(name_of(looking, cache="use"), start=AWAY)
    assert len(looking.asked) == count
    assert again.actions == first.actions
    assert again.exchanges == first.exchanges
    used = usage_of([again])
    assert (used.kept, used.seconds) == (count, ())
    alone = played(name_of("http://127.0.0.1:9", cache="only"), start=AWAY)
    assert alone.actions == first.actions
    other = played(name_of("http://127.0.0.1:9", cache="only"), start=AWAY, seed=4)
    assert other.status == "agent_error"
    assert "is not kept, and cache=only asks nobody" in other.reason
    for path in (tmp_path / "chat").iterdir():
        assert set(json.loads(path.read_text())) == {"model", "answer", "tokens_in", "tokens_out"}


def test_another_model_or_temperature_is_another_question(
    looking: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NAVPROOF_CACHE", str(tmp_path))
    played(name_of(looking, cache="use"))
    count = len(looking.asked)
    played(name_of(looking, cache="use", temperature=0.7))
    played(name_of(looking, cache="use", model="n"))
    assert len(looking.asked) == 3 * count


# ---------------------------------------------------------------------------------- options
@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"endpoint": "localhost:80"}, "a chat model's address starts with http"),
        ({"endpoint": "http://me:key@host"}, "into the environment variable NAVPROOF_CHAT_KEY"),
        ({"stride_m": 0.1}, "stride_m must be from 0.5 to 10, not 0.1"),
        ({"max_calls": 0}, "max_calls must be at least 1, not 0"),
        ({"temperature": 3}, "temperature must be from 0 to 2, not 3"),
        ({"prompts": "nowhere"}, "there is no folder nowhere with prompts"),
        ({"look": "up"}, "look is one of around, ahead, not 'up'"),
        ({"cache": "yes"}, "cache is one of use, only, off, not 'yes'"),
        ({"images": "perhaps"}, "images must be true or false"),
    ],
)
def test_options_that_make_no_sense(options: dict[str, object], says: str) -> None:
    with pytest.raises(AgentError) as caught:
        load_agent(name_of("http://host", **options))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", ["chat", "wmnav", "mem2ego"])
def test_without_an_endpoint_it_says_so(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AgentError, match="it asks a language model: say which, as in @endpoint="):
        load_agent(kind)()
    with pytest.raises(AgentError, match="it asks a language model"):
        load_agent(f"{kind}@model=m")()
    monkeypatch.setenv("NAVPROOF_CHAT_ENDPOINT", "http://127.0.0.1:9")
    assert load_agent(f"{kind}@model=m@cache=only")() is not None


def test_a_panorama_sensor_in_place_of_turning(looking: ChatServer) -> None:
    from navproof.core.types import Camera, SensorSpec
    from navproof.sensors import with_sensors
    from navproof.tasks import spec_for

    camera = Camera(160, 120, 79.0, 0.88)
    around = [
        SensorSpec("around", "panorama", camera, of="rgb", views=6),
        SensorSpec("around_depth", "panorama", camera, 0.1, 5.0, of="depth", views=6),
    ]
    from navproof.check.tiny import tiny_episode, tiny_simulator
    from navproof.log.trace import TraceKey
    from navproof.play.env import Env
    from navproof.play.play import play
    from navproof.play.session import Session
    from navproof.tasks import make_task

    factory = load_agent(name_of(looking, panorama="around"))
    assert factory.sensors is not None
    assert {"around", "around_depth"} <= set(factory.sensors)
    sim = tiny_simulator("objectnav-v1")
    spec = with_sensors(spec_for("objectnav-v1"), around)
    env = Env(sim, make_task("objectnav-v1", spec), factory.sensors)
    episode = tiny_episode("objectnav-v1", sim, 80)
    trace = play(Session(env, TraceKey("chat", "e"), beliefs=True), factory(), episode)
    assert ended(trace)["success"] is True
    assert trace.exchanges[0].step == 0
    assert len(looking.asked[0].pictures) == 6


def test_a_decision_is_sound(looking: ChatServer) -> None:
    session, agent, episode = begun(name_of(looking))
    session.begin(episode)
    agent.reset(session.brief)
    decision = agent.act(session.observation)
    assert isinstance(decision, Decision)
    assert decision.action in (Move.LEFT, Move.FORWARD)
    assert decision.exchanges == ()
    assert np.isfinite(session.env.distance_to_goal())
