"""Named sets of agents."""

from __future__ import annotations

import pytest

from navproof.agents.load import load_agent
from navproof.agents.registry import AGENTS
from navproof.agents.sets import SETS, expand_agents
from navproof.core.errors import UnknownNameError


def test_every_agent_of_every_set_loads() -> None:
    for name, chosen in SETS.items():
        assert name not in AGENTS
        assert len(set(chosen.agents)) == len(chosen.agents) > 1
        for agent in chosen.agents:
            load_agent(agent)


def test_the_papers_table_is_complete() -> None:
    assert set(expand_agents(["langnav"])) == {
        "vlmaps",
        "vlfm",
        "mopa",
        "onemap",
        "vlfm-v2",
        "onemap-v2",
        "mlfm",
    }


def test_ablations_vary_one_option_around_the_standard_agent() -> None:
    for name, chosen in SETS.items():
        if name == "langnav":
            continue
        assert (name.startswith("mlfm-")) is ("mlfm" in chosen.agents)
        options = {
            part.partition("=")[0] for agent in chosen.agents for part in agent.split("@")[1:]
        }
        assert len(options) == 1


def test_sets_expand_in_order_and_each_agent_comes_once() -> None:
    assert expand_agents(["random", "my.py:A@x=1"]) == ("random", "my.py:A@x=1")
    assert expand_agents(["mlfm-cells", "oracle", "mlfm-kernel"]) == (
        "mlfm",
        "mlfm@cell_m=0.1",
        "oracle",
        "mlfm@kernel=false",
    )
    assert expand_agents([]) == ()


@pytest.mark.parametrize(("name", "meant"), [("langnv", "langnav"), ("oracel", "oracle")])
def test_a_name_that_is_neither_agent_nor_set_is_refused(name: str, meant: str) -> None:
    with pytest.raises(UnknownNameError, match=f"no agent '{name}'; did you mean '{meant}'"):
        expand_agents(["random", name])
