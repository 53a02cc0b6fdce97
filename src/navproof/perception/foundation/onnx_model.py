"""ONNX files: sessions, their inputs by name, and the text side that encoder and detector share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import PerceptionError, one_line
from navproof.perception.foundation.requirements import from_files, need

__all__ = ["Model", "TextModel"]

_LARGEST = 8192


class Model:
    """An ONNX file on one thread, so that results do not depend on how many cores are free."""

    def __init__(self, file: Path, what: str) -> None:
        import onnxruntime

        self.file, self.what = file, what
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 4
        providers = ["CPUExecutionProvider"]
        self._session: Any = from_files(
            lambda: onnxruntime.InferenceSession(str(file), options, providers), file, what
        )
        self.inputs: dict[str, Any] = {i.name: i for i in self._session.get_inputs()}
        self.outputs: list[str] = [o.name for o in self._session.get_outputs()]
        self.metadata: dict[str, str] = dict(self._session.get_modelmeta().custom_metadata_map)

    def side(self, name: str, size: object) -> tuple[int, int]:
        """Height and width of an image input: as the file says, or ``size`` where it is free."""
        shape = self.inputs[name].shape
        if len(shape) != 4 or shape[1] != 3:
            raise PerceptionError(
                f"{self.what}: input '{name}' of {self.file} must be (1, 3, height, width),"
                f" is {shape}"
            )
        if all(isinstance(side, int) and side > 0 for side in shape[2:]):
            return int(shape[2]), int(shape[3])
        told: list[Any] = [size, size] if isinstance(size, int) else []
        if isinstance(size, list | tuple):
            told = list(size)
        if len(told) != 2 or not all(type(v) is int and 1 <= v <= _LARGEST for v in told):
            raise PerceptionError(
                f"{self.what}: {self.file} takes any size: say 'size' as [height, width], whole"
                f" numbers up to {_LARGEST}"
            )
        return told[0], told[1]

    def require(self, inputs: tuple[str, ...], outputs: tuple[str, ...]) -> None:
        """Raises where one of these names is not there."""
        for kind, wanted, there in (
            ("input", inputs, list(self.inputs)),
            ("output", outputs, self.outputs),
        ):
            for name in wanted:
                if name not in there:
                    raise PerceptionError(
                        f"{self.what}: {self.file} has no {kind} '{name}';"
                        f" it has {', '.join(there)}"
                    )

    def __call__(self, **feeds: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Every output by name."""
        try:
            found = self._session.run(None, feeds)
        except Exception as error:
            raise PerceptionError(f"{self.what}: {self.file}: {one_line(error)}") from error
        return dict(zip(self.outputs, found, strict=True))


class TextModel:
    """``text.onnx`` of a folder: texts to vectors.

    Its input is ``text``, strings (n,); or ``input_ids``, int64 (n, length), and if it likes
    ``attention_mask``, with a ``tokenizer.json`` beside it.
    """

    def __init__(self, folder: Path, what: str, longest: int) -> None:
        file = folder / "text.onnx"
        if not file.is_file():
            raise PerceptionError(f"{what}: {folder} has no text.onnx")
        self._model = Model(file, what)
        self._tokenizer: Any = None
        self._known: dict[str, NDArray[np.float32]] = {}
        if "text" in self._model.inputs:
            return
        self._model.require(("input_ids",), ())
        tokens = folder / "tokenizer.json"
        if not tokens.is_file():
            raise PerceptionError(f"{what}: {folder} has no tokenizer.json, which text.onnx needs")
        library = need("tokenizers", f"the {what}")
        self._tokenizer = from_files(lambda: library.Tokenizer.from_file(str(tokens)), tokens, what)
        self._tokenizer.enable_truncation(longest)
        fixed = self._model.inputs["input_ids"].shape[-1]
        self._tokenizer.enable_padding(
            pad_id=self._tokenizer.padding["pad_id"] if self._tokenizer.padding else 0,
            length=fixed if isinstance(fixed, int) else None,
        )

    def __call__(self, texts: list[str]) -> NDArray[np.float32]:
        """(n, f), from the file's first output. A text is read once, and by itself: what it gives
        does not depend on the texts around it."""
        for text in texts:
            if text not in self._known:
                self._known[text] = self._read(text)
        return np.concatenate([self._known[text] for text in texts])

    def _read(self, text: str) -> NDArray[np.float32]:
        if self._tokenizer is None:
            found = self._model(text=np.array([text], dtype=object))
        else:
            read = self._tokenizer.encode_batch([text])[0]
            feeds = {"input_ids": np.array([read.ids], dtype=np.int64)}
            if "attention_mask" in self._model.inputs:
                feeds["attention_mask"] = np.array([read.attention_mask], np.int64)
            found = self._model(**feeds)
        return np.asarray(found[self._model.outputs[0]], dtype=np.float32)
