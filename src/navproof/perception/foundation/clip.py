"""CLIP and SigLIP through ``transformers``, from a folder as ``save_pretrained`` writes it.

A patch's feature is what the model would say of the image if it looked at that patch alone. For
CLIP, attention in the last block is replaced by the value path: each patch keeps its own value,
which then goes through the rest of the block, the last norm and the projection (MaskCLIP: Zhou, Loy
and Dai, Extract Free Dense Labels from CLIP, ECCV 2022). For SigLIP, whose last attention is the
pooling head, that head is given one patch at a time.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import PerceptionError
from navproof.perception.foundation.encoder import (
    BACKGROUND,
    FoundationEncoder,
    background_bias,
)
from navproof.perception.foundation.pixels import CLIP_MEAN, CLIP_STD, ChannelStatistics, resized
from navproof.perception.foundation.pretrained import PretrainedModel
from navproof.perception.protocol import Image

__all__ = ["ClipEncoder", "SiglipEncoder"]

Array = NDArray[np.float32]


class _Tower:
    """A ``transformers`` model with its tokenizer and its way of taking images."""

    def __init__(
        self, folder: str | Path, kind: str, normal: ChannelStatistics, size: int | None
    ) -> None:
        what = f"{kind} encoder"
        loaded = PretrainedModel(folder, f"{kind}Model", what)
        where, self.torch = loaded.folder, loaded.torch
        self.model, self.tokenizer = loaded.model, loaded.tokenizer
        self.normal = ChannelStatistics.in_folder(where, normal, what)
        vision = self.model.config.vision_config
        self.patch = int(vision.patch_size)
        self.side = int(vision.image_size) if size is None else size
        if self.side < self.patch or self.side % self.patch:
            raise PerceptionError(
                f"{what}: size must be a multiple of {self.patch}, got {self.side}"
            )
        self.longest = int(self.model.config.text_config.max_position_embeddings)
        self.name = f"{kind.lower()}:{where.name}"
        self.scale = float(self.model.logit_scale.exp().item())

    @property
    def grid(self) -> int:
        return self.side // self.patch

    def pixels(self, rgb: Image) -> Any:
        image = self.normal(resized(rgb, self.side, self.side))
        return self.torch.from_numpy(image)

    def image(self, rgb: Image) -> Array:
        with self.torch.inference_mode():
            found = self.model.get_image_features(
                pixel_values=self.pixels(rgb), interpolate_pos_encoding=True
            )
        return _tensor(found)[0].numpy()  # type: ignore[no-any-return]

    def texts(self, prompts: list[str], padding: str) -> Array:
        tokens = self.tokenizer(
            prompts,
            padding=padding,
            truncation=True,
            max_length=self.longest,
            return_tensors="pt",
        )
        inputs = {k: tokens[k] for k in ("input_ids", "attention_mask") if k in tokens}
        with self.torch.inference_mode():
            found = self.model.get_text_features(**inputs)
        return _tensor(found).numpy()  # type: ignore[no-any-return]


def _tensor(found: Any) -> Any:
    """The features; ``transformers`` gives the bare tensor up to version 4, an output since 5."""
    return getattr(found, "pooler_output", found)


@final
class ClipEncoder(FoundationEncoder):
    """``size`` is the side in pixels to which images are brought (the model's own unless said);
    position embeddings are interpolated to it. ``template`` turns a query into a caption."""

    def __init__(
        self, folder: str | Path = "", *, size: int | None = None, template: str = "a photo of {}"
    ) -> None:
        self._tower = tower = _Tower(folder, "CLIP", ChannelStatistics(CLIP_MEAN, CLIP_STD), size)
        feature_dim = int(tower.model.config.projection_dim)
        super().__init__(tower.name, feature_dim, tower.scale, 0.0, template)
        self.bias = background_bias(self.scale, self.encode_patches, self.encode_text(BACKGROUND))

    def _image(self, rgb: Image) -> Array:
        return self._tower.image(rgb)

    def _texts(self, prompts: list[str]) -> Array:
        return self._tower.texts(prompts, padding="longest")

    def _patches(self, rgb: Image) -> Array:
        tower, model = self._tower, self._tower.model
        vision = model.vision_model
        last = vision.encoder.layers[-1]
        kept: list[Any] = []

        def keep(_: Any, given: tuple[Any, ...], named: dict[str, Any]) -> None:
            kept.append(given[0] if given else named["hidden_states"])

        hook = last.register_forward_pre_hook(keep, with_kwargs=True)
        try:
            with tower.torch.inference_mode():
                vision(pixel_values=tower.pixels(rgb), interpolate_pos_encoding=True)
                own = kept[0][:, 1:]
                attention = last.self_attn
                own = own + attention.out_proj(attention.v_proj(last.layer_norm1(own)))
                own = own + last.mlp(last.layer_norm2(own))
                found = model.visual_projection(vision.post_layernorm(own))
        finally:
            hook.remove()
        return found[0].reshape(tower.grid, tower.grid, -1).numpy()  # type: ignore[no-any-return]


@final
class SiglipEncoder(FoundationEncoder):
    """As ``ClipEncoder``; scale and bias are the model's own, trained to tell yes from no."""

    def __init__(
        self, folder: str | Path = "", *, size: int | None = None, template: str = "a photo of {}."
    ) -> None:
        half = (0.5, 0.5, 0.5)
        self._tower = tower = _Tower(folder, "Siglip", ChannelStatistics(half, half), size)
        feature_dim = int(tower.model.config.vision_config.hidden_size)
        bias = float(tower.model.logit_bias.item())
        super().__init__(tower.name, feature_dim, tower.scale, bias, template)

    def _image(self, rgb: Image) -> Array:
        return self._tower.image(rgb)

    def _texts(self, prompts: list[str]) -> Array:
        return self._tower.texts([p.lower() for p in prompts], padding="max_length")

    def _patches(self, rgb: Image) -> Array:
        tower = self._tower
        vision = tower.model.vision_model
        with tower.torch.inference_mode():
            seen = vision(pixel_values=tower.pixels(rgb), interpolate_pos_encoding=True)
            found = vision.head(seen.last_hidden_state[0].unsqueeze(1))
        return found.reshape(tower.grid, tower.grid, -1).numpy()  # type: ignore[no-any-return]
