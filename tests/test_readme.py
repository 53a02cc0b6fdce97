"""The README's examples are true: the agent is the one in ``examples``, the tests pass."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)


def block_with(word: str) -> str:
    (found,) = [b for b in BLOCKS if word in b]
    return str(found)


def test_the_agent_is_the_one_to_copy() -> None:
    example = (ROOT / "examples" / "my_agent.py").read_text(encoding="utf-8")
    assert block_with("class MyAgent") in example


def test_the_tests_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, Any] = {}
    exec(block_with("tiny_scene"), names)
    tests = [f for name, f in names.items() if name.startswith("test_")]
    assert len(tests) == 2
    for test in tests:
        test()
