"""What to run. Two runs with the same ``RunSpec`` and episodes give the same results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, get_args

from navproof.agents.limits import Limits
from navproof.core.errors import SpecError
from navproof.core.salt import Salt
from navproof.core.types import Clock, SensorSpec
from navproof.runner.conditions import expand_conditions, usual_conditions
from navproof.sim.registry import simulator_name

if TYPE_CHECKING:
    from navproof.corruptions.rewriter import Rewriter

__all__ = ["RunSpec"]


@dataclass(frozen=True, slots=True)
class RunSpec:
    """A run: agents × episodes of a suite × conditions × seeds.

    ``suite`` is the name of a suite, an episode file or a packed suite. ``conditions`` are texts as
    ``parse_condition`` takes them (none: those that the suite brings with it, or clean alone);
    they become their names, "clean" first in any case. ``camera`` replaces (width, height) of
    every camera. ``sensors`` come on top of the tasks' own, or in the place of those whose names
    they have (``navproof.sensors.config``). ``robots`` take the place of the tasks' own
    (``tasks.robots.for_robots``). ``reacting_people`` mind the robot instead of keeping to their
    schedule. ``episode_limit`` takes at most so many episodes, evenly over the tasks and robots,
    ``episode_skip`` others than a limit of that number would.
    ``beliefs`` records what agents say they believe. ``rewriter`` is a language model that takes
    the place of the built-in instruction styles. ``simulator`` is ``embedded``, ``physics`` or
    ``file.py:factory`` of another ``Simulator``. ``in_process`` has agents share a process with
    their judge, to debug them; the result says so. ``salt`` has scenes and episodes made anew from
    a secret (``core.salt``). ``clock`` says whether the world goes on while an agent makes up its
    mind, and for how long (``core.types.Clock``). The number of workers is not part of it.
    """

    agents: tuple[str, ...]
    suite: str
    seeds: tuple[int, ...] = (0,)
    conditions: tuple[str, ...] = ()
    camera: tuple[int, int] | None = None
    sensors: tuple[SensorSpec, ...] = ()
    robots: tuple[str, ...] = ()
    reacting_people: bool = False
    episode_limit: int | None = None
    episode_skip: int = 0
    beliefs: bool = False
    rewriter: Rewriter | None = None
    simulator: str = "embedded"
    limits: Limits = field(default_factory=Limits)
    in_process: bool = False
    salt: Salt | None = None
    clock: Clock = "wait"

    def __post_init__(self) -> None:
        for what, values, needed in (
            ("agent", self.agents, True),
            ("seed", self.seeds, True),
            ("robot", self.robots, False),
        ):
            if needed and not values:
                raise SpecError(f"a run needs at least one {what}")
            if len(set(values)) != len(values):
                twice = next(v for v in values if list(values).count(v) > 1)
                raise SpecError(f"{what} {twice!r} is given twice")
        if self.salt is not None and self.in_process:
            raise SpecError(
                "--salt and --in-process: agents that share a process with their judge would know "
                "the salt"
            )
        if self.clock not in get_args(Clock):
            *most, last = get_args(Clock)
            raise SpecError(f"the clock is {', '.join(most)} or {last}, not {self.clock!r}")
        for seed in self.seeds:
            if not -(2**63) <= seed < 2**63:
                raise SpecError(f"seed {seed} does not fit into 64 bits")
        object.__setattr__(self, "simulator", simulator_name(self.simulator))
        conditions = expand_conditions(self.conditions or usual_conditions(self.suite))
        object.__setattr__(self, "conditions", conditions)
        if self.episode_limit is not None and self.episode_limit < 1:
            raise SpecError(f"the number of episodes must be at least 1, got {self.episode_limit}")
        if self.episode_skip < 0:
            raise SpecError(f"episodes to leave out: at least 0, got {self.episode_skip}")
