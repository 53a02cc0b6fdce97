"""Which calls read files that the text of a program does not name."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from navproof.core.sources import sources_of
from navproof.core.sources.reads import unnamed_reads


def reads(folder: Path, text: str) -> list[str]:
    return [call for _, call in unnamed_reads(folder / "mine.py", ast.parse(text))]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "weights.bin").write_bytes(b"1")
    (tmp_path / "mine.py").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("np.load(path)", "np.load(path)"),
        ("def f(file): return open(file)", "open(file)"),
        ("torch.jit.load(name)", "torch.jit.load(name)"),
        ("torch.load(folder / 'net.pt')", "torch.load(folder / 'net.pt')"),
        ("session = ort.InferenceSession(self.net)", "ort.InferenceSession(self.net)"),
        ("InferenceSession(path_or_bytes=net)", "InferenceSession()"),
        ("(root / name).read_bytes()", "(root / name).read_bytes()"),
        ("Path(name).open()", "Path(name).open()"),
        ("path.read_text()", "path.read_text()"),
        ("gzip.open(name, 'rb')", "gzip.open(name)"),
        ("open('/data/elsewhere.bin')", "open('/data/elsewhere.bin')"),
        ("open(name, 'r+')", "open(name)"),
        ("ctypes.CDLL(library)", "ctypes.CDLL(library)"),
        ("cv2.imread(name)", "cv2.imread(name)"),
        ("Model.from_pretrained(name)", "Model.from_pretrained(name)"),
        ("name = 'weights.bin'\ndef f(name): open(name)", "open(name)"),
        ("name = 'weights.bin'\nname = other\nopen(name)", "open(name)"),
        ("open(__file__.replace('mine.py', name))", "open(__file__.replace('mine.py', name))"),
        (f"np.load({'x' * 60})", f"np.load({'x' * 39}…)"),
    ],
)
def test_a_read_of_what_is_not_named_is_told(folder: Path, text: str, told: str) -> None:
    assert reads(folder, text) == [told]


@pytest.mark.parametrize(
    "text",
    [
        "open('weights.bin')",
        "(Path(__file__).parent / 'weights.bin').read_bytes()",
        "path = Path(__file__).with_name('weights.bin')\nnp.load(path)",
        "HERE = 'weights.bin'\nself.path: str = HERE\ntorch.load(self.path)",
        "open(name, 'w')",
        "open(name, mode='ab')",
        "Path(name).open('wb')",
        "open(3)",
        "ctypes.CDLL(None)",
        "json.load(stream)",
        "pickle.load(stream)",
        "self.load(name)",
        "load(name)",
        "sim.load(scene())",
        "np.load(io.BytesIO(data))",
        "model.eval()",
        "np.save(path, x)",
    ],
)
def test_other_calls_are_not(folder: Path, text: str) -> None:
    assert reads(folder, text) == []


def test_it_is_part_of_what_could_not_be_followed(folder: Path) -> None:
    (folder / "helper.py").write_text("import numpy as np\ndef get(path):\n  return np.load(path)")
    (folder / "mine.py").write_text("import helper\nnet = helper.get('weights.bin')")
    assert sources_of(folder / "mine.py").unfollowed == (
        "helper.py:3 reads a file that is not known before: np.load(path)",
        "mine.py:2 names weights.bin",
    )
