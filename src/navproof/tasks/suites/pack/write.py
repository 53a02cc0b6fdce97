"""Packing a suite: the same suite gives the same bytes."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from navproof import __version__
from navproof.core.errors import SpecError
from navproof.core.input.archive import add_bytes, add_file
from navproof.core.plain import as_plain
from navproof.core.processes import in_processes
from navproof.core.types import Episode
from navproof.tasks.episodes import episode_to_json
from navproof.tasks.settings import STANDARD, Settings
from navproof.tasks.suites.pack.manifest import (
    EPISODES,
    MANIFEST,
    SETTINGS,
    MadeBy,
    Manifest,
    Needed,
    manifest_from,
    scene_member,
)
from navproof.world.io import save_scene
from navproof.world.library import WORLD_VERSION, load_scene
from navproof.world.packed import PackedRef, called_in_pack, content_digest, named_by_content

__all__ = ["write_pack"]


def write_pack(
    output: Path,
    name: str,
    episodes: Sequence[Episode],
    *,
    generator: int,
    description: str = "",
    conditions: Sequence[str] = (),
    needs: Iterable[Needed] = (),
    salt: str = "",
    workers: int = 1,
    progress: Callable[[int, int, str], None] | None = None,
) -> str:
    """Write episodes with their scenes and the settings that hold today into one file, whole or
    not at all, and return the digest that stands for it. The scenes are then also kept on this
    machine as those of a packed suite. ``salt`` is the fingerprint of the salt that the suite was
    made with, ``generator`` the version of what makes episodes."""
    scenes = list(dict.fromkeys(episode.scene for episode in episodes))
    kept: dict[str, tuple[PackedRef, str]] = {}
    for index, result in in_processes(_keep_scene, scenes, workers):
        kept[scenes[index]] = result()
        if progress is not None:
            progress(len(kept), len(scenes), scenes[index])
    lines = [
        episode_to_json(replace(episode, scene=kept[episode.scene][0].id)) for episode in episodes
    ]
    texts = {
        SETTINGS: _encoded(_settings_of(episodes)),
        EPISODES: "".join(f"{line}\n" for line in lines).encode(),
    }
    refs = dict(kept[scene] for scene in scenes)
    salts = {salt, *(ref.salt for ref in refs)} - {""}
    if len(salts) > 1:
        raise SpecError(f"{output}: scenes made with two salts cannot be packed together")
    manifest = Manifest(
        name,
        description,
        tuple(conditions),
        len(episodes),
        tuple(ref.id for ref in refs),
        tuple(needs),
        MadeBy(__version__, WORLD_VERSION, generator, next(iter(salts), "")),
        {
            **{member: hashlib.sha256(data).hexdigest() for member, data in texts.items()},
            **{scene_member(ref): content for ref, content in refs.items()},
        },
    )
    try:
        _, digest = manifest_from(manifest.encoded())
    except ValueError as error:
        raise SpecError(f"{output}: this suite cannot be packed: {error}") from None
    files = {scene_member(ref): ref.file for ref in refs}
    _write(output, {MANIFEST: manifest.encoded(), **texts}, files)
    return digest


def _settings_of(episodes: Sequence[Episode]) -> Settings:
    """Those by which the episodes are played today."""
    return Settings(
        {task: STANDARD.spec(task) for task in sorted({e.task for e in episodes})},
        {name: STANDARD.robot(name) for name in sorted({e.robot for e in episodes if e.robot})},
    )


def _encoded(settings: Settings) -> bytes:
    plain = as_plain(settings, complete=True)
    text = json.dumps(plain, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return text.encode() + b"\n"


def _keep_scene(ref: str) -> tuple[PackedRef, str]:
    """Keep a scene as one of a packed suite: its reference and whole digest. Whatever it was called
    and wherever it came from, the same scene gives the same file."""
    called = called_in_pack(ref)
    scene = replace(load_scene(ref), id=called)
    folder = named_by_content(called, "").folder
    partial = folder / f".{hashlib.sha256(ref.encode()).hexdigest()[:16]}.{os.getpid()}.part"
    try:
        save_scene(scene, partial, self_contained=True)
        content = content_digest(partial, ref)
        found = named_by_content(called, content)
        partial.replace(found.file)
    finally:
        partial.unlink(missing_ok=True)
    return found, content


def _write(output: Path, texts: dict[str, bytes], files: dict[str, Path]) -> None:
    partial = output.with_name(f".{output.name}.{os.getpid()}.part")
    try:
        with zipfile.ZipFile(partial, "w") as archive:
            for name, data in texts.items():
                add_bytes(archive, name, data)
            for name in sorted(files):
                add_file(archive, name, files[name])
        partial.replace(output)
    except OSError as error:
        raise SpecError(f"{output} cannot be written ({error.strerror or error})") from None
    finally:
        partial.unlink(missing_ok=True)
