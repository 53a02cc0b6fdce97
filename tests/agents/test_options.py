"""Options in agents' names: how they are split, read, refused and shown."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.agents.load import load_agent
from navproof.agents.options import check_between, describe_options, make_options, split_name
from navproof.core.errors import AgentError

WORD = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True)
VALUE = st.text("abc0123456789.:/-", min_size=1, max_size=12)


class Walker:
    """An agent with options of every kind."""

    @dataclass(frozen=True)
    class Options:
        steps: int = 3
        speed: float = 0.5
        loud: bool = False
        name: str = "walker"
        mode: Literal["fast", "slow"] = "slow"
        path: tuple[int, ...] = ()

        def __post_init__(self) -> None:
            check_between(self, 0.0, 1.0, "speed")


@pytest.mark.parametrize(
    ("name", "agent", "pairs"),
    [
        ("mlfm", "mlfm", ()),
        ("mlfm@layers=1@eae=0.2", "mlfm", (("layers", "1"), ("eae", "0.2"))),
        ("a@b/my.py:Mine@x=1", "a@b/my.py:Mine", (("x", "1"),)),
        ("m.py:A@encoder=clip:/a/b=c", "m.py:A", (("encoder", "clip:/a/b=c"),)),
    ],
)
def test_a_name_is_split(name: str, agent: str, pairs: tuple[tuple[str, str], ...]) -> None:
    assert split_name(name) == (agent, pairs)


@given(agent=WORD, options=st.dictionaries(WORD, VALUE, max_size=4))
def test_what_is_joined_is_split_again(agent: str, options: dict[str, str]) -> None:
    name = "@".join([agent, *(f"{k}={v}" for k, v in options.items())])
    assert split_name(name) == (agent, tuple(options.items()))


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("mlfm@layers", "option 'layers' must read name=value"),
        ("mlfm@layers=1@eae", "option 'eae' must read name=value"),
        ("mlfm@layers=", "option 'layers=' must read name=value"),
        ("mlfm@layers=1@layers=2", "has the option 'layers' twice"),
        ("mlfm@layer=1", "has no option 'layer'; did you mean 'layers'?"),
        ("mlfm@layers=two", "layers must be a whole number, not 'two'"),
        ("mlfm@layers=0", "layers must be from 1 to 16, not 0"),
        ("mlfm@eae=40", "eae must be from 0 to 1, not 40"),
        ("mlfm@kernel=maybe", "kernel must be true or false, not 'maybe'"),
        ("mlfm@sources=maps", "sources is one of map, detector, both, not 'maps'; did you mean"),
        ("random@speed=1", "takes no options"),
        ("mopa@layers=2", "has no option 'layers'"),
        ("vlfm@eae=0.4", "has no option 'eae'"),
    ],
)
def test_a_wrong_option_is_refused_in_one_line(name: str, says: str) -> None:
    with pytest.raises(AgentError) as caught:
        load_agent(name)
    assert says in str(caught.value)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_values_take_the_type_of_their_field() -> None:
    pairs = [("steps", "7"), ("speed", "1"), ("loud", "Yes"), ("name", "a=b"), ("mode", "fast")]
    assert make_options("w", Walker, pairs) == Walker.Options(7, 1.0, True, "a=b", "fast")
    assert make_options("w", Walker, []) == Walker.Options()
    with pytest.raises(AgentError, match="path cannot be set in the agent's name"):
        make_options("w", Walker, [("path", "1")])
    with pytest.raises(AgentError, match="speed must be from 0 to 1, not nan"):
        make_options("w", Walker, [("speed", "nan")])


def test_options_are_shown_as_they_are_written() -> None:
    shown = describe_options(Walker)
    assert shown["loud"] == "false"
    written = [(k, v) for k, v in shown.items() if k != "path"]
    assert make_options("w", Walker, written) == Walker.Options()
    assert describe_options(object) == {}


def test_a_users_class_takes_options_too(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "from dataclasses import dataclass\n"
        "@dataclass(frozen=True)\n"
        "class Settings:\n"
        "    speed: float = 0.5\n"
        "    @property\n"
        "    def sensors(self): return ('pose', 'rgb') if self.speed > 1 else ('pose',)\n"
        "class Mine:\n"
        "    Options = Settings\n"
        "    def __init__(self, options=None): self.options = options\n"
        "    def reset(self, brief): pass\n"
        "    def act(self, obs): return 'forward'\n"
    )
    plain, quick = load_agent(f"{path}:Mine"), load_agent(f"{path}:Mine@speed=2")
    assert plain.sensors == ("pose",)
    assert quick.sensors == ("pose", "rgb")
    assert plain().options is None  # type: ignore[attr-defined]
    assert quick().options.speed == 2.0  # type: ignore[attr-defined]
    assert quick.name == f"{path}:Mine@speed=2"


def test_only_eyes_called_truth_ask_for_ground_truth() -> None:
    assert load_agent("mlfm").sensors == ("rgb", "depth", "pose", "pointgoal")
    for name in ("mlfm@encoder=truth", "mlfm@detector=truth:miss=0.2", "vlmaps@encoder=truth"):
        assert "semantic" in (load_agent(name).sensors or ())
