"""Every corruption by name. A new one is a function and an entry here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from navproof.corruptions.protocol import Corruption, Family, Target
from navproof.errors import UnknownNameError
from navproof.registry import suggest

__all__ = ["CORRUPTIONS", "MIXED", "PAPER", "get"]


def _late(module: str, function: str) -> Callable[..., Any]:
    """The function, imported when it is first called: listing corruptions stays cheap."""

    def call(*args: Any, **kwargs: Any) -> Any:
        return getattr(import_module(f"navproof.corruptions.{module}"), function)(*args, **kwargs)

    call.__name__ = function
    return call


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
    return Corruption(
        name, family, target, _late(module, function), stands_for, source, default, lasting
    )


def _images() -> list[Corruption]:
    return [
        _one("motion_blur", "rgb", "rgb", "rgb:motion_blur", "TODO", "TODO", lasting=False),
        _one("low_light", "rgb", "rgb", "rgb:low_light", "TODO", "TODO", 1.0),
        _one("low_light_noise", "rgb", "rgb", "rgb:low_light_noise", "TODO", "TODO"),
        _one("spatter", "rgb", "rgb", "rgb:spatter", "TODO", "TODO"),
        _one("flare", "rgb", "rgb", "rgb:flare", "TODO", "TODO", 1.0),
        _one("defocus", "rgb", "rgb", "rgb:defocus", "TODO", "TODO"),
        _one("foreign_object", "rgb", "rgb", "rgb:foreign_object", "TODO", "TODO"),
        _one("black_out", "rgb", "rgb", "rgb:black_out", "TODO", "TODO", lasting=False),
    ]


def _depths() -> list[Corruption]:
    return [
        _one("depth_gaussian", "depth", "depth", "depth:gaussian", "TODO", "TODO", lasting=False),
        _one("depth_missing", "depth", "depth", "depth:missing", "TODO", "TODO"),
        _one("depth_multipath", "depth", "depth", "depth:multipath", "TODO", "TODO"),
        _one("depth_quantisation", "depth", "depth", "depth:quantisation", "TODO", "TODO"),
    ]


def _instructions() -> list[Corruption]:
    return [
        _one("friendly", "instruction", "words", "instruction:friendly", "TODO", "TODO", 1.0),
        _one("novice", "instruction", "words", "instruction:novice", "TODO", "TODO", 1.0),
        _one("professional", "instruction", "words", "instruction:professional", "TODO", "", 1.0),
        _one("formal", "instruction", "words", "instruction:formal", "TODO", "TODO", 1.0),
        _one("capitalise", "instruction", "words", "instruction:capitalise", "TODO", "TODO", 1.0),
        _one("mask_50", "instruction", "words", "instruction:mask_half", "TODO", "TODO", 1.0),
        _one("mask_100", "instruction", "words", "instruction:mask_all", "TODO", "TODO", 1.0),
        _one("black_box", "instruction", "words", "instruction:black_box", "TODO", "TODO", 1.0),
        _one("white_box", "instruction", "prompt", "instruction:white_box", "TODO", "TODO", 1.0),
    ]


def _bodies() -> list[Corruption]:
    return [
        _one("latency", "body", "mount", "body:latency", "TODO", "TODO"),
        _one("frame_drop", "body", "arrival", "body:frame_drop", "TODO", "TODO", lasting=False),
        _one("camera_tilt", "body", "mount", "body:camera_tilt", "TODO", "TODO"),
        _one("camera_height", "body", "mount", "body:camera_height", "TODO", "TODO"),
        _one("wrong_intrinsics", "body", "mount", "body:wrong_intrinsics", "TODO", "TODO"),
        _one("odometry_drift", "body", "pose", "body:odometry_drift", "TODO", "TODO"),
        _one("wheel_slip", "body", "drive", "body:wheel_slip", "TODO", "TODO", lasting=False),
        _one("low_battery", "body", "drive", "body:low_battery", "TODO", "TODO"),
    ]


CORRUPTIONS: Mapping[str, Corruption] = {
    c.name: c for c in (*_images(), *_depths(), *_instructions(), *_bodies())
}
MIXED: tuple[str, ...] = ("low_light_noise+depth_gaussian", "motion_blur+depth_missing")
"""The combinations of the published protocol, as conditions."""
PAPER: tuple[str, ...] = (
    *(c.name for c in (*_images(), *_depths(), *_instructions())),
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
