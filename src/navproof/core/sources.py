"""Which files something of a user's is made of, found without running any of them.

These are the file itself and what it imports from its own folder or package, as far as import
statements say so. Installed packages are not followed: their versions are for the user to keep.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
from collections.abc import Iterable, Iterator
from pathlib import Path

__all__ = ["digest_of_files", "file_of", "source_files"]

_MOST_FILES = 500
_SHARED = ("site-packages", "dist-packages")
"""Folders in which everybody's modules lie side by side."""


def file_of(source: str) -> Path | None:
    """The file of ``file.py``, ``file.py:NAME``, ``package.module`` or ``package.module:NAME``, or
    a file of data; None where there is none."""
    if not source or Path(source).is_file():
        return Path(source) if source else None
    where = source
    if not source.endswith(".py") and ":" in source:
        where = source.rpartition(":")[0]
    if where.endswith(".py") or "/" in where or "\\" in where:
        return Path(where) if Path(where).is_file() else None
    try:
        found = importlib.util.find_spec(where)
    except Exception:  # its package failed on import, or is none
        return None
    origin = found.origin if found else None
    return Path(origin) if origin and Path(origin).is_file() else None


def source_files(first: Path) -> tuple[Path, ...]:
    """``first``, and every file of its folder or package that it imports, directly or through
    others; ``first`` comes first, the rest by path."""
    first = first.resolve()
    found: dict[Path, None] = {first: None}
    waiting = [first]
    while waiting and len(found) < _MOST_FILES:
        for path in _imported(waiting.pop()):
            if path not in found:
                found[path] = None
                waiting.append(path)
    return (first, *sorted(path for path in found if path != first))


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


def _imported(path: Path) -> Iterator[Path]:
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _module(path, alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            module = (node.module or "").split(".") if node.module else []
            for alias in node.names:
                if node.level:
                    folder = path.parents[min(node.level, len(path.parents)) - 1]
                    yield from _below(folder, [*module, alias.name])
                else:
                    yield from _module(path, [*module, alias.name])


def _module(path: Path, parts: list[str]) -> Iterator[Path]:
    """The files that an absolute import reads, where they lie beside ``path`` or in its package."""
    package = path.parent
    while (package / "__init__.py").is_file():
        package = package.parent
    for root in dict.fromkeys((path.parent, package)):
        if parts[0] == "navproof":
            return
        own = root.name not in _SHARED or path.relative_to(root).parts[0] == parts[0]
        if own:
            yield from _below(root, parts)


def _below(folder: Path, parts: list[str]) -> Iterator[Path]:
    """The files on the way to a module, or to a name in a module."""
    for part in parts:
        module, package = folder / f"{part}.py", folder / part / "__init__.py"
        if module.is_file():
            yield module.resolve()
            return
        if package.is_file():
            yield package.resolve()
        folder = folder / part
        if not folder.is_dir():
            return
