"""Traces, results and run folders: what a run leaves behind."""

from navproof.log.folder import RunFolder, RunInfo, Skipped
from navproof.log.storage import decode_trace, encode_trace, read_trace, write_trace
from navproof.log.trace import TRACE_VERSION, Status, Trace, TraceKey

__all__ = [
    "TRACE_VERSION",
    "RunFolder",
    "RunInfo",
    "Skipped",
    "Status",
    "Trace",
    "TraceKey",
    "decode_trace",
    "encode_trace",
    "read_trace",
    "write_trace",
]
