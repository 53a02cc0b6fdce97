"""Benchmarks whose options cannot be meant say so in one line and measure nothing."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("bench", "words", "says"),
    [
        ("attribution", ["--suite", "none.jsonl"], "none.jsonl"),
        ("attribution", ["--kinds", "mises"], "no fault 'mises'; did you mean 'misses'?"),
        ("attribution", ["--cases", "0"], "--cases is at least 1: 0"),
        ("attribution", ["--table", "-o", "page.md"], "page.md, line 1: not a case"),
        ("scale", ["--episodes", "4"], "--episodes is at least 8: 4"),
        ("scale", ["--workers", "1"], "--workers is at least 2: 1"),
        ("corruptions", ["--peers", "none"], "--peers: there is no folder none"),
    ],
)
def test_options_that_cannot_be_meant_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, bench: str, words: list[str], says: str
) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[1] / "benchmarks"))
    main = importlib.import_module(f"bench_{bench}").main
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.md").write_text("# A page\n")
    with pytest.raises(SystemExit) as left:
        main(words)
    text = str(left.value.code)
    assert text.startswith(f"bench_{bench}: ")
    assert says in text
    assert "\n" not in text
    assert [path.name for path in tmp_path.iterdir()] == ["page.md"]
