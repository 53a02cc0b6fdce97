"""Eyes by name: those that come along, one's own, and names that lead nowhere."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from navproof.core.errors import NavproofError, PerceptionError
from navproof.perception import load_detector, load_encoder
from navproof.perception.onnx_session import WEIGHTS
from navproof.perception.protocol import check_features

OWN = """
from __future__ import annotations
from dataclasses import dataclass
import numpy as np
from beside import HALF
@dataclass
class Mine:
    size: int = 4
    name, feature_dim, scale, bias = "mine", 4, 1.0, 0.0
    def encode_patches(self, rgb): return np.ones((2, 2, 4), np.float32) / 2
    def encode_image(self, rgb): return np.ones(4, np.float32) / 2
    def encode_text(self, texts): return np.ones((len(texts), self.size), np.float32) * HALF
class Broken:
    def __init__(self): raise RuntimeError("no such\\nfile")
"""


def test_ones_own_class_is_found_by_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(OWN)
    (tmp_path / "beside.py").write_text("HALF = 0.5")
    encoder = load_encoder(f"{path}:Mine")
    assert encoder.encode_text(["a", "b"]).shape == (2, 4)
    with pytest.raises(PerceptionError, match="could not be made: RuntimeError: no such file"):
        load_encoder(f"{path}:Broken")
    with pytest.raises(PerceptionError, match="has no class 'Other'"):
        load_encoder(f"{path}:Other")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("defualt", "did you mean 'default'"),
        ("nowhere.py:Mine", "there is no file"),
        ("no_such_module:Mine", "no_such_module"),
        ("default:/no/such/folder", "cannot be read"),
    ],
)
def test_names_that_lead_nowhere_are_one_line(name: str, says: str) -> None:
    for load in (load_encoder, load_detector):
        with pytest.raises(NavproofError, match=says) as caught:
            load(name)
        assert "\n" not in str(caught.value)


def test_weights_that_changed_are_read_again(tmp_path: Path) -> None:
    shutil.copytree(WEIGHTS, tmp_path / "weights")
    assert load_encoder(f"default:{tmp_path / 'weights'}").feature_dim == 96
    (tmp_path / "weights" / "encoder.onnx").write_bytes(b"no model")
    with pytest.raises(PerceptionError, match=r"encoder\.onnx cannot be used"):
        load_encoder(f"default:{tmp_path / 'weights'}")


def test_features_of_the_wrong_size_are_named() -> None:
    with pytest.raises(PerceptionError, match="gave 5 numbers a vector, but says feature_dim = 4"):
        check_features(np.zeros((2, 2, 5), np.float32), 4, "encoder 'mine'")
    with pytest.raises(PerceptionError, match="not finite"):
        check_features(np.full((2, 4), np.nan, np.float32), 4, "encoder 'mine'")
