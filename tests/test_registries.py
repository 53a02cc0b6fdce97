"""The eight registries: what their files declare as text is what they register, completely."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from navproof.agents.registry import AGENTS
from navproof.core.later import Later
from navproof.core.registry import Registry
from navproof.corruptions.navtrust import SINGLE
from navproof.corruptions.registry import CORRUPTIONS
from navproof.metrics.registry import METRICS
from navproof.sensors.registry import SENSORS
from navproof.sim.registry import SIMULATORS
from navproof.sim.robots import ROBOTS
from navproof.tasks import TASKS
from navproof.tasks.suites.registry import SUITES

REGISTRIES: tuple[Registry[Any], ...] = (
    *(AGENTS, CORRUPTIONS, METRICS, ROBOTS),
    *(SENSORS, SIMULATORS, SUITES, TASKS),
)


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.kind)
def test_every_name_leads_to_one_thing(registry: Registry[Any]) -> None:
    names = registry.built_in()
    assert len(names) == len(set(names)) > 1
    assert set(names) <= set(registry)
    for name in names:
        assert registry.get(name) is registry[name]
        assert registry.origin(name) is None


def test_what_is_declared_as_text_is_what_is_registered() -> None:
    """A declaration that the search does not see would be missing from every list."""
    for registry in REGISTRIES:
        for name in registry.built_in():
            registry.get(name)
        declared = {name for name in registry._things if registry.origin(name) is None}
        assert declared == set(registry.built_in()), registry.kind


def test_what_is_named_for_later_is_there() -> None:
    named = [
        value
        for kind in TASKS.values()
        for value in (getattr(kind, field.name) for field in fields(kind))
        if isinstance(value, Later)
    ]
    assert len(named) > 12
    for value in named:
        assert callable(value.resolved), value


def test_published_protocols_are_lists_of_their_own() -> None:
    """A corruption or robot more changes neither NavTrust's conditions nor the missions."""
    assert len(SINGLE) == 21
    assert set(CORRUPTIONS.built_in()) > set(SINGLE)
    assert TASKS.get("mission-v1").robots == ("aliengo", "carter", "h1")
