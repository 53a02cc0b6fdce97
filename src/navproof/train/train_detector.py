"""Training the open-vocabulary detector: locations against words, boxes, masks.

Which locations answer for an object is decided by how well they do already (task-aligned
assignment, Feng et al. 2021): the best ten inside its box by score·IoU⁶. An answer's target is its
alignment, so that scores order boxes by quality.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from navproof.train.batches import FIRST_SLOT, Batch, Frames, Pool, augment
from navproof.train.loop import TrainSettings, fit, word_vectors
from navproof.train.nets import DetectorNet, NetSize, TextNet

__all__ = ["DetectorPair", "box_iou", "train_detector"]

_MAX_OBJECTS = 32
_MIN_PIXELS = 30
_MIN_SIDE_PX = 5.0
_PER_OBJECT = 10
_BOX_WEIGHT, _MASK_WEIGHT = 2.5, 1.0
_MASKS = 512  # objects of a batch whose masks are trained


class DetectorPair(nn.Module):
    """The image side and the text side, trained together."""

    def __init__(self, size: NetSize) -> None:
        super().__init__()
        self.image = DetectorNet(size)
        self.text = TextNet(size)


@dataclass(frozen=True)
class Targets:
    """Per location: the slot of its object (−1: none), and how well it is aligned in [0, 1].
    ``ignored``: locations on things that training must not see."""

    slot: Tensor
    quality: Tensor
    ignored: Tensor


def train_detector(
    frames: Frames, pool: Pool, table: Tensor, size: NetSize, settings: TrainSettings
) -> DetectorPair:
    """``table`` are the word vectors (V, word_dim) on the frames' device."""
    torch.manual_seed(settings.seed + 1)
    device = frames.device
    net = DetectorPair(size).to(device).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    image_net = torch.compile(net.image) if settings.compiled else net.image

    def loss_of(_: nn.Module, generator: torch.Generator) -> dict[str, Tensor]:
        rows = torch.randint(len(frames), (settings.batch,), generator=generator, device=device)
        batch = _few(frames.batch(rows, pool, settings.queries, generator))
        image = augment(batch.image, generator)
        if float(torch.rand(1, generator=generator, device=device)) < 0.5:
            image, batch = image.flip(3), _mirrored(batch, image.shape[3])
        vectors, present = word_vectors(pool.words[batch.queries], table)
        text = net.text(vectors, present)
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            boxes, embeddings, coefficients, prototypes = image_net(image)
        boxes, embeddings = boxes.float(), embeddings.float()
        logits = embeddings @ text.T * net.image.scale.exp() + net.image.bias
        valid = (batch.slots >= 0) & (batch.pixels >= _MIN_PIXELS)
        sides = batch.boxes[..., 2:] - batch.boxes[..., :2]
        valid &= sides.amin(-1) >= _MIN_SIDE_PX
        targets = assign(boxes.detach(), logits.detach(), batch, valid, frames)
        return _losses(logits, boxes, coefficients, prototypes, batch, targets, frames, pool)

    kept = fit(net, settings, loss_of, device)
    assert isinstance(kept, DetectorPair)
    return kept


@torch.no_grad()
def assign(boxes: Tensor, logits: Tensor, batch: Batch, valid: Tensor, frames: Frames) -> Targets:
    """The locations that answer for each object."""
    places = boxes.shape[1]
    slots = batch.slots.shape[1]
    truth = batch.boxes  # (n, s, 4)
    at = _middles(boxes.device, batch.image.shape[2:])  # (places, 2)
    inside = (
        (at[None, None] > truth[:, :, None, :2]) & (at[None, None] < truth[:, :, None, 2:])
    ).all(-1)
    held = frames.held_out[batch.slots.clamp(min=0)] & (batch.slots >= 0)
    small = (batch.slots >= 0) & ~valid
    ignored = (inside & (held | small)[:, :, None]).any(1)
    inside &= (valid & ~held)[:, :, None]
    iou = box_iou(truth[:, :, None], boxes[:, None])  # (n, s, places)
    category = frames.category[batch.slots.clamp(min=0)]  # queries begin with the categories
    score = logits.sigmoid().transpose(1, 2).gather(1, category[..., None].expand(-1, -1, places))
    aligned = score.sqrt() * iou**4 * inside
    best = aligned.topk(_PER_OBJECT, dim=2)
    chosen = torch.zeros_like(aligned, dtype=torch.bool)
    chosen.scatter_(2, best.indices, best.values > 1e-9)
    rival = torch.where(chosen, iou, torch.full_like(iou, -1.0))
    top, slot = rival.max(1)
    slot = torch.where(top >= 0, slot, torch.full_like(slot, -1))
    mine = chosen & (slot[:, None] == torch.arange(slots, device=slot.device)[None, :, None])
    peak = (aligned * mine).amax(2, keepdim=True).clamp(min=1e-9)
    reach = (iou * mine).amax(2, keepdim=True)
    quality = (aligned * mine / peak * reach).amax(1)
    return Targets(slot, quality, ignored & (slot < 0))


def _losses(
    logits: Tensor,
    boxes: Tensor,
    coefficients: Tensor,
    prototypes: Tensor,
    batch: Batch,
    targets: Targets,
    frames: Frames,
    pool: Pool,
) -> dict[str, Tensor]:
    answering = targets.slot >= 0
    frame, place = answering.nonzero(as_tuple=True)
    slot = targets.slot[frame, place]
    objects = batch.slots[frame, slot]
    quality = targets.quality[frame, place]
    total = quality.sum().clamp(min=1.0)
    right = frames.fits(objects, pool, batch.queries)
    want = right * quality[:, None]
    # every pair is a negative (softplus of the logit) unless its place answers
    p = logits.sigmoid()
    negative = F.softplus(logits) * p.detach() ** 1.5
    keep = (~answering & ~targets.ignored)[..., None]
    here = logits[frame, place]
    positive = F.binary_cross_entropy_with_logits(here, want, reduction="none")
    positive = positive * torch.where(right, 1.0, p[frame, place].detach() ** 1.5)
    positive = positive * frames.weights(objects, pool, batch.queries, right)
    words = ((negative * keep).sum() + positive.sum()) / total / 4.0
    overlap = _giou(boxes[frame, place], batch.boxes[frame, slot])
    box = ((1.0 - overlap) * quality).sum() / total
    return {
        "words": words,
        "boxes": _BOX_WEIGHT * box,
        "masks": _MASK_WEIGHT
        * _mask_loss(coefficients, prototypes, batch, frame, place, slot, quality),
    }


def _mask_loss(
    coefficients: Tensor,
    prototypes: Tensor,
    batch: Batch,
    frame: Tensor,
    place: Tensor,
    slot: Tensor,
    quality: Tensor,
) -> Tensor:
    """Cross-entropy inside the box, of the best answers of the batch."""
    best = quality.topk(min(_MASKS, len(quality))).indices
    frame, place, slot = frame[best], place[best], slot[best]
    height, width = prototypes.shape[2:]
    weights = coefficients[frame, place].float()
    drawn = torch.einsum("kp,kphw->khw", weights, prototypes[frame].float())
    step = batch.instances.shape[1] // height
    truth = batch.instances[frame, ::step, ::step].long() == (slot + FIRST_SLOT)[:, None, None]
    box = batch.boxes[frame, slot] * (height / batch.image.shape[2])
    u = torch.arange(width, device=box.device) + 0.5
    v = torch.arange(height, device=box.device) + 0.5
    inside = (
        (u > box[:, 0:1] - 1)[:, None, :]
        & (u < box[:, 2:3] + 1)[:, None, :]
        & (v > box[:, 1:2] - 1)[:, :, None]
        & (v < box[:, 3:4] + 1)[:, :, None]
    )
    loss = F.binary_cross_entropy_with_logits(drawn, truth.float(), reduction="none")
    each = (loss * inside).sum((1, 2)) / inside.sum((1, 2)).clamp(min=1)
    return each.mean()


def box_iou(a: Tensor, b: Tensor) -> Tensor:
    """Overlap of boxes (…, 4), broadcast."""
    low = torch.maximum(a[..., :2], b[..., :2])
    high = torch.minimum(a[..., 2:], b[..., 2:])
    shared = (high - low).clamp(min=0.0).prod(-1)
    area = (a[..., 2:] - a[..., :2]).prod(-1) + (b[..., 2:] - b[..., :2]).prod(-1)
    return shared / (area - shared).clamp(min=1e-6)


def _giou(a: Tensor, b: Tensor) -> Tensor:
    """Generalised overlap (Rezatofighi et al. 2019)."""
    iou = box_iou(a, b)
    low = torch.minimum(a[..., :2], b[..., :2])
    high = torch.maximum(a[..., 2:], b[..., 2:])
    hull = (high - low).prod(-1).clamp(min=1e-6)
    areas = (a[..., 2:] - a[..., :2]).prod(-1) + (b[..., 2:] - b[..., :2]).prod(-1)
    union = areas / (1.0 + iou)
    return iou - (hull - union) / hull


def _middles(device: torch.device, shape: torch.Size) -> Tensor:
    """Pixel (u, v) of every location, level after level as the network gives them."""
    from navproof.train.nets import STRIDES

    found = []
    for stride in STRIDES:
        rows = (torch.arange(shape[0] // stride, device=device) + 0.5) * stride
        cols = (torch.arange(shape[1] // stride, device=device) + 0.5) * stride
        v, u = torch.meshgrid(rows, cols, indexing="ij")
        found.append(torch.stack([u.flatten(), v.flatten()], 1))
    return torch.cat(found)


def _few(batch: Batch) -> Batch:
    """The largest objects of each frame."""
    return Batch(
        batch.image,
        batch.instances,
        batch.slots[:, :_MAX_OBJECTS],
        batch.boxes[:, :_MAX_OBJECTS],
        batch.pixels[:, :_MAX_OBJECTS],
        batch.room,
        batch.queries,
    )


def _mirrored(batch: Batch, width: int) -> Batch:
    u0, v0, u1, v1 = batch.boxes.unbind(-1)
    boxes = torch.stack([width - u1, v0, width - u0, v1], -1)
    return Batch(
        batch.image,
        batch.instances.flip(2),
        batch.slots,
        boxes,
        batch.pixels,
        batch.room,
        batch.queries,
    )
