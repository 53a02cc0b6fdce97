"""Scenes by name: ``home/val/3`` is the fourth val home, the same for everybody.

A scene id is ``<kind>/<split>/<index>``. Its seed is a hash of the id, so splits are disjoint by
construction; an id that ends in a salt's fingerprint has a seed that only its holder can find
(``core.salt``), and one that ends in a digest comes with a packed suite (``world.packed``). Scenes
are generated on first use and kept on disk (written aside, then renamed, so
parallel processes never see half a file) and, the last few, in memory.
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from threading import Lock

from navproof.core.cache import cache_dir
from navproof.core.errors import SceneError, SpecError
from navproof.core.input.reading import open_plain
from navproof.core.registry import suggest
from navproof.core.salt import MARK, Salt, salt_called
from navproof.core.seeding import derive
from navproof.world.packed import WITHHELD, content_digest, packed_file, parse_packed
from navproof.world.plans.plans import KINDS
from navproof.world.scene import Scene

__all__ = [
    "SPLITS",
    "WITHHELD",
    "WORLD_VERSION",
    "SceneRef",
    "is_stored",
    "load_scene",
    "parse_ref",
    "salted_ref",
    "scene_digest",
    "scene_ids",
    "scene_seed",
]

WORLD_VERSION = "3"
"""Changes when generated worlds do: it names the cache folder and goes with results."""
SPLITS = ("train", "val", "test")
_KEPT = 4
_FINGERPRINT = re.compile(r"[0-9a-f]{12}")
_MESHES = frozenset({".ply", ".obj", ".glb", ".gltf", ".stl", ".off"})


@dataclass(frozen=True, slots=True)
class SceneRef:
    """``salt`` is the fingerprint of the salt that the scene is made with, "" for a public one."""

    kind: str
    split: str
    index: int
    salt: str = ""

    @property
    def id(self) -> str:
        salted = f"{MARK}{self.salt}" if self.salt else ""
        return f"{self.kind}/{self.split}/{self.index}{salted}"


def parse_ref(ref: str) -> SceneRef:
    """The parts of a scene id. Raises ``SceneError`` that says what is wrong with it."""
    parts = ref.split("/")
    if len(parts) != 3:
        raise SceneError(f"'{ref}' is not a scene id (like home/val/3) nor a file that exists")
    kind, split, last = parts
    number, mark, salt = last.partition(MARK)
    if kind not in KINDS:
        raise SceneError(f"scene '{ref}': there is no kind '{kind}'{suggest(kind, list(KINDS))}")
    if split not in SPLITS:
        raise SceneError(
            f"scene '{ref}': there is no split '{split}'{suggest(split, list(SPLITS))}"
        )
    if not (number.isascii() and number.isdigit()) or (len(number) > 1 and number[0] == "0"):
        raise SceneError(f"scene '{ref}': '{number}' is not an index (0, 1, 2, …)")
    if mark and not _FINGERPRINT.fullmatch(salt):
        raise SceneError(f"scene '{ref}': '{salt}' is not the fingerprint of a salt")
    return SceneRef(kind, split, int(number), salt)


def scene_seed(ref: SceneRef) -> int:
    """The 63-bit seed of a scene id. A ``SceneError`` where it is made with a salt that this
    process does not know."""
    secret: tuple[str, ...] = ()
    if ref.salt:
        salt = salt_called(ref.salt)
        if salt is None:
            raise SceneError(
                f"scene {ref.id} is made with a salt, and is not on this machine yet: give the "
                "salt's file (navproof suite make SUITE --salt FILE)"
            )
        secret = (salt.key,)
    return derive("scene", ref.kind, ref.split, ref.index, *secret) & ((1 << 63) - 1)


def salted_ref(ref: str, salt: Salt) -> str:
    """The scene that takes a public one's place where everything is made with a salt; one from a
    file or a packed suite stays as it is."""
    if _is_file_name(ref) or parse_packed(ref) is not None:
        return ref
    return replace(parse_ref(ref), salt=salt.fingerprint).id


def scene_ids(kind: str, split: str, count: int) -> tuple[str, ...]:
    """The first ``count`` ids of a split."""
    return tuple(parse_ref(f"{kind}/{split}/{i}").id for i in range(count))


_memory: OrderedDict[str, Scene] = OrderedDict()
_lock = Lock()


def load_scene(ref: str | PurePath) -> Scene:
    """A scene by id, or from a ``.scene`` file, or from a mesh file (PLY, OBJ, GLB …)."""
    if not isinstance(ref, str):
        if not isinstance(ref, PurePath):
            raise SpecError(f"a scene is an id or a file, got {ref!r}")
        ref = str(ref)
    with _lock:
        key = _key(ref)
        if key in _memory:
            _memory.move_to_end(key)
            return _memory[key]
    scene = _load(ref)
    with _lock:
        _memory[key] = scene
        _memory.move_to_end(key)
        while len(_memory) > _KEPT:
            _memory.popitem(last=False)
    return scene


def is_stored(ref: str) -> bool:
    """Whether a scene is there as a file, be it the user's or one that navproof made before."""
    return _file_of(ref).is_file()


def scene_digest(ref: str) -> str:
    """Twelve hex digits of everything in a scene: of the members of its scene file, whatever they
    packed by, or of the bytes of a mesh file. A scene that is not there yet is made; one of a
    packed suite cannot be."""
    if (packed := parse_packed(ref)) is not None:
        packed_file(packed)
        return packed.digest[:12]
    path = _file_of(ref)
    if not path.is_file() and not _is_file_name(ref):
        _make(parse_ref(ref), path)
    if path.suffix.lower() == ".scene":
        return content_digest(path)[:12]
    try:
        with open_plain(path) as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()[:12]
    except OSError as error:
        raise SceneError(f"cannot read the scene {ref}: {error.strerror or error}") from None


def _key(ref: str) -> str:
    """The identity of a scene in memory; for a file it includes size and time of change."""
    try:
        about = Path(ref).stat()
    except (OSError, ValueError):
        return ref
    return f"{Path(ref).resolve()}|{about.st_size}|{about.st_mtime_ns}"


def _load(ref: str) -> Scene:
    from navproof.world.io import load_scene_file

    path = Path(ref)
    suffix = path.suffix.lower()
    if suffix in _MESHES:
        if not path.is_file():
            raise SceneError(f"there is no mesh file {ref}")
        from navproof.world.importers.meshes import load_mesh_scene

        return load_mesh_scene(path)
    if suffix == ".scene":
        if not path.is_file():
            where = "" if Path(ref).is_absolute() else f" in {Path.cwd()}"
            raise SceneError(
                f"there is no scene file {ref}{where}; make one with: navproof scene make"
            )
        return load_scene_file(path)
    if (packed := parse_packed(ref)) is not None:
        return replace(load_scene_file(packed_file(packed)), id=ref)
    parts, stored = parse_ref(ref), _stored(ref)
    if stored.is_file():
        try:
            return load_scene_file(stored)
        except SceneError:  # written by another version or cut short: make it again
            stored.unlink(missing_ok=True)
    return _make(parts, stored)


def _file_of(ref: str) -> Path:
    if (packed := parse_packed(ref)) is not None:
        return packed.file
    return Path(ref) if _is_file_name(ref) else _stored(ref)


def _is_file_name(ref: str) -> bool:
    return Path(ref).suffix.lower() in {*_MESHES, ".scene"}


def _stored(ref: str) -> Path:
    """Where a scene that navproof makes is kept."""
    parts = parse_ref(ref)
    name = f"{replace(parts, salt='').id.replace('/', '-')}.scene"
    if parts.salt:
        return cache_dir(WITHHELD, parts.salt, "scenes", WORLD_VERSION) / name
    return cache_dir("scenes", WORLD_VERSION) / name


def _make(parts: SceneRef, stored: Path) -> Scene:
    from navproof.world.generate import generate
    from navproof.world.io import load_scene_file, save_scene

    scene = generate(parts.kind, scene_seed(parts), scene_id=parts.id)
    save_scene(scene, stored)
    return load_scene_file(stored)
