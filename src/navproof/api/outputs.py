"""Where something may be written: not over what it is made from, nor over a file of another kind.

What a command made before it may make again: a file of the same kind is replaced. By its first
bytes, not by its name: a scene that is called ``map.png`` is none the less a scene.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from navproof.core.errors import SpecError
from navproof.core.input.reading import DAMAGED, lines_of, parse_json

__all__ = [
    "EPISODES",
    "PAGE",
    "PICTURE",
    "PICTURES",
    "RECORDING",
    "REPLAY",
    "SCENE",
    "SUITE",
    "VIDEO",
    "OutputKind",
    "check_output",
    "check_output_folder",
]

_HEAD = 512


@dataclass(frozen=True, slots=True)
class OutputKind:
    """``name`` is for people. ``is_one`` tells by the first bytes of a file, or by its path,
    whether it is of the kind. Names end in one of ``suffixes``, any where there are none."""

    name: str
    is_one: Callable[[bytes, Path], bool]
    suffixes: tuple[str, ...] = ()


def check_output(
    path: Path,
    kind: OutputKind | None = None,
    inputs: Iterable[str | Path | None] = (),
    *,
    option: str = "--output",
    makes_folder: bool = False,
) -> None:
    """Say at once, not after the work, that a file cannot or must not be written: a ``SpecError``.

    A file that is there is replaced where it is of the ``kind`` (empty ones are of any), and is
    none of the ``inputs``, which are files, or names of other things, that the work reads.
    ``makes_folder``: the folder need not be there.
    """
    if kind and kind.suffixes and not path.name.lower().endswith(kind.suffixes):
        known, what = " or ".join(kind.suffixes[:2]), "the folder " if path.is_dir() else ""
        raise SpecError(f"{option} must be a {known} file, not {what}'{path}'")
    if path.is_dir():
        raise SpecError(f"{option} {path} is a folder; name a file in it")
    above = path.parent
    while makes_folder and not above.exists() and above != above.parent:
        above = above.parent
    if not above.is_dir():
        raise SpecError(f"cannot write {path}: there is no folder {above}")
    if not os.access(path if path.exists() else above, os.W_OK):
        raise SpecError(f"cannot write {path}: permission denied")
    if not path.exists():
        return
    for other in inputs:
        if other is not None and _is_same(path, Path(other)):
            raise SpecError(f"{option} {path} is what is read: name another file")
    if not path.is_file():  # a device, a pipe
        return
    try:
        with path.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError as error:
        raise SpecError(f"cannot look into {path}, which is there: {error.strerror}") from None
    if head and not (kind and kind.is_one(head, path)):
        other_kind = f"is no {kind.name}" if kind else "is not replaced"
        raise SpecError(f"{option} {path} is there and {other_kind}: name another file")


def check_output_folder(
    path: Path, inputs: Iterable[str | Path | None] = (), *, option: str = "--out"
) -> None:
    """The same for a folder that is written into: it is no file, and nothing that is read lies in
    it."""
    if path.exists() and not path.is_dir():
        raise SpecError(f"{option} {path}: cannot be written into, it is a file; name a folder")
    here = path.resolve()
    for other in inputs:
        if other is not None and Path(other).exists() and here in Path(other).resolve().parents:
            raise SpecError(f"{option} {path} holds {other}, which is read: name another folder")


def _is_same(path: Path, other: Path) -> bool:
    """Also by way of links. What is no path is no file."""
    try:
        return path.samefile(other)
    except (OSError, ValueError):
        return False


def _is_scene(head: bytes, path: Path) -> bool:
    return head.startswith(b"PK\x03\x04") and head[30:40] == b"scene.json"


def _is_suite(head: bytes, path: Path) -> bool:
    return head.startswith(b"PK\x03\x04") and head[30:43] == b"manifest.json"


def _is_episodes(head: bytes, path: Path) -> bool:
    """Its first line is an episode."""
    try:
        _, line = next(lines_of(path, longest=8 << 20, most=16 << 20, lines=1000))
        first = parse_json(line)
    except (OSError, ValueError, StopIteration, *DAMAGED):
        return False
    return isinstance(first, dict) and {"episode_id", "task", "scene"} <= first.keys()


def _is_picture(head: bytes, path: Path) -> bool:
    return head.startswith((b"\x89PNG", b"\xff\xd8\xff"))


def _is_replay(head: bytes, path: Path) -> bool:
    return head.startswith((b"\x89PNG", b"GIF8")) or head[4:8] == b"ftyp"


def _is_video(head: bytes, path: Path) -> bool:
    return head[4:8] == b"ftyp"


def _is_recording(head: bytes, path: Path) -> bool:
    return head.startswith(b"RRF")


def _is_page(head: bytes, path: Path) -> bool:
    return head.lstrip(b"\xef\xbb\xbf \r\n\t").lower().startswith((b"<!doctype html", b"<html"))


SCENE = OutputKind("scene", _is_scene)
SUITE = OutputKind("packed suite", _is_suite, (".suite",))
EPISODES = OutputKind("episode file", _is_episodes)
PICTURE = OutputKind("picture", _is_picture)
PICTURES = OutputKind("picture", _is_picture, (".png", ".jpg", ".jpeg"))
"""One whose format goes by its name."""
REPLAY = OutputKind("replay", _is_replay)
VIDEO = OutputKind("video", _is_video, (".mp4",))
RECORDING = OutputKind("Rerun recording", _is_recording, (".rrd",))
PAGE = OutputKind("page", _is_page)
