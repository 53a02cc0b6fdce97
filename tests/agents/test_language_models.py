"""Who answers questions about things: statistics of train worlds, and an endpoint that is there."""

from __future__ import annotations

import json
import threading
import tomllib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chat_plays import begun

from navproof.agents.language.endpoint import EndpointModel
from navproof.agents.language.load import load_language_model
from navproof.agents.language.statistics import RoomStatistics
from navproof.agents.limits import Limits
from navproof.agents.load import load_agent
from navproof.core.errors import AgentError
from navproof.play.play import play
from navproof.world.catalog import CATEGORIES
from navproof.world.generate import generate
from navproof.world.library import parse_ref, scene_seed

DATA = tomllib.loads(
    (resources.files("navproof.agents.language") / "data" / "rooms.toml").read_text()
)


def present(category: str, kind: str) -> float:
    return (DATA["holding"][category].get(kind, 0) + 0.5) / (DATA["rooms"][kind] + 1.0)


# --------------------------------------------------------------------------------------- statistics
@pytest.mark.parametrize(("thing", "others"), [("towel", ["toilet"]), ("tv", ["bed", "dresser"])])
def test_the_chance_is_the_mean_over_rooms(thing: str, others: list[str]) -> None:
    kinds = list(DATA["rooms"])
    weights = [DATA["rooms"][k] * np.prod([present(o, k) for o in others]) for k in kinds]
    expected = sum(w * present(thing, k) for w, k in zip(weights, kinds, strict=True))
    found = RoomStatistics().near(thing, others)
    assert found == pytest.approx(expected / sum(weights), rel=1e-9)


def test_common_sense() -> None:
    stats = RoomStatistics()
    assert stats.near("towel", ["toilet"]) > 0.8 > 0.2 > stats.near("towel", ["sofa", "tv"])  # type: ignore[operator]
    assert stats.room("bed") == "bedroom"
    assert stats.room("chair") is None
    assert "stool" in stats.alike("chair")
    assert "chair" not in stats.alike("chair")
    assert len(stats.alike("stove")) <= 4


def test_words_that_no_catalogue_holds_mean_what_is_near() -> None:
    stats = RoomStatistics()
    assert stats.near("couch", ["tv"]) == stats.near("sofa", ["tv"])  # another name
    chances = [stats.near("teapot", [other]) for other in ("stove", "bathtub")]  # a near word
    assert None not in chances
    assert chances[0] > chances[1]  # type: ignore[operator]
    assert stats.near("qwxzk", ["tv"]) is None
    assert stats.near("sofa", ["qwxzk"]) is None
    assert (stats.room("qwxzk"), stats.alike("qwxzk")) == (None, ())
    broad = stats.near("seat", ["desk"])
    assert broad is not None
    assert broad >= stats.near("office chair", ["desk"])  # type: ignore[operator]


# ------------------------------------------------------------------------------------- an endpoint
class Endpoint:
    """Gives the prepared answers in turn and remembers what it was asked."""

    def __init__(self) -> None:
        self.answers: list[str | int] = []
        self.asked: list[dict[str, Any]] = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def _handler(endpoint) -> type[BaseHTTPRequestHandler]:
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                endpoint.asked.append(json.loads(body))
                answer = endpoint.answers.pop(0)
                message = {"role": "assistant", "content": answer}
                usage = {"prompt_tokens": 40, "completion_tokens": 4}
                document = {"choices": [{"message": message}], "usage": usage}
                data = json.dumps(document).encode()
                self.send_response(answer if isinstance(answer, int) else 200)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None: ...

        return Handler


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    made = Endpoint()
    yield made
    made.server.shutdown()
    made.server.server_close()
    made.thread.join()


def test_each_question_is_asked_once_and_then_never_again(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.answers = [
        'Sure: {"p": 0.25}',
        '{"room": "Anywhere"}',
        '{"things": ["Stool", "sofa"]}',
    ]
    for model in (EndpointModel(endpoint.url, "m", tmp_path) for _ in range(2)):
        for _ in range(2):
            assert model.near("chair", ["desk", "bed"]) == 0.25
            assert model.near("chair", ["bed", "desk", "bed"]) == 0.25  # the same question
        assert model.room("chair") is None
        assert model.alike("chair") == ("stool", "sofa")
    assert len(endpoint.asked) == 3
    question = endpoint.asked[0]["messages"][-1]["content"]
    assert "bed, desk" in question
    assert '"chair"' in question
    assert endpoint.asked[0]["model"] == "m"
    form = endpoint.asked[0]["response_format"]["json_schema"]["schema"]
    assert form["properties"] == {"p": {"type": "number"}}
    other = EndpointModel(endpoint.url, "another", tmp_path)
    endpoint.answers = ['{"p": 1}']
    assert other.near("chair", ["desk", "bed"]) == 1.0  # what one model said is not another's


@pytest.mark.parametrize("answer", ['{"p": 7}', "I think so", '{"p": "high"}', '{"p": true}'])
def test_an_answer_that_is_none_is_one_line(
    answer: str, endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.answers = [answer]
    with pytest.raises(AgentError, match="which cannot be used") as caught:
        EndpointModel(endpoint.url, "m", tmp_path).near("chair", ["desk"])
    assert "\n" not in str(caught.value)


def test_what_passes_is_waited_for_and_what_cannot_be_used_is_not_kept(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    endpoint.answers = [503, '{"room": "bathroom"}']
    model = EndpointModel(endpoint.url, "m", tmp_path)
    assert model.room("towel") == "bathroom"
    (told,) = model.take_exchanges()
    assert (told.attempts, told.tokens_in, told.tokens_out, told.kept) == (2, 40, 4, False)
    endpoint.answers = ["I would say the kitchen", '{"room": "kitchen"}']
    with pytest.raises(AgentError, match="cannot be used"):
        model.room("stove")
    assert model.room("stove") == "kitchen"


def test_what_was_asked_is_in_the_decisions_of_every_episode_alike(
    endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One question when it is made, two about the goal; the second episode looks them up."""
    monkeypatch.setenv("NAVPROOF_CACHE", str(tmp_path))
    endpoint.answers = ['{"room": "bathroom"}', '{"things": ["stool"]}', '{"room": "office"}']
    name = f"apexnav@lm={endpoint.url}@model=m@encoder=truth@detector=truth"
    first, agent, episode = begun(name, steps=3)
    second, _, _ = begun(name, steps=3)
    one, two = (play(session, agent, episode, Limits()) for session in (first, second))
    assert [e.purpose for e in one.exchanges] == ["alike", "room"]
    assert one.exchanges == two.exchanges
    assert {e.step for e in one.exchanges} == {0}
    assert one.timing["exchange_kept"] == (0.0, 0.0)
    assert two.timing["exchange_kept"] == (1.0, 1.0)
    assert len(endpoint.asked) == 3


def test_an_endpoint_that_is_not_there_is_refused_when_the_agent_is_made(
    endpoint: Endpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NAVPROOF_CACHE", str(tmp_path))
    with pytest.raises(AgentError, match="cannot reach the language model at http"):
        load_agent("l3mvn@lm=http://127.0.0.1:9")()
    endpoint.answers = ['{"room": "bathroom"}']
    agent = load_agent(f"l3mvn@lm={endpoint.url}@model=m")()
    assert callable(agent.act)
    endpoint.server.shutdown()
    load_agent(f"l3mvn@lm={endpoint.url}@model=m")()  # what it said is kept


# ----------------------------------------------------------------------------------------- options
@pytest.mark.parametrize("agent", ["l3mvn", "apexnav"])
def test_no_agent_goes_by_the_papers_name_alone(agent: str) -> None:
    for name, says in (
        (agent, f"say which language model it asks: {agent}@lm=stats"),
        (f"{agent}@lm=gpt2", "there is no language model 'gpt2'; write"),
        (f"{agent}@lm=stats@model=x", "model=x means nothing"),
    ):
        with pytest.raises(AgentError) as caught:
            load_agent(name)
        assert says in str(caught.value)
        assert "\n" not in str(caught.value)


def test_nobody_is_somebody_to_ask() -> None:
    assert load_language_model("none") is None
    stats = load_language_model("stats")
    assert stats is not None
    assert stats.name == "stats"


# ---------------------------------------------------------------------------------------- the table
def test_the_table_is_what_the_script_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In three scenes, two of them homes."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "scripts"))
    import room_statistics

    out = tmp_path / "rooms.toml"
    room_statistics.main(["--scenes", "3", "-o", str(out)])
    text = out.read_text()
    assert "--scenes 3" in text.splitlines()[0]
    assert "home/train/0-1, office/train/0-0" in text.splitlines()[1]
    found = tomllib.loads(text)
    scenes = [
        generate(parse_ref(ref).kind, scene_seed(parse_ref(ref)), baked=False)
        for ref in ("home/train/0", "home/train/1", "office/train/0")
    ]
    rooms = [room for scene in scenes for room in scene.rooms]
    assert sum(found["rooms"].values()) == len(rooms)
    holding = [
        {thing.category for thing in scene.objects if thing.room == room.id}
        for scene in scenes
        for room in scene.rooms
        if room.type == "bedroom"
    ]
    assert found["holding"]["bed"]["bedroom"] == sum("bed" in inside for inside in holding)
    assert "door" not in found["holding"]


def test_the_table_that_is_shipped_is_of_300_train_scenes() -> None:
    text = (resources.files("navproof.agents.language") / "data" / "rooms.toml").read_text()
    assert "scripts/room_statistics.py --scenes 300" in text
    assert "home/train/0-179" in text
    assert "/val/" not in text
    kinds = set(DATA["rooms"])
    for category, counts in DATA["holding"].items():
        assert category in CATEGORIES
        assert all(counts[kind] <= DATA["rooms"][kind] for kind in counts), category
        assert set(counts) <= kinds
