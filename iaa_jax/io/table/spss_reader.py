"""A process that reads a file of SPSS from standard input and writes it as Arrow: see `spss`."""

from __future__ import annotations

import io
import sys

_MEMORY = 4 << 30


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # not on Windows
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = _MEMORY if hard == resource.RLIM_INFINITY else min(_MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def main() -> int:
    """The columns, and in their metadata the names of those with labels of their values."""
    import pyarrow as pa
    import pyreadstat

    _limit_memory()
    data = sys.stdin.buffer.read()
    try:
        frame, told = pyreadstat.read_sav(io.BytesIO(data), dates_as_pandas_datetime=True)
        labelled = [str(name) for name in frame if name in told.variable_value_labels]
        columns = pa.Table.from_pandas(frame, preserve_index=False)
    except Exception as error:  # whatever a damaged file makes of it
        sys.stderr.write(str(error) or type(error).__name__)
        return 1
    columns = columns.replace_schema_metadata({"labelled": "\0".join(labelled)})
    with pa.ipc.new_stream(sys.stdout.buffer, columns.schema) as stream:
        stream.write_table(columns)
    return 0


if __name__ == "__main__":
    sys.exit(main())
