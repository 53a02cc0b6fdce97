"""Work in a process that is bounded: its answer, or why there is none."""

from __future__ import annotations

import sys
import time

import pytest

from navproof.core.input.child import ChildError, ask_child

GB = 1 << 30


def ask(statements: str, *words: str, memory: int = 4 * GB, seconds: float = 60.0) -> bytes:
    return ask_child(statements, words, memory=memory, seconds=seconds)


def test_it_answers() -> None:
    assert ask("print(sys.argv[-2:])", "a b", "ü") == b"['a b', '\xc3\xbc']\n"


def test_it_is_ended_when_it_takes_too_long() -> None:
    began = time.monotonic()
    with pytest.raises(ChildError, match="takes longer than 1 s"):
        ask("import time; time.sleep(60)", seconds=1.0)
    assert time.monotonic() - began < 20.0


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not bound memory so")
def test_it_gets_no_more_memory() -> None:
    with pytest.raises(ChildError, match="takes more than 1 GB of memory"):
        ask("bytearray(2 << 30)", memory=GB)


def test_what_ends_it_is_told() -> None:
    with pytest.raises(ChildError, match=r"ended the process that reads it \(signal 9\)"):
        ask("import os, signal; os.kill(os.getpid(), signal.SIGKILL)")


def test_a_bug_in_it_stays_a_bug() -> None:
    with pytest.raises(RuntimeError, match=r"Traceback[\s\S]*ZeroDivisionError"):
        ask("1 / 0")
