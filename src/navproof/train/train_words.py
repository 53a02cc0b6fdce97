"""Fitting a text side anew to an image side that is finished.

What the encoder's images look like stays as it is, so new words can be learnt, or a text side made
again, in minutes on a CPU: features of pixels are taken once, and only the text network is trained
against them, with the encoder's own loss, scale and bias.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from navproof.perception.encoder import DefaultEncoder
from navproof.train.batches import Frames, Pool
from navproof.train.loop import TrainSettings, fit, word_vectors
from navproof.train.nets import NetSize, TextNet
from navproof.train.train_encoder import IMAGE_WEIGHT, balanced, draw_pixels, one_each, shown

__all__ = ["train_words"]

_DRAWS = 2  # of pixels, for each frame
_CHUNK = 32


@dataclass(frozen=True)
class _Seen:
    """Per frame: object rows (n, k) and features (n, k, f) of pixels, feature (n, f) of it all."""

    objects: Tensor
    pixels: Tensor
    whole: Tensor


def train_words(
    frames: Frames,
    pool: Pool,
    table: Tensor,
    size: NetSize,
    settings: TrainSettings,
    folder: Path,
    start: Mapping[str, Tensor] | None = None,
) -> TextNet:
    """A text side for ``encoder.onnx`` in ``folder``; ``start`` are weights to begin with, such
    as those of another text side. ``table`` are the word vectors on the frames' device."""
    torch.manual_seed(settings.seed)
    encoder = DefaultEncoder(folder)
    net = TextNet(size).to(frames.device)
    if start is not None:
        net.load_state_dict(start)
    seen = _look(frames, encoder, settings.seed)

    def loss_of(_: nn.Module, generator: torch.Generator) -> dict[str, Tensor]:
        rows = torch.randint(
            len(frames), (settings.batch,), generator=generator, device=frames.device
        )
        batch = frames.batch(rows, pool, settings.queries, generator)
        rooms = one_each(pool.of_room, generator)
        vectors, present = word_vectors(pool.words[torch.cat([batch.queries, rooms])], table)
        text = net(vectors, present)
        objects = seen.objects[rows].flatten()
        features = seen.pixels[rows].float().flatten(0, 1)
        right = frames.fits(objects.clamp(min=0), pool, batch.queries)
        weights = frames.weights(objects.clamp(min=0), pool, batch.queries, right)
        weights = weights * (objects[:, None] >= 0)
        logits = features @ text[: len(batch.queries)].T * encoder.scale + encoder.bias
        room = batch.room[:, None] == torch.arange(len(rooms), device=frames.device)
        everything = torch.cat([shown(batch, frames, pool), room], 1)
        whole = seen.whole[rows].float() @ text.T * encoder.image_scale + encoder.image_bias
        return {
            "patch": balanced(logits, right, weights),
            "image": IMAGE_WEIGHT * balanced(whole, everything, torch.ones_like(whole)),
        }

    kept = fit(net, settings, loss_of, frames.device)
    assert isinstance(kept, TextNet)
    return kept


def _look(frames: Frames, encoder: DefaultEncoder, seed: int) -> _Seen:
    """What the encoder makes of every frame."""
    generator = torch.Generator(frames.device).manual_seed(seed)
    objects, pixels, wholes = [], [], []
    for first in range(0, len(frames), _CHUNK):
        rows = torch.arange(first, min(first + _CHUNK, len(frames)), device=frames.device)
        images = frames.rgb[rows].cpu().numpy()
        maps, whole = zip(*(encoder.encode(image) for image in images), strict=True)
        patches = torch.from_numpy(np.stack(maps)).permute(0, 3, 1, 2).to(frames.device)
        drawn = [
            draw_pixels(frames.instances[rows], frames.slots[rows], frames, generator)
            for _ in range(_DRAWS)
        ]
        at = torch.cat([places for _, places in drawn], 1)
        found = F.grid_sample(patches, at[:, None], align_corners=False)[:, :, 0]
        objects.append(torch.cat([things for things, _ in drawn], 1))
        pixels.append(F.normalize(found, dim=1).transpose(1, 2).half())
        wholes.append(torch.from_numpy(np.stack(whole)).to(frames.device))
    return _Seen(torch.cat(objects), torch.cat(pixels), torch.cat(wholes))
