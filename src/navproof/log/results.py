"""``results.parquet``: one row per episode × condition × seed × agent.

Columns that identify a row come first, then ``status`` and ``reason``, then one column per metric
(null where the metric is undefined), then the ``time_…`` columns. Only the latter vary between
two runs of the same spec: their field metadata says ``deterministic: no``, every other column is
the same to the bit whatever the number of workers, and so are the bytes of the file without them.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from navproof.core.errors import RunError

__all__ = ["ID_COLUMNS", "TIMING_PREFIX", "encode_results", "read_results", "read_table"]

ID_COLUMNS: Mapping[str, str] = {
    "agent": "string",
    "task": "string",
    "scene": "string",
    "episode_id": "string",
    "problem": "string",
    "condition": "string",
    "seed": "int64",
    "spec_hash": "string",
    "privileged": "string",
    "status": "string",
    "reason": "string",
}
TIMING_PREFIX = "time_"


def encode_results(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """The file for rows: ``ID_COLUMNS`` as they are, any other column as nullable float64."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = list(ID_COLUMNS)
    for row in rows:
        names += [name for name in row if name not in names]
    names.sort(key=lambda name: name.startswith(TIMING_PREFIX))  # stable: timing goes last
    fields = [
        pa.field(
            name,
            ID_COLUMNS.get(name, "float64"),
            metadata={"deterministic": "no"} if name.startswith(TIMING_PREFIX) else None,
        )
        for name in names
    ]
    columns = [pa.array([row.get(field.name) for row in rows], type=field.type) for field in fields]
    table = pa.Table.from_arrays(columns, schema=pa.schema(fields))
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd", write_statistics=False)
    return buffer.getvalue()


def read_results(path: Path) -> list[dict[str, Any]]:
    """The rows; a one-line ``RunError`` where the file is missing or damaged."""
    rows: list[dict[str, Any]] = read_table(path).to_pylist()
    return rows


def read_table(path: Path) -> Any:
    """The same as a ``pyarrow.Table``."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not path.is_file():
        raise RunError(
            f"{path} does not exist; 'navproof score {path.parent}' makes it from the traces"
        )
    try:
        # One thread: a process that ends right after Arrow started its pool is aborted by it.
        file = pq.ParquetFile(io.BytesIO(path.read_bytes()), pre_buffer=False)
        table = file.read(use_threads=False)
        if not ID_COLUMNS.keys() <= set(table.column_names):
            raise ValueError("a table of something else")
    except (pa.ArrowException, OSError, ValueError):
        raise RunError(
            f"{path} is not a readable Parquet file; "
            f"'navproof score {path.parent}' makes it again from the traces"
        ) from None
    return table
