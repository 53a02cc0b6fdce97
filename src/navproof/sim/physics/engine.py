"""The one place where MuJoCo is taken up, when it is first needed."""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

from navproof.core.errors import MissingExtraError

__all__ = ["mujoco"]

_OLDEST = 4


@cache
def mujoco() -> Any:
    """The module ``mujoco``, version 4 or later."""
    try:
        module = importlib.import_module("mujoco")
    except ImportError:
        module = None
    if module is None or int(module.__version__.split(".")[0]) < _OLDEST:
        raise MissingExtraError(f"MuJoCo {_OLDEST} or later", "physics", "the physics tier")
    return module
