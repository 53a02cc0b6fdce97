"""Property tests draw the same examples every time; ``NAVPROOF_FUZZ=1`` draws fresh ones."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("fuzz", derandomize=False, deadline=None)
settings.load_profile("fuzz" if os.environ.get("NAVPROOF_FUZZ") else "repeatable")
