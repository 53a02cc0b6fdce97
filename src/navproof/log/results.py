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
from navproof.core.input.reading import LimitError, read_file

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
_TEXTS = [name for name, kind in ID_COLUMNS.items() if kind == "string"]
_MOST_BYTES = 1 << 29
_MOST_ROWS = 2_000_000
_MOST_CELLS = 50_000_000


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
        data = io.BytesIO(read_file(path, _MOST_BYTES))
        about = pq.read_metadata(data)
        _check_columns(about.schema.to_arrow_schema())
        if about.num_rows > _MOST_ROWS or about.num_rows * about.num_columns > _MOST_CELLS:
            raise LimitError(f"it says that it has {about.num_rows:,} rows")
        file = pq.ParquetFile(data, metadata=about, pre_buffer=False, read_dictionary=_TEXTS)
        table = _written_out(file.read(use_threads=False))
    except LimitError as error:
        raise RunError(
            f"{path}: {error}, and no run does; 'navproof score {path.parent}' makes it again from "
            "the traces"
        ) from None
    except (pa.ArrowException, OSError, ValueError, MemoryError):
        raise RunError(
            f"{path} is not a readable Parquet file; "
            f"'navproof score {path.parent}' makes it again from the traces"
        ) from None
    return table


def _check_columns(schema: Any) -> None:
    """``ValueError`` where the columns are not those of results: each once, of their types."""
    import pyarrow as pa

    if len(set(schema.names)) != len(schema.names):
        raise ValueError("columns of the same name")
    for field in schema:
        told = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        if str(told) != ID_COLUMNS.get(field.name, "double"):
            raise ValueError(f"a column '{field.name}' of another type")
    if not ID_COLUMNS.keys() <= set(schema.names):
        raise ValueError("a table of something else")


def _written_out(table: Any) -> Any:
    """The table with its texts as such: a few bytes in a file can stand for the same long text in
    millions of rows, so that how long they are together is found before."""
    import pyarrow as pa
    import pyarrow.compute as pc

    for at, name in enumerate(table.column_names):
        column = table.column(at)
        if name in ID_COLUMNS and column.null_count:
            raise ValueError(f"a column '{name}' with nothing in some rows")
        if name not in ID_COLUMNS and pc.any(pc.is_nan(column)).as_py():
            raise ValueError(f"a column '{name}' that holds NaN")
        if not pa.types.is_dictionary(column.type):
            continue
        long = 0
        for chunk in column.chunks:
            lengths = pc.binary_length(chunk.dictionary).cast("int64")
            long += pc.sum(pc.take(lengths, chunk.indices)).as_py() or 0
        if long > _MOST_BYTES:
            raise LimitError(f"its column '{name}' unpacks to more than {_MOST_BYTES >> 20} MB")
        table = table.set_column(
            at, table.schema.field(at).with_type(pa.string()), column.cast(pa.string())
        )
    return table
