"""Values for a page's script."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["page_data"]


def page_data(value: Any) -> str:
    """JSON that may stand in a ``script`` element, whatever words are in it; the same bytes for the
    same value."""
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return data.replace("<", "\\u003c")
