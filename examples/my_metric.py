"""Metrics of one's own: how jerkily an agent drives, and how often it changes its mind.

Check it:  navproof check metric examples/my_metric.py:jerk
Use it:    navproof run --agent frontier --suite mini --metric examples/my_metric.py:jerk -o runs/j
           navproof score runs/mini --metric examples/my_metric.py:changes_of_mind
The second computes it for a run that exists; nothing is played again.
"""

from itertools import pairwise

import numpy as np

from navproof import register_metric


@register_metric(
    "jerk",
    label="jerk",
    unit="m/step³",
    better="lower",
    definition="Mean length of the third difference of the positions, step by step.",
    source="Flash & Hogan 1985, The coordination of arm movements",
)
def jerk(trace):
    """None where an episode is too short to have any: such episodes are left out of the mean."""
    positions = np.array([(pose.x, pose.y) for pose in trace.poses])
    if len(positions) < 4:
        return None
    return float(np.linalg.norm(np.diff(positions, n=3, axis=0), axis=1).mean())


@register_metric("changes_of_mind", label="L/R flips", better="lower", bounded=True)
def changes_of_mind(trace):
    """Share of turns that undo the turn just before them."""
    turns = [(a, b) for a, b in pairwise(trace.actions) if b in ("left", "right")]
    undone = sum({a, b} == {"left", "right"} for a, b in turns)
    return undone / len(turns) if turns else None
