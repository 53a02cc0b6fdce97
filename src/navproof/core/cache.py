"""Where generated things (scenes, suites) are kept between runs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["cache_dir"]


def cache_dir(*parts: str) -> Path:
    """``$NAVPROOF_CACHE``, or the user's cache folder of the platform, with ``parts`` below it."""
    chosen = os.environ.get("NAVPROOF_CACHE")
    if chosen:
        base = Path(chosen)
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home())) / "navproof" / "cache"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches" / "navproof"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "navproof"
    folder = base.joinpath(*parts)
    folder.mkdir(parents=True, exist_ok=True)
    return folder
