"""Traces on disk: gzipped JSON, one file per trace, readable alone.

The file is ``gzip(json(trace))`` with the format's version in ``"navproof_trace"`` and the fields
of ``Trace`` beside it. ``timing`` comes last; without it the bytes depend on the episode, the
agent and the seed only. Any language can read a trace::

    zcat traces/oracle/tiny-000.json.gz | jq '.actions | length'
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from navproof.core.codec import CodecError, from_plain, to_plain
from navproof.core.errors import RunError
from navproof.core.files import write_atomically
from navproof.core.input.reading import DAMAGED, LimitError, parse_json, read_file, short, unpacked
from navproof.log.check_trace import check_trace
from navproof.log.trace import READABLE_TRACES, Trace

__all__ = ["decode_trace", "encode_trace", "read_bytes", "read_trace", "write_trace"]

_VERSION_FIELD = "navproof_trace"
_MOST_BYTES = 128 << 20
_MOST_VALUES = 12_000_000
"""Of a file in a run, packed or not. The beliefs of 2,000 steps with 500 things remembered in each
are half as much."""
_REPAIR = "delete it and give the same run command again"


def encode_trace(trace: Trace) -> bytes:
    """The bytes of a trace file. The same trace gives the same bytes."""
    fields = to_plain(trace)
    fields.pop("trace_version")
    timing = fields.pop("timing")
    document = {_VERSION_FIELD: trace.trace_version, **fields, "timing": timing}
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return gzip.compress(text.encode(), compresslevel=6, mtime=0)


def decode_trace(data: bytes, where: str) -> Trace:
    """The trace in the bytes; ``where`` names them in the ``RunError`` of a bad one."""
    document = _parse(data, where)
    version = document.pop(_VERSION_FIELD, None)
    if version not in READABLE_TRACES:
        version_text = "no version" if version is None else f"version {short(version)}"
        raise RunError(
            f"{where}: a trace with {version_text}, but this navproof reads versions "
            f"1 to {READABLE_TRACES[-1]}; use the navproof that wrote it, or run again"
        )
    try:
        trace: Trace = from_plain(Trace, {**document, "trace_version": version})
        check_trace(trace)
    except CodecError as error:
        raise RunError(f"{where}: not a valid trace ({error}); {_REPAIR}") from None
    return trace


def write_trace(trace: Trace, path: Path) -> None:
    """Store a trace; a crash leaves either nothing or the whole file."""
    write_atomically(path, encode_trace(trace))


def read_trace(path: Path) -> Trace:
    """Load a trace, or raise a one-line ``RunError`` that names the file."""
    return decode_trace(read_bytes(path), str(path))


def read_bytes(path: Path) -> bytes:
    """What is in a file; a one-line ``RunError`` where it cannot be read."""
    try:
        return read_file(path, _MOST_BYTES)
    except OSError as error:
        raise RunError(f"{path}: cannot be read ({error.strerror or error})") from None
    except LimitError as error:
        raise RunError(f"{path}: {error}, and no file of a run is") from None


def _parse(data: bytes, where: str) -> dict[str, Any]:
    try:
        document = parse_json(unpacked(data, _MOST_BYTES), _MOST_VALUES)
    except DAMAGED:
        raise RunError(f"{where}: the trace is cut short or damaged; {_REPAIR}") from None
    except LimitError as error:
        raise RunError(f"{where}: {error}, and no trace does; {_REPAIR}") from None
    except ValueError:  # not UTF-8, not JSON, or absurd numbers in it
        raise RunError(f"{where}: the trace does not hold JSON; {_REPAIR}") from None
    if not isinstance(document, dict):
        raise RunError(f"{where}: the trace is not a JSON object; {_REPAIR}")
    return document
