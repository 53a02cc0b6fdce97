"""The formulas of feedback: selection, mutation, balance, score (CanTest, sections 4.1 and 4.3).

Where the paper leaves a case open, design 0016 and the docstrings say what is done here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from navproof.diagnosis.capabilities import PIPELINE, Capability

__all__ = ["balance", "feedback", "mild_probability", "selection"]


def selection(scores: Sequence[float]) -> NDArray[np.float64]:
    """The probability of each seed to be selected (equation 2):

        p_i = max(F_i, 0) / Σ_j max(F_j, 0)

    Uniform where every score is 0, which the equation does not define: nothing has failed yet.
    """
    if not len(scores):
        raise ValueError("nothing can be selected from no seeds")
    positive = np.maximum(np.asarray(scores, dtype=np.float64), 0.0)
    total = positive.sum()
    return positive / total if total > 0.0 else np.full(len(positive), 1.0 / len(positive))


def mild_probability(score: float, scores: Sequence[float]) -> float:
    """How likely the selected seed is mutated mildly, else aggressively (equation 10):

        p_m = (F − min F) / (max F − min F)

    ½ where all scores are equal, which the equation does not define: either is as good.
    """
    low, high = min(scores), max(scores)
    return 0.5 if high == low else (score - low) / (high - low)


def balance(counts: Mapping[Capability, int]) -> dict[Capability, float]:
    """λ of every capability (equation 7): how rare it is among the failures found so far.

        λ_x = mean_y N_y / max(N_x, 1)      over the four capabilities

    ``counts`` hold the failures attributed to each, the one that is scored among them.
    """
    mean = sum(counts.get(c, 0) for c in PIPELINE) / len(PIPELINE)
    return {c: mean / max(counts.get(c, 0), 1) for c in PIPELINE}


def feedback(
    source: Capability | None,
    error: float,
    counts: Mapping[Capability, int],
    *,
    failure: bool = True,
    capability: bool = True,
) -> float:
    """The score of a failed case: F = F^f + λ·F^c; a passed one has 0 (Algorithm 2).

    F^f is 1, F^c the error value in [0, 1] of the ``source`` of the failure, 0 where none was
    found. Without ``failure`` or ``capability`` that part is 0 (the paper's ablations).
    """
    f = 1.0 if failure else 0.0
    c = balance(counts)[source] * error if capability and source is not None else 0.0
    return f + c
