"""What every verb returns: rows that can be printed, shown in a notebook or put into a frame."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from navproof.core.errors import MissingExtraError

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Result"]

_HTML = '<pre style="font-family:monospace;line-height:1.2">{code}</pre>'


class Result(ABC):
    """Rows (plain dictionaries with the same keys) and a text that says what is in them."""

    @property
    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """One dictionary for each row."""

    @abstractmethod
    def show(self, console: Console) -> None:
        """Print what people want to know of it on a console of ``rich``."""

    def table(self, width: int = 100) -> str:
        """What ``show`` prints, as plain text of at most so many columns."""
        from rich.console import Console

        console = Console(
            file=io.StringIO(), width=width, no_color=True, force_terminal=False, emoji=False
        )
        with console.capture() as captured:
            self.show(console)
        return captured.get()

    def to_arrow(self) -> Any:
        """The rows as a ``pyarrow.Table``."""
        import pyarrow as pa

        return pa.Table.from_pylist(self.rows)

    def to_pandas(self) -> Any:
        """The rows as a ``pandas.DataFrame``; a ``MissingExtraError`` where pandas is missing."""
        try:
            import pandas  # noqa: F401
        except ImportError:
            raise MissingExtraError("pandas", "pandas", "to_pandas()") from None
        return self.to_arrow().to_pandas()

    def _repr_html_(self) -> str:
        """The same text in a notebook, with its bold and dim parts."""
        from rich.console import Console

        console = Console(
            file=io.StringIO(), width=120, record=True, force_jupyter=False, emoji=False
        )
        self.show(console)
        return console.export_html(inline_styles=True, code_format=_HTML)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)
