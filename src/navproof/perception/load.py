"""From a name to eyes: ``default``, ``truth``, a model of one's own, or one's own class.

Encoders: ``default`` · ``truth`` · ``clip:FOLDER`` · ``siglip:FOLDER`` · ``open_clip:MODEL:FILE`` ·
``onnx:FOLDER`` · ``file.py:Class`` · ``package.module:Class``.
Detectors: ``default`` · ``truth`` · ``grounding_dino:FOLDER`` · ``owlv2:FOLDER`` ·
``yolo_world:FILE`` · ``coco-onnx:FILE`` · ``onnx:FOLDER`` · one's own class as above.
What follows the colon is handed to the class as its only argument (``default:FOLDER``: weights out
of ``navproof train perception -o FOLDER``).
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from navproof.core.errors import NavproofError, PerceptionError, one_line
from navproof.core.registry import NamedImports, module_from_file
from navproof.perception.protocol import ImageTextEncoder, OpenVocabularyDetector

__all__ = ["DETECTORS", "ENCODERS", "load_detector", "load_encoder"]

ENCODERS: NamedImports[Callable[..., ImageTextEncoder]] = NamedImports(
    "encoder",
    {
        "default": "navproof.perception.encoder:DefaultEncoder",
        "truth": "navproof.perception.truth:TruthEncoder",
        "clip": "navproof.perception.foundation.clip:ClipEncoder",
        "siglip": "navproof.perception.foundation.clip:SiglipEncoder",
        "open_clip": "navproof.perception.foundation.open_clip:OpenClipEncoder",
        "onnx": "navproof.perception.foundation.onnx:OnnxEncoder",
    },
)
DETECTORS: NamedImports[Callable[..., OpenVocabularyDetector]] = NamedImports(
    "detector",
    {
        "default": "navproof.perception.detector:DefaultDetector",
        "truth": "navproof.perception.truth:TruthDetector",
        "grounding_dino": "navproof.perception.foundation.detectors:GroundingDinoDetector",
        "owlv2": "navproof.perception.foundation.detectors:Owlv2Detector",
        "yolo_world": "navproof.perception.foundation.yolo_world:YoloWorldDetector",
        "coco-onnx": "navproof.perception.foundation.coco_onnx:CocoOnnxDetector",
        "onnx": "navproof.perception.foundation.onnx:OnnxDetector",
    },
)


def load_encoder(name: str = "default") -> ImageTextEncoder:
    """The encoder called ``name``; see the module's list."""
    return cast("ImageTextEncoder", _load(name, ENCODERS, "encoder"))


def load_detector(name: str = "default") -> OpenVocabularyDetector:
    """The detector called ``name``; see the module's list."""
    return cast("OpenVocabularyDetector", _load(name, DETECTORS, "detector"))


def _load(name: str, registry: NamedImports[Any], what: str) -> object:
    kind, colon, argument = name.partition(":")
    try:
        if kind in registry or not colon:
            make = registry.get(kind)
            return make(argument) if colon else make()
        return _own(name, what)()
    except NavproofError:
        raise
    except Exception as error:
        raise PerceptionError(f"{what} '{name}' could not be made: {one_line(error)}") from error


def _own(name: str, what: str) -> Callable[[], object]:
    """A class of the user's: ``file.py:Class`` or ``package.module:Class``."""
    where, _, attribute = name.rpartition(":")
    if where.endswith(".py"):
        path = Path(where)
        if not path.is_file():
            raise PerceptionError(f"{what} '{name}': there is no file {path}")
        module = module_from_file(path)
    else:
        try:
            module = importlib.import_module(where)
        except ModuleNotFoundError as error:
            raise PerceptionError(f"{what} '{name}': {error}") from None
    value = getattr(module, attribute, None)
    if not callable(value):
        raise PerceptionError(f"{what} '{name}': {where} has no class '{attribute}'")
    return cast("Callable[[], object]", value)
