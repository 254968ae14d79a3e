"""Write files completely or not at all."""

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
"""Name of the file, next to the data, that holds the options of a project."""

_OPEN_FILES = ("/dev/fd", "/proc/self/fd", "/proc/thread-self/fd")
"""Folders that list the open files of this process."""

_MOST_LINKS = 40
"""Maximum number of links that are followed, in case they form a loop."""

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
"""Signals that end a program but allow it to clean up."""


def write_whole(path: Path, content: bytes) -> None:
    """Write a file completely or not at all, as `write_all` does."""
    write_all({path: content})


def write_all(contents: Mapping[Path, bytes]) -> None:
    """Write several files: all of them, or none if a file cannot be replaced.

    Each content is first written to a temporary file in the same folder. The temporary files are
    renamed once all of them exist. Pipes, devices, and descriptors of open files, such as
    ``/dev/fd/3``, cannot be replaced: they are written to directly, after all others.
    """
    ready: list[tuple[str, Path]] = []
    streams: list[Path] = []
    try:
        for path, content in contents.items():
            with naming(str(path)):
                target = Path(os.path.realpath(path))  # replaces the target of a link, not the link
                if target.is_dir():
                    raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(path))
                if _descriptor(path) is not None or (target.exists() and not target.is_file()):
                    streams.append(path)
                elif is_protected(target):
                    raise PermissionError(EACCES, "it is write-protected", str(path))
                else:
                    _prepare(target, content, ready)
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
    """Write a new folder of files, which appears only when all files are complete."""
    with naming(str(path)):
        target = Path(os.path.realpath(path))
        made: list[str] = []
        try:
            with _delay_signals():
                made.append(tempfile.mkdtemp(dir=target.parent, prefix=".iaa-"))
            temporary = Path(made[0])
            for name, content in contents.items():
                (temporary / name).write_bytes(content)
            temporary.chmod(_permissions(0o777))
            os.rename(temporary, target)
        finally:
            with _delay_signals():
                for folder in made:  # after a success the folder has its new name, and stays
                    shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _delay_signals() -> Iterator[None]:
    """Within the context, delay the signals that would end the program."""
    if threading.current_thread() is not threading.main_thread():
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
        for number, handler in reversed(before.items()):  # Ctrl-C last, since it may end this loop
            signal.signal(number, handler)  # type: ignore[arg-type]
        for number in dict.fromkeys(came):
            signal.raise_signal(number)


def _put(ready: Sequence[tuple[str, Path]]) -> None:
    before: list[tuple[Path, Path]] = []
    try:
        for temporary, target in ready:
            with naming(str(target)):
                if len(ready) > 1:
                    before.append((Path(f"{temporary}-old"), target))
                    with suppress(FileNotFoundError):
                        _keep(target, before[-1][0])
                os.replace(temporary, target)
    except BaseException:
        for (temporary, _), (old, target) in zip(ready, before, strict=False):
            if os.path.exists(temporary):  # this target was not replaced
                continue
            if old.exists():
                os.replace(old, target)
            else:
                target.unlink(missing_ok=True)  # there was no file before
        raise
    finally:
        for old, _ in before:
            old.unlink(missing_ok=True)


def _keep(target: Path, old: Path) -> None:
    try:
        os.link(target, old)
    except FileNotFoundError:
        raise
    except OSError:  # a file system without links
        shutil.copy2(target, old)


def _descriptor(path: Path) -> int | None:
    """Return the file descriptor that a path such as /dev/fd/3 names; None for other paths."""
    current = str(path)
    for _ in range(_MOST_LINKS):
        folder, name = os.path.split(current)
        ours = {os.path.realpath(each) for each in _OPEN_FILES}
        if os.path.realpath(folder) in ours and name.isdecimal():
            return int(name)
        if not os.path.islink(current):
            break
        current = os.path.join(folder, os.readlink(current))
    return None


def _write_open(path: Path, content: bytes) -> None:
    """Write to a file that cannot be replaced; in an open file, writing begins at its position."""
    number = _descriptor(path)
    if number is None:
        path.write_bytes(content)
        return
    with os.fdopen(os.dup(number), "wb") as file:
        file.write(content)


def is_protected(path: Path) -> bool:
    """Tell whether a file is write-protected; its folder may still allow it to be replaced."""
    return path.is_file() and not (path.stat().st_mode & 0o222 and os.access(path, os.W_OK))


@contextmanager
def naming(file: str) -> Iterator[None]:
    """Put the name of the file into system errors, since some of them lack it."""
    try:
        yield
    except OSError as error:
        error.filename = file
        raise


def _prepare(path: Path, content: bytes, ready: list[tuple[str, Path]]) -> None:
    # a short name, because one made from the name of the file may be too long
    with _delay_signals():
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".iaa-")
        ready.append((temporary, path))
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    os.chmod(temporary, _mode(path))


def _mode(path: Path) -> int:
    return path.stat().st_mode & 0o777 if path.exists() else _permissions(0o666)


def _permissions(most: int) -> int:
    mask = os.umask(0)
    os.umask(mask)
    return most & ~mask
