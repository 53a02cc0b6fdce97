"""What training the encoder and the detector share: steps, learning rate, averaged weights."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

__all__ = ["TrainSettings", "fit", "word_vectors"]


@dataclass(frozen=True, slots=True)
class TrainSettings:
    """AdamW with warm-up and cosine decay; the weights that are kept are a running average."""

    steps: int
    batch: int = 256
    queries: int = 512
    rate: float = 2.5e-3
    decay: float = 0.05
    warmup: int = 200
    average: float = 0.998
    seed: int = 1
    compiled: bool = False


def word_vectors(words: Tensor, table: Tensor) -> tuple[Tensor, Tensor]:
    """(vectors, present) of word ids, as ``TextNet`` takes them."""
    return table[words], (words > 0).float()


def fit(
    net: nn.Module,
    settings: TrainSettings,
    loss_of: Callable[[nn.Module, torch.Generator], dict[str, Tensor]],
    device: str,
) -> nn.Module:
    """Train ``net`` in place and return the averaged copy. ``loss_of(net, generator)`` draws a
    batch and returns the parts of the loss, which are added up."""
    generator = torch.Generator(device).manual_seed(settings.seed)
    plain = [p for p in net.parameters() if p.ndim < 2]
    matrices = [p for p in net.parameters() if p.ndim >= 2]
    optimiser = torch.optim.AdamW(
        [
            {"params": matrices, "weight_decay": settings.decay},
            {"params": plain, "weight_decay": 0.0},
        ],
        lr=settings.rate,
        fused=device == "cuda",
    )
    kept = copy.deepcopy(net).eval()
    began = time.perf_counter()
    for step in range(settings.steps):
        for group in optimiser.param_groups:
            group["lr"] = settings.rate * _shape(step, settings)
        parts = loss_of(net, generator)
        total = torch.stack(list(parts.values())).sum()
        optimiser.zero_grad(set_to_none=True)
        total.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        _average(kept, net, min(settings.average, (step + 1) / (step + 10)))
        if step % 200 == 0 or step == settings.steps - 1:
            shown = "  ".join(
                f"{name} {float(value.detach()):.4f}" for name, value in parts.items()
            )
            rate = (step + 1) * settings.batch / (time.perf_counter() - began)
            print(f"step {step:6d}  {shown}  {rate:,.0f} frames/s", flush=True)
    return kept


def _shape(step: int, settings: TrainSettings) -> float:
    if step < settings.warmup:
        return (step + 1) / settings.warmup
    done = (step - settings.warmup) / max(1, settings.steps - settings.warmup)
    return 0.5 * (1.0 + math.cos(math.pi * done)) + 0.005


@torch.no_grad()
def _average(kept: nn.Module, net: nn.Module, keep: float) -> None:
    """kept ← keep·kept + (1 − keep)·net, batch-norm statistics too."""
    mine = [t for t in kept.state_dict().values() if t.is_floating_point()]
    others = [t for t in net.state_dict().values() if t.is_floating_point()]
    torch._foreach_lerp_(mine, others, 1.0 - keep)
