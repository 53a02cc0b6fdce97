"""Instructions from paths: structure first, then words, and a checker that proves them true."""

from __future__ import annotations

from navproof.language.routes.instruct import instruct

__all__ = ["instruct"]
