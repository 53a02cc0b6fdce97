"""Tiny models with random weights, in folders as their libraries write them."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

WORDS = "a photo of the red blue mug desk chair wall floor ceiling room something background . ?"


def need(*packages: str) -> None:
    """Skip the test file where the extra ``foundation`` is not (wholly) installed."""
    for package in packages:
        try:
            importlib.import_module(package)
        except Exception as error:  # torchvision of another torch raises RuntimeError
            pytest.skip(f"{package} is not there: {error}", allow_module_level=True)


def save_tokenizer(folder: Path, longest: int, *, end_id: int = 1) -> None:
    """A word tokenizer: 0 pads, 1 ends, 2 is unknown; Grounding DINO's full stop is 1012."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    vocabulary = {"<pad>": 0, "<end>": end_id, "<unk>": 2, "<start>": 3}
    for word in WORDS.split():
        vocabulary.setdefault(word, len(vocabulary))
    vocabulary |= {".": 1012, "?": 1029}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<start> $A <end>", special_tokens=[("<start>", 3), ("<end>", end_id)]
    )
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        eos_token="<end>",
        unk_token="<unk>",
        bos_token="<start>",
        model_max_length=longest,
    ).save_pretrained(folder)


def _text(**more: Any) -> dict[str, Any]:
    return {
        "vocab_size": 1100,
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "max_position_embeddings": 16,
        "pad_token_id": 0,
        "bos_token_id": 3,
        "eos_token_id": 1,
        **more,
    }


def _vision(**more: Any) -> dict[str, Any]:
    return {
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "image_size": 32,
        "patch_size": 8,
        **more,
    }


def save_clip(folder: Path) -> Path:
    import torch
    from transformers import CLIPConfig, CLIPModel

    torch.manual_seed(0)
    config = CLIPConfig(text_config=_text(), vision_config=_vision(), projection_dim=24)
    CLIPModel(config).save_pretrained(folder)
    save_tokenizer(folder, 16)
    return folder


def save_siglip(folder: Path) -> Path:
    import torch
    from transformers import SiglipConfig, SiglipModel

    torch.manual_seed(0)
    model = SiglipModel(
        SiglipConfig(text_config=_text(projection_size=32), vision_config=_vision())
    )
    with torch.no_grad():
        model.logit_scale.fill_(float(np.log(10.0)))
        model.logit_bias.fill_(-7.5)
    model.save_pretrained(folder)
    save_tokenizer(folder, 16)
    return folder


def save_owlv2(folder: Path) -> Path:
    import torch
    from transformers import Owlv2Config, Owlv2ForObjectDetection

    torch.manual_seed(0)
    config = Owlv2Config(text_config=_text(), vision_config=_vision(), projection_dim=32)
    model = Owlv2ForObjectDetection(config)
    with torch.no_grad():  # random boxes are all corners otherwise
        model.box_head.dense2.weight.mul_(0.01)
        model.box_head.dense2.bias.zero_()
    model.save_pretrained(folder)
    save_tokenizer(folder, 16)
    return folder


def save_grounding_dino(folder: Path) -> Path:
    import torch
    from transformers import (
        BertConfig,
        GroundingDinoConfig,
        GroundingDinoForObjectDetection,
        SwinConfig,
    )

    torch.manual_seed(0)
    text = BertConfig(
        vocab_size=1100,
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=48,
        max_position_embeddings=64,
    )
    sight = SwinConfig(
        image_size=64,
        embed_dim=16,
        depths=[1, 1, 1, 1],
        num_heads=[1, 2, 2, 2],
        window_size=4,
        out_features=["stage2", "stage3", "stage4"],
    )
    config = GroundingDinoConfig(
        text_config=text.to_dict(),
        backbone_config=sight,
        d_model=32,
        encoder_layers=1,
        decoder_layers=2,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=48,
        decoder_ffn_dim=48,
        num_queries=20,
        max_text_len=32,
        use_timm_backbone=False,
    )
    GroundingDinoForObjectDetection(config).save_pretrained(folder)
    save_tokenizer(folder, 64)
    sizes = {"size": {"shortest_edge": 64, "longest_edge": 96}}
    (folder / "preprocessor_config.json").write_text(json.dumps(sizes))
    return folder


def save_open_clip(folder: Path) -> Path:
    import open_clip
    import torch

    torch.manual_seed(0)
    settings = {
        "embed_dim": 24,
        "vision_cfg": {"image_size": 32, "patch_size": 8, "width": 64, "layers": 2},
        "text_cfg": {"context_length": 16, "width": 64, "heads": 2, "layers": 2},
    }
    folder.mkdir(parents=True, exist_ok=True)
    normal = {"mean": [0.5] * 3, "std": [0.5] * 3, "resize_mode": "squash"}
    whole = {"model_cfg": settings, "preprocess_cfg": normal}
    (folder / "open_clip_config.json").write_text(json.dumps(whole))
    model = open_clip.CLIP(**settings)
    torch.save(model.state_dict(), folder / "open_clip_pytorch_model.bin")
    return folder
