"""Calls by which a file of Python reads files that its text does not name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

__all__ = ["unnamed_reads"]

_OPENS = frozenset({"open", "read_bytes", "read_text"})
"""Calls of a path, or with one."""
_LOADS = frozenset(
    {
        *("CDLL", "InferenceSession", "from_pretrained", "fromfile", "genfromtxt", "imread"),
        *("load_checkpoint", "load_file", "load_model", "load_npz", "load_weights", "loadmat"),
        *("loadtxt", "memmap", "read_csv", "read_parquet", "readNet", "readNetFromONNX"),
        "safe_open",
    }
)
_LOADERS = frozenset(
    {
        *("cp", "cupy", "jit", "jnp", "joblib", "keras", "mx", "np", "numpy", "onnx", "paddle"),
        *("safetensors", "skops", "torch"),
    }
)
"""Whose ``load`` reads a file; that of others reads a stream, or is their own."""
_PATHS = frozenset({"file", "filename", "filepath", "fname", "f", "path", "path_or_bytes"})
_LONGEST = 40


def unnamed_reads(path: Path, tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The line and the text of each call in the file ``path``, parsed to ``tree``, that reads a
    file, where it stands in no text of the call, nor of what its argument was set to, which one of
    those beside ``path`` that is. Which calls read is known by their names alone."""
    values = _Values(path.parent, tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            place = _place(node)
            if place is not None and not values.names_a_file(place):
                yield (
                    node.lineno,
                    f"{_brief(node.func)}({_brief(node.args[0]) if node.args else ''})",
                )


def _place(node: ast.Call) -> ast.expr | None:
    """The expression for what a call reads, if it does."""
    called = node.func
    receiver = called.value if isinstance(called, ast.Attribute) else None
    name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
    owner = "" if receiver is None else ast.unparse(receiver)
    given = [word.value for word in node.keywords if word.arg in _PATHS]
    argument = next(iter([*node.args, *given]), None)
    if name in _OPENS:
        is_method = receiver is not None and not isinstance(receiver, ast.Name)
        return None if _writes(node) else receiver if is_method or argument is None else argument
    loads = name in _LOADS or (name == "load" and owner.rpartition(".")[2] in _LOADERS)
    if not loads or argument is None or "BytesIO" in ast.unparse(argument):
        return None
    return argument


def _writes(node: ast.Call) -> bool:
    """Whether one of the first arguments of an ``open`` is a mode for writing alone."""
    given = [*node.args[:2], *(word.value for word in node.keywords if word.arg == "mode")]
    modes = [str(one.value) for one in given if isinstance(one, ast.Constant)]
    return any(mode[:1] in tuple("wxa") and len(mode) < 4 and "+" not in mode for mode in modes)


class _Values:
    """What names in a file were set to, as far as assignments in it say so."""

    def __init__(self, folder: Path, tree: ast.AST) -> None:
        self._folder = folder
        self._values: dict[str, list[ast.expr]] = {}
        self._given: set[str] = set()
        for node in ast.walk(tree):
            match node:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        self._values.setdefault(ast.unparse(target), []).append(value)
                case ast.AnnAssign(target=target, value=ast.expr() as value):
                    self._values.setdefault(ast.unparse(target), []).append(value)
                case ast.arg(arg=name):
                    self._given.add(name)

    def names_a_file(self, place: ast.expr, depth: int = 3) -> bool:
        """Whether it is a number (a descriptor) or None, or names a file beside ``path``."""
        for node in ast.walk(place):
            match node:
                case ast.Constant(value=str(text)):
                    if self._is_file(text):
                        return True
                case ast.Name() | ast.Attribute() if depth:
                    name = ast.unparse(node)
                    values = () if name in self._given else self._values.get(name, ())
                    if values and all(self.names_a_file(one, depth - 1) for one in values):
                        return True
        return isinstance(place, ast.Constant) and isinstance(place.value, int | None)

    def _is_file(self, text: str) -> bool:
        try:
            path = self._folder / text
            return bool(text) and path.is_file() and path.suffix not in (".py", ".md")
        except (OSError, ValueError):
            return False


def _brief(node: ast.expr) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
