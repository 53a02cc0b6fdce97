"""What agents' processes may not read where episodes are made from a secret."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from navproof.core.cache import cache_dir
from navproof.log.manifest import MANIFEST
from navproof.world.packed import WITHHELD

__all__ = ["withheld_with"]

_DEVICES = Path("/dev")


def withheld_with(run: Path, files: Iterable[Path] = ()) -> list[Path]:
    """Of a run in the folder ``run``: that folder and the runs beside it, which may be of the same
    episodes; what is made with salts; ``files`` (the salt, a packed suite); and the disks
    themselves, where this user could read files off them."""
    return [cache_dir(WITHHELD), run, *files, *_runs_beside(run), *_disks()]


def _runs_beside(run: Path) -> Iterator[Path]:
    run = run.absolute()
    if run.parent.is_dir():
        for path in sorted(run.parent.iterdir()):
            if path != run and ((path / "run.json").exists() or (path / MANIFEST).exists()):
                yield path


def _disks() -> Iterator[Path]:
    """Block devices that can be opened for reading, as root and groups like ``disk`` can."""
    for folder, _, names in os.walk(_DEVICES):
        for name in names:
            path = Path(folder, name)
            if path.is_block_device() and os.access(path, os.R_OK):
                yield path
