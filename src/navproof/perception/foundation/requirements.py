"""Packages of the extra ``foundation``, and files on this machine: there, or one clear line."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from navproof.core.errors import MissingExtraError, PerceptionError, one_line
from navproof.core.input.reading import parse_json, read_file

__all__ = ["from_files", "need", "read_json", "the_file", "the_folder"]

T = TypeVar("T")
_MOST_BYTES = 16 << 20
"""Of a JSON file beside a model."""


def need(package: str, enables: str) -> Any:
    """The package, imported; ``enables`` says what for ("the CLIP encoder")."""
    try:
        return importlib.import_module(package)
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.split(".")[0] != package.split(".")[0]:
            raise MissingExtraError(f"{package} and {error.name}", "foundation", enables) from None
        raise MissingExtraError(package, "foundation", enables) from None
    except Exception as error:  # torch and torchvision that do not belong together, say
        raise PerceptionError(f"{package} does not import: {one_line(error)}") from error


def the_folder(path: str | Path, what: str, holds: str) -> Path:
    """A folder that has the file ``holds``."""
    if not str(path):
        raise PerceptionError(f"{what}: say its folder after a colon, as in clip:FOLDER")
    folder = Path(path).expanduser()
    if not folder.is_dir():
        raise PerceptionError(f"{what}: there is no folder '{path}' (nothing is downloaded)")
    if not (folder / holds).is_file():
        raise PerceptionError(f"{what}: {folder} has no {holds}")
    return folder


def the_file(path: str | Path, what: str) -> Path:
    if not str(path):
        kind = what.partition(" ")[0]
        raise PerceptionError(f"{what}: say its file after a colon, as in {kind}:FILE")
    file = Path(path).expanduser()
    if not file.is_file():
        raise PerceptionError(f"{what}: there is no file '{path}' (nothing is downloaded)")
    return file


def read_json(file: Path, what: str) -> dict[str, Any]:
    """The object in a JSON file."""
    try:
        found = parse_json(read_file(file, _MOST_BYTES))
    except (OSError, ValueError) as error:
        raise PerceptionError(f"{what}: {file} cannot be read: {one_line(error)}") from None
    if not isinstance(found, dict):
        raise PerceptionError(f"{what}: {file} must hold one JSON object")
    return found


def from_files(make: Callable[[], T], where: Path, what: str) -> T:
    """``make()``, whose errors are about the files at ``where``."""
    try:
        return make()
    except Exception as error:
        raise PerceptionError(f"{what}: {where} cannot be used: {one_line(error)}") from error
