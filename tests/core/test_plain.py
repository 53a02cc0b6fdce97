"""Plain data: what files and hashes are made of."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace

from navproof.core.plain import as_plain
from navproof.tasks import TASKS


@dataclass(frozen=True)
class Thing:
    name: str
    tags: dict[str, int] = field(default_factory=dict)
    colour: str = field(default="", metadata={"later": True})
    parts: tuple[int, ...] = field(default=(), metadata={"later": True})
    more: dict[str, int] = field(default_factory=dict, metadata={"later": True})


def test_later_fields_are_told_only_when_they_say_something() -> None:
    thing = Thing("a")
    assert as_plain(thing) == {"name": "a", "tags": {}}
    told = as_plain(replace(thing, colour="red", parts=(1,), more={"b": 2}))
    assert told == {"name": "a", "tags": {}, "colour": "red", "parts": [1], "more": {"b": 2}}


def test_it_reaches_into_what_is_held() -> None:
    assert as_plain({"x": (Thing("a"), [Thing("b", colour="c")])}) == {
        "x": [{"name": "a", "tags": {}}, [{"name": "b", "tags": {}, "colour": "c"}]]
    }


def test_the_standard_specs_say_nothing_that_came_later() -> None:
    for spec in (kind.spec for kind in TASKS.values() if not kind.robots):
        for value in (spec, spec.robot, *spec.sensors):
            first = [f.name for f in fields(value) if not f.metadata.get("later")]
            assert list(as_plain(value)) == first
