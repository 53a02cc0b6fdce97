"""How missions end: every mode, and which goes before which."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from mission_traces import home, mission_trace, point, thing
from navproof.core.types import Event
from navproof.log.trace import Trace
from navproof.metrics import METRICS
from navproof.metrics.missions.failures import MODES, mission_end

THERE, AWAY, START = (8.0, 0.0), (5.0, 0.0), (0.0, 0.0)
FALL = Event(1, "fall")


def ending(*spots: tuple[float, float], stops: bool = True, fall: bool = False) -> str | None:
    events = [FALL] if fall else []
    trace = mission_trace(
        [START, *spots], point(2, 0), thing(8, 0), done={0: 0}, stops=stops, events=events
    )
    end = mission_end(trace)
    told = [METRICS[mode.replace(" ", "_")](trace) for mode in list(MODES)[:5]]
    assert sum(v or 0.0 for v in told) + (METRICS["success"](trace) or 0.0) == 1.0
    assert end == "success" or METRICS[str(end).replace(" ", "_")](trace) == 1.0
    return end


def test_every_mode() -> None:
    assert ending(AWAY, THERE) == "success"
    assert ending(THERE, AWAY) == "drift"
    assert ending(THERE, AWAY, stops=False) == "drift"
    assert ending(AWAY, THERE, stops=False) == "stuck"
    assert ending(AWAY, AWAY) == "premature stop"
    assert ending(AWAY, AWAY, stops=False) == "out of time"
    assert ending(AWAY, AWAY, stops=False, fall=True) == "fall"


def test_leaving_and_coming_back_is_forgiven() -> None:
    assert ending(THERE, AWAY, THERE) == "success"
    assert ending(THERE, AWAY, THERE, stops=False) == "stuck"


def test_a_fall_goes_before_what_it_led_to() -> None:
    assert ending(THERE, AWAY, stops=False, fall=True) == "fall"
    assert ending(THERE, stops=False, fall=True) == "fall"
    assert ending(AWAY, THERE, fall=True) == "success"  # but not before a success


@pytest.mark.parametrize(
    ("away", "end"),
    [(2.0, "success"), (2.0 + 1e-6, "premature stop"), (2.0 - 1e-6, "success")],
)
def test_reaching_at_its_edge(away: float, end: str) -> None:
    assert ending((8 - away, 0.0)) == end
    passed = ending((8 - away, 0.0), START)
    assert passed == ("drift" if end == "success" else "premature stop")


def test_a_return_is_not_reached_at_the_start() -> None:
    spots = [START, START]
    assert mission_end(mission_trace(spots, point(5, 0), home())) == "premature stop"
    assert mission_end(mission_trace(spots, point(5, 0), home(), stops=False)) == "out of time"
    away = mission_trace([START, (5, 0), START, (5, 0)], point(5, 0), home())
    assert mission_end(away) == "drift"


def test_broken_episodes_go_before_modes() -> None:
    trace = mission_trace([START, AWAY], point(2, 0), thing(8, 0), events=[FALL])
    assert mission_end(replace(trace, status="agent_timeout")) == "agent failure"
    assert mission_end(replace(trace, status="env_error")) == "environment failure"
    never = mission_trace([START], point(2, 0), status="worker_died", recorded=False)
    assert mission_end(never) == "agent failure"
    assert METRICS["out_of_time"](never) == 0.0


def test_other_tasks_have_no_mode(make_trace: Callable[..., Trace]) -> None:
    assert mission_end(make_trace()) is None
    assert METRICS["drift"](make_trace()) is None
