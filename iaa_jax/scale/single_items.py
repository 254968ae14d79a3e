"""How to have single items of files that are scanned: a command that takes some out of them."""

from __future__ import annotations

import json
import os
import shlex

from iaa_jax.scale.scanning import ScanRequest

SOME = "some_items.parquet"
"""The file that the command writes."""

MOST = 1000
"""Items that it takes."""


def command_for_some(asked: ScanRequest) -> str:
    r"""A command for a shell: all ratings of some items on which annotators differ, into a file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "ratings.csv")
    ...     _ = file.write_text("id,who,label")
    ...     command = command_for_some(ScanRequest([file], "id", "who", "label"))
    >>> print(command.partition("; d.")[2].partition(" GROUP")[0])
    sql("FROM t WHERE (\"id\") IN (SELECT (\"id\") FROM t
    """
    table, _ = asked.table()
    given = [asked.paths] if isinstance(asked.paths, (str, os.PathLike)) else asked.paths
    paths = [str(path) for path in given]
    layout = table.files[0].layout
    of_text = ""
    if layout.reader == "read_csv":
        of_text = f", all_varchar=True, delimiter={json.dumps(table.files[0].delimiter)}"
    items = ", ".join(map(_quoted, table.items))
    several = f"HAVING count(DISTINCT {_quoted(table.label)}) > 1 LIMIT {MOST}"
    reader = f"d.{layout.reader}({json.dumps(paths, ensure_ascii=False)}{of_text})"
    query = f"FROM t WHERE ({items}) IN (SELECT ({items}) FROM t GROUP BY {items} {several})"
    code = (
        f"import duckdb as d; t = {reader}; d.sql({json.dumps(query, ensure_ascii=False)})"
        f".write_parquet({json.dumps(SOME)})"
    )
    return f"python -c {shlex.quote(code)}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
