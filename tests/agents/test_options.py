"""Options in agents' names: how they are split, read, refused and shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from navproof.agents.load import load_agent
from navproof.agents.options import parse_agent
from navproof.core.errors import AgentError


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("mlfm@layers", "option 'layers' must read name=value"),
        ("mlfm@layers=1@eae", "layers must be a whole number, not '1@eae'"),
        ("mlfm@layers=", "option 'layers' has no value"),
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


BY_KEYWORD = """
from __future__ import annotations

class Mine:
    def __init__(self, ckpt: str, beam: int = 5, *, gain=0.5, mode: Mode = "x"):
        self.said = (ckpt, beam, gain, mode)
    def reset(self, brief): ...
    def act(self, obs): return "stop"

def made(beam: int = 5):
    return Mine("made", beam)
"""


def test_options_are_the_constructors_keywords_or_a_functions(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(BY_KEYWORD)
    agent = load_agent(f"{path}:Mine@ckpt=a/model.pt@gain=2")()
    assert agent.said == ("a/model.pt", 5, 2.0, "x")  # type: ignore[attr-defined]
    assert load_agent(f"{path}:made@beam=7")().said == ("made", 7, 0.5, "x")  # type: ignore[attr-defined]
    assert load_agent(f"{path}:made").options == {"beam": "5"}
    for name, says in (
        ("Mine", "needs the option 'ckpt'"),
        ("Mine@ckpt=m@bean=1", "has no option 'bean'; did you mean 'beam'?"),
        ("made@beam=wide", "beam must be a whole number, not 'wide'"),
    ):
        with pytest.raises(AgentError) as caught:
            load_agent(f"{path}:{name}")
        assert says in str(caught.value)


def test_a_class_may_be_called_as_a_mode_is() -> None:
    assert parse_agent("mine:frame@x=1").ref == "mine:frame"


def test_only_eyes_called_truth_ask_for_ground_truth() -> None:
    assert load_agent("mlfm").sensors == ("rgb", "depth", "pose", "pointgoal")
    for name in ("mlfm@encoder=truth", "mlfm@detector=truth:miss=0.2", "vlmaps@encoder=truth"):
        assert "semantic" in (load_agent(name).sensors or ())
