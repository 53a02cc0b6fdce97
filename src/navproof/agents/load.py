"""From a name to an agent: registered ones, ``file.py:Class`` and ``package.module:Class``, each
with options if it takes any: ``mlfm@layers=1``, ``file.py:Class@speed=0.5`` (see ``options``)."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from navproof.agents.options import make_options, split_name
from navproof.agents.protocol import FEELINGS, Agent
from navproof.core.errors import AgentError, NavproofError, one_line
from navproof.core.registry import NamedImports, module_from_file, suggest
from navproof.tasks import TASKS

__all__ = ["AGENTS", "AgentFactory", "load_agent"]

AGENTS: NamedImports[Callable[[], Agent]] = NamedImports(
    "agent",
    {
        "oracle": "navproof.agents.baselines.oracle:Oracle",
        "random": "navproof.agents.baselines.random:RandomAgent",
        "forward": "navproof.agents.baselines.forward:ForwardAgent",
        "frontier": "navproof.agents.baselines.frontier:FrontierAgent",
        "vlmaps": "navproof.agents.search.vlmaps:VLMaps",
        "vlfm": "navproof.agents.search.vlfm:VLFM",
        "vlfm-v2": "navproof.agents.search.vlfm:VLFMv2",
        "mopa": "navproof.agents.search.mopa:MOPA",
        "onemap": "navproof.agents.search.onemap:OneMap",
        "onemap-v2": "navproof.agents.search.onemap:OneMapV2",
        "mlfm": "navproof.agents.search.mlfm:MLFM",
        "route": "navproof.agents.route.agent:RouteAgent",
        "generalist": "navproof.agents.generalist.agent:Generalist",
    },
)


@dataclass(frozen=True)
class AgentFactory:
    """Makes agents. ``name`` is what the user wrote; ``sensors`` is None for the standard ones,
    ``feels`` for the usual rule, ``tasks`` for all (see ``Agent``)."""

    name: str
    make: Callable[[], Agent]
    sensors: tuple[str, ...] | None
    feels: frozenset[str] | None = None
    tasks: tuple[str, ...] | None = None

    def __call__(self) -> Agent:
        """A new agent; an exception in its constructor becomes an ``AgentError``."""
        try:
            agent = self.make()
        except NavproofError as error:
            raise AgentError(f"agent '{self.name}' could not be made: {error}") from None
        except Exception as error:
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


def load_agent(name: str) -> AgentFactory:
    """The factory of the agent called ``name``.

    ``name`` is a registered agent (``oracle``), a file and a class (``my_agent.py:MyAgent``), or
    a module and a class (``package.module:Class``), and its options (``mlfm@layers=1``). Raises
    ``AgentError`` (or ``UnknownNameError`` for a registered name that does not exist), always in
    one line.
    """
    plain, pairs = split_name(name)
    where, colon, attribute = plain.rpartition(":")
    if not colon and (plain.endswith(".py") or "/" in plain):
        raise AgentError(f"agent '{name}' names no class: write {plain}:ClassName")
    make = _attribute(plain, where, attribute) if colon else AGENTS.get(plain)
    _check_class(name, make)
    options = make_options(name, make, pairs)
    sensors = _names(name, options if hasattr(options, "sensors") else make, "sensors")
    feels = _names(name, make, "feels", FEELINGS)
    return AgentFactory(
        name,
        partial(cast("Any", make), options) if pairs else make,
        sensors,
        None if feels is None else frozenset(feels),
        _names(name, make, "tasks", tuple(TASKS)),
    )


def _attribute(name: str, where: str, attribute: str) -> Callable[[], Agent]:
    if not where or not attribute:
        raise AgentError(f"agent '{name}' must read file.py:Class or package.module:Class")
    is_file = where.endswith(".py") or "/" in where or "\\" in where
    module = _from_file(name, Path(where)) if is_file else _from_package(name, where)
    if not hasattr(module, attribute):
        own = [
            n
            for n, v in vars(module).items()
            if isinstance(v, type) and v.__module__ == module.__name__
        ]
        hint = suggest(attribute, own) if own else "; it defines no class"
        raise AgentError(f"{where} has no class '{attribute}'{hint}")
    return cast("Callable[[], Agent]", getattr(module, attribute))


def _from_file(name: str, path: Path) -> ModuleType:
    if not path.is_file():
        raise AgentError(f"agent '{name}': there is no file {path}")
    try:
        return module_from_file(path)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise AgentError(f"agent '{name}': {path} failed on import: {one_line(error)}") from error


def _from_package(name: str, where: str) -> ModuleType:
    try:
        return importlib.import_module(where)
    except ModuleNotFoundError as error:
        if error.name is not None and (where == error.name or where.startswith(error.name + ".")):
            raise AgentError(
                f"agent '{name}': there is no module '{where}'; for a file write {where}.py:Class"
            ) from None
        raise AgentError(f"agent '{name}': {where} failed on import: {error}") from error
    except Exception as error:
        raise AgentError(f"agent '{name}': {where} failed on import: {one_line(error)}") from error


def _check_class(name: str, make: object) -> None:
    if not callable(make):
        raise AgentError(f"agent '{name}' is a {type(make).__name__}, not a class")
    if not isinstance(make, type):
        return  # a factory function: its product is checked when it is made
    for method in ("reset", "act"):
        if not callable(getattr(make, method, None)):
            near = [m for m in vars(make) if not m.startswith("_")]
            hint = f" (it has {', '.join(near)})" if near else ""
            raise AgentError(
                f"agent '{name}' has no method '{method}'{hint};"
                " an agent needs reset(brief) and act(obs)"
            )


def _names(
    name: str, make: Any, attribute: str, known: tuple[str, ...] = ()
) -> tuple[str, ...] | None:
    """The names in an attribute of the class, None where it has none."""
    wanted = getattr(make, attribute, None)
    if wanted is None:
        return None
    if isinstance(wanted, str):
        raise AgentError(
            f"agent '{name}' has {attribute} = {wanted!r}; write a tuple of names: ({wanted!r},)"
        )
    try:
        names = tuple(wanted)
    except TypeError:
        names = (None,)
    if not all(isinstance(n, str) for n in names):
        raise AgentError(f"agent '{name}': {attribute} must be a tuple of names")
    for one in names:
        if known and one not in known:
            hint = suggest(one, list(known))
            raise AgentError(f"agent '{name}' has '{one}' among its {attribute}{hint}")
    return names
