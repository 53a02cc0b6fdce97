"""Traces on disk: gzipped JSON, one file per trace, readable alone.

The file is ``gzip(json(trace))`` with the format's version in ``"navproof_trace"`` and the fields
of ``Trace`` beside it. ``timing`` comes last; without it the bytes depend on the episode, the
agent and the seed only. Any language can read a trace::

    zcat traces/oracle/tiny-000.json.gz | jq '.actions | length'
"""

from __future__ import annotations

import gzip
import json
import math
import zlib
from pathlib import Path
from typing import Any

from navproof.core.codec import CodecError, from_plain, to_plain
from navproof.core.errors import RunError
from navproof.core.files import write_atomically
from navproof.log.trace import READABLE_TRACES, Trace

__all__ = ["decode_trace", "encode_trace", "read_bytes", "read_trace", "write_trace"]

_VERSION_FIELD = "navproof_trace"
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
        version_text = "no version" if version is None else f"version {version}"
        raise RunError(
            f"{where}: a trace with {version_text}, but this navproof reads versions "
            f"1 to {READABLE_TRACES[-1]}; use the navproof that wrote it, or run again"
        )
    try:
        trace: Trace = from_plain(Trace, {**document, "trace_version": version})
        _check(trace)
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
        return path.read_bytes()
    except OSError as error:
        raise RunError(f"{path}: cannot be read ({error.strerror or error})") from None


def _parse(data: bytes, where: str) -> dict[str, Any]:
    try:
        if not data:
            raise EOFError
        document = json.loads(gzip.decompress(data))
    except (EOFError, OSError, zlib.error):
        raise RunError(f"{where}: the trace is cut short or damaged; {_REPAIR}") from None
    except (ValueError, RecursionError):  # not UTF-8, not JSON, or absurd numbers or depth in it
        raise RunError(f"{where}: the trace does not hold JSON; {_REPAIR}") from None
    if not isinstance(document, dict):
        raise RunError(f"{where}: the trace is not a JSON object; {_REPAIR}")
    return document


def _check(trace: Trace) -> None:
    """The lengths that metrics rely on."""
    steps = len(trace.actions)
    for name, sequence, expected in (
        ("poses", trace.poses, steps + 1),
        ("distances_m", trace.distances_m, steps + 1),
        ("collisions", trace.collisions, steps),
    ):
        if len(sequence) != expected:
            raise CodecError(f"{name} has {len(sequence)} entries, {steps} actions need {expected}")
    for name, values in trace.channels.items():
        if len(values) != steps + 1:
            raise CodecError(
                f"channels.{name} has {len(values)} entries, {steps} actions need {steps + 1}"
            )
        if any(math.isnan(value) for value in values):
            raise CodecError(f"channels.{name} holds NaN")
    _check_delays(trace)
    if trace.beliefs and len(trace.beliefs) != steps:
        raise CodecError(f"beliefs has {len(trace.beliefs)} entries for {steps} actions")
    if any(math.isnan(d) for d in trace.distances_m):
        raise CodecError("distances_m holds NaN")


def _check_delays(trace: Trace) -> None:
    delays, steps = trace.delays, 0 if trace.spec.clock == "wait" else len(trace.actions)
    if len(delays.took_s) != steps or len(delays.slices) != steps:
        raise CodecError(f"delays are told of {len(delays.took_s)} actions, not of {steps}")
    if not all(0.0 <= seconds < math.inf for seconds in delays.took_s):
        raise CodecError("delays.took_s holds what is no time")
    count = sum(delays.slices)
    counts = {
        "poses": len(delays.poses),
        "collisions": len(delays.collisions),
        "distances_m": len(delays.distances_m),
        **{f"channels.{name}": len(values) for name, values in delays.channels.items()},
    }
    for name, told in counts.items():
        if told != count or min(delays.slices, default=0) < 0:
            raise CodecError(f"delays.{name} has {told} entries for {count} slices")
    if delays.took_s and delays.channels.keys() != trace.channels.keys():
        raise CodecError("delays and actions have other channels")
    if any(math.isnan(v) for row in (delays.distances_m, *delays.channels.values()) for v in row):
        raise CodecError("delays hold NaN")
