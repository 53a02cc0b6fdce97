"""Named groups of conditions, and the conditions that suites bring with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from navproof.core.errors import UnknownNameError
from navproof.core.registry import suggest
from navproof.corruptions.condition import parse_condition
from navproof.corruptions.navtrust import MIXED, PAPER, SINGLE, SWEEP
from navproof.corruptions.registry import CORRUPTIONS
from navproof.language.missions.wordings import ORIGINAL, check_style
from navproof.tasks.suites import SUITES, Suite, find_pack

__all__ = [
    "GROUPS",
    "SWEEP",
    "condition_name",
    "expand_conditions",
    "group",
    "in_styles",
    "usual_conditions",
]


def _family(family: str) -> tuple[str, ...]:
    return tuple(n for n in CORRUPTIONS.built_in() if CORRUPTIONS.get(n).family == family)


def _sweep() -> tuple[str, ...]:
    return tuple(f"{name}@{intensity:g}" for name in SINGLE for intensity in SWEEP)


_MINI = (
    "motion_blur",
    "low_light_noise",
    "black_out",
    "depth_gaussian",
    "depth_missing",
    "formal",
    "mask_100",
    "black_box",
    "low_light_noise+depth_gaussian",
)
_DEMO = ("low_light_noise", "black_out", "depth_gaussian", "formal", "mask_100")

GROUPS: Mapping[str, tuple[str, ...]] = {
    "trust": PAPER,
    "paper": PAPER,
    "trust-sweep": _sweep(),
    "trust-mini": _MINI,
    "trust-demo": _DEMO,
    "rgb": _family("rgb"),
    "depth": _family("depth"),
    "instruction": _family("instruction"),
    "mixed": MIXED,
    "body": _family("body"),
}
"""``trust`` (or ``paper``): every condition of NavTrust at its intensity. ``trust-sweep``: its
single corruptions at each of ``SWEEP``. A family's name: all of that family."""


def group(name: str) -> tuple[str, ...]:
    """The conditions of a group, as texts."""
    if name not in GROUPS:
        hint = suggest(name, list(GROUPS))
        raise UnknownNameError(f"there is no group of conditions '{name}'{hint}")
    return GROUPS[name]


def usual_conditions(suite: str | Suite) -> tuple[str, ...]:
    """What a suite is run under when nothing else is asked for: nothing but clean for an episode
    file, or a name that is only a label."""
    if isinstance(suite, str):
        if (pack := find_pack(suite)) is not None:
            return pack.manifest.conditions
        if suite not in SUITES and (":" not in suite or Path(suite).is_file()):
            return ()
        suite = SUITES.get(suite)
    brought = suite.conditions
    return tuple(text for name in brought for text in (GROUPS.get(name) or (name,)))


def condition_name(text: str) -> str:
    """The one way to write a condition, its style (``language.wordings``) first."""
    return parse_condition(text).name


def in_styles(conditions: Iterable[str], styles: Iterable[str]) -> tuple[str, ...]:
    """The conditions in the original words, then clean and each of them in every other style."""
    plain = tuple(conditions)
    others = [style for style in map(check_style, styles) if style != ORIGINAL]
    texts = dict.fromkeys(("clean", *plain)) if others else ()
    restyled = (replace(parse_condition(t), style=style) for style in others for t in texts)
    return (*plain, *(condition.name for condition in restyled))


def expand_conditions(texts: Iterable[str]) -> tuple[str, ...]:
    """The names of conditions, each once and as short as can be, "clean" first: what is retained
    is told against the clean twin."""
    names = dict.fromkeys(map(condition_name, texts))
    return ("clean", *(name for name in names if name != "clean"))
