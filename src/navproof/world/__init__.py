"""Worlds: what a scene is, how one is generated, named, kept and drawn.

``load_scene("home/val/3")`` gives a named scene, ``world.generate.generate(kind, seed)`` any other.
The parts are imported when they are asked for, so that importing this package costs nothing.
"""

from __future__ import annotations

import importlib
from typing import Any

from navproof.world.scene import Scene

__all__ = ["WORLD_VERSION", "Scene", "load_scene"]

_LAZY = {
    "WORLD_VERSION": "navproof.world.library",
    "load_scene": "navproof.world.library",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'navproof.world' has no attribute '{name}'")
    return getattr(importlib.import_module(_LAZY[name]), name)
