"""A page of training pictures with what they claim to show, for a person to check."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.core.seeding import rng as stream
from navproof.train.dataset import Dataset, load_dataset

__all__ = ["sheet"]

_COLUMNS = 8
_SHOWN = 8
_TILE = 320
_CAPTION = 16
_WORDS = ("size", "colour", "pattern", "material")


def sheet(out_folder: Path, png: Path, n: int = 40, seed: int = 0) -> None:
    """Draw ``n`` random frames with boxes and words of their eight largest objects."""
    data = load_dataset(out_folder)
    rows = stream(seed, str(data.meta["seed"]), "sheet").permutation(data.frames)[:n]
    tiles = [_tile(data, int(row)) for row in np.sort(rows)]
    blank = np.zeros_like(tiles[0])
    tiles += [blank] * (-len(tiles) % min(_COLUMNS, len(tiles)))
    across = min(_COLUMNS, len(tiles))
    lines = [np.hstack(tiles[k : k + across]) for k in range(0, len(tiles), across)]
    png.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(png), np.vstack(lines)[:, :, ::-1])


def _tile(data: Dataset, row: int) -> NDArray[np.uint8]:
    scale = _TILE / data.rgb.shape[1]
    picture = cv2.resize(np.array(data.rgb[row]), (_TILE, _TILE), interpolation=cv2.INTER_LINEAR)
    tile = np.zeros((_TILE + _CAPTION, _TILE, 3), dtype=np.uint8)
    tile[_CAPTION:] = picture
    room = int(data.frame_room[row])
    views = int(data.meta["views"])
    where = data.room_types[room] if room >= 0 else "doorway"
    _write(tile, f"{data.scenes[row // views]} #{row % views} {where}", 2, _CAPTION - 4)
    colours = stream(0, "sheet", "colours").integers(90, 256, (_SHOWN, 3)).tolist()
    for k in range(_SHOWN):
        thing = int(data.frame_objects[row, k])
        if thing < 0:
            break
        u0, v0, u1, v1 = (int(c * scale) for c in data.frame_boxes[row, k])
        cv2.rectangle(tile, (u0, v0 + _CAPTION), (u1 - 1, v1 - 1 + _CAPTION), colours[k], 1)
        facts = data.facts(thing)
        words = [str(facts[name]) for name in _WORDS if name in facts]
        _write(tile, " ".join([*words, str(facts["category"])]), u0 + 2, v0 + _CAPTION + 9)
    return tile


def _write(tile: NDArray[np.uint8], text: str, x: int, y: int) -> None:
    for ink, width in (((0, 0, 0), 2), ((255, 255, 255), 1)):
        cv2.putText(tile, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.32, ink, width, cv2.LINE_AA)
