"""How a mission ended: one word per episode, by rule, from the trace alone.

The modes are OmniNavBench's (section IV-B): drift, stuck, premature stop and fall; the paper has no
name for a robot that neither reached the final goal nor stopped, nor for a broken agent. "Reached"
is what OSR asks: within the success distance of the final goal at any moment (after having left
it, where it is the way back). The first that fits, in this order:

1. ``success``: stopped at the final goal (SR; its share of episodes and those of the failures sum
   to 1, as the paper's failure rate is 1 − SR);
2. ``environment failure``, ``agent failure``: the episode broke off;
3. ``fall``;
4. ``drift``: reached the final goal, and was away from it at the end, whether it stopped or not;
5. ``stuck``: reached it, was there at the end, and did not stop;
6. ``premature stop``: stopped without ever having reached it;
7. ``out of time``: neither reached it nor stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from navproof.log.moments import at_every_moment
from navproof.log.trace import Trace
from navproof.metrics.missions.goal import arrived, arrived_at, final_distances_m, within
from navproof.metrics.missions.record import fell, is_mission, stopped
from navproof.metrics.registry import register_metric

__all__ = ["MODES", "mission_end"]

MODES: Mapping[str, str] = {
    "drift": "reached the final goal and left it again",
    "stuck": "reached the final goal and never stopped",
    "premature stop": "stopped before it had reached the final goal",
    "fall": "fell over",
    "out of time": "neither reached the final goal nor stopped",
    "agent failure": "the agent raised, hung or returned nonsense",
    "environment failure": "the simulator or the task failed",
}
"""Ways to fail, name to meaning: the paper's four, then the others."""


@at_every_moment
def mission_end(trace: Trace) -> str | None:
    """ "success", or one of ``MODES``; None for other tasks."""
    if not is_mission(trace):
        return None
    if trace.status != "ok":
        return "environment failure" if trace.status == "env_error" else "agent failure"
    if arrived(trace):
        return "success"
    if fell(trace):
        return "fall"
    if arrived_at(trace) is None:
        return "premature stop" if stopped(trace) else "out of time"
    there = within(final_distances_m(trace)[-1], trace.spec.success_m)
    return "stuck" if there else "drift"


def _about(mode: str) -> dict[str, Any]:
    """What is declared of every way to fail."""
    return {
        "label": mode,
        "better": "lower",
        "definition": f"1 if a mission failed in this way, else 0: {MODES[mode]}.",
        "source": "Sun et al. 2026, OmniNavBench, section IV-B and Figure 4, arXiv:2605.09441",
        "family": "failures",
        "bounded": True,
        "binary": True,
        "applies": is_mission,
    }


def _ended(mode: str) -> Callable[[Trace], float | None]:
    """Whether a mission ended like that."""

    def ended(trace: Trace) -> float | None:
        how = mission_end(trace)
        return None if how is None else float(how == mode)

    return ended


_UNNAMED = f"{_about('out of time')['source']}; the rest, which it does not name"
register_metric("drift", **_about("drift"))(_ended("drift"))
register_metric("stuck", **_about("stuck"))(_ended("stuck"))
register_metric("premature_stop", **_about("premature stop"))(_ended("premature stop"))
register_metric("fall", **_about("fall"))(_ended("fall"))
register_metric("out_of_time", **_about("out of time") | {"source": _UNNAMED})(
    _ended("out of time")
)
