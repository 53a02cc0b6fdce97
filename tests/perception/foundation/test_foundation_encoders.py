"""CLIP, SigLIP and OpenCLIP with tiny random weights, against their libraries' own answers."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_models as tiny

tiny.need("torch", "transformers", "tokenizers")

import torch  # noqa: E402
from safetensors.torch import load_file, save_file  # noqa: E402

from navproof.core.errors import PerceptionError  # noqa: E402
from navproof.perception import load_encoder  # noqa: E402
from navproof.perception.foundation.clip import ClipEncoder, SiglipEncoder  # noqa: E402
from navproof.perception.foundation.encoder import BACKGROUND  # noqa: E402

RGB = np.random.default_rng(0).integers(0, 256, (48, 80, 3), dtype=np.uint8)
EXACT = np.random.default_rng(1).integers(0, 256, (32, 32, 3), dtype=np.uint8)  # no resizing


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("encoders")
    made = {"clip": tiny.save_clip(root / "clip"), "siglip": tiny.save_siglip(root / "siglip")}
    try:
        made["open_clip"] = tiny.save_open_clip(root / "open_clip")
    except Exception:  # open_clip or its torchvision is not there
        made["open_clip"] = root / "missing"
    return made


def load(kind: str, folders: dict[str, Path]) -> Any:
    if not folders[kind].is_dir():
        pytest.skip(f"{kind} is not there")
    return load_encoder(f"{kind}:{folders[kind]}")


KINDS = ("clip", "siglip", "open_clip")


@pytest.mark.parametrize("kind", KINDS)
def test_units_of_one_space_the_same_every_time(kind: str, folders: dict[str, Path]) -> None:
    encoder, again = load(kind, folders), load(kind, folders)
    width = encoder.feature_dim
    for image in (RGB, EXACT, RGB[:9, :8]):
        patches = encoder.encode_patches(image)
        assert patches.shape == (4, 4, width)
        assert patches.dtype == np.float32
        whole = encoder.encode_image(image)
        assert whole.shape == (width,)
        np.testing.assert_allclose(np.linalg.norm(patches, axis=2), 1.0, atol=1e-5)
        assert abs(np.linalg.norm(whole) - 1.0) < 1e-5
        np.testing.assert_array_equal(patches, again.encode_patches(image))
    words = encoder.encode_text(["the red mug", "desk", "the red mug"])
    assert words.shape == (3, width)
    np.testing.assert_allclose(np.linalg.norm(words, axis=1), 1.0, atol=1e-5)
    np.testing.assert_array_equal(words[0], words[2])
    assert not np.allclose(words[0], words[1], atol=1e-3)
    np.testing.assert_allclose(again.encode_text(["desk"])[0], words[1], atol=1e-5)
    assert encoder.encode_text([]).shape == (0, width)
    assert encoder.scale > 0
    assert np.isfinite(encoder.bias)


def unit(tensor: torch.Tensor) -> np.ndarray:
    return (tensor / tensor.norm(dim=-1, keepdim=True)).detach().numpy()


def pixels(mean: Any, std: Any) -> torch.Tensor:
    scaled = (EXACT / 255.0 - np.array(mean)) / np.array(std)
    return torch.tensor(scaled.transpose(2, 0, 1)[None], dtype=torch.float32)


CLIP_PIXELS = ((0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711))
HALF = ((0.5,) * 3, (0.5,) * 3)


def alone(count: int) -> torch.Tensor:
    """An attention mask under which every token sees itself only."""
    return torch.full((count, count), float("-inf")).fill_diagonal_(0.0)


def _run(layer: Any, tokens: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
    """A block of CLIP, in ``transformers`` 4 and 5."""
    out = layer(tokens, attention_mask=mask, causal_attention_mask=None)
    return out[0] if isinstance(out, tuple) else out


def test_clip_equals_the_model_that_attends_to_itself(folders: dict[str, Path]) -> None:
    from transformers import CLIPModel

    encoder = load("clip", folders)
    model = CLIPModel.from_pretrained(folders["clip"], attn_implementation="eager").eval()
    vision = model.vision_model
    with torch.no_grad():
        tokens = vision.pre_layrnorm(vision.embeddings(pixels(*CLIP_PIXELS)))
        first, last = (partial(_run, layer) for layer in vision.encoder.layers)
        tokens = first(tokens, None)
        whole, own = last(tokens, None), last(tokens, alone(17)[None, None])
        image = model.visual_projection(vision.post_layernorm(whole[:, 0]))
        dense = model.visual_projection(vision.post_layernorm(own[:, 1:]))
    np.testing.assert_allclose(encoder.encode_image(EXACT), unit(image)[0], atol=1e-4)
    np.testing.assert_allclose(
        encoder.encode_patches(EXACT).reshape(16, -1), unit(dense)[0], atol=1e-4
    )


def test_siglip_equals_the_model_whose_head_sees_one_patch(folders: dict[str, Path]) -> None:
    from transformers import SiglipModel

    encoder = load("siglip", folders)
    model = SiglipModel.from_pretrained(folders["siglip"]).eval()
    head = model.vision_model.head
    with torch.no_grad():
        seen = model.vision_model(pixel_values=pixels(*HALF))
        tokens = seen.last_hidden_state
        dense = []
        for i in range(16):
            hidden = torch.ones(1, 16, dtype=torch.bool)
            hidden[0, i] = False
            pooled = head.attention(head.probe, tokens, tokens, key_padding_mask=hidden)[0]
            dense.append((pooled + head.mlp(head.layernorm(pooled)))[0, 0])
    np.testing.assert_allclose(encoder.encode_image(EXACT), unit(seen.pooler_output)[0], atol=1e-4)
    np.testing.assert_allclose(
        encoder.encode_patches(EXACT).reshape(16, -1), unit(torch.stack(dense)), atol=1e-4
    )
    assert encoder.scale == pytest.approx(10.0)
    assert encoder.bias == pytest.approx(-7.5)


def test_open_clip_equals_the_model_that_attends_to_itself(folders: dict[str, Path]) -> None:
    encoder = load("open_clip", folders)
    import open_clip

    model = open_clip.create_model(f"local-dir:{folders['open_clip']}").eval()
    visual = model.visual
    first, last = visual.transformer.resblocks
    with torch.no_grad():
        tokens = first(visual._embeds(pixels(*HALF)))
        own = last(tokens, attn_mask=alone(17))
        dense = visual.ln_post(own[:, 1:]) @ visual.proj
        image = visual.ln_post(last(tokens)[:, 0]) @ visual.proj
    np.testing.assert_allclose(encoder.encode_image(EXACT), unit(image)[0], atol=1e-4)
    np.testing.assert_allclose(
        encoder.encode_patches(EXACT).reshape(16, -1), unit(dense)[0], atol=1e-4
    )


def test_clip_odds_are_those_of_a_choice_against_the_background(folders: dict[str, Path]) -> None:
    encoder = load("clip", folders)
    grey = [np.full((40, 40, 3), g, dtype=np.uint8) for g in (48, 112, 176, 240)]
    patches = np.concatenate([encoder.encode_patches(g).reshape(-1, 24) for g in grey])
    backdrop = np.exp(encoder.scale * (patches @ encoder.encode_text(BACKGROUND).T)).sum(axis=1)
    assert encoder.bias == pytest.approx(-np.log(backdrop).mean(), abs=1e-3)


def test_a_larger_size_gives_a_finer_grid(folders: dict[str, Path]) -> None:
    for make in (ClipEncoder, SiglipEncoder):
        encoder = make(folders["clip" if make is ClipEncoder else "siglip"], size=64)
        assert encoder.encode_patches(RGB).shape[:2] == (8, 8)
    with pytest.raises(PerceptionError, match="size must be a multiple of 8, got 60"):
        ClipEncoder(folders["clip"], size=60)


def test_templates_are_used(folders: dict[str, Path]) -> None:
    plain = ClipEncoder(folders["clip"], template="{}").encode_text(["a photo of desk"])
    np.testing.assert_allclose(ClipEncoder(folders["clip"]).encode_text(["desk"]), plain, atol=1e-5)
    with pytest.raises(PerceptionError, match="the template must have"):
        ClipEncoder(folders["clip"], template="a photo")


def test_long_texts_are_cut_and_unknown_words_are_no_error(folders: dict[str, Path]) -> None:
    words = load("clip", folders).encode_text(["zorp", "red mug " * 50])
    assert np.isfinite(words).all()


def test_bad_files_are_one_line(folders: dict[str, Path], tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "config.json").write_text("{not json")
    lacking = shutil.copytree(folders["clip"], tmp_path / "lacking")
    weights = load_file(lacking / "model.safetensors")
    del weights["visual_projection.weight"]
    save_file(weights, lacking / "model.safetensors", {"format": "pt"})
    cases = [
        (f"clip:{tmp_path / 'none'}", "there is no folder"),
        ("clip", "say its folder after a colon"),
        (f"clip:{tmp_path}", "has no config.json"),
        (f"clip:{broken}", "cannot be used"),
        (f"clip:{folders['siglip']}", "holds a model of kind 'siglip', not 'clip'"),
        (f"clip:{lacking}", "lacks 1 of the model's weights, visual_projection.weight first"),
    ]
    if folders["open_clip"].is_dir():
        cases += [
            (f"open_clip:ViT-B-23:{tmp_path / 'x.pt'}", "did you mean 'ViT-B-32'?"),
            (f"open_clip:ViT-B-32:{tmp_path / 'x.pt'}", "there is no file"),
            (f"open_clip:{tmp_path}", "has no open_clip_config.json"),
        ]
    for name, says in cases:
        with pytest.raises(PerceptionError) as caught:
            load_encoder(name)
        assert says in str(caught.value), name
        assert "\n" not in str(caught.value)
