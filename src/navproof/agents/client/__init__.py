"""The client of one file, which serves an agent of any Python to navproof.

It is made of the parts beside this file, which import each other and nothing else of navproof's,
and keep to what Python 3.8 can read. ``client_text`` puts them together.
"""

from __future__ import annotations

import ast
from importlib.resources import files

__all__ = ["CLIENT_NAME", "PARTS", "client_text"]

CLIENT_NAME = "navproof_client.py"
PARTS = ("words", "records", "loading", "turns", "habitat", "serving", "command")
"""Modules, in the order in which they are put together."""
_VERSION = "1.0"
_WIDTH = 100


def client_text() -> str:
    """The file that ``navproof agent client`` writes: the parts one after another, the imports of
    all of them first, under the last one's docstring."""
    imports: set[str] = set()
    names: dict[str, set[str]] = {}
    bodies: list[str] = []
    for part in PARTS:
        text = files(__name__).joinpath(f"{part}.py").read_text(encoding="utf-8")
        about, body = _without_head(text, imports, names)
        title = about if part != PARTS[-1] else "The command line."
        bodies.append(f"{_comment(title)}\n{body}")
    imports |= {_from(module, sorted(found)) for module, found in names.items()}
    order = sorted(imports, key=lambda line: (line.startswith("from"), line))
    standard = [line for line in order if not _is_foreign(line)]
    foreign = [line for line in order if _is_foreign(line)]
    head = ["#!/usr/bin/env python3", f'"""{about}"""', "", *standard, "", *foreign]
    version = f'__version__ = "{_VERSION}"'
    tail = 'if __name__ == "__main__":\n    main()'
    return "\n".join([*head, "", version, "\n", "\n\n\n".join([*bodies, tail]), ""])


def _comment(text: str) -> str:
    lines = text.rstrip().splitlines()
    return "\n".join(["# " + "-" * 78, *(f"# {line}".rstrip() for line in lines)])


def _from(module: str, names: list[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= _WIDTH:
        return line
    return f"from {module} import (\n    " + ",\n    ".join(names) + ",\n)"


def _without_head(text: str, imports: set[str], names: dict[str, set[str]]) -> tuple[str, str]:
    """A part's docstring, and what comes after its imports, which are noted."""
    tree = ast.parse(text)
    end = 0
    for node in tree.body:
        match node:
            case ast.Import():
                imports |= {ast.unparse(node)}
            case ast.ImportFrom(module=str(module)) if not module.startswith("navproof"):
                names.setdefault(module, set()).update(alias.name for alias in node.names)
            case ast.ImportFrom():
                pass
            case _ if not _is_head(node):
                break
        end = node.end_lineno or end
    return ast.get_docstring(tree, clean=False) or "", "\n".join(text.splitlines()[end:]).strip(
        "\n"
    )


def _is_head(node: ast.stmt) -> bool:
    """The docstring, and ``__all__``."""
    if isinstance(node, ast.Assign):
        return any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets)
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_foreign(line: str) -> bool:
    return line.split()[1] in ("msgpack", "numpy")
