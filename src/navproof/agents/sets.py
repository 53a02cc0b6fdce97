"""Agents that are run together: the paper's table, and its ablations one by one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from navproof.agents.load import AGENTS
from navproof.agents.options import parse_agent
from navproof.core.errors import UnknownNameError
from navproof.core.registry import suggest

__all__ = ["SETS", "AgentSet", "expand_agents"]


@dataclass(frozen=True, slots=True)
class AgentSet:
    """``agents`` as ``load_agent`` takes them, in the order in which a table shows them."""

    about: str
    agents: tuple[str, ...]


SETS: Mapping[str, AgentSet] = {
    "langnav": AgentSet(
        "LangNavBench Table 3: MLFM and its baselines",
        ("vlmaps", "vlfm", "mopa", "onemap", "vlfm-v2", "onemap-v2", "mlfm"),
    ),
    "missions": AgentSet(
        "OmniNavBench: all skills, and baselines that have one each",
        (
            "generalist",
            "generalist@skills=vln",
            "generalist@skills=objectnav",
            "generalist@skills=pointnav",
            "generalist@skills=follow",
        ),
    ),
    "langnav-at-once": AgentSet(
        "VLMaps and VLFM going for their best spot from the first step, however unlikely",
        ("vlmaps", "vlmaps@match=0", "vlfm", "vlfm@match=0"),
    ),
    "mlfm-layers": AgentSet(
        "Table 6: height layers",
        ("mlfm@layers=1", "mlfm@layers=2", "mlfm", "mlfm@layers=4", "mlfm@layers=5"),
    ),
    "mlfm-cells": AgentSet("Table 6: cell size, 6 and 10 cm", ("mlfm", "mlfm@cell_m=0.1")),
    "mlfm-eae": AgentSet(
        "Table 7: share of the budget in which map and detector must agree, 20 to 80 %",
        ("mlfm@eae=0.2", "mlfm", "mlfm@eae=0.6", "mlfm@eae=0.8"),
    ),
    "mlfm-sources": AgentSet(
        "Table 8: map only, detector only, both",
        ("mlfm@sources=map", "mlfm@sources=detector", "mlfm"),
    ),
    "mlfm-kernel": AgentSet("Table 9: text as kernel, off and on", ("mlfm@kernel=false", "mlfm")),
    "mlfm-features": AgentSet(
        "Table 5: features of the image or of its patches", ("mlfm@features=image", "mlfm")
    ),
}


def expand_agents(names: Iterable[str]) -> tuple[str, ...]:
    """The names with those of sets replaced by their agents, each agent once. A plain name that is
    neither is refused, with a suggestion out of both."""
    agents: dict[str, None] = {}
    for name in names:
        plain = parse_agent(name).ref
        if not {":", "/", "."} & set(plain) and plain not in AGENTS and name not in SETS:
            choices = [*AGENTS, *SETS]
            raise UnknownNameError(f"there is no agent '{plain}'{suggest(plain, choices)}")
        agents |= dict.fromkeys(SETS[name].agents if name in SETS else (name,))
    return tuple(agents)
