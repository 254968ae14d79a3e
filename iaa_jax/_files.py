"""Files that are written completely or not at all."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from errno import EACCES, EISDIR
from pathlib import Path
from types import FrameType

PROJECT = "iaa.toml"
"""The file with the options of a project, next to its data."""

_OPEN_FILES = ("/dev/fd", "/proc/self/fd", "/proc/thread-self/fd")
"""Folders that list the files the process has open."""
_MOST_LINKS = 40
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
"""Signals that end a program but allow it to clean up."""


def write_whole(path: Path, content: bytes) -> None:
    """Write a file through a temporary one beside it, so that it is never incomplete."""
    write_all({path: content})


def write_all(contents: Mapping[Path, bytes]) -> None:
    """Write several files: all of them, or none if one cannot be written.

    Each is written to a temporary file beside it, and these are renamed once all exist. Files that
    a shell or program opened, such as ``/dev/fd/3``, are written to directly, not replaced.
    """
    ready: list[tuple[str, Path]] = []
    streams: list[Path] = []
    try:
        for path, content in contents.items():
            with naming(str(path)):
                place = Path(os.path.realpath(path))  # a link stays a link: its target is replaced
                if place.is_dir():
                    raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
                if _descriptor(path) is not None or (place.exists() and not place.is_file()):
                    streams.append(path)
                elif is_protected(place):
                    raise PermissionError(EACCES, "it is write-protected", str(path))
                else:
                    _prepare(place, content, ready)
        with _delay_signals():
            _put(ready)
        for path in streams:
            with naming(str(path)):
                _write_open(path, contents[path])
    finally:
        with _delay_signals():
            for temporary, _ in ready:
                Path(temporary).unlink(missing_ok=True)


def write_folder(path: Path, contents: Mapping[str, bytes]) -> None:
    """Write a new folder of files, which appears when all of them are complete."""
    with naming(str(path)):
        place = Path(os.path.realpath(path))
        made: list[str] = []
        try:
            with _delay_signals():
                made.append(tempfile.mkdtemp(dir=place.parent, prefix=".iaa-"))
            temporary = Path(made[0])
            for name, content in contents.items():
                (temporary / name).write_bytes(content)
            temporary.chmod(_permissions(0o777))
            os.rename(temporary, place)
        finally:
            with _delay_signals():
                for each in made:  # already renamed if it succeeded
                    shutil.rmtree(each, ignore_errors=True)


@contextmanager
def _delay_signals() -> Iterator[None]:
    """Delay signals that would end the program while files are made, moved or removed."""
    if (
        threading.current_thread() is not threading.main_thread()
    ):  # only the main thread receives signals
        yield
        return
    came: list[int] = []
    before: dict[int, object] = {}

    def wait(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        came.append(number)

    try:
        for number in (getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)):
            if signal.getsignal(number) not in (None, signal.SIG_IGN):
                before[number] = signal.signal(number, wait)
        yield
    finally:
        for number, handler in reversed(before.items()):  # Ctrl-C last, as it may end this
            signal.signal(number, handler)  # type: ignore[arg-type]
        for number in dict.fromkeys(came):
            signal.raise_signal(number)


def _put(ready: Sequence[tuple[str, Path]]) -> None:
    """Rename temporary files to their targets; if one fails, restore the earlier state."""
    before: list[tuple[Path, Path]] = []
    try:
        for temporary, place in ready:
            with naming(str(place)):
                if len(ready) > 1:
                    before.append((Path(f"{temporary}-old"), place))
                    with suppress(FileNotFoundError):
                        _keep(place, before[-1][0])
                os.replace(temporary, place)
    except BaseException:
        for (temporary, _), (old, place) in zip(ready, before, strict=False):
            if os.path.exists(temporary):  # the old file is back
                continue
            if old.exists():
                os.replace(old, place)
            else:
                place.unlink(missing_ok=True)  # it is new
        raise
    finally:
        for old, _ in before:
            old.unlink(missing_ok=True)


def _keep(place: Path, old: Path) -> None:
    """Give a file a second name until another one has replaced it."""
    try:
        os.link(place, old)
    except FileNotFoundError:
        raise
    except OSError:  # a file system without links
        shutil.copy2(place, old)


def _descriptor(path: Path) -> int | None:
    """Return the number of the open file behind a name such as /dev/fd/3 or /dev/stderr."""
    place = str(path)
    for _ in range(_MOST_LINKS):
        folder, name = os.path.split(place)
        ours = {os.path.realpath(each) for each in _OPEN_FILES}
        if os.path.realpath(folder) in ours and name.isdecimal():
            return int(name)
        if not os.path.islink(place):
            break
        place = os.path.join(folder, os.readlink(place))
    return None


def _write_open(path: Path, content: bytes) -> None:
    """Write to a file that cannot be replaced; an open file continues at its position."""
    number = _descriptor(path)
    if number is None:
        path.write_bytes(content)
        return
    with os.fdopen(os.dup(number), "wb") as file:
        file.write(content)


def is_protected(path: Path) -> bool:
    """Tell whether a file is write-protected, although it could be replaced."""
    return path.is_file() and not (path.stat().st_mode & 0o222 and os.access(path, os.W_OK))


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Name the file in system errors that do not, such as a full disk."""
    try:
        yield
    except OSError as error:
        error.filename = file
        raise


def _prepare(path: Path, content: bytes, ready: list[tuple[str, Path]]) -> None:
    """Write a temporary file next to a path, ready to replace it."""
    # a name of our own: one derived from the file's may be too long
    with _delay_signals():
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".iaa-")
        ready.append((temporary, path))
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    os.chmod(temporary, _mode(path))


def _mode(path: Path) -> int:
    """Return the file's permissions, or the default for a new file."""
    return path.stat().st_mode & 0o777 if path.exists() else _permissions(0o666)


def _permissions(most: int) -> int:
    """Return these permissions without those that the umask removes."""
    mask = os.umask(0)
    os.umask(mask)
    return most & ~mask
