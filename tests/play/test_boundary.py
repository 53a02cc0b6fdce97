"""What an agent can do to its judge, to other agents and to the machine: nothing."""

from __future__ import annotations

import itertools
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import fields, replace
from pathlib import Path

import pytest

import attackers
import runner_fakes as fakes
from navproof.agents.limits import Limits
from navproof.core.types import Episode, TaskBrief
from navproof.log.trace import Trace, TraceKey
from navproof.metrics.catalogue import result_row
from navproof.play import agent_process
from navproof.play.hosted import HostedAgent, LostError, StateLostError
from navproof.play.session import Session
from navproof.play.worker import Worker
from navproof.runner.run import run
from navproof.runner.spec import RunSpec
from navproof.tasks import spec_for
from runner_fakes import tiny_episodes

LIMITS = Limits(step_s=20.0, setup_s=20.0, episode_s=60.0, memory_mb=1000.0)
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux can be asked for this")


@pytest.fixture
def episodes() -> tuple[Episode, ...]:
    return tiny_episodes(2)


@pytest.fixture
def worker() -> Worker:
    return Worker(fakes.TinySimulator, LIMITS)


def played(
    folder: Path, episodes: tuple[Episode, ...], *names: str, limits: Limits = LIMITS
) -> dict[str, Trace]:
    """The first trace of each attacker, or walker, in a run of all of them by one worker."""
    agents = tuple(f"{'attackers' if hasattr(attackers, n) else 'runner_fakes'}:{n}" for n in names)
    spec = RunSpec(agents, "tiny", simulator=fakes.SIMULATOR, limits=limits)
    done = run(spec, folder, episodes=episodes)
    first = episodes[0].episode_id
    return {n: done.trace(TraceKey(a, first)) for n, a in zip(names, agents, strict=True)}


ATTACKS = (
    "PatchesDistance",
    "MovesTheRobot",
    "PatchesTheRecorder",
    "LooksAtCallers",
    "ReadsTheJudge",
    "KillsTheJudge",
    "WritesIntoObservations",
    "Forks",
    "SpoilsTheProcess",
)


@linux
def test_attacks_gain_nothing_and_disturb_nobody(
    tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    alone = played(tmp_path / "alone", episodes[:1], "Walker")["Walker"]
    traces = played(tmp_path / "all", episodes[:1], *ATTACKS, "Walker")
    assert replace(traces.pop("Walker"), timing={}) == replace(alone, timing={})
    assert len(traces) == len(ATTACKS)
    for name, trace in traces.items():
        gains = [event.data["gained"] for event in trace.events if event.kind == "intent"]
        assert (name, trace.status, trace.reason) == (name, "ok", "")
        assert (name, gains) == (name, [""])
        assert trace.actions == ("left", "left", "stop")
        assert result_row(trace)["success"] == 0.0


@linux
def test_answers_that_were_not_asked_for_cost_the_episode(
    tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    traces = played(tmp_path / "r", episodes[:1], "AnswersTwice", "SendsGarbage")
    for trace in traces.values():
        assert (trace.status, trace.actions) == ("agent_error", ("left",))
        assert "step 1: what its process sent is no answer" in trace.reason
    assert "has number 1000000" in traces["AnswersTwice"].reason


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("SaysHalfAPair", "returned an intent with 'gained'"),
        ("SaysTooManyDigits", "returned an intent with 'gained'"),
        ("SaysTooMuch", "at most 4096 characters"),
        ("BelievesTooMuch", "10001 things in 'plan'; at most 10000 are kept"),
        ("BelievesInLongWords", "MiB; at most 4 MiB travel"),
        ("SendsTooMuch", "it would be 5.0 MiB long, more than 4 MiB"),
    ],
)
def test_what_no_trace_could_hold_costs_the_episode_in_one_line(
    episodes: tuple[Episode, ...], name: str, told: str
) -> None:
    trace = Worker(fakes.TinySimulator, LIMITS, beliefs=True).play(job(episodes[0], name))
    assert trace.status == "agent_error"
    assert told in trace.reason
    assert "\n" not in trace.reason


def test_an_agent_is_told_nothing_by_which_an_episode_could_be_found(
    episodes: tuple[Episode, ...],
) -> None:
    """Two episodes are told apart by what can be seen, and by nothing else."""
    briefs: list[TaskBrief] = []
    for number, plain in enumerate(episodes):
        episode = replace(plain, start=episodes[0].start, seed=987_654 + number)
        judge = Worker(fakes.TinySimulator, in_process=True)
        key = TraceKey("runner_fakes:Walker", episode.episode_id, "clean", 7)
        session: Session = judge.session(key, spec_for(episode.task), episode.task)
        session.begin(episode)
        briefs.append(session.brief)
        told = {str(getattr(session.brief, field.name)) for field in fields(TaskBrief)}
        assert not told & {episode.episode_id, str(episode.seed), episode.scene}
    assert briefs[0] == briefs[1]


@linux
def test_a_rivals_traces_cannot_be_forged(
    tmp_path: Path, episodes: tuple[Episode, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither while it plays, nor before its rival's turn, nor in episodes that are not planned."""
    monkeypatch.chdir(tmp_path)
    alone = played(tmp_path.parent / "alone", episodes, "Walker")["Walker"]
    traces = played(tmp_path / "r", episodes, "Walker", "ForgesTraces")  # its rival goes first
    assert replace(traces["Walker"], timing={}) == replace(alone, timing={})
    there = sorted(path.name.partition("@")[0] for path in (tmp_path / "r").glob("traces/*/*"))
    assert there == ["tiny-000", "tiny-000", "tiny-001", "tiny-001"]


@linux
def test_what_agents_started_is_gone_when_a_run_ends(
    tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    played(tmp_path / "r", episodes[:1], "LeavesOrphans")
    assert orphans() == []


@linux
def test_what_an_agent_leaves_is_gone_before_the_next_one_plays(
    tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    """Though nothing tells it from what others started; and what the user started stays."""
    code = "import time; time.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", code], start_new_session=True) as mine:
        names = ("LeavesNameless", "SeesOrphans")
        traces = played(tmp_path / "r", episodes[:1], *names)
        assert traces["LeavesNameless"].status == "agent_died"
        gains = [e.data["gained"] for e in traces["SeesOrphans"].events if e.kind == "intent"]
        assert (gains, orphans()) == ([""], [])
        assert mine.poll() is None
        mine.kill()


def orphans() -> list[str]:
    """What is left that attackers started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if attackers.MARK.encode() in path.read_bytes().split(b"\0"):
                found.append(path.parent.name)
        except OSError:
            continue
    return found


RUN = """
import sys
sys.path[:0] = sys.argv[2:]
from pathlib import Path
import runner_fakes as fakes
from navproof.runner.run import run
from navproof.runner.spec import RunSpec
agents = ("attackers:LeavesOrphans", "runner_fakes:Sleeps")
run(RunSpec(agents, "tiny", simulator=fakes.SIMULATOR), Path(sys.argv[1]),
    episodes=fakes.tiny_episodes(1))
"""


@linux
def test_what_agents_started_is_gone_when_a_run_is_killed(tmp_path: Path) -> None:
    tests = str(Path(attackers.__file__).parent)
    command = [sys.executable, "-c", RUN, str(tmp_path / "r"), tests]
    with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": tests}) as parent:
        until = time.monotonic() + 60.0
        while not list((tmp_path / "r" / "traces").glob("attackers*/*.gz")):
            assert time.monotonic() < until
            assert parent.poll() is None
            time.sleep(0.1)
        assert len(orphans()) == 2  # the agent that started them is still there
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    until = time.monotonic() + 10.0
    while orphans() and time.monotonic() < until:
        time.sleep(0.05)
    assert orphans() == []


@linux
def test_memory_is_that_of_one_agent_with_its_children(
    tmp_path: Path, episodes: tuple[Episode, ...]
) -> None:
    traces = played(tmp_path / "r", episodes, "Large", "LargeChild", "Walker")
    assert traces["Large"].status == traces["Walker"].status == "ok"
    large, child = traces["Large"], traces["LargeChild"]
    assert (child.status, child.reason) == ("memory_limit", "used more than 1000 MB of memory")
    assert large.actions == ("left", "left", "stop")


# --------------------------------------------------------------------------- failures have owners
def test_what_an_agent_printed_last_is_kept(
    worker: Worker, episodes: tuple[Episode, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though nobody asked Python to print at once."""
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    key = TraceKey("runner_fakes:SaysWhy", episodes[0].episode_id)
    for _ in range(3):  # it is read by a thread
        trace = worker.play(fakes.Job(key, episodes[0], spec_for(episodes[0].task)))
        assert trace.status == "agent_error"
        assert worker.printed == "there are no weights"


def test_who_ends_itself_at_the_same_step_each_time_has_done_it_itself(
    worker: Worker, episodes: tuple[Episode, ...]
) -> None:
    trace = worker.play(job(episodes[0], "KillsItself"))
    assert (trace.status, trace.actions) == ("agent_died", ("left",))
    assert trace.reason == "step 1: the agent's process was ended by SIGKILL"


def test_an_episode_that_was_disturbed_is_played_again(
    worker: Worker,
    episodes: tuple[Episode, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NAVPROOF_TEST_FLAG", str(tmp_path / "flag"))
    trace = worker.play(job(episodes[0], "KilledOnce"))
    assert (trace.status, trace.actions) == ("ok", ("left", "left", "stop"))
    assert (tmp_path / "flag").exists()


def test_who_ends_again_and_again_without_evidence_of_another_cause_has_done_it_itself(
    worker: Worker,
    episodes: tuple[Episode, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NAVPROOF_TEST_FLAG", str(tmp_path / "flag"))
    trace = worker.play(job(episodes[0], "KilledAnywhere"))
    assert (trace.status, trace.actions) == ("agent_died", ("left",))
    assert trace.reason == "step 1: the agent's process was ended by SIGKILL"
    assert (trace.facts["attempts"], result_row(trace)["attempts"]) == (2, 2)
    assert (tmp_path / "flag").read_text() == "xx"


@linux
def test_what_the_memory_killer_keeps_from_being_played_is_nobodys_failure(
    worker: Worker, episodes: tuple[Episode, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its count goes up meanwhile; but who was beyond its limit has brought it upon itself."""
    counts = itertools.count()
    monkeypatch.setattr(agent_process, "_oom_kills", lambda: next(counts))
    trace = worker.play(job(episodes[0], "KillsItself"))
    assert (trace.status, trace.actions) == ("infrastructure", ())
    assert trace.reason == (
        "not played in 3 attempts; step 1: the agent's process was ended by SIGKILL"
        " (the system ran out of memory)"
    )
    assert trace.facts["attempts"] == 3


@linux
def test_the_beginning_of_an_agent_has_three_attempts(
    worker: Worker, episodes: tuple[Episode, ...]
) -> None:
    trace = worker.play(job(episodes[0], "DiesInConstructor"))
    assert (trace.status, trace.facts["attempts"]) == ("agent_died", 3)


def test_a_full_disk_is_seen_where_programs_were_told_to_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert not agent_process._a_disk_is_full()
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(
        shutil, "disk_usage", lambda p: usage._replace(free=0) if p == tmp_path else usage
    )
    assert agent_process._a_disk_is_full()


def job(episode: Episode, name: str) -> fakes.Job:
    key = TraceKey(f"attackers:{name}", episode.episode_id)
    return fakes.Job(key, episode, spec_for(episode.task))


# ------------------------------------------------------------------------------- states of agents
def test_a_state_is_gone_with_its_process(worker: Worker, episodes: tuple[Episode, ...]) -> None:
    agent = HostedAgent("runner_fakes:Walker", LIMITS)
    key = TraceKey("runner_fakes:Walker", episodes[0].episode_id)
    session = worker.session(key, spec_for(episodes[0].task), episodes[0].task)
    session.begin(episodes[0])
    agent.reset(session.brief)
    state = agent.snapshot()
    first = [agent.act(session.observation).action for _ in range(8)]
    agent.restore(state)
    assert [agent.act(session.observation).action for _ in range(8)] == first
    pid = agent.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(LostError) as caught:
        agent.act(session.observation)
    assert caught.value.outside
    with pytest.raises(StateLostError):
        agent.restore(state)
    agent.reset(session.brief)
    assert [agent.act(session.observation).action for _ in range(8)] == first
    agent.close()
    assert agent.pid is None
