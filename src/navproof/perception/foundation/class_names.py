"""The class names of a detector in an ONNX file."""

from __future__ import annotations

import ast

from navproof.core.errors import PerceptionError
from navproof.core.input.reading import parse_json, read_file
from navproof.perception.foundation.onnx_model import Model

__all__ = ["class_names"]

_MOST_BYTES = 4 << 20
_MOST_NAMES = 100_000
_DEEP = (RecursionError, MemoryError)
"""What Python's own parser raises where brackets lie too deep within each other."""


def class_names(model: Model, what: str, usual: tuple[str, ...] | None = None) -> tuple[str, ...]:
    """The names in the file's metadata, or in the JSON file of the same name beside it, else the
    ``usual`` ones. ``what`` begins error messages."""
    beside = model.file.with_suffix(".json")
    try:
        if "names" in model.metadata:
            named = ast.literal_eval(model.metadata["names"][:_MOST_BYTES])
            found = [named[i] for i in range(len(named))]
        elif beside.is_file():
            texts = parse_json(read_file(beside, _MOST_BYTES), _MOST_NAMES)
            found = [text if isinstance(text, str) else text[0] for text in texts]
        elif usual is not None:
            return usual
        else:
            raise PerceptionError(
                f"{what}: {model.file} does not say its classes: put the list that it was exported"
                f" with into {beside.name} beside it"
            )
    except (OSError, SyntaxError, ValueError, TypeError, KeyError, IndexError, *_DEEP):
        raise PerceptionError(f"{what}: the class names of {model.file} cannot be read") from None
    if not found or not all(isinstance(name, str) and name.strip() for name in found):
        raise PerceptionError(f"{what}: the class names of {model.file} must be words")
    return tuple(" ".join(name.lower().split()) for name in found)
