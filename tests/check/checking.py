"""Files with broken things in them, and what the checks say of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from navproof.check.result import Check


def wrong(checks: Sequence[Check]) -> dict[str, str]:
    """The checks that failed, each with what was seen; every one says how to mend it."""
    failed = [check for check in checks if check.ok is False]
    assert all(check.mend for check in failed)
    assert all("\n" not in check.what for check in checks)
    return {check.name: check.what for check in failed}


def assert_all_hold(checks: Sequence[Check]) -> None:
    """Every check was made and passed."""
    assert wrong(checks) == {}
    assert all(check.ok for check in checks)


def assert_fault(failed: Mapping[str, str], failing: str, says: str) -> None:
    """Nothing failed where ``failing`` is empty; else that check did, and says so."""
    if not failing:
        assert failed == {}
        return
    assert failing in failed
    assert says in failed[failing]


def written(folder: Path, text: str) -> str:
    """The path of a Python file with that text."""
    path = folder / "broken.py"
    path.write_text(text)
    return str(path)
