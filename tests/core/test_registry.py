"""One registry: declarations in files, registered names, entry points and references."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from navproof.core import registry as module
from navproof.core.errors import NavproofError, SpecError, UnknownNameError
from navproof.core.registry import Registry, reference_to

HOME = "registry_home"


def _convert(value: Any, name: str) -> Any:
    if not callable(value):
        raise SpecError(f"tool '{name}' is a {type(value).__name__}, not a function")
    return value


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Registry[Any]]:
    """A registry whose home is a package of two files."""
    home = tmp_path / HOME
    home.mkdir()
    (home / "__init__.py").write_text("")
    (home / "hammers.py").write_text(
        "from registry_holder import register_tool\n"
        "@register_tool('x')\ndef wrong_quotes(): ...\n"
        '@register_tool("hammer")\ndef hammer():\n    return "bang"\n'
    )
    (home / "broken.py").write_text('raise RuntimeError\n@register_tool("saw")\ndef saw(): ...\n')
    monkeypatch.syspath_prepend(str(tmp_path))
    made: Registry[Any] = Registry(
        "tool", home=HOME, group="navproof.tools", declared_by="register_tool", convert=_convert
    )
    holder = type(sys)("registry_holder")
    holder.register_tool = lambda name: lambda thing: made._things.setdefault(name, thing)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "registry_holder", holder)
    module._declared.cache_clear()
    yield made
    del module._REGISTRIES["tool"]
    module._declared.cache_clear()
    for name in [n for n in sys.modules if n.startswith(HOME)]:
        del sys.modules[name]


def test_names_are_listed_without_an_import_and_loaded_when_asked_for(tools: Registry[Any]) -> None:
    assert list(tools) == ["saw", "hammer"]
    assert "hammer" in tools
    assert not [name for name in sys.modules if name.startswith(f"{HOME}.")]
    assert tools.get("hammer")() == "bang"
    assert f"{HOME}.broken" not in sys.modules
    assert tools.origin("hammer") is None


def test_an_unknown_name_is_refused_with_a_suggestion(tools: Registry[Any]) -> None:
    with pytest.raises(UnknownNameError, match="there is no tool 'hamer'; did you mean 'hammer'"):
        tools.get("hamer")


def test_a_file_is_a_name(tools: Registry[Any], tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text("def drill():\n    return 1\n")
    assert tools.get(f"{mine}:drill")() == 1
    origin = tools.origin(f"{mine}:drill")
    assert origin is not None
    first = origin.digest
    assert len(first) == 12
    mine.write_text("def drill():\n    return 22\n")
    assert tools.get(f"{mine}:drill")() == 22
    again = tools.origin(f"{mine}:drill")
    assert again is not None
    assert again.digest != first


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gone.py:x", "there is no file gone.py"),
        ("mine.py", "names a file: write mine.py:NAME"),
        ("mine.py:nothing", "has no 'nothing'"),
        ("mine.py:VALUE", "is a int, not a function"),
        ("bad.py:x", "failed on import: ZeroDivisionError"),
        ("no_such_module:x", "there is no module 'no_such_module'"),
        ("mine.py:", "must read file.py:NAME"),
    ],
)
def test_bad_references_are_one_line(
    tools: Registry[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text("VALUE = 3\ndef drill(): ...\n")
    Path("bad.py").write_text("1 / 0\n")
    with pytest.raises(NavproofError) as refusal:
        tools.get(text)
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_what_is_registered_outside_cannot_shadow(tools: Registry[Any]) -> None:
    def declare(name: str) -> Any:
        return tools.add(name, len)

    with pytest.raises(SpecError, match="navproof has its own tool 'hammer'"):
        declare("hammer")
    declare("pliers")
    assert tools.get("pliers") is len
    assert "pliers" in list(tools)
    origin = tools.origin("pliers")
    assert origin is not None
    assert origin.source


def test_another_process_adopts_what_was_registered(tools: Registry[Any], tmp_path: Path) -> None:
    source = tmp_path / "declares.py"
    source.write_text(
        "from registry_holder import register_tool\n"
        "@register_tool('awl')\ndef awl():\n    return 'pick'\n"
    )
    tools.adopt("awl", str(source))
    assert "awl" in tools
    assert tools.get("awl")() == "pick"


def test_what_was_registered_travels_to_another_process(tools: Registry[Any]) -> None:
    tools.add("pliers", len, depth=1)
    (pliers,) = (one for one in module.registered_here() if one.kind == "tool")
    assert (pliers.defined_in, pliers.name, pliers.source) == (__name__, "pliers", __name__)
    fresh: Registry[Any] = Registry(
        "tool", home=HOME, group="navproof.tools", declared_by="register_tool", convert=_convert
    )
    module.adopt([pliers])
    assert "pliers" in fresh
    assert fresh.registered() == {"pliers": __name__}


def test_what_no_other_process_can_import_is_refused(tools: Registry[Any], tmp_path: Path) -> None:
    tools.adopt("awl", "")
    with pytest.raises(SpecError, match="tool 'awl' is defined in a notebook or on the command"):
        tools.get("awl")
    (tmp_path / "shy.py").write_text("if __name__ == '__main__':\n    register()\n")
    tools.adopt("chisel", str(tmp_path / "shy.py"))
    with pytest.raises(SpecError, match=r"registered only while .*shy.py runs as a script"):
        tools.get("chisel")


def outer() -> Any:
    def inner() -> None: ...

    return inner


def test_classes_and_functions_have_references(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert reference_to(outer, "tool") == f"{__name__}:outer"
    with pytest.raises(SpecError, match=r"tool 'outer.<locals>.inner' is defined inside"):
        reference_to(outer(), "tool")
    with pytest.raises(SpecError, match="tool 3 is not a class or function"):
        reference_to(3, "tool")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("class Saw: ...\n")
    saw, _ = module.load_reference("mine.py:Saw", "tool")
    assert reference_to(saw, "tool") == "mine.py:Saw"
    monkeypatch.chdir("/")
    assert reference_to(saw, "tool") == f"{tmp_path.relative_to('/')}/mine.py:Saw"


def test_entry_points_are_names_unless_they_are_built_in(
    tools: Registry[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "registry_plugin.py").write_text("def rasp():\n    return 'r'\n")
    points = [
        EntryPoint("rasp", "registry_plugin:rasp", "navproof.tools"),
        EntryPoint("hammer", "registry_plugin:rasp", "navproof.tools"),
    ]
    monkeypatch.setattr(module, "entry_points", lambda group: points)
    assert tools.get("rasp")() == "r"
    assert tools.get("hammer")() == "bang"
    origin = tools.origin("rasp")
    assert origin is not None
    assert origin.source == "registry_plugin:rasp"
