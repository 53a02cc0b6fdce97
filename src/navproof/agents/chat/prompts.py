"""The words that a model is told, as templates in a folder: ours, or a user's in their place.

A template is a text file in which ``$name`` stands for what is filled in. What a folder of the
user's lacks is taken from ours (``prompts/`` beside this file).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from string import Template

from navproof.core.errors import AgentError

__all__ = ["OURS", "Prompts"]

OURS = Path(__file__).parent / "prompts"
_SUFFIX = ".txt"
_BLANKS = re.compile(r"\n{3,}")


class Prompts:
    """Templates by name. They are read once."""

    def __init__(self, folder: Path | None = None) -> None:
        self._texts = {**_read(OURS), **({} if folder is None else _read(folder))}
        self._folder = folder
        if folder is not None:
            known = _read(OURS)
            strange = sorted(set(_read(folder)) - set(known))
            if strange or not _read(folder):
                what = (
                    f"'{strange[0]}' is none of" if strange else "holds no .txt file that is one of"
                )
                raise AgentError(f"{folder}: {what} the prompts: {', '.join(sorted(known))}")

    def __deepcopy__(self, memo: object) -> Prompts:
        return self

    def text(self, name: str, otherwise: str = "") -> str:
        """A template as it stands; that of ``otherwise`` where there is none of ``name``."""
        return self._texts[name if name in self._texts or not otherwise else otherwise]

    def filled(self, name: str, values: Mapping[str, str], otherwise: str = "") -> str:
        """A template with its values; an ``AgentError`` where it asks for others."""
        try:
            text = Template(self.text(name, otherwise)).substitute(values)
        except KeyError as error:
            raise AgentError(
                f"{self._where(name)} asks for ${error.args[0]}, which is none of"
                f" {', '.join(f'${value}' for value in sorted(values))}"
            ) from None
        except ValueError as error:
            raise AgentError(f"{self._where(name)}: {error}; write $$ for a dollar sign") from None
        return _BLANKS.sub("\n\n", text).strip()

    def _where(self, name: str) -> str:
        return f"prompt '{name}'" if self._folder is None else f"{self._folder}: prompt '{name}'"


def _read(folder: Path) -> dict[str, str]:
    """The templates of a folder, by the names of their files."""
    try:
        return {
            path.stem: path.read_text(encoding="utf-8")
            for path in sorted(folder.iterdir())
            if path.suffix == _SUFFIX
        }
    except (OSError, UnicodeDecodeError) as error:
        raise AgentError(f"prompts cannot be read from {folder}: {error}") from None
