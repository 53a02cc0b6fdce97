"""WMNav and Mem2Ego against models that look at the pictures they are sent."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from chat_models import Asked, ChatServer, Looking
from chat_plays import AWAY, name_of, played

from navproof.agents.chat.wmnav import CuriosityMap
from navproof.core.errors import AgentError
from navproof.log.trace import Trace


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


@pytest.fixture
def looking() -> Iterator[ChatServer]:
    with ChatServer(Looking(least=0.02)) as server:  # not what it sees from afar
        yield server


def succeeded(trace: Trace) -> bool:
    assert trace.status == "ok", trace.reason
    return bool(trace.events[-1].data["success"])


# ------------------------------------------------------------------------------------ WMNav
def test_wmnav_predicts_plans_and_acts(looking: ChatServer) -> None:
    trace = played(name_of(looking, "wmnav"), start=AWAY, steps=200)
    assert succeeded(trace)
    purposes = [exchange.purpose for exchange in trace.exchanges]
    assert purposes[:3] == ["predict", "plan", "act"]
    assert purposes[-2:] == ["predict", "plan"]  # found: gone up to, and not asked again
    predict, plan, act = looking.asked[:3]
    assert len(predict.pictures) == 6
    assert len(plan.pictures) == len(act.pictures) == 1
    assert "What you meant to do last: nothing yet" in plan.words
    assert "What you meant to do last: go on" in looking.asked[-1].words
    lengths = re.findall(r"^\d+: .*?, ([\d.]+) m", act.words, re.MULTILINE)
    assert lengths
    assert all(float(length) <= 1.7 for length in lengths)


def test_wmnav_goes_where_its_map_is_highest() -> None:
    """The view that is scored highest is shown next, whatever was predicted elsewhere."""
    first: list[Asked] = []

    def scored(asked: Asked) -> str:
        if "scores" in asked.fields:
            first.append(asked)
            best = 1 + int(np.argmax([picture.mean() for picture in asked.pictures]))
            views = range(1, len(asked.pictures) + 1)
            scores = [{"view": v, "score": 9 if v == best else 1, "why": f"v{v}"} for v in views]
            return json.dumps({"scores": scores})
        if "subtask" in asked.fields:
            best_picture = max(first[-1].pictures, key=lambda picture: float(picture.mean()))
            assert np.array_equal(asked.pictures[0], best_picture) or len(first) > 1
            return json.dumps({"subtask": "on", "found": False, "point": None})
        return json.dumps({"why": "", "direction": 1})

    with ChatServer(scored) as server:
        trace = played(name_of(server, "wmnav"), steps=40)
        reasons = [re.search(r"because: (v\d)", asked.words) for asked in server.asked]
    assert trace.status == "ok"
    assert any(reasons)


def test_every_view_needs_a_score() -> None:
    def lazy(asked: Asked) -> str:
        return json.dumps({"scores": [{"view": 1, "score": 5, "why": ""}]})

    with ChatServer(lazy) as server:
        trace = played(name_of(server, "wmnav"), steps=25)
    assert trace.exchanges[0].fault == "it has no score for view 2"
    assert trace.exchanges[1].purpose == "predict again"
    assert "forward" in trace.actions


def test_the_smaller_prediction_stays() -> None:
    known = CuriosityMap()
    cells = {(0, 0), (0, 1)}
    assert known.mean(cells) == 10.0
    known.merge({(0, 0): 4.0, (0, 1): 6.0})
    known.merge({(0, 0): 8.0, (0, 1): 2.0})
    assert known.mean(cells) == 3.0
    known.be_sure((0.1, 0.1))
    assert known.mean(cells) == 10.0
    within = {(r, c) for r in range(-4, 5) for c in range(-4, 5) if math.hypot(r, c) <= 4}
    assert known.mean(within) == 10.0


# ---------------------------------------------------------------------------------- Mem2Ego
class Remembers(Looking):
    """Tells of the red table, goes to frontiers, recalls the first landmark."""

    def __call__(self, asked: Asked) -> Any:
        reply = super().__call__(asked)
        if "mark" not in asked.fields:
            return reply
        told = json.loads(str(reply))
        table = Looking("red", 0.01).spot(asked.pictures)
        if table is not None:
            told["seen"].append({"what": "red table", **table})
        return json.dumps(told)


def test_mem2ego_marks_its_memories_in_the_views() -> None:
    with ChatServer(Remembers(least=0.02)) as server:
        trace = played(name_of(server, "mem2ego"), start=AWAY, steps=250)
        marked = [asked for asked in server.asked if "mark" in asked.fields]
        recalls = [asked for asked in server.asked if "letters" in asked.fields]
    assert succeeded(trace)
    assert re.search(r"^F1: not explored yet, [\d.]+ m away", marked[0].words, re.MULTILINE)
    assert len(marked[0].pictures) == 6
    later = marked[-1].words
    assert "L1: red table" in later
    assert re.search(r"^V1: you have been there", later, re.MULTILINE)
    assert recalls
    assert recalls[0].pictures == []
    assert re.search(r"^A: red table", recalls[0].words, re.MULTILINE)


def test_mem2ego_goes_up_to_a_landmark_and_does_not_take_it_for_the_goal() -> None:
    def to_landmark(asked: Asked) -> str:
        if "letters" in asked.fields:
            return '{"why": "", "letters": ["A"]}'
        if "Look once more" in asked.words:
            raise AssertionError("a landmark is not to be confirmed")
        seen = []
        table = Looking("red", 0.01).spot(asked.pictures)
        if table is not None:
            seen = [{"what": "red table", **table}]
        mark = "L1" if "L1:" in asked.words else "F1"
        return json.dumps({"seen": seen, "room": "", "why": "", "mark": mark, "point": None})

    with ChatServer(to_landmark) as server:
        trace = played(name_of(server, "mem2ego"), start=AWAY, steps=90)
    assert trace.status == "ok", trace.reason
    assert any("went to L1 (red table)" in e.prompt for e in trace.exchanges)
    assert {e.data["is"] for e in trace.events if e.kind == "intent"} == {"explore"}


def test_a_mark_that_there_is_not() -> None:
    def wrong(asked: Asked) -> str:
        return json.dumps({"seen": [], "room": "", "why": "", "mark": "Z9", "point": None})

    with ChatServer(wrong) as server:
        trace = played(name_of(server, "mem2ego"), steps=25)
    assert trace.exchanges[0].fault.startswith("there is no mark Z9; there are F1")
    assert trace.status == "ok"


@pytest.mark.parametrize("kind", ["wmnav", "mem2ego"])
@pytest.mark.parametrize("option", [{"images": "no"}, {"look": "ahead"}])
def test_they_need_pictures_of_all_around(kind: str, option: dict[str, str]) -> None:
    from navproof.agents.load import load_agent

    with pytest.raises(AgentError, match=f"{kind} needs pictures of all around"):
        load_agent(name_of("http://host", kind, **option))
