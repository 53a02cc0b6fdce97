"""Hooks of mkdocs: the design notes and the project's own pages become pages of the site, and
links in the documentation, which are those of the repository, lead to pages of the site where there
is one and to the repository elsewhere.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
PROJECT_PAGES = ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md")
_LINK = re.compile(r"(\]\()([^)#\s]+)(#[^)\s]*)?(\))")


def on_files(files: Files, config: Any, **_: Any) -> Files:
    """Add ``design/*.md`` and the project's pages."""
    notes = sorted((ROOT / "design").glob("*.md"))
    lines = []
    for path in (*notes, *(ROOT / name for name in PROJECT_PAGES)):
        name = path.relative_to(ROOT).as_posix()
        text = path.read_text(encoding="utf-8")
        uri = name if path in notes else f"project/{name.lower()}"
        files.append(File.generated(config, uri, content=text))
        if path in notes:
            title = text.partition("\n")[0].lstrip("# ")
            lines.append(f"- [{title}]({path.name})")
    index = "# Design notes\n\nWhy things are as they are, a dated page for each decision.\n\n"
    listed = index + "\n".join(lines) + "\n"
    files.append(File.generated(config, "design/index.md", content=listed))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files, **_: Any) -> str:
    """Turn the repository's links into those of the site."""
    here = _in_repository(page.file.src_uri)

    def turned(found: re.Match[str]) -> str:
        opening, target, anchor, closing = found.groups()
        if ":" in target or target.startswith("/"):
            return found[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(here), target))
        uri = _in_site(path)
        if files.get_file_from_path(uri) is not None:
            link = posixpath.relpath(uri, posixpath.dirname(page.file.src_uri) or ".")
        elif (ROOT / path).exists():
            link = f"{config['repo_url'].rstrip('/')}/blob/main/{path}"
        else:
            link = target
        return f"{opening}{link}{anchor or ''}{closing}"

    return _LINK.sub(turned, markdown)


def _in_repository(uri: str) -> str:
    if uri.startswith("design/"):
        return uri
    if uri.startswith("project/"):
        return uri.removeprefix("project/").removesuffix(".md").upper() + ".md"
    return f"docs/{uri}"


def _in_site(path: str) -> str:
    if path in PROJECT_PAGES:
        return f"project/{path.lower()}"
    if path in ("README.md", "design"):
        return {"README.md": "index.md", "design": "design/index.md"}[path]
    return path.removeprefix("docs/")
