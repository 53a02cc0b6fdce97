"""Worlds are the same bytes everywhere: digests that were equal on AMD and Intel processors,
Python 3.11 and 3.12, NumPy 2.4 and 2.5. If one changes on purpose, raise ``WORLD_VERSION`` (or
``GENERATOR_VERSION`` for walks and distances) and take the new digests from
``python benchmarks/fingerprint.py --json``."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from navproof.world.generate import generate
from navproof.world.library import WORLD_VERSION

_SOURCE = Path(__file__).parents[2] / "benchmarks" / "fingerprint.py"
_spec = importlib.util.spec_from_file_location("fingerprint", _SOURCE)
assert _spec is not None
assert _spec.loader is not None
fingerprint = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(fingerprint)

KNOWN_VERSION = "3"
KNOWN = {
    "home": {
        "objects": "12a983c65674d6de",
        "geometry": "ba3ed08b59b8ce36",
        "textures": "dca9d445eb96f06a",
        "light": "0f7b42238de7cd40",
        "walk": "3c06685e04005b75",
        "distances": "f62e92e607b2c751",
        "rgb": "6a50987f47d2c2ce",
        "depth": "ea9c508586b7f5ce",
        "instances": "90f51ed23b979312",
    },
    "cafe": {
        "objects": "52177eee1519950b",
        "geometry": "1c60ab8b0a736956",
        "textures": "0b76a8a5878d85f4",
        "light": "6c238d139155fc34",
        "walk": "b17f2ded052a8613",
        "distances": "6d93b8e58aa4660f",
        "rgb": "f612d6d9a6fd6946",
        "depth": "99a921065cb85558",
        "instances": "7767a1971ba24e8c",
    },
}


@pytest.mark.parametrize("kind", sorted(KNOWN))
def test_a_world_has_its_known_bytes(kind: str) -> None:
    scene = generate(kind, 7, scene_id=f"{kind}-7")
    assert fingerprint.of_scene(scene) | fingerprint.of_walk(scene) == KNOWN[kind]


def test_digests_belong_to_this_version_of_the_world() -> None:
    assert WORLD_VERSION == KNOWN_VERSION
