"""An in-memory DuckDB database with a memory limit, interruptible queries and a spill folder.

DuckDB writes data that do not fit in memory to the spill folder. A process locks its folder while
it uses the folder. Later scans remove the unlocked folders that killed processes left (except on
Windows).
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from iaa_jax._errors import IaaError, OptionError
from iaa_jax.wording import named
from iaa_jax.wording.formats import counted

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


Progress = Callable[[int, int], None]

MEMORY = "2GB"
"""Default memory limit."""

_AMOUNT = re.compile(r"(\d+(?:\.\d+)?) ?([KMGT])(i?)B", re.IGNORECASE)

_SETTINGS = (
    "enable_progress_bar=false",
    "autoinstall_known_extensions=false",
    "TimeZone='UTC'",
)

_FULL = ("failed to offload", "max_temp_directory_size")
"""Parts of DuckDB's messages when it cannot write to the spill folder any more."""

_LINE = re.compile(r"CSV Error on Line: (\d+)")
_FILE = re.compile(r"^ *file = (.+)$", re.MULTILINE)
_CELLS = re.compile(r"Expected Number of Columns: (\d+) Found: (\d+)")


class Database:
    """A connection to DuckDB that reports the progress of queries.

    Attributes
    ----------
    memory : float
        Memory limit in bytes.
    steps, step : int
        Number of steps of the work, and number of steps done.
    """

    def __init__(
        self, connection: DuckDBPyConnection, memory: float, progress: Progress | None
    ) -> None:
        self.connection, self.memory, self.progress = connection, memory, progress
        self.steps, self.step = 1, 0
        self.file = ""
        """Path of the file to name in an error message; empty to name none."""

    def create(self, name: str, kind: str, codes: dict[Any, int]) -> None:
        """Create a table of keys, which have the type ``kind``, with their codes."""
        self.connection.execute(
            f"CREATE TEMP TABLE {name} AS "
            f"SELECT CAST(unnest($1) AS {kind}) AS key, CAST(unnest($2) AS INTEGER) AS code",
            [list(codes), list(codes.values())],
        )

    def rows(self, query: str, *, in_order: bool = False) -> list[tuple[Any, ...]]:
        """Return the rows of a query.

        With ``in_order``, a text file is read in its order, as ``row_number()`` requires.
        """
        self.connection.execute(f"SET preserve_insertion_order={in_order}")
        return list(self._answer(lambda: self.connection.execute(query).fetchall()))

    def columns(self, query: str) -> dict[str, Any]:
        """Return the columns of a query as arrays, in the order of the rows; NULL is masked."""
        self.connection.execute("SET preserve_insertion_order=true")
        return dict(self._answer(lambda: self.connection.execute(query).fetchnumpy()))

    def _answer(self, ask: Callable[[], Any]) -> Any:
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(ask)
            try:
                while not wait([answer], timeout=0.2).done:
                    self._say(max(self.connection.query_progress(), 0.0) / 100)
            except BaseException:
                self.connection.interrupt()
                raise
            return answer.result()

    def next_step(self) -> None:
        """Count a step as done, and report the progress."""
        self.step += 1
        self._say(0.0)

    def _say(self, done: float) -> None:
        if self.progress is not None:
            # at most 100, because items are counted again if a column describes annotators
            self.progress(min(int(100 * (self.step + done) / self.steps), 100), 100)


@contextmanager
def database(memory: str, progress: Progress | None) -> Iterator[Database]:
    """Open a database with a memory limit and a spill folder, and translate DuckDB's errors."""
    try:
        import duckdb
    except ImportError:
        raise IaaError("scanning needs DuckDB: pip install 'iaa_jax[scan]'") from None
    amount = _AMOUNT.fullmatch(str(memory))
    if amount is None:
        raise OptionError(f"{named('memory')} is an amount such as '2GB', not {memory!r}")
    with spill_folder() as folder:
        connection = duckdb.connect()
        opened = Database(connection, _bytes(*amount.groups()), progress)
        try:
            for setting in _SETTINGS:
                connection.execute(f"SET {setting}")
            connection.execute("SET temp_directory=?", [folder])
            connection.execute("SET memory_limit=?", [memory])
            yield opened
        except duckdb.Error as error:
            advice = ""
            if isinstance(error, duckdb.OutOfMemoryException):
                advice = _too_much(error, memory, Path(folder).parent)
            message = _message(error)
            where = "" if opened.file in message else f" {opened.file}"
            raise IaaError(advice or f"cannot scan{where}: {message}") from None
        finally:
            connection.close()


def _bytes(number: str, prefix: str, binary: str) -> float:
    return float(number) * (1024.0 if binary else 1000.0) ** (1 + "KMGT".index(prefix.upper()))


def _too_much(error: Exception, memory: str, folder: Path) -> str:
    if any(words in str(error) for words in _FULL):
        return (
            f"{memory} of memory does not suffice, and there is no more room for temporary files in"
            f" {folder}: make room, name another folder by the variable TMPDIR, or give more with "
            f"{named('memory')}"
        )
    return (
        f"{memory} of memory does not suffice: give more with {named('memory')}, or if each item "
        f"is in one file only, say so to iaa.scan (items_whole) ({_message(error)})"
    )


def _message(error: Exception) -> str:
    """Return a short form of DuckDB's message."""
    text = str(error)
    if "state machine" in text:
        return (
            f"{_file(text)} has lines that end in different ways, or quotation "
            "marks inside cells: save it again, as Parquet or CSV"
        )
    line, cells = _LINE.search(text), _CELLS.search(text)
    if line is None:
        return text.split("\n")[0]
    problem = text.split("Possible")[0].strip().split("\n")[-1]
    if cells is not None:
        row_cells, columns = counted(int(cells[2]), "cell"), counted(int(cells[1]), "column")
        problem = f"{row_cells} where the header names {columns}"
    return f"{_file(text)} line {line[1]}: {problem}"


def _file(text: str) -> str:
    match = _FILE.search(text)
    return match[1] if match else "a file"


try:
    import fcntl
except ImportError:  # on Windows, the folders of killed processes are not removed
    fcntl = None  # type: ignore[assignment]

PREFIX, LOCK = "iaa_scan_", "lock"

_NEW = 60.0
"""Minimum age in seconds of a folder that is removed because it is not locked."""


@contextmanager
def spill_folder() -> Iterator[str]:
    """Make a folder that is locked while in use, and removed at the end."""
    remove_left()
    with (
        tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as folder,
        open(Path(folder, LOCK), "wb") as lock,
    ):
        _take(lock)
        yield folder


def remove_left() -> None:
    """Remove the spill folders that the user's earlier processes left behind."""
    if fcntl is None:
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            status = folder.lstat()
            is_old = time.time() - status.st_mtime > _NEW
            if status.st_uid != os.getuid() or not is_old or folder.is_symlink():
                continue
            with open(folder / LOCK, "r+b") as lock:
                if _take(lock):
                    shutil.rmtree(folder, ignore_errors=True)


def _take(lock: IO[bytes]) -> bool:
    try:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # another process holds the lock, or the file system has no locks
        return False
    return True
