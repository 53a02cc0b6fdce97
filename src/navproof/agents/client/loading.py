"""Finding the class of an agent, and what it is made of and with."""

import ast
import dataclasses
import hashlib
import importlib
import importlib.util
import inspect
import re
import sys
import traceback
from pathlib import Path
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Sequence

from navproof.agents.client.records import ServeError

__all__ = ["Loaded", "blame", "digest_of", "load", "made_with"]

_YES, _NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")


class Loaded(NamedTuple):
    """A class, the options in its name, and the files that it is made of."""

    make: Any
    options: Dict[str, str]
    files: List[Path]


def load(reference: str) -> Loaded:
    """What ``file.py:Class@name=value`` (or ``package.module:Class``) names. Of the files that it
    imports those in its own folder count, its class's ``files``, and files in options."""
    reference, *pairs = re.split(r"@(?=[A-Za-z_]\w*=)", reference)
    options = {pair.partition("=")[0]: pair.partition("=")[2] for pair in pairs}
    where, _, name = reference.rpartition(":")
    if not where or not name:
        raise ServeError(f"'{reference}' must read my_agent.py:MyAgent")
    sys.modules.setdefault("navproof_client", sys.modules[__name__])
    try:
        module = _imported(where)
    except ServeError:
        raise
    except Exception as error:
        lacking = getattr(error, "name", "") if isinstance(error, ModuleNotFoundError) else ""
        hint = ""
        if str(lacking).partition(".")[0] == "navproof":
            hint = "; here, import Move, Velocity and the like from navproof_client"
        raise ServeError(f"{where} failed on import: {blame(error)}{hint}") from error
    if not hasattr(module, name):
        own = [n for n, v in vars(module).items() if isinstance(v, type) and n[0] != "_"]
        raise ServeError(f"{where} has no '{name}'; it has {', '.join(own) or 'no class'}")
    made, folder = getattr(module, name), Path(str(module.__file__)).resolve().parent
    imported = [getattr(one, "__file__", None) for one in list(sys.modules.values())]
    files = {Path(f).resolve() for f in imported if f and str(f).endswith(".py")}
    standard = Path(inspect.__file__).resolve().parent
    files = {f for f in files if folder in f.parents and standard not in f.parents}
    files = {f for f in files if "site-packages" not in f.parts}
    files |= {(folder / str(one)).resolve() for one in getattr(made, "files", ())}
    files |= {Path(value).resolve() for value in options.values() if Path(value).exists()}
    missing = [str(path) for path in sorted(files) if not path.exists()]
    if missing:
        raise ServeError(f"its files name {missing[0]}, which is not there")
    return Loaded(made, options, sorted(files - {Path(__file__).resolve()}))


def _imported(where: str) -> Any:
    """A file or module, imported; its neighbours can be imported too."""
    if not where.endswith(".py"):
        sys.path.insert(0, str(Path.cwd()))
        return importlib.import_module(where)
    path = Path(where).resolve()
    if not path.is_file():
        raise ServeError(f"there is no file {path}")
    sys.path.insert(0, str(path.parent))
    name = f"served_{path.stem}" if path.stem in sys.modules else path.stem
    spec = importlib.util.spec_from_file_location(name, str(path))
    if spec is None or spec.loader is None:
        raise ServeError(f"{path} is no file of Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def digest_of(files: Sequence[Path]) -> str:
    """Twelve hex digits of the content of files, and of all files in folders."""
    found = hashlib.sha256()
    for path in files:
        for one in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if one.is_file() and one.suffix != ".pyc":
                found.update(one.name.encode() + hashlib.sha256(one.read_bytes()).digest())
    return found.hexdigest()[:12]


def made_with(make: Any, options: Mapping[str, str]) -> Callable[[], Any]:
    """What makes an agent with these options: fields of a dataclass ``Options`` in the class, or
    parameters of its constructor. A value takes the type of its default."""
    kind = getattr(make, "Options", None)
    usual: Dict[str, Any] = {}
    takes_any = False
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        usual = {f.name: f.default for f in dataclasses.fields(kind)}
    else:
        kind = None
        for one in _parameters(make):
            takes_any = takes_any or one.kind is one.VAR_KEYWORD
            if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY):
                usual[one.name] = one.default
    for name, default in usual.items():
        if default is inspect.Parameter.empty and name not in options:
            raise ServeError(f"the agent needs the option '{name}': write @{name}=…")
    values = {}
    for name, text in options.items():
        if name not in usual and not takes_any:
            known = ", ".join(usual) or "none"
            raise ServeError(f"the agent has no option '{name}'; known: {known}")
        values[name] = _typed(name, text, usual.get(name))
    if kind is not None and values:
        whole = kind
        return lambda: make(whole(**values))
    return lambda: make(**values)


def _parameters(make: Any) -> List[inspect.Parameter]:
    if getattr(make, "__init__", None) is object.__init__:
        return []
    try:
        return list(inspect.signature(make).parameters.values())
    except (TypeError, ValueError):  # written in C
        return []


def _typed(name: str, text: str, usual: Any) -> Any:
    if isinstance(usual, bool):
        if text.lower() not in _YES + _NO:
            raise ServeError(f"option '{name}' must be true or false, not '{text}'")
        return text.lower() in _YES
    if isinstance(usual, (int, float)):
        try:
            return type(usual)(text)
        except ValueError:
            raise ServeError(f"option '{name}' must be a number, not '{text}'") from None
    if isinstance(usual, str):
        return text
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def blame(error: BaseException) -> str:
    """``ValueError: what (my_agent.py:12)``: the last line outside this file and of packages."""
    if isinstance(error, ServeError):
        return str(error)
    what = f"{type(error).__name__}: {' '.join(str(error).split())}".rstrip(": ")[:300]
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename).resolve()
        if path != Path(__file__).resolve() and "site-packages" not in path.parts:
            return f"{what} ({path.name}:{frame.lineno})"
    return what
