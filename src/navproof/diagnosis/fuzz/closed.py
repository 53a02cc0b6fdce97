"""Agents that tell no beliefs: what a search can do with them, and what it cannot.

A search asks nothing from outside (``player``): that takes many more runs and names no
capability. So ``from_outside`` in its diagnoses says only that nothing could be corrected.
"""

from __future__ import annotations

from collections.abc import Iterable

from navproof.diagnosis.types import Diagnosis

__all__ = ["NO_BELIEFS", "closed_words", "is_closed", "without_beliefs"]

NO_BELIEFS = "no beliefs told"
"""In the place of a cause."""
_SEARCHED = {"cantest": "by failure alone", "cantest-no-failure": "without feedback"}
"""What testers that feed on causes do where there are none (``formulas.feedback``)."""


def without_beliefs(diagnosis: Diagnosis | None) -> bool:
    """Whether the agent told no beliefs, and nothing was asked from outside instead."""
    return diagnosis is not None and diagnosis.verdict == "from_outside" and not diagnosis.findings


def is_closed(diagnoses: Iterable[Diagnosis]) -> bool:
    """Whether an agent told no beliefs in any of the failures that could be played again, of which
    there is one at least."""
    told = [d for d in diagnoses if d.verdict not in ("not_run", "not_reproduced")]
    return bool(told) and all(map(without_beliefs, told))


def closed_words(tester: str) -> str:
    """What that means for a search with a tester, and what can be done."""
    searched = f" and {tester} searched {_SEARCHED[tester]}" if tester in _SEARCHED else ""
    return (
        f"the agent tells no beliefs, so no capability could be corrected{searched}; "
        "navproof diagnose on a run of the failures asks from outside"
    )
