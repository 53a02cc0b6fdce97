"""OpenCLIP models through ``open_clip``, from files on this machine.

``open_clip:MODEL:FILE`` takes an architecture that ``open_clip`` knows ("ViT-B-32") and a
checkpoint of it; ``open_clip:FOLDER`` a folder with ``open_clip_config.json`` and weights.
Patch features are made as for CLIP (see ``clip``).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import PerceptionError
from navproof.core.registry import suggest
from navproof.perception.foundation.encoder import (
    BACKGROUND,
    FoundationEncoder,
    background_bias,
)
from navproof.perception.foundation.pixels import CLIP_MEAN, CLIP_STD, ChannelStatistics, resized
from navproof.perception.foundation.requirements import from_files, need, the_file, the_folder
from navproof.perception.protocol import Image

__all__ = ["OpenClipEncoder"]

Array = NDArray[np.float32]
_WHAT = "open_clip encoder"


@final
class OpenClipEncoder(FoundationEncoder):
    """A CLIP with OpenCLIP's own vision transformer (other towers have no patches to give)."""

    def __init__(self, model: str | Path = "", *, template: str = "a photo of {}") -> None:
        self._torch = need("torch", f"the {_WHAT}")
        library = need("open_clip", f"the {_WHAT}")
        text = str(model)
        if Path(text).expanduser().is_dir() or ":" not in text:
            where = the_folder(text, _WHAT, "open_clip_config.json")
            known, weights = f"local-dir:{where}", None
        else:
            known, _, file = text.partition(":")
            if known not in library.list_models():
                hint = suggest(known, library.list_models())
                raise PerceptionError(f"{_WHAT}: open_clip has no model '{known}'{hint}")
            where = the_file(file, _WHAT)
            weights = str(where)
        self._model: Any = from_files(
            lambda: library.create_model(known, pretrained=weights), where, _WHAT
        )
        self._tokenizer: Any = from_files(lambda: library.get_tokenizer(known), where, _WHAT)
        self._model.eval()
        visual = self._model.visual
        self._last = _last_block(visual, where)
        size = visual.image_size
        self._size: tuple[int, int] = size if isinstance(size, tuple) else (size, size)
        mean = getattr(visual, "image_mean", None) or CLIP_MEAN
        std = getattr(visual, "image_std", None) or CLIP_STD
        self._normal = ChannelStatistics(tuple(mean), tuple(std))
        scale = float(self._model.logit_scale.exp().item())
        feature_dim = int(visual.output_dim)
        super().__init__(f"open_clip:{where.stem}", feature_dim, scale, 0.0, template)
        own_bias = getattr(self._model, "logit_bias", None)
        if own_bias is not None:
            self.bias = float(own_bias.item())
        else:
            background = self.encode_text(BACKGROUND)
            self.bias = background_bias(scale, self.encode_patches, background)

    def _pixels(self, rgb: Image) -> Any:
        return self._torch.from_numpy(self._normal(resized(rgb, *self._size)))

    def _image(self, rgb: Image) -> Array:
        with self._torch.inference_mode():
            return self._model.encode_image(self._pixels(rgb))[0].numpy()  # type: ignore[no-any-return]

    def _texts(self, prompts: list[str]) -> Array:
        with self._torch.inference_mode():
            return self._model.encode_text(self._tokenizer(prompts)).numpy()  # type: ignore[no-any-return]

    def _patches(self, rgb: Image) -> Array:
        visual, last = self._model.visual, self._last
        kept: list[Any] = []
        hook = last.register_forward_pre_hook(lambda _, given: kept.append(given[0]))
        try:
            with self._torch.inference_mode():
                visual(self._pixels(rgb))
                given = kept[0] if visual.transformer.batch_first else kept[0].transpose(0, 1)
                own = given[:, 1:]
                own = own + last.ls_1(self._values(last.ln_1(own)))
                own = own + last.ls_2(last.mlp(last.ln_2(own)))
                own = visual.ln_post(own)
                found = own if visual.proj is None else own @ visual.proj
        finally:
            hook.remove()
        return found[0].reshape(*visual.grid_size, -1).numpy()  # type: ignore[no-any-return]

    def _values(self, tokens: Any) -> Any:
        """What attention gives when every token looks at itself alone."""
        attention = self._last.attn
        linear = self._torch.nn.functional.linear
        width = attention.embed_dim
        weight, bias = attention.in_proj_weight[2 * width :], attention.in_proj_bias[2 * width :]
        return attention.out_proj(linear(tokens, weight, bias))


def _last_block(visual: Any, where: Path) -> Any:
    """The last block of a vision transformer whose attention can be opened."""
    blocks = getattr(getattr(visual, "transformer", None), "resblocks", None)
    pooled = getattr(visual, "attn_pool", None)
    if not blocks or pooled is not None or not hasattr(blocks[-1].attn, "in_proj_weight"):
        kind = type(visual).__name__
        raise PerceptionError(
            f"{_WHAT}: {where} has a vision tower ({kind}) that gives no patch features;"
            " a plain VisionTransformer is needed"
        )
    return blocks[-1]
