"""Everything that can be checked, by what it is called on the command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from navproof.agents.registry import AGENTS
from navproof.check.agents import check_agent
from navproof.check.corruptions import check_corruption
from navproof.check.metrics import check_metric
from navproof.check.result import Check
from navproof.check.robots import check_robot
from navproof.check.sensors import check_sensor
from navproof.check.simulators import check_simulator
from navproof.check.suites import check_suite
from navproof.check.tasks import check_task
from navproof.core.registry import Registry
from navproof.corruptions.registry import CORRUPTIONS
from navproof.metrics import METRICS
from navproof.sensors import SENSORS
from navproof.sim.registry import SIMULATORS
from navproof.sim.robots import ROBOTS
from navproof.tasks import TASKS
from navproof.tasks.suites import SUITES

__all__ = ["KINDS", "Kind"]


@dataclass(frozen=True, slots=True)
class Kind:
    """What can be added to navproof: where its names are, and what checks one of them."""

    registry: Registry[Any]
    check: Callable[..., tuple[Check, ...]]


KINDS = {
    "agent": Kind(AGENTS, check_agent),
    "corruption": Kind(CORRUPTIONS, check_corruption),
    "metric": Kind(METRICS, check_metric),
    "robot": Kind(ROBOTS, check_robot),
    "sensor": Kind(SENSORS, check_sensor),
    "simulator": Kind(SIMULATORS, check_simulator),
    "suite": Kind(SUITES, check_suite),
    "task": Kind(TASKS, check_task),
}
