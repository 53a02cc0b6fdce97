"""From names to things: one ``Registry`` for each kind of thing that can be added to navproof.

A thing is declared in one file, by the decorator or call ``register_KIND(...)`` in it. No list
elsewhere names it. A registry finds

1. what navproof brings: the files of its ``home`` are searched for declarations as text, so that a
   list of names costs no import, and a file is imported when something in it is asked for;
2. what was registered in this process (``nv.register_corruption``, in a script or package);
3. what installed packages offer as entry points of the registry's ``group``;
4. ``file.py:name`` and ``package.module:name``, whatever that is.

Where things of a kind can be written as data, a file of data in ``home`` declares what its name
says, and any other such file is a name too (``mybot.toml``).

In that order: nothing from outside can take the name of something built in.
"""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import importlib
import importlib.util
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, TypeVar

from navproof.core.ended import told_if_ended
from navproof.core.errors import NavproofError, SpecError, UnknownNameError, one_line
from navproof.core.search_path import bring_in
from navproof.core.sources import digest_of_files, file_of, source_files

__all__ = [
    "NamedImports",
    "Origin",
    "Registered",
    "Registry",
    "adopt",
    "check_unchanged",
    "keep_files",
    "load_reference",
    "module_from_file",
    "reference_to",
    "registered_here",
    "suggest",
    "variable_of",
]

T = TypeVar("T")
_SHOWN = 12
_OURS = "navproof."
MAIN_PART = 'if __name__ == "__main__":'
NOT_IMPORTABLE = (
    "is defined in a notebook or on the command line, where worker processes cannot import it; "
    "put it in a file: file.py:NAME"
)


def suggest(name: str, known: list[str]) -> str:
    """``"; did you mean 'x'?"`` where something near is known, else the first names that are."""
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f"; did you mean '{near[0]}'?"
    names = sorted(known)
    rest = f", … ({len(names)} in all)" if len(names) > _SHOWN else ""
    return f"; known: {', '.join(names[:_SHOWN])}{rest}"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something from outside comes from: ``source`` is a file, a module, or a reference to
    something in one of them ("" where nobody else could import it); ``digest`` twelve hex digits of
    its file and of what that imports from its folder or package (``core.sources``)."""

    kind: str
    name: str
    source: str
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Registered:
    """What was registered in one process, as another takes it over. ``defined_in`` is the module
    that holds the registry."""

    defined_in: str
    kind: str
    name: str
    source: str


_REGISTRIES: dict[str, Registry[Any]] = {}
"""By kind, as far as they are imported."""


def registered_here() -> tuple[Registered, ...]:
    """Everything that this process registered, or took over, in any registry."""
    return tuple(
        Registered(registry.defined_in, kind, name, source)
        for kind, registry in _REGISTRIES.items()
        for name, source in registry.registered().items()
    )


def adopt(registered: Iterable[Registered]) -> None:
    """Make known here what another process registered. Nothing is imported until it is used."""
    for one in registered:
        importlib.import_module(one.defined_in)
        _REGISTRIES[one.kind].adopt(one.name, one.source)


def check_unchanged(origins: Iterable[Origin]) -> None:
    """``SpecError`` where a file is no longer what it was when its origin was told."""
    for origin in origins:
        file = file_of(origin.source)
        if (digest_of_files(source_files(file)) if file else "") != origin.digest:
            raise SpecError(
                f"the file of {origin.kind} {origin.name} has changed since the run began"
            )


class Registry(Generic[T]):
    """Everything of one kind.

    ``declared_by`` is the name of the function that declares one (``register_agent``), ``home`` the
    package whose files declare what is built in, ``group`` that of entry points. ``convert`` takes
    whatever stands under a name outside (a function, a class, a value) and its name, and returns
    the thing or raises a ``NavproofError`` that says in one line what it should be. Names in
    ``order`` are listed first; where things say their ``place`` themselves, what is built in is
    listed by it (and loaded for that).
    """

    def __init__(
        self,
        kind: str,
        *,
        home: str,
        group: str,
        declared_by: str,
        convert: Callable[[Any, str], T],
        order: Sequence[str] = (),
        data: tuple[str, Callable[[Path], T]] | None = None,
        place: Callable[[T], int] | None = None,
    ) -> None:
        self.kind, self.group = kind, group
        self._data = data
        self._place = place
        self._order = {name: place for place, name in enumerate(order)}
        self._home, self._declared_by, self._convert = home, declared_by, convert
        self._things: dict[str, T] = {}
        self._registered: dict[str, str] = {}  # from outside, in this process: name → its source
        self._points: tuple[tuple[str, ...], dict[str, EntryPoint]] | None = None
        self._adopted: dict[str, str] = {}  # registered in another process: name → its source
        self.defined_in = str(sys._getframe(1).f_globals.get("__name__", ""))
        _REGISTRIES[kind] = self

    # ---------------------------------------------------------------------------- declaring
    def add(self, name: str, thing: T, depth: int = 2) -> T:
        """Declare ``thing``; for the ``register_KIND`` functions, whose caller's caller declares.
        ``SpecError`` where the name is taken."""
        caller = sys._getframe(depth).f_globals
        module = str(caller.get("__name__", ""))
        if not module.startswith(_OURS):
            if name in self._built_in():
                raise SpecError(
                    f"navproof has its own {self.kind} '{name}'; give yours another name"
                )
            source = _source(caller)
            known = self._registered.get(name, source)
            if known != source:
                raise SpecError(f"the {self.kind} '{name}' is registered already, in {known}")
            self._registered[name] = source
        self._things[name] = thing
        return thing

    def adopt(self, name: str, source: str) -> None:
        """Take over what another process registered; ``source`` is imported when it is needed."""
        self._adopted[name] = source

    def registered(self) -> dict[str, str]:
        """What was registered from outside, each name with its source ("" where no other process
        can import it)."""
        return {**self._adopted, **self._registered}

    # ------------------------------------------------------------------------------ finding
    def __contains__(self, name: object) -> bool:
        """Whether something has that name (a reference has none)."""
        return isinstance(name, str) and (
            name in self._built_in()
            or (":" not in name and (name in self._things or name in self._adopted))
            or name in self._entry_points()
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __getitem__(self, name: str) -> T:
        return self.get(name)

    def values(self) -> list[T]:
        """Everything that has a name, loaded, in the order of names."""
        return [self.get(name) for name in self]

    def items(self) -> list[tuple[str, T]]:
        return [(name, self.get(name)) for name in self]

    def built_in(self) -> tuple[str, ...]:
        """What navproof brings, in the order of lists."""
        names = tuple(self._built_in())
        if (place := self._place) is not None:
            return tuple(sorted(names, key=lambda name: place(self.get(name))))
        return tuple(sorted(names, key=lambda name: self._order.get(name, len(self._order))))

    def get(self, name: str) -> T:
        """The thing of that name or reference. ``UnknownNameError`` with a suggestion where there
        is none; a ``NavproofError`` in one line where it cannot be had."""
        if name in self._things:
            return self._things[name]
        source = self._built_in().get(name)
        if isinstance(source, Path):
            return self._things.setdefault(name, self._read(source))
        if source is not None:
            importlib.import_module(source)
            return self._things[name]
        if name in self._adopted:
            return self._from_source(name, self._adopted[name])
        points = {} if ":" in name else self._entry_points()
        if name in points:
            return self._from_entry_point(name, points[name])
        if self._data is not None and name.endswith(self._data[0]):
            return self._read(Path(name))  # not kept: the file may be edited
        if ":" in name:
            return self._from_reference(name)
        if name.endswith(".py") or "/" in name:
            raise SpecError(f"{self.kind} '{name}' names a file: write {name}:NAME")
        raise UnknownNameError(f"there is no {self.kind} '{name}'{suggest(name, list(self))}")

    def find(self, name: str) -> T | None:
        """As ``get``; None where it cannot be had."""
        try:
            return self.get(name)
        except NavproofError:
            return None

    def origin(self, name: str) -> Origin | None:
        """Where something from outside comes from; None for what is built in, and for a name that
        nothing has. Nothing is imported: the digest is that of the files as they are now."""
        if name in self._built_in():
            return None
        source = self.registered().get(name)
        if source is None and name in self._entry_points():
            source = self._entry_points()[name].value
        if source is None and not self._is_reference(name):
            return None
        source = name if source is None else source
        file = file_of(source)
        digest = "" if file is None else digest_of_files(source_files(file))
        return Origin(self.kind, name, source, digest)

    # ------------------------------------------------------------------------------- inside
    def _built_in(self) -> Mapping[str, str | Path]:
        """Names with the module, or the file of data, that declares each."""
        return _declared(self._home, self._declared_by, self._data[0] if self._data else "")

    def _is_reference(self, name: str) -> bool:
        return ":" in name or (self._data is not None and name.endswith(self._data[0]))

    def _read(self, path: Path) -> T:
        assert self._data is not None
        return self._data[1](path)

    def _names(self) -> tuple[str, ...]:
        mine = [name for name in (*self._things, *self._adopted) if ":" not in name]
        return tuple(dict.fromkeys((*self.built_in(), *sorted({*mine, *self._entry_points()}))))

    def _entry_points(self) -> dict[str, EntryPoint]:
        path = tuple(sys.path)
        if self._points is None or self._points[0] != path:  # reading them takes milliseconds
            found = {point.name: point for point in entry_points(group=self.group)}
            self._points = path, found
        return self._points[1]

    def _from_source(self, name: str, source: str) -> T:
        """What another process registered while it ran ``source``."""
        what = f"{self.kind} '{name}'"
        if not source:
            raise SpecError(f"{what} {NOT_IMPORTABLE}")
        _import_source(source, what)
        if name not in self._things:
            raise SpecError(
                f"{what} is registered only while {source} runs as a script; register it at the "
                f"top level of the file, outside {MAIN_PART}"
            )
        return self._things[name]

    def _from_entry_point(self, name: str, point: EntryPoint) -> T:
        bring_in()
        try:
            with _watched(point.value):
                thing = self._convert(point.load(), name)
        except NavproofError:
            raise
        except (Exception, SystemExit) as error:
            raise SpecError(
                f"{self.kind} '{name}' ({point.value}) failed on import: {one_line(error)}"
            ) from error
        self._things[name] = thing
        return thing

    def _from_reference(self, name: str) -> T:
        value, module = load_reference(name, self.kind)
        thing = self._convert(value, name)
        if not module.__name__.startswith("navproof_user_"):
            self._things[name] = thing  # a file may be edited; a module stays what it is
        return thing


class NamedImports(Generic[T]):
    """Names that lead to ``"package.module:attribute"``, imported when one is asked for."""

    def __init__(self, kind: str, entries: Mapping[str, str]) -> None:
        self.kind = kind
        self._entries = dict(entries)
        self._loaded: dict[str, T] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._entries))

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, name: str) -> T:
        """The thing of that name, or an ``UnknownNameError`` with a suggestion."""
        if name not in self._entries:
            hint = suggest(name, list(self._entries))
            raise UnknownNameError(f"there is no {self.kind} '{name}'{hint}")
        if name not in self._loaded:
            module, _, attribute = self._entries[name].partition(":")
            self._loaded[name] = getattr(importlib.import_module(module), attribute)
        return self._loaded[name]


@cache
def _declared(home: str, declared_by: str, data_suffix: str = "") -> dict[str, str | Path]:
    """Names that the files of a package declare, each with its module, found in their text; and the
    names of its files of data, each with its file."""
    pattern = re.compile(rf"^@?{declared_by}\((?:\s*\w+\()?\s*\"([^\"]+)\"", re.MULTILINE)
    spec = importlib.util.find_spec(home)
    found: dict[str, str | Path] = {}
    for folder in map(Path, spec.submodule_search_locations or ()) if spec else ():
        if data_suffix:
            found |= {file.stem: file for file in sorted(folder.rglob(f"*{data_suffix}"))}
        for file in sorted(folder.rglob("*.py")):
            names = pattern.findall(file.read_text(encoding="utf-8"))
            parts = file.relative_to(folder).with_suffix("").parts
            module = ".".join((home, *(p for p in parts if p != "__init__")))
            found |= dict.fromkeys(names, module)
    return found


def load_reference(name: str, kind: str) -> tuple[Any, ModuleType]:
    """What ``file.py:attribute`` or ``package.module:attribute`` leads to, and its module. Errors
    are a ``SpecError`` in one line."""
    where, _, attribute = name.rpartition(":")
    if not where or not attribute:
        raise SpecError(f"{kind} '{name}' must read file.py:NAME or package.module:NAME")
    module = _import_source(where, f"{kind} '{name}'")
    if not hasattr(module, attribute):
        own = [n for n, v in vars(module).items() if _is_own(n, v, module)]
        hint = suggest(attribute, own) if own else "; it defines nothing"
        raise SpecError(f"{kind} '{name}': {where} has no '{attribute}'{hint}")
    return getattr(module, attribute), module


def _is_own(name: str, value: Any, module: ModuleType) -> bool:
    """Whether a module defines this, rather than import it."""
    if name.startswith("_") or isinstance(value, ModuleType):
        return False
    if callable(value):
        return getattr(value, "__module__", "") == module.__name__
    return type(value).__module__ != "__future__"


def _import_source(where: str, what: str) -> ModuleType:
    """A file or module of somebody's, imported."""
    bring_in()
    if where.endswith(".py") or "/" in where or "\\" in where:
        path = Path(where)
        if not path.is_file():
            where_from = "" if path.is_absolute() else f" in {Path.cwd()}"
            raise SpecError(f"{what}: there is no file {path}{where_from}")
        try:
            with _prints_to_stderr():
                return module_from_file(path)
        except KeyboardInterrupt:
            raise
        except NavproofError as error:
            raise SpecError(f"{what}: {error}") from None
        except BaseException as error:
            raise SpecError(f"{what}: {path} failed on import: {one_line(error)}") from error
    try:
        with _prints_to_stderr(), _watched(where):
            return importlib.import_module(where)
    except ModuleNotFoundError as error:
        if error.name is not None and (where == error.name or where.startswith(error.name + ".")):
            raise SpecError(
                f"{what}: there is no module '{where}'; for a file write {where}.py:NAME"
            ) from None
        raise SpecError(f"{what}: {where} failed on import: {error}") from error
    except NavproofError as error:
        raise SpecError(f"{what}: {error}") from None
    except (Exception, SystemExit) as error:
        raise SpecError(f"{what}: {where} failed on import: {one_line(error)}") from error


def _prints_to_stderr() -> contextlib.redirect_stdout[Any]:
    """What a plug-in prints while it is imported does not get between the lines of ``--json``."""
    return contextlib.redirect_stdout(sys.stderr)


def _watched(where: str) -> contextlib.AbstractContextManager[None]:
    """If what is imported ends the program, it is named. Other processes have somebody to tell."""
    if _keeps_files or where in sys.modules:
        return contextlib.nullcontext()
    return told_if_ended(f"{where}, while it was imported,")


_keeps_files = False


def keep_files() -> None:
    """From now on a file that was imported stays as it is here, even if it is edited: a run never
    mixes two versions."""
    global _keeps_files
    _keeps_files = True


def module_from_file(path: Path) -> ModuleType:
    """A Python file of the user's, imported under a name of its own, once as long as it stays the
    same. Raises whatever it raises."""
    full = path.resolve()
    about = full.stat()
    key = f"navproof_user_{full.stem}_{hashlib.sha256(str(full).encode()).hexdigest()[:8]}"
    loaded = sys.modules.get(key)
    stamp = (about.st_mtime_ns, about.st_size)
    same = loaded is not None and (
        _keeps_files or getattr(loaded, "__navproof_stamp__", None) == stamp
    )
    if loaded is not None and same:
        return loaded
    spec = importlib.util.spec_from_file_location(key, full)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    module.__navproof_stamp__ = stamp  # type: ignore[attr-defined]
    sys.modules[key] = module  # so that dataclasses and pickle find the classes in it
    folder = str(full.parent)
    if folder not in sys.path:  # it may import its neighbours, now or later
        sys.path.append(folder)
    try:
        with _watched(str(path)):
            spec.loader.exec_module(module)
    except BaseException:
        sys.modules.pop(key, None)
        raise
    return module


def reference_to(thing: Any, kind: str) -> str:
    """``file.py:NAME`` or ``package.module:NAME``: how another process finds a class or function.
    ``SpecError`` where it cannot."""
    name = getattr(thing, "__qualname__", "")
    module = sys.modules.get(getattr(thing, "__module__", "") or "")
    if not name or module is None:
        raise SpecError(f"{kind} {thing!r} is not a class or function with a name")
    source = _source(vars(module))
    if not source:
        raise SpecError(f"{kind} '{name}' {NOT_IMPORTABLE}")
    if "." in name:
        raise SpecError(
            f"{kind} '{name}' is defined inside a function or class, where worker processes cannot "
            "import it; move it to the top level of its file"
        )
    if source.endswith(".py") and Path(source).is_relative_to(Path.cwd()):
        source = Path(source).relative_to(Path.cwd()).as_posix()
    return f"{source}:{name}"


def variable_of(value: Any, kind: str) -> str:
    """``file.py:NAME`` or ``package.module:NAME`` of the variable at the top level of a file or
    module that holds a value: how another process finds it. ``SpecError`` where none does."""
    for module in list(sys.modules.values()):
        names = getattr(module, "__dict__", {})
        if str(names.get("__name__", "")).startswith(_OURS):
            continue
        name = next((name for name, held in list(names.items()) if held is value), None)
        if name is not None and not name.startswith("_") and (source := _source(names)):
            if source.endswith(".py") and Path(source).is_relative_to(Path.cwd()):
                source = Path(source).relative_to(Path.cwd()).as_posix()
            return f"{source}:{name}"
    raise SpecError(
        f"{kind} {value!r} is in no variable at the top level of a file, where worker processes "
        f"could import it from; put it there, or register it with register_{kind}"
    )


def _source(names: Mapping[str, Any]) -> str:
    """What another process would import to have the module with these names; "" where it
    cannot."""
    module, file = str(names.get("__name__", "")), names.get("__file__")
    started_as = getattr(names.get("__spec__"), "name", "")
    if module == "__main__" and started_as:  # python -m package.module
        return str(started_as)
    if module == "__main__" or module.startswith("navproof_user_"):
        return str(Path(file).resolve()) if isinstance(file, str) and Path(file).is_file() else ""
    return module
