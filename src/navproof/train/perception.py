"""From nothing to the default eyes: render worlds, train encoder and detector, export them.

python -m navproof.train.perception all --out weights
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from navproof.core.errors import MissingExtraError, NavproofError, SpecError

__all__ = ["PerceptionRecipe", "main", "train_perception"]

PARTS = ("encoder", "detector")
WORDS = "words"
"""Another part, not among all: a text side anew for the encoder in the folder."""


@dataclass(frozen=True, slots=True)
class PerceptionRecipe:
    """Everything that decides the weights."""

    scenes: int = 1000
    views: int = 100
    encoder_steps: int = 10000
    detector_steps: int = 10000
    words_steps: int = 2000
    batch: int = 256
    queries: int = 512
    rate: float = 2.5e-3
    people: float = 0.3
    """Share of the frames that have people in them."""
    seed: int = 1


def train_perception(
    recipe: PerceptionRecipe,
    data: Path,
    out: Path,
    parts: Sequence[str] = PARTS,
    *,
    workers: int = 2,
    compiled: bool = False,
) -> None:
    """Train ``parts`` on the dataset at ``data`` (rendered first if it is not there) and write
    the ONNX files, with what they cost, and the networks for further training, to ``out``."""
    for part in parts:
        if part not in (*PARTS, WORDS):
            known = ", ".join((*PARTS, WORDS))
            raise SpecError(f"there is no part '{part}' of perception; parts: {known}")
    try:
        import torch
    except ModuleNotFoundError:
        raise MissingExtraError("torch", "train", "training perception") from None
    from navproof.perception.words import WordTable
    from navproof.train.batches import Frames, make_pool
    from navproof.train.export import export_detector, export_encoder, export_words
    from navproof.train.loop import TrainSettings
    from navproof.train.nets import NetSize
    from navproof.train.render import render_dataset, scene_mix
    from navproof.train.train_detector import train_detector
    from navproof.train.train_encoder import train_encoder
    from navproof.train.train_words import train_words

    began = time.perf_counter()
    out.mkdir(parents=True, exist_ok=True)
    if not (data / "meta.json").is_file():
        scenes = scene_mix("train", recipe.scenes)
        render_dataset(
            data,
            scenes=scenes,
            views=recipe.views,
            seed=recipe.seed,
            size=256,
            people=recipe.people,
            workers=workers,
            say=lambda line: print(line, flush=True),
        )
    device = "cuda" if torch.cuda.is_available() else "cpu"
    table = WordTable.load()
    frames = Frames(data, device)
    vectors = torch.from_numpy(table.vectors).to(device)
    ready = time.perf_counter()
    print(f"{len(frames):,} frames ready on {device} after {ready - began:.0f} s", flush=True)
    for part in parts:
        pool = make_pool(data, recipe.seed, workers, focus=part != "detector").to(device)
        steps = {
            "encoder": recipe.encoder_steps,
            "detector": recipe.detector_steps,
            WORDS: recipe.words_steps,
        }[part]
        settings = TrainSettings(
            steps, recipe.batch, recipe.queries, recipe.rate, seed=recipe.seed, compiled=compiled
        )
        start_s = time.perf_counter()
        name = torch.cuda.get_device_name() if device == "cuda" else "CPU"
        size = NetSize(word_dim=table.dim, down=3 if part == "detector" else 2)
        if part == WORDS:
            start = _words_of(out / "detector.pt")
            text = train_words(frames, pool, vectors, size, settings, out, start)
            facts = _facts(recipe, len(frames), start_s, name)
            export_words(text, size, out, facts)
        elif part == "encoder":
            net = train_encoder(frames, pool, vectors, size, settings)
            facts = _facts(recipe, len(frames), start_s, name)
            torch.save(net.state_dict(), out / "encoder.pt")
            export_encoder(net.image, net.text, size, out, facts)
        else:
            found = train_detector(frames, pool, vectors, size, settings)
            facts = _facts(recipe, len(frames), start_s, name)
            torch.save(found.state_dict(), out / "detector.pt")
            export_detector(found.image, found.text, size, out, facts)
        print(f"{part}: {facts['seconds']} s on {name}, written to {out}", flush=True)


def _words_of(path: Path) -> dict[str, Any] | None:
    """The text side of a network kept by training, to begin with."""
    import torch

    if not path.is_file():
        return None
    state = torch.load(path, map_location="cpu", weights_only=True)
    return {k.removeprefix("text."): v for k, v in state.items() if k.startswith("text.")}


def _facts(recipe: PerceptionRecipe, frames: int, start: float, device: str) -> dict[str, object]:
    return {
        "recipe": asdict(recipe),
        "frames": frames,
        "seconds": round(time.perf_counter() - start),
        "device": device,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m navproof.train.perception")
    parser.add_argument("parts", help="all, encoder, detector or words")
    parser.add_argument("--data", type=Path, default=Path("perception-data"))
    parser.add_argument("--out", type=Path, default=Path("weights"))
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--compiled", action="store_true", help="torch.compile the image networks")
    for name, value in asdict(PerceptionRecipe()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    options = parser.parse_args(arguments)
    recipe = PerceptionRecipe(
        **{name: getattr(options, name) for name in asdict(PerceptionRecipe())}
    )
    parts = PARTS if options.parts == "all" else (options.parts,)
    try:
        train_perception(
            recipe,
            options.data,
            options.out,
            parts,
            workers=options.workers,
            compiled=options.compiled,
        )
    except NavproofError as error:
        print(f"error: {error}")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
