"""What a packed suite says of itself.

::

    manifest.json            this, in the first place
    settings.json            every setting of its tasks and robots
    episodes.jsonl           the episodes, as an episode file has them
    scenes/<digest>.scene    their scenes, each once, with all that is seen in them

The manifest has the SHA-256 of every other member (of a scene that of its content, however it is
compressed: ``world.packed``), so that its own SHA-256 stands for the whole suite.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from navproof.core.codec import CodecError, from_plain
from navproof.core.input.reading import parse_json
from navproof.core.plain import as_plain
from navproof.world.packed import PackedRef, parse_packed

__all__ = [
    "EPISODES",
    "FORMAT_VERSION",
    "MANIFEST",
    "SETTINGS",
    "MadeBy",
    "Manifest",
    "Needed",
    "manifest_from",
    "scene_member",
]

FORMAT_VERSION = 1
"""Every version so far is read by every later navproof."""
MANIFEST, SETTINGS, EPISODES = "manifest.json", "settings.json", "episodes.jsonl"
_FORMAT = "navproof-suite"
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Needed:
    """Something from outside that episodes name and no pack can hold: the kind of thing, its name,
    a digest of its files."""

    kind: str
    name: str
    digest: str


@dataclass(frozen=True, slots=True)
class MadeBy:
    """Versions of navproof, of its generated worlds and of what makes episodes; ``salt`` is the
    fingerprint of the salt that scenes and episodes were made with, "" for public ones."""

    navproof: str
    world: str
    generator: int
    salt: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """``conditions`` are what the suite is run under unless a run names others, with every
    intensity. ``scenes`` are the references that its episodes use, ``episodes`` is how many these
    are. ``members`` has a SHA-256 for each."""

    name: str
    description: str
    conditions: tuple[str, ...]
    episodes: int
    scenes: tuple[str, ...]
    needs: tuple[Needed, ...]
    made_by: MadeBy
    members: Mapping[str, str]

    def encoded(self) -> bytes:
        """The member ``manifest.json``."""
        plain = {"format": _FORMAT, "version": FORMAT_VERSION, **as_plain(self, complete=True)}
        text = json.dumps(plain, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
        return text.encode() + b"\n"

    @property
    def refs(self) -> tuple[PackedRef, ...]:
        return tuple(ref for ref in map(parse_packed, self.scenes) if ref is not None)


def scene_member(ref: PackedRef) -> str:
    """The member that holds a scene."""
    return f"scenes/{ref.digest}.scene"


def manifest_from(data: bytes) -> tuple[Manifest, str]:
    """A manifest from its bytes, and the digest that stands for the whole suite. A ``ValueError``
    that says what is wrong where it is none."""
    plain = parse_json(data)
    if not isinstance(plain, dict) or plain.pop("format", None) != _FORMAT:
        raise ValueError("it is not that of a packed suite")
    version = plain.pop("version", None)
    if version != FORMAT_VERSION or isinstance(version, bool):
        raise ValueError(
            f"it has format version {json.dumps(version)[:20]}, and this navproof reads "
            f"{FORMAT_VERSION}: use a newer one"
        )
    manifest: Manifest = from_plain(Manifest, plain)
    _check(manifest)
    return manifest, hashlib.sha256(data).hexdigest()


def _check(manifest: Manifest) -> None:
    """What types alone do not say."""
    for text in (manifest.name, manifest.made_by.navproof, manifest.made_by.world):
        if not text.isprintable() or not 0 < len(text) <= _LONGEST_NAME:
            raise CodecError("a name in it is empty, too long or not printable")
    if not manifest.description.isprintable():
        raise CodecError("its description is not one printable line")
    if len(manifest.refs) < len(manifest.scenes):
        raise CodecError("a scene in it is not named by its content")
    twice = [name for name, count in Counter(manifest.scenes).items() if count > 1]
    if twice:
        raise CodecError(f"it names {twice[0]} twice")
    salts = {ref.salt for ref in manifest.refs} - {""}
    if salts - {manifest.made_by.salt}:
        raise CodecError("it hides that its scenes are made with a salt")
    expected = {SETTINGS, EPISODES, *map(scene_member, manifest.refs)}
    if different := sorted(expected ^ manifest.members.keys()):
        raise CodecError(f"{different[0]} is in one of its lists and not in the other")
    for ref in manifest.refs:
        if not manifest.members[scene_member(ref)].startswith(ref.digest):
            raise CodecError(f"{ref.id} has another digest among its members")
