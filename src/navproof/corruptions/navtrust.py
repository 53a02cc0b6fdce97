"""NavTrust's protocol: which corruptions belong to it, and at which intensities.

An explicit list: what is added to navproof never joins a published protocol by itself.
"""

from __future__ import annotations

__all__ = ["MIXED", "PAPER", "SINGLE", "SWEEP"]

SINGLE: tuple[str, ...] = (
    "motion_blur",
    "low_light",
    "low_light_noise",
    "spatter",
    "flare",
    "defocus",
    "foreign_object",
    "black_out",
    "depth_gaussian",
    "depth_missing",
    "depth_multipath",
    "depth_quantisation",
    "friendly",
    "novice",
    "professional",
    "formal",
    "capitalise",
    "mask_50",
    "mask_100",
    "black_box",
    "white_box",
)
"""Eight of the colour image, four of depth, nine of the instruction."""
MIXED: tuple[str, ...] = ("low_light_noise+depth_gaussian", "motion_blur+depth_missing")
"""The combinations of the published protocol, as conditions."""
PAPER: tuple[str, ...] = (*SINGLE, *MIXED)
"""The conditions of the published protocol besides "clean"."""
SWEEP: tuple[float, ...] = (0.25, 0.5, 0.75, 1.0)
"""The intensities of the published sensitivity analysis."""
