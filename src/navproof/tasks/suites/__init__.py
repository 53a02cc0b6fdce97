"""Suites: named sets of episodes, generated on first use, the same everywhere, kept on disk."""

from navproof.tasks.suites.load import (
    Progress,
    episodes_in,
    find_pack,
    find_suite,
    load_suite,
    salted,
    settings_of,
    suite_path,
)
from navproof.tasks.suites.registry import SUITES, Suite, SuitePart, register_suite
from navproof.tasks.suites.spread import in_turn

__all__ = [
    "SUITES",
    "Progress",
    "Suite",
    "SuitePart",
    "episodes_in",
    "find_pack",
    "find_suite",
    "in_turn",
    "load_suite",
    "register_suite",
    "salted",
    "settings_of",
    "suite_path",
]
