"""What navproof reads, kind by kind: which files, how one of them is damaged, how it is used."""

from __future__ import annotations

import io
import random
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import fuzz_mutators as damage
import fuzz_uses as uses
import numpy as np
from fuzz_seeds import HOME, SCENE

__all__ = ["KINDS", "MESHES", "Kind"]

MESHES = ("stl", "stl-text", "ply", "ply-text", "obj", "off", "glb")


@dataclass(frozen=True)
class Kind:
    """``files`` of the seeds are copied into a folder, one of ``damaged`` (of ``files``, unless
    said) is damaged by ``mutate``, and ``use`` is what is done with the folder. ``weight``: how
    many mutants are of this kind, in parts of all."""

    weight: int
    files: Sequence[str]
    mutate: damage.Damage
    use: uses.Use
    damaged: Sequence[str] = ()

    def is_there(self, seeds: Path) -> bool:
        """Whether its files are among the seeds: meshes and encoders need libraries."""
        return all((seeds / name).exists() for name in self.files)

    def copy(self, seeds: Path, place: Path) -> None:
        """The sound files."""
        for name in self.files:
            source, target = seeds / name, place / name
            if source.is_dir():
                shutil.copytree(source, target)
            elif source.is_file():
                shutil.copyfile(source, target)

    def prepare(self, seeds: Path, place: Path, chance: random.Random) -> str:
        """Copy the files and damage one; its name."""
        self.copy(seeds, place)
        below = [path for name in self.damaged or self.files for path in _below(place / name)]
        chosen = chance.choice(sorted(below))
        chosen.write_bytes(self.mutate(chosen.read_bytes(), chance))
        return chosen.relative_to(place).as_posix()


def _below(path: Path) -> list[Path]:
    return [p for p in path.rglob("*") if p.is_file()] if path.is_dir() else [path]


def _run_file(data: bytes, chance: random.Random) -> bytes:
    """Whatever file of a run or campaign it is: by what it begins with."""
    if data[:2] == b"\x1f\x8b":
        return damage.damage_gzip_lines(data, chance)
    if data[:4] == b"PAR1":
        return _parquet(data, chance)
    if b"\n{" in data and data[:1] == b"{":
        return damage.damage_lines(data, chance)
    return damage.damage_json_bytes(data, chance)


def _parquet(data: bytes, chance: random.Random) -> bytes:
    """Bytes of it, or another table in it: other columns, types, values, or very many rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from navproof.log.results import ID_COLUMNS

    what = chance.random()
    if what < 0.5:
        return damage.damage_bytes(data, chance)
    table = pq.read_table(io.BytesIO(data), use_threads=False)
    names = list(table.column_names)
    at = chance.randrange(len(names))
    if what < 0.6:
        table = table.drop_columns([names[at]])
    elif what < 0.7:
        added = chance.choice((names[at], "odd", "time_x"))
        table = table.append_column(added, table.column(at))
    elif what < 0.9:
        odd = chance.choice(([None], ["x"], [float("nan")], [2**62], [[1]], [{"a": 1}], [b"\xff"]))
        table = table.set_column(at, names[at], pa.array(odd * len(table)))
    elif what < 0.95:
        table = table.slice(0, chance.choice((0, 1)))
    elif what < 0.975:
        table = pa.table(dict.fromkeys(names[:11], pa.nulls(3_000_000, pa.string())))
    else:
        long = pa.DictionaryArray.from_arrays(np.zeros(1_900_000, np.int32), ["x" * 9000])
        empty = pa.nulls(1_900_000, pa.float64())
        table = pa.table({name: long if name in ID_COLUMNS else empty for name in names})
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def _text(data: bytes, chance: random.Random) -> bytes:
    if chance.random() < 0.1:
        return damage.damage_bytes(data, chance)
    return damage.damage_text(data.decode(), chance).encode(errors="replace")


def _json_or_bytes(data: bytes, chance: random.Random) -> bytes:
    mutate = damage.damage_json_bytes if data[:1] == b"{" else damage.damage_bytes
    return mutate(data, chance)


def _scene(name: str, weight: int, mutate: damage.Damage) -> Kind:
    return Kind(weight, (name,), mutate, partial(uses.use_scene, name))


_RUN = ("run", SCENE)
_TABLES = ("run/run.json", "run/results.parquet", "run/manifest.jsonl")
_EPISODES, _DEMONSTRATIONS = "episodes.jsonl.gz", "demonstrations.jsonl.gz"
_lines = damage.damage_gzip_lines

KINDS: Mapping[str, Kind] = {
    "scene": _scene(SCENE, 30, damage.damage_zip),
    "home": _scene(HOME, 10, damage.damage_zip),
    "stl": _scene("mesh.stl", 3, damage.damage_stl),
    "stl-text": _scene("text.stl", 1, _text),
    "ply": _scene("mesh.ply", 3, damage.damage_ply),
    "ply-text": _scene("text.ply", 1, _text),
    "obj": _scene("mesh.obj", 2, _text),
    "off": _scene("mesh.off", 1, _text),
    "glb": _scene("mesh.glb", 4, damage.damage_glb),
    "episodes": Kind(16, (_EPISODES, SCENE), _lines, uses.use_episodes, (_EPISODES,)),
    "demonstrations": Kind(2, (_DEMONSTRATIONS,), _lines, uses.use_demonstrations),
    "robot": Kind(5, ("robot.toml",), damage.damage_toml, uses.use_robot),
    "sensors": Kind(5, ("sensors.toml",), damage.damage_toml, uses.use_sensors),
    "trace": Kind(10, _RUN, _run_file, uses.use_run, ("run/traces",)),
    "run": Kind(6, _RUN, _run_file, uses.use_run, _TABLES),
    "diagnosis": Kind(
        5, _RUN, _run_file, uses.use_diagnosis, ("run/diagnosis", "run/diagnosis.json")
    ),
    "campaign": Kind(5, ("campaign", SCENE), _run_file, uses.use_campaign, ("campaign",)),
    "eyes": Kind(2, ("eyes",), _json_or_bytes, uses.use_eyes),
    "pack": Kind(6, ("packed.suite",), damage.damage_pack, uses.use_pack),
    "policy": Kind(4, ("policy.toml",), damage.damage_toml, uses.use_policy),
    "decision": Kind(6, ("decision.msgpack",), damage.damage_message, uses.use_decision),
    "answer": Kind(2, ("answer.msgpack",), damage.damage_message, uses.use_policy_answer),
    "names": Kind(1, ("names.json",), damage.damage_json_bytes, uses.use_class_names),
    "token": Kind(1, ("token",), damage.damage_bytes, uses.use_token),
    "salt": Kind(1, ("salt",), damage.damage_bytes, uses.use_salt),
    "png": Kind(
        2,
        ("photo.png", "depth.png", SCENE),
        damage.damage_bytes,
        partial(uses.use_picture, "photo.png"),
        ("photo.png", "depth.png"),
    ),
    "jpg": Kind(
        1,
        ("photo.jpg", "depth.png", SCENE),
        damage.damage_bytes,
        partial(uses.use_picture, "photo.jpg"),
        ("photo.jpg",),
    ),
}
"""Weights are for a run of thousands; what takes a process of its own (meshes) has a small one."""
