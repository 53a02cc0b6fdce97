"""The members of a scene file, read to a limit: a zip of megabytes can unpack to gigabytes."""

from __future__ import annotations

import math
import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SceneError
from navproof.core.input.archive import UNREADABLE, opened, read_at_most
from navproof.core.input.reading import parse_json

__all__ = ["MOST_SCENE_BYTES", "SceneFile", "open_scene_file"]

MOST_SCENE_BYTES = 640 << 20
"""Of everything in a file, unpacked. A large home takes 9 MB, a scan of four million triangles with
64 textures 540 MB."""
_MOST_DOCUMENT = 32 << 20
_HEAD_BYTES = 1 << 16
_DOCUMENT = "scene.json"
_HEADER = re.compile(
    rb"\{'descr': '([^']{1,8})', 'fortran_order': (False|True), "
    rb"'shape': \(([\d, ]{0,60})\), \} *\n"
)
"""The header of an ``.npy`` file, as NumPy writes it; NumPy's own reader evaluates it as Python."""
_LENGTHS = {b"\x93NUMPY\x01\x00": 2, b"\x93NUMPY\x02\x00": 4}
"""By the first eight bytes: the size of the number that says how long the header is."""
_KINDS = {"<f8": "float64", "<f4": "float32", "<i8": "int64", "<i4": "int32", "|O": "object"}


@contextmanager
def open_scene_file(path: Path) -> Iterator[SceneFile]:
    """Its members, while it is open. What is no zip raises ``SceneError``."""
    try:
        with opened(path, MOST_SCENE_BYTES) as archive:
            yield SceneFile(path, archive)
    except FileNotFoundError:
        raise SceneError(f"there is no scene file {path}") from None
    except IsADirectoryError:
        raise SceneError(f"{path} is a folder, not a scene file") from None
    except UNREADABLE as error:
        raise SceneError(f"{path} is not a whole scene file: {_line(error)}") from None
    except OSError as error:
        why = error.strerror or _line(error)
        raise SceneError(f"cannot read the scene file {path}: {why}") from None


class SceneFile:
    """An open scene file. Whatever is wrong with what is asked for is a ``SceneError``."""

    def __init__(self, path: Path, archive: zipfile.ZipFile) -> None:
        self.path = path
        self._archive = archive

    def broken(self, what: str, why: str) -> SceneError:
        return SceneError(f"{self.path} is not a readable scene file: {what}: {why}")

    def document(self) -> Any:
        """The value in ``scene.json``."""
        try:
            return parse_json(self._bytes(_DOCUMENT, _MOST_DOCUMENT))
        except ValueError as error:
            raise self.broken(_DOCUMENT, _line(error)) from None

    def array(
        self, name: str, dtype: str, shape: tuple[int | None, ...], most: int
    ) -> NDArray[Any]:
        """An array of that type; None in ``shape`` is any length, of all of them together at most
        ``most``."""
        member, wanted = f"arrays/{name}.npy", np.dtype(dtype)
        entries = most * math.prod(side for side in shape if side is not None)
        data = self._bytes(member, _HEAD_BYTES + entries * wanted.itemsize)
        size = _LENGTHS.get(data[:8], 0)
        begin = 8 + size + int.from_bytes(data[8 : 8 + size], "little")
        header = _HEADER.fullmatch(data, 8 + size, min(begin, len(data)))
        if not size or header is None:
            raise self.broken(member, "it does not begin as an array of numbers does")
        kind, turned, sides = (part.decode() for part in header.groups())
        told = tuple(int(side) for side in sides.split(",") if side.strip())
        fits = len(told) == len(shape) and all(
            want is None or want == got for want, got in zip(shape, told, strict=True)
        )
        if kind != wanted.str or not fits:
            raise self.broken(member, f"it holds {_KINDS.get(kind, kind)} {told}, not {dtype}")
        if len(data) - begin != math.prod(told) * wanted.itemsize:
            raise self.broken(member, f"it says that it holds {told}, and does not")
        found = np.frombuffer(data, wanted, offset=begin).copy()
        if wanted.kind == "b" and found.size and found.view(np.uint8).max() > 1:
            raise self.broken(member, "it holds something else than true and false")
        if turned == "True":
            return np.ascontiguousarray(found.reshape(told[::-1]).T)
        return found.reshape(told)

    def _bytes(self, name: str, most: int) -> bytes:
        try:
            return read_at_most(self._archive, name, most)
        except KeyError:
            raise SceneError(f"{self.path} is not a whole scene file: {name} is missing") from None
        except UNREADABLE as error:
            raise self.broken(name, _line(error)) from None
        except OSError as error:
            raise self.broken(name, error.strerror or _line(error)) from None


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
