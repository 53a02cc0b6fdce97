"""Every corruption by name. A new one is a function and an entry here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from navproof.core.errors import UnknownNameError
from navproof.core.registry import suggest
from navproof.corruptions.protocol import Corruption, Family, Target

__all__ = ["CORRUPTIONS", "MIXED", "PAPER", "get"]

_IMAGENET_C = "Hendrycks & Dietterich, ImageNet-C, ICLR 2019"
_NAVTRUST = "NavTrust, section 3.1"
_ROBUSTNAV = "Chattopadhyay et al., RobustNav, ICCV 2021"
_VIEWPOINTS = "Sun et al., View Invariant Learning for VLN-CE, arXiv 2507.08831"
_NAVTRUST_WORDS = "NavTrust, sections 3.3 and A.6"


@dataclass(frozen=True, slots=True)
class _Late:
    """The function, imported when it is first called: listing corruptions stays cheap."""

    module: str
    function: str

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return getattr(import_module(self.module), self.function)(*args, **kwargs)


def _one(
    name: str,
    family: Family,
    target: Target,
    where: str,
    stands_for: str,
    source: str,
    default: float = 0.6,
    lasting: bool = True,
) -> Corruption:
    module, _, function = where.partition(":")
    late = _Late(f"navproof.corruptions.{module}", function)
    return Corruption(name, family, target, late, stands_for, source, default, lasting)


def _images() -> list[Corruption]:
    return [
        _one(
            "motion_blur", "rgb", "rgb", "rgb:motion_blur",
            "The robot turns quickly or hits a bump while the shutter is open.",
            _IMAGENET_C,
            lasting=False,
        ),
        _one(
            "low_light", "rgb", "rgb", "rgb:low_light",
            "One lamp is left on: it is bright near it and dark elsewhere.",
            f"{_NAVTRUST}; Lv et al., MBLLEN, BMVC 2018 (tone curve)",
            1.0,
        ),
        _one(
            "low_light_noise", "rgb", "rgb", "rgb:low_light_noise",
            "A small sensor turns its gain up in the dark: grain, bands, coarse shadows.",
            "Wei et al., Physics-based Noise Modeling for Extreme Low-light Photography, "
            "TPAMI 2021",
        ),
        _one(
            "spatter", "rgb", "rgb", "rgb:spatter",
            "Drops of water or splashes of mud sit on the lens.",
            _IMAGENET_C,
        ),
        _one(
            "flare", "rgb", "rgb", "rgb:flare",
            "A lamp or the sun shines into the lens: veil, halo, starburst and ghosts.",
            "Wu et al., How to Train Neural Networks for Flare Removal, ICCV 2021; "
            "Spencer et al., SIGGRAPH 1995; Hullin et al., SIGGRAPH 2011",
            1.0,
        ),
        _one(
            "defocus", "rgb", "rgb", "rgb:defocus",
            "The lens was knocked out of place or focused at the wrong distance.",
            _IMAGENET_C,
        ),
        _one(
            "foreign_object", "rgb", "rgb", "rgb:foreign_object",
            "A finger, tape or a leaf covers the middle of the lens.",
            _NAVTRUST,
        ),
        _one(
            "black_out", "rgb", "rgb", "rgb:black_out",
            "Frames are lost to a loose cable or a failing driver and arrive black.",
            _NAVTRUST,
            lasting=False,
        ),
    ]  # fmt: skip


def _depths() -> list[Corruption]:
    return [
        _one(
            "depth_gaussian", "depth", "depth", "depth:gaussian",
            "A cheap depth camera jitters, the more the farther it looks.",
            "Nguyen, Izadi & Lovell, Modeling Kinect Sensor Noise, 3DIMPVT 2012",
            lasting=False,
        ),
        _one(
            "depth_missing", "depth", "depth", "depth:missing",
            "Glass, mirrors, black cloth and grazing floors send too little light back.",
            "Foix, Alenyà & Torras, IEEE Sensors J. 2011; "
            "Mallick, Das & Majumdar, IEEE Sensors J. 2014",
        ),
        _one(
            "depth_multipath", "depth", "depth", "depth:multipath",
            "Light that bounced in a corner or off a shiny floor seems to come from farther away.",
            "Jiménez et al., Image and Vision Computing 2014; Fuchs, ICPR 2010",
        ),
        _one(
            "depth_quantisation", "depth", "depth", "depth:quantisation",
            "Depth is sent or stored in few bits: walls become terraces, small obstacles vanish.",
            "Ideses et al., 3DTV-CON 2007; Wei, Huang & Chien, ICASSP 2013",
        ),
    ]  # fmt: skip


def _instructions() -> list[Corruption]:
    return [
        _one(
            "friendly", "instruction", "words", "instruction:friendly",
            "Somebody gives the same directions casually, as to a friend.",
            _NAVTRUST_WORDS,
            1.0,
        ),
        _one(
            "novice", "instruction", "words", "instruction:novice",
            "Somebody who is new to this gives the same directions in simple words.",
            _NAVTRUST_WORDS,
            1.0,
        ),
        _one(
            "professional", "instruction", "words", "instruction:professional",
            "A specialist gives the same directions in the terms of the trade.",
            _NAVTRUST_WORDS,
            1.0,
        ),
        _one(
            "formal", "instruction", "words", "instruction:formal",
            "The same directions are written courteously, in long sentences.",
            _NAVTRUST_WORDS,
            1.0,
        ),
        _one(
            "capitalise", "instruction", "words", "instruction:capitalise",
            "Somebody stresses the words that matter by writing them in capitals.",
            _NAVTRUST_WORDS,
            1.0,
        ),
        _one(
            "mask_50", "instruction", "words", "instruction:mask_half",
            "Half of the words that matter less were not understood or not transmitted.",
            _NAVTRUST_WORDS,
            1.0,
        ),
        _one(
            "mask_100", "instruction", "words", "instruction:mask_all",
            "All words that matter less were lost; only keywords are left.",
            _NAVTRUST_WORDS,
            1.0,
        ),
        _one(
            "mask_any", "instruction", "words", "instruction:mask_any",
            "Words were lost at random, those that matter too.",
            _NAVTRUST_WORDS,
            0.5,
        ),
        _one(
            "black_box", "instruction", "words", "instruction:black_box",
            "Somebody puts misleading orders before the instruction, by error or on purpose.",
            _NAVTRUST_WORDS,
            1.0,
        ),
        _one(
            "white_box", "instruction", "prompt", "instruction:white_box",
            "An attacker plants misleading rules in the agent's system prompt.",
            _NAVTRUST_WORDS,
            1.0,
        ),
    ]  # fmt: skip


def _bodies() -> list[Corruption]:
    return [
        _one(
            "latency", "body", "mount", "body:latency",
            "Images arrive late, over a slow link or from a busy computer.",
            "Falanga, Kim & Scaramuzza, How Fast Is Too Fast?, RA-L 2019",
        ),
        _one(
            "frame_drop", "body", "arrival", "body:frame_drop",
            "Frames are lost on the way, and the last one is used again.",
            "Elias, Coding for Two Noisy Channels, 1955 (erasure channel)",
            lasting=False,
        ),
        _one(
            "camera_tilt", "body", "mount", "body:camera_tilt",
            "The mount was knocked: the camera looks elsewhere than the software believes.",
            _VIEWPOINTS,
        ),
        _one(
            "camera_height", "body", "mount", "body:camera_height",
            "The mast sank, or the policy moved to a smaller robot: the camera sits lower.",
            _VIEWPOINTS,
        ),
        _one(
            "wrong_intrinsics", "body", "mount", "body:wrong_intrinsics",
            "The calibration belongs to another lens, video mode or resolution.",
            f"{_ROBUSTNAV} (field of view); pinhole model",
        ),
        _one(
            "odometry_drift", "body", "pose", "body:odometry_drift",
            "Wheel counts are integrated, and the robot's idea of where it is drifts away.",
            "Thrun, Burgard & Fox, Probabilistic Robotics, 2005, section 5.4; "
            "Borenstein & Feng, IEEE Trans. Robotics and Automation 1996",
        ),
        _one(
            "wheel_slip", "body", "drive", "body:wheel_slip",
            "Wheels slip on carpets, sills and wet floors: motion is not what was commanded.",
            f"Wong, Theory of Ground Vehicles (slip ratio); {_ROBUSTNAV} (drift)",
            lasting=False,
        ),
        _one(
            "low_battery", "body", "drive", "body:low_battery",
            "A weak battery caps the speed of the motors.",
            "DC motor: speed is proportional to voltage; discharge curve of lithium cells",
        ),
    ]  # fmt: skip


CORRUPTIONS: Mapping[str, Corruption] = {
    c.name: c for c in (*_images(), *_depths(), *_instructions(), *_bodies())
}
MIXED: tuple[str, ...] = ("low_light_noise+depth_gaussian", "motion_blur+depth_missing")
"""The combinations of the published protocol, as conditions."""
_OWN = ("mask_any",)
PAPER: tuple[str, ...] = (
    *(c.name for c in (*_images(), *_depths(), *_instructions()) if c.name not in _OWN),
    *MIXED,
)
"""The conditions of the published protocol besides "clean"."""


@cache
def get(name: str) -> Corruption:
    """The corruption of that name."""
    try:
        return CORRUPTIONS[name]
    except KeyError:
        hint = suggest(name, list(CORRUPTIONS))
        raise UnknownNameError(f"there is no corruption '{name}'{hint}") from None
