"""Files that are written whole or not at all."""

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
"""The options of a project, beside its data."""

_OPEN_FILES = ("/dev/fd", "/proc/self/fd", "/proc/thread-self/fd")
"""Folders of what the process has open."""
_MOST_LINKS = 40
_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
"""What ends a program that may clean up first."""


def write_whole(path: Path, content: bytes) -> None:
    """Write a file through a temporary one beside it, so that it is never there in part."""
    write_all({path: content})


def write_all(contents: Mapping[Path, bytes]) -> None:
    """Write several files: all of them, or none where one cannot be written.

    Each goes through a temporary one beside it; these take their places when all are there. What a
    shell or a program opened, as ``/dev/fd/3``, is written to where it stands, and not replaced.
    """
    ready: list[tuple[str, Path]] = []
    streams: list[Path] = []
    try:
        for path, content in contents.items():
            with naming(str(path)):
                place = Path(os.path.realpath(path))  # a link stays one: its target is replaced
                if place.is_dir():
                    raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
                if _descriptor(path) is not None or (place.exists() and not place.is_file()):
                    streams.append(path)
                elif is_protected(place):
                    raise PermissionError(EACCES, "it is write-protected", str(path))
                else:
                    _prepare(place, content, ready)
        with _undisturbed():
            _put(ready)
        for path in streams:
            with naming(str(path)):
                _write_open(path, contents[path])
    finally:
        with _undisturbed():
            for temporary, _ in ready:
                Path(temporary).unlink(missing_ok=True)


def write_folder(path: Path, contents: Mapping[str, bytes]) -> None:
    """Write a new folder of files, which is there when all of them are."""
    with naming(str(path)):
        place = Path(os.path.realpath(path))
        made: list[str] = []
        try:
            with _undisturbed():
                made.append(tempfile.mkdtemp(dir=place.parent, prefix=".iaa-"))
            temporary = Path(made[0])
            for name, content in contents.items():
                (temporary / name).write_bytes(content)
            temporary.chmod(_permissions(0o777))
            os.rename(temporary, place)
        finally:
            with _undisturbed():
                for each in made:  # gone, if it took its place
                    shutil.rmtree(each, ignore_errors=True)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let what would end the program wait until some files have been made, moved or removed."""
    if threading.current_thread() is not threading.main_thread():  # which alone hears it
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
        for number, handler in reversed(before.items()):  # Ctrl-C last, which may end this
            signal.signal(number, handler)  # type: ignore[arg-type]
        for number in dict.fromkeys(came):
            signal.raise_signal(number)


def _put(ready: Sequence[tuple[str, Path]]) -> None:
    """Bring temporary files to their places; where one fails, or at the end, all is as before."""
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
            if os.path.exists(temporary):  # its place is as before
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
    """Give a file a second name until another one has taken its place."""
    try:
        os.link(place, old)
    except FileNotFoundError:
        raise
    except OSError:  # a file system without links
        shutil.copy2(place, old)


def _descriptor(path: Path) -> int | None:
    """The number of the open file that a name stands for, such as /dev/fd/3 or /dev/stderr."""
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
    """Write to what cannot be replaced: an open file goes on where it stands."""
    number = _descriptor(path)
    if number is None:
        path.write_bytes(content)
        return
    with os.fdopen(os.dup(number), "wb") as file:
        file.write(content)


def is_protected(path: Path) -> bool:
    """Whether one may not write to a file, which could be replaced nonetheless."""
    return path.is_file() and not (path.stat().st_mode & 0o222 and os.access(path, os.W_OK))


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Let errors of the system say which file they are about: a full disk names none."""
    try:
        yield
    except OSError as error:
        error.filename = file
        raise


def _prepare(path: Path, content: bytes, ready: list[tuple[str, Path]]) -> None:
    """Write a temporary file beside a place, which it is ready to take."""
    # the name is our own: one made of the file's may be longer than the system takes
    with _undisturbed():
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".iaa-")
        ready.append((temporary, path))
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    os.chmod(temporary, _mode(path))


def _mode(path: Path) -> int:
    """The file's own permissions, or those that a new file gets."""
    return path.stat().st_mode & 0o777 if path.exists() else _permissions(0o666)


def _permissions(most: int) -> int:
    """What of these permissions the user gives to what is new."""
    mask = os.umask(0)
    os.umask(mask)
    return most & ~mask
