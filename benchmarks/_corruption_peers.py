"""Effects of two libraries that are beside ours in ``bench_corruptions.py``."""

from __future__ import annotations

import importlib
import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Image = np.ndarray[Any, np.dtype[np.uint8]]


@dataclass(frozen=True)
class Peer:
    """Somebody else's effect: which corruption it is beside, and how far it is the same."""

    library: str
    corruption: str
    effect: str
    make: Callable[[Any], Callable[[Image], Any]]


def _albumentation(name: str, **settings: Any) -> Callable[[Any], Callable[[Image], Any]]:
    def make(library: Any) -> Callable[[Image], Any]:
        transform = getattr(library, name)(p=1.0, **settings)
        return lambda image: transform(image=image)["image"]

    return make


def _imagecorruption(name: str) -> Callable[[Any], Callable[[Image], Any]]:
    return lambda library: lambda image: library.corrupt(image, corruption_name=name, severity=3)


IC, ALB = "imagecorruptions", "albumentations"
PEERS = (
    Peer(IC, "motion_blur", "motion_blur", _imagecorruption("motion_blur")),
    Peer(
        ALB,
        "motion_blur",
        "MotionBlur",
        _albumentation("MotionBlur", blur_limit=(31, 31), angle_range=(0, 45)),
    ),
    Peer(IC, "defocus", "defocus_blur", _imagecorruption("defocus_blur")),
    Peer(
        ALB,
        "defocus",
        "Defocus",
        _albumentation("Defocus", radius=(6, 6), alias_blur=(0.5, 0.5)),
    ),
    Peer(IC, "spatter", "spatter", _imagecorruption("spatter")),
    Peer(
        ALB,
        "spatter",
        "Spatter",
        _albumentation(
            "Spatter",
            mean=(0.65, 0.65),
            std=(0.3, 0.3),
            gauss_sigma=(2, 2),
            cutout_threshold=(0.68, 0.68),
            intensity=(0.5, 0.5),
        ),
    ),
    Peer(IC, "low_light", "brightness (even, brighter)", _imagecorruption("brightness")),
    Peer(
        ALB,
        "low_light",
        "Illumination",
        _albumentation("Illumination", mode="linear", effect_type="darken"),
    ),
    Peer(IC, "low_light_noise", "shot_noise (a part)", _imagecorruption("shot_noise")),
    Peer(ALB, "low_light_noise", "ISONoise (a part)", _albumentation("ISONoise")),
    Peer(
        ALB,
        "flare",
        "RandomSunFlare",
        _albumentation("RandomSunFlare", method="physics_based", src_radius=100),
    ),
)


def library(name: str) -> Any:
    """The library, or the reason why it cannot be used."""
    os.environ.setdefault("NO_ALBUMENTATIONS_UPDATE", "1")  # it looks for news on the network
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except Exception as error:  # missing or broken: a result, not a failure
        return f"{type(error).__name__}: {' '.join(str(error).split())}"
