from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from navproof.core.types import Episode, Goal, Point, Pose, Robot, TaskSpec
from navproof.log.trace import Status, Trace, TraceKey
from navproof.metrics import METRICS

MakeTrace = Callable[..., Trace]


def _make_trace(
    points: Sequence[Point] = ((0, 0, 0), (1, 0, 0)),
    *,
    distances: Sequence[float] | None = None,
    actions: Sequence[str] | None = None,
    reference: Sequence[Point] = (),
    geodesic_m: float = 1.0,
    success_m: float = 0.2,
    status: Status = "ok",
    collisions: Sequence[bool] | None = None,
    agent: str = "agent",
    episode_id: str = "e0",
    task: str = "pointnav-v1",
) -> Trace:
    """A trace along ``points``; the last action is a stop unless ``actions`` says otherwise."""
    count = len(points) - 1
    words = tuple(actions) if actions is not None else ("forward",) * (count - 1) + ("stop",)
    spec = TaskSpec(task, Robot("r", 0.2, 1.0), (), success_m, 500)
    episode = Episode(
        episode_id,
        task,
        "scene",
        Pose(*points[0]),
        (Goal("point", (points[-1],)),),
        geodesic_m,
        tuple(reference),
        500,
        0,
    )
    return Trace(
        key=TraceKey(agent, episode_id),
        episode=episode,
        spec=spec,
        status=status,
        reason="" if status == "ok" else "why",
        poses=tuple(Pose(*p) for p in points),
        actions=words,
        collisions=tuple(collisions) if collisions is not None else (False,) * count,
        distances_m=tuple(distances) if distances is not None else (1.0,) * count + (0.0,),
        events=(),
    )


@pytest.fixture
def make_trace() -> MakeTrace:
    return _make_trace


@pytest.fixture(autouse=True)
def metrics_of_other_tests_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_things", "_registered"):
        monkeypatch.setattr(METRICS, name, dict(getattr(METRICS, name)))
