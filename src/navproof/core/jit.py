"""The one way Numba is used: ``@jit`` — compiled once, cached on disk, strict IEEE arithmetic.

No fast-math (results must be the same bits on every machine) and no automatic threads (a run
uses one core per worker). ``nogil`` lets a watchdog thread live beside a long kernel.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba

__all__ = ["jit", "jit_inline"]

F = TypeVar("F", bound=Callable[..., object])


def jit(function: F) -> F:
    """Compile on first call, keep in the on-disk cache."""
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def jit_inline(function: F) -> F:
    """As ``jit``, and inlined into the kernels that call it."""
    return cast(
        F, numba.njit(cache=True, nogil=True, error_model="numpy", inline="always")(function)
    )
