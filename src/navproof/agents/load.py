"""From a name to an agent: registered ones, ``file.py:Class`` and ``package.module:Class``, each
with options if it takes any: ``mlfm@layers=1``, ``file.py:Class@speed=0.5`` (see ``options``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from navproof.agents.address import is_address
from navproof.agents.declaration import Declaration
from navproof.agents.options import make_options, parse_agent
from navproof.agents.protocol import FEELINGS, Agent
from navproof.agents.registry import AGENTS
from navproof.core.errors import AgentError, NavproofError, SpecError, one_line
from navproof.core.options import Given, describe_options
from navproof.core.registry import suggest
from navproof.tasks import TASKS

__all__ = [
    "AGENTS",
    "AgentFactory",
    "checked_names",
    "example_of",
    "load_agent",
    "needs_endpoint",
]


@dataclass(frozen=True)
class AgentFactory:
    """Makes agents. ``name`` is what the user wrote, ``declaration`` what the class says."""

    name: str
    make: Callable[[], Agent]
    declaration: Declaration

    @property
    def sensors(self) -> tuple[str, ...] | None:
        return self.declaration.sensors

    @property
    def feels(self) -> frozenset[str] | None:
        return self.declaration.feels

    @property
    def tasks(self) -> tuple[str, ...] | None:
        return self.declaration.tasks

    @property
    def options(self) -> Mapping[str, str]:
        return self.declaration.options

    def __call__(self) -> Agent:
        """A new agent; an exception in its constructor becomes an ``AgentError``."""
        try:
            agent = self.make()
        except NavproofError as error:
            raise AgentError(f"agent '{self.name}' could not be made: {error}") from None
        except (Exception, SystemExit) as error:
            how = "with its options" if isinstance(self.make, partial) else "without arguments"
            raise AgentError(
                f"agent '{self.name}' could not be made {how}: {one_line(error)}"
            ) from error
        for method in ("reset", "act"):
            if not callable(getattr(agent, method, None)):
                raise AgentError(
                    f"agent '{self.name}' has no method '{method}';"
                    " an agent needs reset(brief) and act(obs)"
                )
        return agent


def example_of(name: str) -> str:
    """A registered agent's name as it can be run: with options where it cannot do without, as its
    class's ``example`` gives them."""
    if needs_endpoint(name):
        return f"{name}@endpoint=http://localhost:8000@model=NAME"
    return str(getattr(AGENTS.get(name), "example", name))


def load_agent(name: str) -> AgentFactory:
    """The factory of the agent called ``name``.

    ``name`` is a registered agent (``oracle``), a file and a class (``my_agent.py:MyAgent``), or
    a module and a class (``package.module:Class``), and its options (``mlfm@layers=1``). Raises
    ``AgentError`` (or ``UnknownNameError`` for a registered name that does not exist), always in
    one line. An address leads to a server, which is nothing to be loaded (``play.factory``).
    """
    if is_address(name):
        raise AgentError(f"agent '{name}' is played by a server, and cannot be loaded here")
    parsed = parse_agent(name)
    try:
        make = AGENTS.get(parsed.ref)
    except SpecError as error:
        raise AgentError(str(error)) from error.__cause__
    options = make_options(name, make, parsed.options)
    sensors = _names(name, _says(options, make, "sensors"), "sensors")
    feels = _names(name, _says(options, make, "feels"), "feels", FEELINGS)
    return AgentFactory(
        name,
        partial(cast("Any", make), *options.positional, **options.named)
        if parsed.options
        else make,
        Declaration(
            sensors,
            None if feels is None else frozenset(feels),
            _names(name, make, "tasks", tuple(TASKS)),
            describe_options(make),
            _names(name, _says(options, make, "files"), "files") or (),
        ),
    )


def needs_endpoint(name: str) -> bool:
    """Whether a registered agent asks a model at an endpoint, without which it cannot be made."""
    return "endpoint" in describe_options(AGENTS.get(name))


def _says(given: Given, make: Any, attribute: str) -> Any:
    """Who says something of an agent: its options, where they do, else its class."""
    return given.options if hasattr(given.options, attribute) else make


def _names(
    name: str, make: Any, attribute: str, allowed: tuple[str, ...] = ()
) -> tuple[str, ...] | None:
    """The names in an attribute of the class, None where it has none."""
    return checked_names(name, attribute, getattr(make, attribute, None), allowed)


def checked_names(
    name: str, attribute: str, declared: Any, allowed: tuple[str, ...] = ()
) -> tuple[str, ...] | None:
    """What agent ``name`` declares under ``attribute`` as names, None where that is None. An
    ``AgentError`` in one line where there are other things in it than ``allowed`` names, or where
    none are named, any."""
    if declared is None:
        return None
    if isinstance(declared, str):
        raise AgentError(
            f"agent '{name}' has {attribute} = {declared!r}; "
            f"write a tuple of names: ({declared!r},)"
        )
    try:
        names = tuple(declared)
    except TypeError:
        names = (None,)
    if not all(isinstance(n, str) for n in names):
        raise AgentError(f"agent '{name}': {attribute} must be a tuple of names")
    for one in names:
        if allowed and one not in allowed and ":" not in one:
            hint = suggest(one, list(allowed))
            raise AgentError(f"agent '{name}' has '{one}' among its {attribute}{hint}")
    return names
