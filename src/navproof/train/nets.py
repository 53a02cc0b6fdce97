"""The networks behind the default eyes: a small convolutional trunk, a text reader, two heads.

Sizes are chosen for one CPU core: 200 to 250 million multiply-adds for a 256×256 image. Blocks
are a 5×5 depthwise convolution and two 1×1 convolutions (ConvNeXt, Liu et al. 2022, with batch
norm and ReLU, which fold into the convolutions at inference).
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional as F

__all__ = ["STRIDES", "DetectorNet", "EncoderNet", "NetSize", "TextNet", "Trunk"]

STRIDES = (8, 16, 32)


@dataclass(frozen=True, slots=True)
class NetSize:
    """``widths`` at strides 2, 4, 8, 16, 32; ``blocks`` at strides 4, 8, 16, 32; ``down``: the side
    of the convolutions that lead from stride 4 on (2 takes half the time of 3)."""

    widths: tuple[int, int, int, int, int] = (16, 32, 64, 128, 192)
    blocks: tuple[int, int, int, int] = (1, 2, 3, 2)
    down: int = 2
    features: int = 96
    prototypes: int = 24
    words: int = 16
    word_dim: int = 128
    text_width: int = 192


def _conv(inputs: int, outputs: int, size: int, stride: int = 1, groups: int = 1) -> nn.Sequential:
    pad = size // 2 if size % 2 else 0
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, pad, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
    )


class Block(nn.Module):
    """x + project(ReLU(expand(depthwise(x))))."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.depthwise = _conv(width, width, 5, groups=width)
        self.expand = _conv(width, 2 * width, 1)
        self.project = _conv(2 * width, width, 1)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.project(F.relu(self.expand(self.depthwise(x))))


class Head(nn.Module):
    """Like a block, but what is expanded leaves as ``outputs`` channels."""

    def __init__(self, width: int, outputs: int) -> None:
        super().__init__()
        self.depthwise = _conv(width, width, 5, groups=width)
        self.expand = _conv(width, 2 * width, 1)
        self.out = nn.Conv2d(2 * width, outputs, 1)

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.out(F.relu(self.expand(self.depthwise(x))))
        return y


class Stage(nn.Module):
    """A stride-2 convolution of side ``size``, then blocks."""

    def __init__(self, inputs: int, outputs: int, blocks: int, size: int) -> None:
        super().__init__()
        self.down = _conv(inputs, outputs, size, 2)
        self.blocks = nn.Sequential(*[Block(outputs) for _ in range(blocks)])

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.blocks(F.relu(self.down(x)))
        return out


class Trunk(nn.Module):
    """An image in [0, 1] → maps of ``widths[2]`` channels at strides 8, 16, 32, top-down fused,
    and the raw stride-32 map."""

    def __init__(self, size: NetSize) -> None:
        super().__init__()
        a, b, c, d, e = size.widths
        self.stem = _conv(3, a, 3, 2)
        self.stage4 = Stage(a, b, size.blocks[0], 3)
        self.stage8 = Stage(b, c, size.blocks[1], size.down)
        self.stage16 = Stage(c, d, size.blocks[2], size.down)
        self.stage32 = Stage(d, e, size.blocks[3], size.down)
        self.from32 = _conv(e, c, 1)
        self.from16 = _conv(d, c, 1)

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        x = F.relu(self.stem((image - 0.5) * 4.0))
        at8 = self.stage8(self.stage4(x))
        at16 = self.stage16(at8)
        at32 = self.stage32(at16)
        top = self.from32(at32)
        middle = self.from16(at16) + F.interpolate(top, scale_factor=2.0, mode="nearest")
        bottom = at8 + F.interpolate(middle, scale_factor=2.0, mode="nearest")
        return bottom, middle, top, at32


class TextNet(nn.Module):
    """Word vectors (n, words, word_dim) → unit vectors (n, features): a two-layer transformer."""

    def __init__(self, size: NetSize) -> None:
        super().__init__()
        width = size.text_width
        self.heads = 4
        self.enter = nn.Linear(size.word_dim, width)
        self.place = nn.Parameter(torch.randn(size.words, width) * 0.02)
        self.layers = nn.ModuleList([_TextLayer(width, self.heads) for _ in range(2)])
        self.norm = nn.LayerNorm(width)
        self.leave = nn.Linear(width, size.features)

    def forward(self, vectors: Tensor, present: Tensor) -> Tensor:
        """``present`` (n, words) is 1 for a word, 0 for padding."""
        x = self.enter(vectors) + self.place
        hidden = (1.0 - present)[:, None, None, :] * -1e4
        for layer in self.layers:
            x = layer(x, hidden)
        weight = present[:, :, None]
        pooled = (self.norm(x) * weight).sum(1) / weight.sum(1).clamp(min=1.0)
        return F.normalize(self.leave(pooled), dim=-1)


class _TextLayer(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x: Tensor, hidden: Tensor) -> Tensor:
        n, words, width = x.shape
        qkv = self.qkv(self.norm1(x)).view(n, words, 3, self.heads, width // self.heads)
        q, k, v = (part.squeeze(2).transpose(1, 2) for part in qkv.split(1, dim=2))
        attention = (q @ k.transpose(2, 3)) * (width // self.heads) ** -0.5 + hidden
        mixed = attention.softmax(-1) @ v
        x = x + self.out(mixed.transpose(1, 2).reshape(n, words, width))
        return x + self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh"))


class EncoderNet(nn.Module):
    """Image (n, 3, H, W) → patches (n, f, H/8, W/8) and the whole (n, f), all unit vectors."""

    def __init__(self, size: NetSize) -> None:
        super().__init__()
        self.trunk = Trunk(size)
        self.patch = Head(size.widths[2], size.features)
        wide = 2 * size.widths[4]
        self.whole = nn.Sequential(nn.Linear(wide, wide), nn.ReLU(), nn.Linear(wide, size.features))
        self.scale = nn.Parameter(torch.tensor([2.3, 2.3]))  # log; for patches, for images
        self.bias = nn.Parameter(torch.tensor([-6.0, -4.0]))

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor]:
        bottom, _, _, at32 = self.trunk(image)
        patches = F.normalize(self.patch(F.relu(bottom)), dim=1)
        pooled = torch.cat([at32.mean((2, 3)), at32.amax((2, 3))], dim=1)
        return patches, F.normalize(self.whole(pooled), dim=1)


class DetectorNet(nn.Module):
    """Image → per location of three levels (32-, 16-, 8-pixel strides, finest first) a box, an
    embedding and mask coefficients; and mask prototypes at stride 4.

    Boxes by distances to the four sides (FCOS, Tian et al. 2019), masks by prototypes (YOLACT,
    Bolya et al. 2019), words against embeddings (YOLO-World, Cheng et al. 2024).
    """

    def __init__(self, size: NetSize) -> None:
        super().__init__()
        width = size.widths[2]
        self.size = size
        self.trunk = Trunk(size)
        self.outputs = nn.ModuleList(
            [Head(width, 4 + size.features + size.prototypes) for _ in STRIDES]
        )
        self.masks = nn.Conv2d(width, 4 * size.prototypes, 1)
        self.scale = nn.Parameter(torch.tensor([2.3]))
        self.bias = nn.Parameter(torch.tensor([-6.0]))

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """boxes (n, m, 4) in pixels, embeddings (n, m, f), coefficients (n, m, p),
        prototypes (n, p, H/4, W/4)."""
        levels = self.trunk(image)[:3]
        f, p = self.size.features, self.size.prototypes
        boxes, embeddings, coefficients = [], [], []
        for level, out, stride in zip(levels, self.outputs, STRIDES, strict=True):
            y = out(F.relu(level)).flatten(2).transpose(1, 2)
            sides, embedding, coefficient = y.split([4, f, p], dim=2)
            at = _centres(level, stride)
            reach = F.softplus(sides.float() + 1.0) * stride
            boxes.append(torch.cat([at - reach[..., :2], at + reach[..., 2:]], dim=2))
            embeddings.append(F.normalize(embedding, dim=2))
            coefficients.append(coefficient)
        prototypes = F.pixel_shuffle(self.masks(F.relu(levels[0])), 2)
        return (
            torch.cat(boxes, 1),
            torch.cat(embeddings, 1),
            torch.cat(coefficients, 1),
            prototypes,
        )


def _centres(level: Tensor, stride: int) -> Tensor:
    """(1, h·w, 2) pixel (u, v) of the middle of each location."""
    rows = torch.arange(level.shape[2], device=level.device, dtype=torch.float32)
    cols = torch.arange(level.shape[3], device=level.device, dtype=torch.float32)
    v, u = torch.meshgrid((rows + 0.5) * stride, (cols + 0.5) * stride, indexing="ij")
    return torch.stack([u.flatten(), v.flatten()], 1)[None]
