"""A sample of what ``make test-fuzz`` does: every kind of damaged input works or is one line."""

from __future__ import annotations

from pathlib import Path

import pytest

_COUNT, _SEED = 200, 7


@pytest.fixture
def harness(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))


@pytest.mark.usefixtures("harness")
def test_damaged_input_works_or_is_one_line(tmp_path: Path) -> None:
    from fuzz_kinds import KINDS, MESHES
    from fuzz_run import GOOD, draw_kinds, play
    from fuzz_seeds import make_seeds

    make_seeds(tmp_path / "seeds")
    there = [kind for kind, about in KINDS.items() if about.is_there(tmp_path / "seeds")]
    slow = [kind for kind in there if kind in MESHES]  # each takes a process of its own
    mutants = draw_kinds(_COUNT, [kind for kind in there if kind not in slow], _SEED)
    mutants += [(kind, 0) for kind in slow]
    answers = list(play(mutants, _SEED, tmp_path / "seeds", workers=1, limit_s=300.0))
    assert len(answers) == len(mutants)
    assert [str(answer) for answer in answers if answer.outcome not in GOOD] == []
    assert {answer.outcome for answer in answers} == set(GOOD)
