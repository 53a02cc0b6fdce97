"""The arrays behind a feature map: one row for every cell seen, and the sums of one frame."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["CellTable", "FrameSums"]

F32 = NDArray[np.float32]
I32 = NDArray[np.int32]
N = TypeVar("N", bound=np.generic)
_FIRST_ROWS = 8192


class CellTable:
    """Columns with room for more rows than the ``count`` in use. Row 0 stands for "never seen".

    ``vectors`` are running means, ``totals`` their weights, ``norms`` their lengths, ``cells``
    (layer, row, col), ``stamps`` the frame that changed them last; ``places`` is scratch.
    """

    def __init__(self, feature_dim: int) -> None:
        self.count = 1
        self.vectors: F32 = np.zeros((_FIRST_ROWS, feature_dim), dtype=np.float32)
        self.totals: F32 = np.zeros(_FIRST_ROWS, dtype=np.float32)
        self.norms: F32 = np.zeros(_FIRST_ROWS, dtype=np.float32)
        self.cells: I32 = np.zeros((_FIRST_ROWS, 3), dtype=np.int32)
        self.stamps: I32 = np.zeros(_FIRST_ROWS, dtype=np.int32)
        self.places: I32 = np.zeros(_FIRST_ROWS, dtype=np.int32)

    @property
    def row_bytes(self) -> int:
        columns = (self.vectors, self.totals, self.norms, self.cells, self.stamps, self.places)
        return sum(column[0].nbytes for column in columns)

    def make_space(self, more: int) -> None:
        """Let ``more`` rows be added."""
        need = self.count + more
        if need <= len(self.vectors):
            return
        size = max(need, 2 * len(self.vectors))
        self.vectors = self._longer(self.vectors, size)
        self.totals = self._longer(self.totals, size)
        self.norms = self._longer(self.norms, size)
        self.cells = self._longer(self.cells, size)
        self.stamps = self._longer(self.stamps, size)
        self.places = np.zeros(size, dtype=np.int32)

    def _longer(self, column: NDArray[N], size: int) -> NDArray[N]:
        longer = np.zeros((size, *column.shape[1:]), dtype=column.dtype)
        longer[: self.count] = column[: self.count]
        return longer


class FrameSums:
    """Scratch for as many cells as a frame has pixels: ``sums`` Σ w·f, ``weights`` Σ w, ``hits``
    the pixels of each, ``rows`` theirs in the table."""

    def __init__(self, pixels: int, feature_dim: int) -> None:
        self.sums: F32 = np.empty((pixels, feature_dim), dtype=np.float32)
        self.weights: F32 = np.empty(pixels, dtype=np.float32)
        self.hits: I32 = np.empty(pixels, dtype=np.int32)
        self.rows: I32 = np.empty(pixels, dtype=np.int32)
