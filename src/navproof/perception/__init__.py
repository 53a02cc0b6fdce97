"""Seeing: image-text encoders, open-vocabulary detectors, and the maps built from them.

from navproof.perception import load_encoder, load_detector

encoder = load_encoder("default")
patches = encoder.encode_patches(rgb)                 # (h, w, f), unit vectors
words = encoder.encode_text(["the red mug on the desk"])
heat = patches @ words[0]
found = load_detector("default").detect(rgb, ["red mug", "desk"])
"""

from navproof.perception.load import load_detector, load_encoder
from navproof.perception.protocol import Detections, ImageTextEncoder, OpenVocabularyDetector

__all__ = [
    "Detections",
    "ImageTextEncoder",
    "OpenVocabularyDetector",
    "load_detector",
    "load_encoder",
]
