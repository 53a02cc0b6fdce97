"""Trained networks to ONNX files. Weights are kept as float16 and widened when a session opens."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from navproof.train.nets import DetectorNet, EncoderNet, NetSize, TextNet

__all__ = ["export_detector", "export_encoder", "export_words", "halve_weights"]

_OPSET = 17
_HALVED_FROM = 256  # numbers in a tensor


class _Pixels(nn.Module):
    """uint8 (1, H, W, 3) as cameras give it → what the network takes."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, rgb: Tensor) -> Any:
        out = self.net(rgb.permute(0, 3, 1, 2).float() * (1.0 / 255.0))
        if isinstance(self.net, EncoderNet):
            patches, whole = out
            return patches.permute(0, 2, 3, 1), whole
        return out


def export_encoder(
    image: EncoderNet, text: TextNet, size: NetSize, folder: Path, facts: Mapping[str, Any]
) -> None:
    """``encoder.onnx`` (rgb → patches, image), ``encoder_text.onnx`` and ``encoder.json``."""
    _export(image, folder / "encoder.onnx", ["patches", "image"])
    _export_text(text, size, folder / "encoder_text.onnx")
    scale, bias = image.scale.exp().tolist(), image.bias.tolist()
    known = {"scale": scale[0], "bias": bias[0], "image_scale": scale[1], "image_bias": bias[1]}
    _describe(folder / "encoder.json", size, {**known, **facts})


def export_words(text: TextNet, size: NetSize, folder: Path, facts: Mapping[str, Any]) -> None:
    """Another ``encoder_text.onnx``; ``encoder.json`` tells where it came from."""
    _export_text(text, size, folder / "encoder_text.onnx")
    path = folder / "encoder.json"
    path.write_text(
        json.dumps({**json.loads(path.read_text()), "text_side": facts}, indent=1) + "\n"
    )


def export_detector(
    image: DetectorNet, text: TextNet, size: NetSize, folder: Path, facts: Mapping[str, Any]
) -> None:
    """``detector.onnx`` (rgb → boxes, embeddings, coefficients, prototypes), ``detector_text.onnx``
    and ``detector.json``."""
    _export(image, folder / "detector.onnx", ["boxes", "embeddings", "coefficients", "prototypes"])
    _export_text(text, size, folder / "detector_text.onnx")
    known = {"scale": image.scale.exp().item(), "bias": image.bias.item()}
    _describe(folder / "detector.json", size, {**known, **facts})


def _export(net: nn.Module, path: Path, outputs: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    wrapped = _Pixels(net.cpu().float().eval())
    example = torch.zeros((1, 256, 256, 3), dtype=torch.uint8)
    axes = {"rgb": {1: "height", 2: "width"}}
    torch.onnx.export(
        wrapped,
        (example,),
        str(path),
        input_names=["rgb"],
        output_names=outputs,
        dynamic_axes=axes,
        opset_version=_OPSET,
        dynamo=False,
    )
    halve_weights(path)


def _export_text(net: TextNet, size: NetSize, path: Path) -> None:
    vectors = torch.zeros((2, size.words, size.word_dim))
    present = torch.ones((2, size.words))
    torch.onnx.export(
        net.cpu().float().eval(),
        (vectors, present),
        str(path),
        input_names=["vectors", "present"],
        output_names=["text"],
        dynamic_axes={"vectors": {0: "n"}, "present": {0: "n"}},
        opset_version=_OPSET,
        dynamo=False,
    )
    halve_weights(path)


def halve_weights(path: Path) -> None:
    """Store large float32 weights as float16, each followed by a cast: half the file, and the
    session folds the casts when it opens, so inference stays in float32."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    model = onnx.load(str(path))
    casts = []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < _HALVED_FROM:
            continue
        name = tensor.name
        tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float16), f"{name}.half"))
        casts.append(helper.make_node("Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT))
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


def _describe(path: Path, size: NetSize, facts: Mapping[str, Any]) -> None:
    shape = {"features": size.features, "words": size.words, "word_dim": size.word_dim}
    path.write_text(json.dumps({**shape, **facts}, indent=1) + "\n")
