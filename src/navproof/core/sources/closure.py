"""Which files something of a user's is made of, found without running any of them.

These are the file itself and what it imports from its own folder or package, as far as import
statements say so. Installed packages are not followed: their versions are for the user to keep.
What else could not be followed is listed (``Sources.unfollowed``).
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec, PathFinder
from pathlib import Path

from navproof.core.search_path import aside
from navproof.core.sources.reads import unnamed_reads

__all__ = ["Sources", "digest_of_files", "file_of", "source_files", "sources_of"]

_MOST_FILES = 500
_SHARED = ("site-packages", "dist-packages")
"""Folders in which everybody's modules lie side by side."""
_DYNAMIC = frozenset(
    {
        "__import__",
        "eval",
        "exec",
        "import_module",
        "run_module",
        "run_path",
        "spec_from_file_location",
    }
)
"""Calls by which code is run that no import statement names."""
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Sources:
    """The files that something is made of, the first one first and the rest by path; the installed
    packages that it imports, by name; and, a line each, what could not be followed: code that is
    imported by calls, modules from elsewhere, files that it names and that lie beside it, calls
    that read a file which it does not name."""

    files: tuple[Path, ...]
    installed: tuple[str, ...] = ()
    unfollowed: tuple[str, ...] = ()


def file_of(source: str) -> Path | None:
    """The file of ``file.py``, ``file.py:NAME``, ``package.module`` or ``package.module:NAME``, or
    a file of data; None where there is none. Nothing is imported for it, not even a package that a
    module is in."""
    if not source or Path(source).is_file():
        return Path(source) if source else None
    where = source
    if not source.endswith(".py") and ":" in source:
        where = source.rpartition(":")[0]
    if where.endswith(".py") or "/" in where or "\\" in where:
        return Path(where) if Path(where).is_file() else None
    first, *below = where.split(".")
    found = _installed(first)
    if found is None:
        return None
    path = Path(found.origin) if found.origin else None
    folders = [Path(folder) for folder in found.submodule_search_locations or ()]
    for part in below:
        candidates = [f for folder in folders for f in _files_of_module(folder, part)]
        path = candidates[0] if candidates else None
        folders = [folder / part for folder in folders if (folder / part).is_dir()]
    return path if path is not None and path.is_file() else None


def source_files(first: Path) -> tuple[Path, ...]:
    """``first``, and every file of its folder or package that it imports, directly or through
    others; ``first`` comes first, the rest by path."""
    return sources_of(first).files


def sources_of(first: Path) -> Sources:
    """What ``first`` is made of."""
    first = first.resolve()
    reader = _Reader({first: None})
    waiting = [first]
    while waiting:
        for path in reader.read(waiting.pop()):
            if path in reader.files:
                continue
            if len(reader.files) >= _MOST_FILES:
                reader.unfollowed[f"more than {_MOST_FILES} files"] = None
                waiting.clear()
                break
            reader.files[path] = None
            waiting.append(path)
    rest = sorted(path for path in reader.files if path != first)
    return Sources(
        (first, *rest), tuple(sorted(reader.installed)), tuple(sorted(reader.unfollowed))
    )


def digest_of_files(paths: Iterable[Path]) -> str:
    """Twelve hex digits of the content of files, and of all files in folders."""
    digest = hashlib.sha256()
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and file.suffix not in (".pyc", ".md"):
                digest.update(file.name.encode())
                with file.open("rb") as stream:
                    digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()[:12]


class _Reader:
    """Reads files of Python, and keeps what it finds in them."""

    def __init__(self, files: dict[Path, None]) -> None:
        self.files = files
        self.installed: set[str] = set()
        self.unfollowed: dict[str, None] = {}

    def read(self, path: Path) -> Iterator[Path]:
        """The files of its own folder or package that a file imports."""
        if path.suffix != ".py":
            return
        try:
            tree = ast.parse(path.read_bytes())
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            self.unfollowed[f"{path.name}: is no Python that could be read"] = None
            return
        for line, call in unnamed_reads(path, tree):
            told = f"{path.name}:{line} reads a file that is not known before: {call}"
            self.unfollowed[told] = None
        for node in ast.walk(tree):
            match node:
                case ast.Import():
                    for alias in node.names:
                        yield from self._absolute(path, node, alias.name.split("."))
                case ast.ImportFrom(level=0):
                    module = (node.module or "").split(".")
                    for alias in node.names:
                        yield from self._absolute(path, node, [*module, alias.name])
                case ast.ImportFrom():
                    folder = path.parents[min(node.level, len(path.parents)) - 1]
                    module = node.module.split(".") if node.module else []
                    for alias in node.names:
                        yield from _below(folder, [*module, alias.name])
                case ast.Call():
                    self._note_call(path, node)
                case ast.Constant(value=str(text)):
                    self._note_file(path, node, text)

    def _absolute(self, path: Path, node: ast.stmt, parts: list[str]) -> Iterator[Path]:
        """The files that an absolute import reads, where they lie beside ``path`` or in its
        package."""
        top = parts[0]
        if top == "navproof" or top in sys.stdlib_module_names:
            return
        package = path.parent
        while (package / "__init__.py").is_file():
            package = package.parent
        found = False
        for root in dict.fromkeys((path.parent, package)):
            if root.name not in _SHARED or path.relative_to(root).parts[0] == top:
                for file in _below(root, parts):
                    found = True
                    yield file
        if found:
            return
        spec = _installed(top)
        places = [*([spec.origin] if spec and spec.origin else [])]
        places += [*(spec.submodule_search_locations or ())] if spec else []
        if any(shared in Path(place).parts for place in places for shared in _SHARED):
            self.installed.add(top)
        elif spec is None or places:
            why = "is not installed" if spec is None else "lies elsewhere"
            self.unfollowed[f"{path.name}:{node.lineno} imports {top}, which {why}"] = None

    def _note_call(self, path: Path, node: ast.Call) -> None:
        called = node.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        is_method = isinstance(called, ast.Attribute) and name in ("eval", "exec")  # model.eval()
        if name in _DYNAMIC and not is_method:
            self.unfollowed[f"{path.name}:{node.lineno} calls {name}"] = None

    def _note_file(self, path: Path, node: ast.Constant, text: str) -> None:
        """A file beside it that is named in its text: weights, say."""
        if not 0 < len(text) <= _LONGEST_NAME or "\n" in text or "\0" in text:
            return
        try:
            named = path.parent / text
            is_data = named.is_file() and named.suffix not in (".py", ".md")
        except (OSError, ValueError):
            return
        if is_data:
            self.unfollowed[f"{path.name}:{node.lineno} names {named.name}"] = None


def _installed(top: str) -> ModuleSpec | None:
    """Where a module or package that stands at the top would be imported from."""
    if not top.isidentifier():
        return None
    try:
        return importlib.util.find_spec(top) or PathFinder.find_spec(top, list(aside()))
    except Exception:  # a module that is imported already, and has no spec
        return None


def _below(folder: Path, parts: list[str]) -> Iterator[Path]:
    """The files on the way to a module, or to a name in a module."""
    for part in parts:
        for file in _files_of_module(folder, part):
            yield file.resolve()
            if file.name != "__init__.py":
                return
        folder = folder / part
        if not folder.is_dir():
            return


def _files_of_module(folder: Path, name: str) -> Iterator[Path]:
    """The file of a module or package of that name in a folder, where there is one."""
    compiled = (f"{name}{suffix}" for suffix in EXTENSION_SUFFIXES)
    for candidate in (f"{name}/__init__.py", f"{name}.py", *compiled):
        if (folder / candidate).is_file():
            yield folder / candidate
            return
