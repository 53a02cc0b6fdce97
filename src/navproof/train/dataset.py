"""The files of a rendered data set, and reading them.

A folder with one ``.npy`` per array of ``ARRAYS`` (n = scenes × views frames, in that order),
``objects.npz`` (facts of every object of every scene, as codes), ``vocab.json`` (what the codes
mean) and ``meta.json``, which is written last: a folder without it is not finished.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import PerceptionError
from navproof.core.types import CEILING, FIRST_OBJECT_ID, VOID, Scalar
from navproof.world.catalog import CATEGORIES
from navproof.world.scene import Scene

__all__ = [
    "FIRST_LISTED",
    "LISTED",
    "LISTED_PIXELS",
    "UNLISTED",
    "Dataset",
    "array_shapes",
    "encode_objects",
    "load_dataset",
    "object_facts",
    "summarise",
]

LISTED = 48
"""Objects listed per frame, those with the most pixels."""
LISTED_PIXELS = 12
"""An object with fewer visible pixels is not listed."""
FIRST_LISTED, UNLISTED = 4, 255
"""In ``instances``: the code of a frame's first listed object, and of every unlisted one."""
VERSION = 2
_FIRST_COLUMNS = (
    "category", "colour", "material", "pattern", "size", "state", "modifier", "on", "room",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Dataset:
    """A finished folder; the arrays are mapped from disk, read-only.

    Only rows with ``valid`` hold a picture (a scene that failed leaves its rows empty).
    ``instances`` is at every second pixel: 0 void, 1 wall, 2 floor, 3 ceiling, 4 + k the k-th of
    the frame's ``frame_objects``, 255 any other object. Unused slots hold −1 in ``frame_objects``
    and 0 elsewhere. Boxes are (u0, v0, u1, v1) of the visible pixels, u1 and v1 exclusive.
    """

    path: Path
    rgb: NDArray[np.uint8]  # (n, size, size, 3)
    instances: NDArray[np.uint8]  # (n, size/2, size/2)
    frame_objects: NDArray[np.int32]  # (n, 48) rows into the objects, −1 = none
    frame_boxes: NDArray[np.float32]  # (n, 48, 4) pixels
    frame_pixels: NDArray[np.int32]  # (n, 48) visible pixels
    frame_depth_m: NDArray[np.float32]  # (n, 48) median along the optical axis
    frame_room: NDArray[np.int16]  # (n,) into room_types, −1 = in a doorway
    valid: NDArray[np.bool_]  # (n,)
    columns: Mapping[str, NDArray[np.int16]]  # per column the code of each object row
    object_scene: NDArray[np.int32]  # (objects,) into scenes
    object_id: NDArray[np.int32]  # (objects,) in its scene
    values: Mapping[str, Sequence[Scalar]]  # per column what the codes mean; code 0 is None
    room_types: tuple[str, ...]
    scenes: tuple[str, ...]
    meta: Mapping[str, Any]

    @property
    def frames(self) -> NDArray[np.int64]:
        """The valid rows."""
        return np.flatnonzero(self.valid)

    def facts(self, row: int) -> dict[str, Scalar]:
        """What is true of an object: its category and every attribute that it has."""
        codes = ((name, int(codes[row])) for name, codes in self.columns.items())
        return {name: self.values[name][code] for name, code in codes if code}


def array_shapes(frames: int, size: int) -> dict[str, tuple[type[np.generic], tuple[int, ...]]]:
    """Type and shape of every array by its file's stem."""
    half = (size + 1) // 2
    return {
        "rgb": (np.uint8, (frames, size, size, 3)),
        "instances": (np.uint8, (frames, half, half)),
        "frame_objects": (np.int32, (frames, LISTED)),
        "frame_boxes": (np.float32, (frames, LISTED, 4)),
        "frame_pixels": (np.int32, (frames, LISTED)),
        "frame_depth_m": (np.float32, (frames, LISTED)),
        "frame_room": (np.int16, (frames,)),
        "valid": (np.bool_, (frames,)),
    }


# ------------------------------------------------------------------------------------- writing
def summarise(
    instances: NDArray[np.int32], depth: NDArray[np.float32], row_of: NDArray[np.int32]
) -> dict[str, NDArray[Any]]:
    """One frame's entries of ``instances`` and the ``frame_…`` lists.

    ``row_of`` gives the object row of an instance id (−1 for walls and the like).
    """
    width = instances.shape[1]
    flat = instances.ravel().astype(np.int16)
    order = np.argsort(flat, kind="stable")  # pixels by instance, each in reading order
    counts = np.bincount(flat, minlength=len(row_of))
    ends = np.cumsum(counts)
    ids = np.flatnonzero(counts >= LISTED_PIXELS)
    ids = ids[ids >= FIRST_OBJECT_ID]
    ids = ids[np.argsort(-counts[ids], kind="stable")][:LISTED]
    out: dict[str, NDArray[Any]] = {
        "frame_objects": np.full(LISTED, -1, dtype=np.int32),
        "frame_boxes": np.zeros((LISTED, 4), dtype=np.float32),
        "frame_pixels": np.zeros(LISTED, dtype=np.int32),
        "frame_depth_m": np.zeros(LISTED, dtype=np.float32),
    }
    out["frame_objects"][: len(ids)] = row_of[ids]
    out["frame_pixels"][: len(ids)] = counts[ids]
    depths = depth.ravel()
    for k, instance in enumerate(ids.tolist()):
        pixels = order[ends[instance] - counts[instance] : ends[instance]]
        u = pixels % width
        v0, v1 = pixels[0] // width, pixels[-1] // width
        out["frame_boxes"][k] = (u.min(), v0, u.max() + 1, v1 + 1)
        middle = len(pixels) // 2
        out["frame_depth_m"][k] = np.partition(depths[pixels], middle)[middle]
    code = np.full(len(row_of), UNLISTED, dtype=np.uint8)
    code[VOID : CEILING + 1] = np.arange(VOID, CEILING + 1)
    code[ids] = FIRST_LISTED + np.arange(len(ids))
    out["instances"] = code[instances[::2, ::2]]
    return out


def object_facts(scene: Scene) -> list[dict[str, Scalar]]:
    """Of every object: category, its attributes, ``on`` (the category below) and ``room``."""
    types = {room.id: room.type for room in scene.rooms}
    facts = []
    for thing in scene.objects:
        row: dict[str, Scalar] = {"category": thing.category, **thing.attributes}
        if thing.support is not None:
            row["on"] = scene.object(thing.support).category
        if thing.room in types:
            row["room"] = types[thing.room]
        facts.append(row)
    return facts


def encode_objects(
    facts: Sequence[Mapping[str, Scalar]],
) -> tuple[dict[str, NDArray[np.int16]], dict[str, list[Scalar]]]:
    """Codes per column, and the values they stand for: sorted, None first.

    ``category`` numbers the whole catalogue, so that it is the same in every data set.
    """
    found = {name for row in facts for name in row}
    names = [*_FIRST_COLUMNS, *sorted(found - set(_FIRST_COLUMNS))]
    codes, values = {}, {}
    for name in names:
        present = {row[name] for row in facts if row.get(name) is not None}
        if name == "category":
            present |= set(CATEGORIES)
        listed = sorted(present, key=lambda v: (isinstance(v, str), v))
        number = {value: k for k, value in enumerate(listed, start=1)}
        codes[name] = np.array([number.get(row.get(name), 0) for row in facts], dtype=np.int16)
        values[name] = [None, *listed]
    return codes, values


# ------------------------------------------------------------------------------------- reading
def load_dataset(path: Path) -> Dataset:
    """Raises ``PerceptionError`` for a folder that is not a finished data set."""
    try:
        meta = json.loads((path / "meta.json").read_text(encoding="utf-8"))
        vocab = json.loads((path / "vocab.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise PerceptionError(
            f"{path} holds no finished training data; make some: python -m navproof.train.render"
        ) from None
    if meta.get("version") != VERSION:
        raise PerceptionError(f"{path} was written by another version of navproof: render it again")
    names = array_shapes(0, 0)
    arrays: dict[str, Any] = {n: np.load(path / f"{n}.npy", mmap_mode="r") for n in names}
    arrays["valid"] = np.array(arrays["valid"])
    with np.load(path / "objects.npz") as stored:
        objects = {name: stored[name] for name in stored.files}
    return Dataset(
        path=path,
        **arrays,
        columns={name: objects[name] for name in vocab["columns"]},
        object_scene=objects["_scene"],
        object_id=objects["_id"],
        values=vocab["values"],
        room_types=tuple(vocab["room_types"]),
        scenes=tuple(meta["scenes"]),
        meta=meta,
    )
