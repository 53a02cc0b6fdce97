"""Training the image-text encoder: pixels against words, with a sigmoid for every pair.

Pixels are drawn evenly over the objects in view, so that a mug counts as much as a wall; the
feature of a pixel is interpolated from the patches. Every pair of pixel and query is right or
wrong by ground truth, so the loss is a sigmoid per pair (SigLIP, Zhai et al. 2023) rather than a
softmax over a batch with accidental matches. The whole image is trained the same way against
what it shows and the room it is in.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from navproof.train.batches import FIRST_SLOT, STRUCTURE, Batch, Frames, Pool, augment
from navproof.train.loop import TrainSettings, fit, word_vectors
from navproof.train.nets import EncoderNet, NetSize, TextNet

__all__ = [
    "IMAGE_WEIGHT",
    "EncoderPair",
    "balanced",
    "draw_pixels",
    "one_each",
    "shown",
    "train_encoder",
]

_PIXELS = 40
_BACKGROUND_SHARE = 0.25
_IMAGE_MIN_PIXELS = 100
IMAGE_WEIGHT = 0.3


class EncoderPair(nn.Module):
    """The image side and the text side, trained together."""

    def __init__(self, size: NetSize) -> None:
        super().__init__()
        self.image = EncoderNet(size)
        self.text = TextNet(size)


def train_encoder(
    frames: Frames, pool: Pool, table: Tensor, size: NetSize, settings: TrainSettings
) -> EncoderPair:
    """``table`` are the word vectors (V, word_dim) on the frames' device."""
    torch.manual_seed(settings.seed)
    device = frames.device
    net = EncoderPair(size).to(device).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    image_net = torch.compile(net.image) if settings.compiled else net.image

    def loss_of(_: nn.Module, generator: torch.Generator) -> dict[str, Tensor]:
        rows = torch.randint(len(frames), (settings.batch,), generator=generator, device=device)
        batch = frames.batch(rows, pool, settings.queries, generator)
        objects, at = draw_pixels(batch.instances, batch.slots, frames, generator)
        image = augment(batch.image, generator)
        if float(torch.rand(1, generator=generator, device=device)) < 0.5:
            image, at = image.flip(3), at * torch.tensor([-1.0, 1.0], device=device)
        rooms = one_each(pool.of_room, generator)
        queries = torch.cat([batch.queries, rooms])
        vectors, present = word_vectors(pool.words[queries], table)
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            patches, whole = image_net(image)
        text = net.text(vectors, present)
        asked = text[: len(batch.queries)]
        seen = F.grid_sample(patches.float(), at[:, None], align_corners=False)[:, :, 0]
        seen = F.normalize(seen, dim=1).transpose(1, 2)  # (n, pixels, f)
        right = frames.fits(objects.flatten().clamp(min=0), pool, batch.queries)
        weights = frames.weights(objects.flatten().clamp(min=0), pool, batch.queries, right)
        weights = weights * (objects.flatten()[:, None] >= 0)
        logits = seen.reshape(-1, size.features) @ asked.T
        logits = logits * net.image.scale[0].exp() + net.image.bias[0]
        patch = balanced(logits, right, weights)
        room = batch.room[:, None] == torch.arange(len(rooms), device=device)
        logits = whole.float() @ text.T * net.image.scale[1].exp() + net.image.bias[1]
        everything = torch.cat([shown(batch, frames, pool), room], 1)
        return {
            "patch": patch,
            "image": IMAGE_WEIGHT * balanced(logits, everything, torch.ones_like(logits)),
        }

    kept = fit(net, settings, loss_of, device)
    assert isinstance(kept, EncoderPair)
    return kept


def draw_pixels(
    instances: Tensor, slots: Tensor, frames: Frames, generator: torch.Generator
) -> tuple[Tensor, Tensor]:
    """Object rows (n, k; −1 = not to be used) and image coordinates (n, k, 2) in [−1, 1].

    Without replacement by exponential clocks (Efraimidis & Spirakis 2006), each object with the
    same weight however many pixels it has, walls, floor and ceiling with a quarter together.
    """
    n, height, width = instances.shape
    index = instances.flatten(1).long()
    counts = torch.zeros((n, 256), device=index.device).scatter_add_(
        1, index, torch.ones_like(index, dtype=torch.float32)
    )
    weight = 1.0 / counts.clamp(min=4.0)
    things = (counts[:, FIRST_SLOT:255] > 0).sum(1, keepdim=True).clamp(min=1)
    weight[:, 1:FIRST_SLOT] *= _BACKGROUND_SHARE * things / len(STRUCTURE)
    weight[:, 0] = 0.0
    weight[:, 255] = 0.0
    clock = torch.rand(index.shape, generator=generator, device=index.device)
    clock = -torch.log(clock.clamp(min=1e-9)) / weight.gather(1, index).clamp(min=1e-12)
    chosen = clock.topk(_PIXELS, dim=1, largest=False).indices
    slot = index.gather(1, chosen)
    listed = slots.gather(1, (slot - FIRST_SLOT).clamp(0, slots.shape[1] - 1))
    structure = frames.structure_row + slot - 1
    objects = torch.where(slot >= FIRST_SLOT, listed, structure)
    objects = torch.where((slot == 0) | (slot == 255), torch.full_like(objects, -1), objects)
    u = ((chosen % width).float() + 0.25) / width * 2.0 - 1.0
    v = ((chosen // width).float() + 0.25) / height * 2.0 - 1.0
    return objects, torch.stack([u, v], 2)


def one_each(rows: Tensor, generator: torch.Generator) -> Tensor:
    """One of the phrases of each row."""
    picked = torch.randint(rows.shape[1], (len(rows),), generator=generator, device=rows.device)
    return rows.gather(1, picked[:, None])[:, 0]


def shown(batch: Batch, frames: Frames, pool: Pool) -> Tensor:
    """(n, queries) whether anything large enough in the image fits."""
    n, slots = batch.slots.shape
    fits = frames.fits(batch.slots.flatten().clamp(min=0), pool, batch.queries)
    large = (batch.slots >= 0) & (batch.pixels >= _IMAGE_MIN_PIXELS)
    return (fits.view(n, slots, -1) & large[:, :, None]).any(1)


def balanced(logits: Tensor, right: Tensor, weights: Tensor) -> Tensor:
    """Sigmoid loss summed over the pairs with their weights, per right pair."""
    loss = F.binary_cross_entropy_with_logits(logits, right.float(), reduction="none")
    total: Tensor = (loss * weights).sum() / (right * weights).sum().clamp(min=1.0)
    return total
