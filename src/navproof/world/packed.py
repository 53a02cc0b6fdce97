"""Scenes that come with a packed suite: ``home/val/3#8a1f…`` was made as ``home/val/3``, and is
exactly what the digest behind its name says, whatever a generator of that name would make today.

They are kept in a folder of their own, whatever the version of generated worlds, under their
digests; those that were made with a salt where everything is that is withheld from agents.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from navproof.core.cache import cache_dir
from navproof.core.errors import SceneError
from navproof.core.input.archive import UNREADABLE, opened, parts_of
from navproof.core.salt import MARK as SALT_MARK
from navproof.world.scene_file import MOST_SCENE_BYTES

__all__ = [
    "WITHHELD",
    "PackedRef",
    "called_in_pack",
    "content_digest",
    "named_by_content",
    "packed_file",
    "parse_packed",
]

WITHHELD = "withheld"
"""Folder of the cache for all that is made with salts."""
_MARK = "#"
_DIGITS = 32
_FORM = re.compile(rf"(?P<called>[\w./~-]{{1,200}}){_MARK}(?P<digest>[0-9a-f]{{32}})", re.ASCII)
_STRANGE = re.compile(r"[^\w.-]", re.ASCII)


@dataclass(frozen=True, slots=True)
class PackedRef:
    """``called`` is what the scene was made as ("home/val/3", "house.glb"), a label; ``digest`` is
    the beginning of its ``content_digest``."""

    called: str
    digest: str

    @property
    def id(self) -> str:
        return f"{self.called}{_MARK}{self.digest}"

    @property
    def salt(self) -> str:
        """The fingerprint of the salt that it was made with, "" for a public one."""
        return self.called.partition(SALT_MARK)[2]

    @property
    def folder(self) -> Path:
        """Where such scenes are kept on this machine."""
        return cache_dir(WITHHELD, "packed") if self.salt else cache_dir("scenes", "packed")

    @property
    def file(self) -> Path:
        """Where it is kept on this machine, if it is."""
        return self.folder / f"{self.digest}.scene"

    def content_of(self, file: Path) -> str:
        """The ``content_digest`` of a file that should hold this scene."""
        return content_digest(file, self.id)


def parse_packed(ref: str) -> PackedRef | None:
    """The parts of a reference to a scene of a packed suite; None for any other."""
    found = _FORM.fullmatch(ref)
    return None if found is None else PackedRef(found["called"], found["digest"])


def called_in_pack(ref: str) -> str:
    """What a scene is called in a packed suite: an id keeps its name, a file loses its folder and
    what is strange in its name."""
    packed = parse_packed(ref)
    if packed is not None:
        return packed.called
    return _STRANGE.sub("-", Path(ref).name)[-100:] if Path(ref).suffix else ref


def named_by_content(called: str, content: str) -> PackedRef:
    """The reference to a scene with that whole ``content_digest``."""
    return PackedRef(called, content[:_DIGITS])


def packed_file(ref: PackedRef) -> Path:
    """The file of a scene of a packed suite; a ``SceneError`` where it is not there, or holds
    something else."""
    path = ref.file
    again = "the packed suite's file (navproof suite make FILE.suite)"
    if not path.is_file():
        raise SceneError(
            f"scene {ref.id} comes with a packed suite, and is not on this machine: give {again}"
        )
    if not ref.content_of(path).startswith(ref.digest):
        raise SceneError(f"scene {ref.id} is not what it was on this machine: give {again}")
    return path


def content_digest(file: Path, called: str = "") -> str:
    """SHA-256 of everything in a scene file, however it is compressed: for each member, in the
    order of their names, the name, a zero byte, its size in decimal digits, a zero byte, and its
    bytes. A ``SceneError`` where it cannot be read."""
    digest = hashlib.sha256()
    what = called or str(file)
    try:
        with opened(file, MOST_SCENE_BYTES) as archive:
            for entry in sorted(archive.infolist(), key=lambda entry: entry.filename):
                digest.update(f"{entry.filename}\0{entry.file_size}\0".encode())
                for part in parts_of(archive, entry.filename):
                    digest.update(part)
    except OSError as error:
        raise SceneError(f"cannot read the scene {what}: {error.strerror or error}") from None
    except UNREADABLE as error:
        text = " ".join(str(error).split()) or type(error).__name__
        raise SceneError(f"{what} is not a whole scene file: {text}") from None
    return digest.hexdigest()
