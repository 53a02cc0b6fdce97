"""Diagnoses on disk, beside the traces of a run.

::

    RUN/diagnosis.json            what was asked (settings, thresholds per agent), one row per
                                  episode in planned order: verdict, capability, step, type, …
    RUN/diagnosis/<agent>/…json.gz   one ``Diagnosis`` in full per failed episode, named like its
                                  trace

Nothing in them depends on the machine or the clock, except ``Diagnosis.cost``, which is not
written.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter

from navproof.core.errors import RunError
from navproof.core.files import write_atomically
from navproof.core.input.reading import DAMAGED, parse_json, short, unpacked
from navproof.core.plain import as_plain
from navproof.diagnosis.types import Cost, Diagnosis
from navproof.log.folder import RunFolder
from navproof.log.storage import read_bytes
from navproof.log.trace import TraceKey

__all__ = ["DIAGNOSIS_VERSION", "SUMMARY_NAME", "decode_diagnosis", "diagnosis_path",
           "encode_diagnosis", "read_diagnosis", "write_diagnosis"]  # fmt: skip

DIAGNOSIS_VERSION = 1
SUMMARY_NAME = "diagnosis.json"
_MOST_BYTES = 64 << 20
_ADAPTER: TypeAdapter[Diagnosis] = TypeAdapter(Diagnosis)


def diagnosis_path(folder: RunFolder, key: TraceKey) -> Path:
    """Where the diagnosis of an episode is kept."""
    trace = folder.trace_path(key)
    return folder.path / "diagnosis" / trace.parent.name / trace.name


def write_diagnosis(folder: RunFolder, diagnosis: Diagnosis) -> None:
    """Write one; the same diagnosis gives the same bytes."""
    write_atomically(diagnosis_path(folder, diagnosis.key), encode_diagnosis(diagnosis))


def encode_diagnosis(diagnosis: Diagnosis) -> bytes:
    """The bytes of a diagnosis file."""
    plain = as_plain(replace(diagnosis, cost=Cost()))
    document = {"diagnosis_version": DIAGNOSIS_VERSION, "diagnosis": plain}
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return gzip.compress(text.encode(), compresslevel=6, mtime=0)


def read_diagnosis(folder: RunFolder, key: TraceKey) -> Diagnosis:
    """The diagnosis of an episode; a ``RunError`` where there is none or it cannot be read."""
    path = diagnosis_path(folder, key)
    if not path.is_file():
        raise RunError(
            f"{folder.path} has no diagnosis of agent '{key.agent}', episode '{key.episode_id}';"
            " run 'navproof diagnose' on it first"
        )
    return decode_diagnosis(read_bytes(path), str(path))


def decode_diagnosis(data: bytes, where: str) -> Diagnosis:
    """The diagnosis in the bytes; ``where`` names them in the ``RunError`` of a bad one."""
    try:
        document = parse_json(unpacked(data, _MOST_BYTES))
        version = document.get("diagnosis_version")
        if version != DIAGNOSIS_VERSION:
            told = f"diagnosis version {short(version)}, this reads {DIAGNOSIS_VERSION}"
            raise RunError(f"{where}: {told}")
        return _ADAPTER.validate_python(document["diagnosis"])
    except (*DAMAGED, ValueError, KeyError, AttributeError) as error:
        why = " ".join(str(error).split())[:120]
        raise RunError(f"{where}: not a valid diagnosis ({why})") from None
