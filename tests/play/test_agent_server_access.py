"""Who may ask a server, and how both sides know each other: tokens and certificates."""

from __future__ import annotations

import gzip
import shutil
import ssl
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import runner_fakes as fakes
from agent_servers import scripted, served, server
from navproof.agents.address import parse_address
from navproof.agents.client.command import main as client
from navproof.agents.limits import Limits
from navproof.agents.sets import expand_agents
from navproof.core.errors import AgentError
from navproof.core.types import Decision, Episode, Move, Observation
from navproof.log.trace import TraceKey
from navproof.play.hosted import HostedAgent
from navproof.play.worker import Worker
from navproof.runner.run import run
from navproof.runner.spec import RunSpec
from navproof.tasks import spec_for

LIMITS = Limits(step_s=5.0, setup_s=2.0)
TOKEN = "correct-horse-battery-staple"


@pytest.fixture(autouse=True)
def no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NAVPROOF_TOKEN", raising=False)


def refusal(name: str) -> str:
    with pytest.raises(AgentError) as caught:
        HostedAgent(name, LIMITS).declaration  # noqa: B018
    text = str(caught.value)
    assert "\n" not in text
    return text


# ------------------------------------------------------------------------------------- tokens
def test_a_token_opens_and_another_or_none_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, other = tmp_path / "mine", tmp_path / "other"
    mine.write_text(f"{TOKEN}\n")
    other.write_text("swordfish\n")
    with served("runner_fakes:Walker", token=TOKEN) as address:
        told = refusal(address)
        assert "refuses the connection (HTTP 401: the token is wrong or missing)" in told
        assert told.endswith("into NAVPROOF_TOKEN or a file (@token_file=FILE)")
        assert "HTTP 401" in refusal(f"{address}@token_file={other}")
        monkeypatch.setenv("NAVPROOF_TOKEN", "swordfish")
        assert "HTTP 401" in refusal(address)
        for name in (f"{address}@token_file={mine}", address):
            agent = HostedAgent(name, LIMITS)
            assert agent.sensors == ("pose", "pointgoal")
            agent.close()
            monkeypatch.setenv("NAVPROOF_TOKEN", TOKEN)


def test_a_token_that_fails_while_a_run_goes_on_is_nobodys_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worker = Worker(fakes.TinySimulator, LIMITS)
    episode = fakes.tiny_episodes(1)[0]
    monkeypatch.setenv("NAVPROOF_TOKEN", TOKEN)
    with served("runner_fakes:Walker", token=TOKEN) as address:
        job = fakes.Job(TraceKey(address, "tiny-000"), episode, spec_for(episode.task))
        assert worker.play(job).status == "ok"
        monkeypatch.setenv("NAVPROOF_TOKEN", "swordfish")
        worker._hosted(address).close()
        trace = worker.play(job)
    assert trace.status == "infrastructure"
    assert "HTTP 401" in trace.reason
    worker.close()


def test_a_token_is_neither_in_names_nor_in_what_a_run_leaves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NAVPROOF_TOKEN", TOKEN)
    with served("runner_fakes:Walker", token=TOKEN) as address:
        spec = RunSpec((address,), "tiny", simulator=fakes.SIMULATOR, limits=LIMITS)
        folder = run(spec, tmp_path / "r", episodes=fakes.tiny_episodes(2))
        assert {trace.status for trace in folder.traces()} == {"ok"}
    files = [path for path in (tmp_path / "r").rglob("*") if path.is_file()]
    assert len(files) >= 5
    for path in files:
        data = path.read_bytes()
        assert TOKEN.encode() not in (gzip.decompress(data) if path.suffix == ".gz" else data)


@pytest.mark.parametrize(
    "name",
    [
        f"ws://user:{TOKEN}@host:9000",
        f"ws://{TOKEN}@host",
        f"ws://host:9000/?token={TOKEN}",
        f"ws://host:9000@token_file={TOKEN}",
        f"ws://host:9000#{TOKEN}",
    ],
)
def test_secrets_in_an_address_are_refused_and_not_repeated(name: str) -> None:
    told = refusal(name)
    try:
        expand_agents((name,))  # what reads names first
    except AgentError as error:
        told += str(error)
    assert TOKEN not in told


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("ws://", "an address must read ws://host:port"),
        ("ws://host:port", "the address of an agent must read ws://host:port"),
        ("ws://host:99999", "the address of an agent must read ws://host:port"),
        ("http://host:99", "an address must read ws://host:port"),
        ("host:9000", "an address must read ws://host:port"),
        ("ws://host:1@ca=x.pem", "ca: there is no file x.pem"),
        ("ws://host:1@map=x.toml", "map: there is no file x.toml"),
        ("ws://host:1@x=", "option 'x' has no value"),
    ],
)
def test_addresses_that_are_none_are_refused_in_one_line(name: str, says: str) -> None:
    assert says in refusal(name)


def test_addresses_are_read() -> None:
    address = parse_address("wss://lab.example/agents@beam=7@name=a=b")
    assert (address.host, address.port, address.path) == ("lab.example", 443, "/agents")
    assert address.options == {"beam": "7", "name": "a=b"}
    assert parse_address("ws://[::1]:9000").url == "ws://[::1]:9000/"
    loopback = ["ws://localhost", "ws://127.0.0.1:1", "ws://[::1]:1", "ws://10.0.0.1:1"]
    assert [parse_address(name).is_loopback for name in loopback] == [True, True, True, False]


class Snoop(fakes.Walker):
    """Says what it finds in its environment."""

    def act(self, obs: Observation) -> Decision:
        import os

        return Decision(Move.STOP, intent={"token": os.environ.get("NAVPROOF_TOKEN", "none")})


def test_an_agent_on_this_machine_is_not_given_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAVPROOF_TOKEN", TOKEN)
    worker = Worker(fakes.TinySimulator, LIMITS)
    episode = fakes.tiny_episodes(1)[0]
    name = "test_agent_server_access:Snoop"
    trace = worker.play(fakes.Job(TraceKey(name, "tiny-000"), episode, spec_for(episode.task)))
    worker.close()
    assert [e.data["token"] for e in trace.events if e.kind == "intent"] == ["none"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--host", "0.0.0.0"], "--host 0.0.0.0 lets others in: give --token-file FILE"),
        (["--token-file", "none"], "none cannot be read: No such file or directory"),
        (["--cert", "none"], "--cert and --key cannot be used"),
        (["--batch", "4"], "has no act_batch(observations), which --batch needs"),
        (["--as", "habitat-vlnce"], "instruction.tokens are made of the words as they are heard"),
    ],
)
def test_the_client_refuses_what_cannot_be_meant(words: list[str], says: str) -> None:
    with pytest.raises(SystemExit) as left:
        client(["serve", "runner_fakes:Walker", *words])
    assert says in str(left.value.code)
    assert "\n" not in str(left.value.code)


def test_pages_of_a_browser_are_kept_out() -> None:
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import connect

    with served("runner_fakes:Walker") as address:
        with (
            pytest.raises(InvalidStatus) as caught,
            connect(address, origin="https://a.example"),  # type: ignore[arg-type]
        ):
            pass
        assert caught.value.response.status_code == 403


# -------------------------------------------------------------------------------- certificates
@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An authority ``ca``, a certificate of its for localhost (``here``), and another authority."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("certificates")
    new = ["openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    for name in ("ca", "other"):
        own = ["-x509", "-days", "2", "-subj", f"/CN={name}", "-keyout", f"{name}.key"]
        own += ["-out", f"{name}.pem"]
        subprocess.run([*new, *own], cwd=folder, check=True, capture_output=True)
    (folder / "names").write_text("subjectAltName=DNS:localhost\n")
    ask = ["-subj", "/CN=localhost", "-keyout", "here.key", "-out", "here.csr"]
    subprocess.run([*new, *ask], cwd=folder, check=True, capture_output=True)
    sign = ["openssl", "x509", "-req", "-in", "here.csr", "-CA", "ca.pem", "-CAkey", "ca.key"]
    sign += ["-CAcreateserial", "-days", "2", "-extfile", "names", "-out", "here.pem"]
    subprocess.run(sign, cwd=folder, check=True, capture_output=True)
    return folder


def test_a_certificate_proves_who_answers(
    certificates: Path, tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificates / "here.pem", certificates / "here.key")
    worker = Worker(fakes.TinySimulator, LIMITS)
    spec = spec_for(episodes[0].task)
    here = worker.play(fakes.Job(TraceKey("runner_fakes:Seer", "tiny-000"), episodes[0], spec))
    with served("runner_fakes:Seer", tls=tls) as address:
        name = f"{address}@ca={certificates / 'ca.pem'}"
        there = worker.play(fakes.Job(TraceKey(name, "tiny-000"), episodes[0], spec))
        assert replace(there, key=here.key, timing={}) == replace(here, timing={})
        assert "certificate is not to be trusted: unable to get local issuer" in refusal(address)
        told = refusal(f"{address}@ca={certificates / 'other.pem'}")
        assert "certificate is not to be trusted" in told
        told = refusal(f"{address.replace('localhost', '127.0.0.1')}@ca={certificates / 'ca.pem'}")
        assert "IP address mismatch" in told
        told = refusal(f"{address}@ca={certificates / 'here.key'}")
        assert "TLS with localhost" in told
        told = refusal(address.replace("wss", "ws"))
        assert "it does not speak WebSocket" in told or "it hangs up" in told, told
    worker.close()
    with server(scripted) as (plain, _):
        assert "TLS with localhost" in refusal(plain.replace("ws://", "wss://"))
    assert "option 'ca' is for wss://" in refusal(f"ws://h:1@ca={certificates / 'ca.pem'}")
