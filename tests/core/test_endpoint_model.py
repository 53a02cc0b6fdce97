"""One model at an endpoint: what is kept, what is left out, and what is told of an answer."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "agents"))
from chat_models import Asked, ChatServer, Reply

from navproof.core.endpoint.client import Completion, Endpoint, EndpointError
from navproof.core.endpoint.model import UNNAMED, Answer, Model

BODY = {"messages": [{"role": "user", "content": "hello"}], "temperature": 0, "seed": 4}


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")


def asked(model: Model, seconds: float = 5.0) -> Answer:
    return model.ask(BODY, until=time.monotonic() + seconds, timeout_s=seconds)


def test_an_answer_is_kept_with_what_it_used_and_takes_no_time_again(tmp_path: Path) -> None:
    with ChatServer(lambda _: Reply("hi", tokens=(7, 2))) as server:
        model = Model(Endpoint(server.url, "NONE"), "m", tmp_path / "answers")
        assert model.find("greeting") is None
        first = asked(model)
        model.keep("greeting", first)
        assert server.asked[0].body == {"model": "m", **BODY, "stream": False}
    again = model.find("greeting")
    assert again is not None
    assert (again.found, again.is_kept, again.seconds) == (Completion("hi", 7, 2), True, 0.0)
    assert first.seconds > 0.0
    told = again.exchange("greet", "hello", prices=(10.0, 100.0))
    assert told.price == pytest.approx(1e-6 * (7 * 10 + 2 * 100))
    assert (told.purpose, told.answer, told.kept) == ("greet", "hi", True)


def test_nothing_is_no_answer_to_keep(tmp_path: Path) -> None:
    model = Model(Endpoint("http://127.0.0.1:9", "NONE"), "m", tmp_path / "answers")
    model.keep("greeting", Answer("m", Completion("")))
    assert model.find("greeting") is None
    assert not (tmp_path / "answers").exists()


def test_what_is_not_taken_is_left_out_from_then_on(tmp_path: Path) -> None:
    def choosy(question: Asked) -> Reply:
        for name in ("seed", "temperature"):
            if name in question.body:
                said = f'{{"error": "Unsupported parameter: {name}"}}'
                return Reply(data=said.encode(), status=400)
        return Reply("hi")

    with ChatServer(choosy) as server:
        model = Model(Endpoint(server.url, "NONE"), "m", tmp_path)
        assert asked(model).attempts == 3
        assert asked(model).attempts == 1


def test_what_passes_is_waited_for_and_what_stays_is_raised(tmp_path: Path) -> None:
    replies = [Reply(data=b"busy", status=429, headers={"Retry-After": "0"}), Reply("hi")]
    with ChatServer(lambda _: replies.pop(0)) as server:
        assert asked(Model(Endpoint(server.url, "NONE"), "m", tmp_path)).attempts == 2
    with ChatServer(lambda _: Reply(data=b"no", status=401)) as server:
        with pytest.raises(EndpointError, match="401"):
            asked(Model(Endpoint(server.url, "NONE"), "m", tmp_path))
        assert len(server.asked) == 1


def test_a_model_without_a_name_is_that_of_its_endpoint(tmp_path: Path) -> None:
    one, other = (
        Model(Endpoint(f"http://{host}", "NONE"), UNNAMED, tmp_path).identity for host in "ab"
    )
    assert one != other
    assert Model(Endpoint("http://a", "NONE"), "m", tmp_path).identity == "m"
