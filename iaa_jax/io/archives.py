"""Opens zip and tar archives, and lists their files and the members that are skipped."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, cast

from iaa_jax._errors import IaaError
from iaa_jax.io.table.content import DAMAGE, Allowance, Limited, Member, Piped, raw
from iaa_jax.io.table.opening import SHEETS
from iaa_jax.io.table.unpacking import MOST, check_whole, unpacked_by, unpacked_name
from iaa_jax.wording.formats import name as printable

ENDINGS = (".tar", ".tgz", ".tbz2", ".txz", ".tar.gz", ".tar.bz2", ".tar.xz")

_BLOCK = 1 << 20
_ZIP = b"PK\x03\x04"
_DAMAGE = (*DAMAGE, OSError, ValueError, OverflowError, RecursionError)


@dataclass(frozen=True)
class Archive:
    """An archive: its name without the ending, its files, and its skipped members."""

    stem: str
    members: list[Member]
    aside: list[str]


def open_archive(path: Path | Piped, stack: ExitStack, allowed: Allowance) -> Archive | None:
    """Open an archive; return None for any other file.

    A file that cannot be opened also gives None, and the error is reported when the file is read.
    If its name ends like a tar archive's, the error is raised here.
    """
    name = unpacked_name(path.name)
    if Path(name).suffix.lower() in {*SHEETS, ".omv"}:
        return None  # technically a zip file, but its content is a table
    try:
        with path.open("rb") as file:
            start = file.read(4)
        begins = start if start.startswith(_ZIP) or path.name == name else raw(path, 4)
    except (OSError, IaaError):
        begins = b""
    if begins.startswith(_ZIP):
        whole = path if start == begins else Piped(str(path), raw(path, -1, allowed))
        return Archive(Path(name).stem, list(_zipped(whole, stack)), [])
    if not (path.name.lower().endswith(ENDINGS) or _begins_as_tar(path)):
        return None
    endings = [ending for ending in ENDINGS if path.name.lower().endswith(ending)]
    stem = path.name[: len(path.name) - max(map(len, endings))] if endings else name
    return Archive(stem, *_tarred(path, stack, allowed))


def _zipped(path: Path | Piped, stack: ExitStack) -> Iterator[Member]:
    try:
        file = stack.enter_context(path.open("rb"))
        archive = stack.enter_context(zipfile.ZipFile(file))
        check_whole(archive, file)
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError) as error:
        raise IaaError(f"{printable(path)} is not a readable zip archive: {error}") from None
    names = [name for name in archive.namelist() if not name.endswith(("/", "\\"))]
    if "[Content_Types].xml" in names or {"mimetype", "content.xml"} <= {*names}:
        raise IaaError(f"{printable(path)} is a spreadsheet or another office file; save it as CSV")
    return (  # some Windows programs separate folders by backslashes
        Member(str(path), name.replace("\\", "/"), partial(archive.open, name)) for name in names
    )


def _begins_as_tar(path: Path | Piped) -> bool:
    try:
        tarfile.TarInfo.frombuf(raw(path, tarfile.BLOCKSIZE), "utf-8", "surrogateescape")
    except (IaaError, tarfile.TarError, ValueError):
        return False
    return True


def _tarred(
    path: Path | Piped, stack: ExitStack, allowed: Allowance
) -> tuple[list[Member], list[str]]:
    files: list[Member] = []
    aside: list[str] = []
    try:
        # closed with the stack, because members are read later
        archive = tarfile.open(fileobj=_unpacked(path, stack, allowed), mode="r:")  # noqa: SIM115
        stack.callback(archive.close)
        before = -1
        while (member := archive.next()) is not None:
            if archive.offset <= before:  # a negative size would loop for ever
                raise tarfile.ReadError(f"the size of {member.name!r} is wrong")
            before = archive.offset
            parts = [part for part in member.name.split("/") if part not in ("", ".")]
            if member.isdir():
                continue
            if not member.isreg():
                kind = "link" if member.islnk() or member.issym() else "device"
                aside.append(f"{member.name} ({kind})")
            elif member.name.startswith("/") or ".." in parts or not parts:
                aside.append(f"{member.name} (outside)")
            else:
                opened = partial(archive.extractfile, member)
                files.append(Member(str(path), "/".join(parts), opened))
        _check_end(path, archive, allowed)
    except IaaError:
        raise
    except _DAMAGE as error:
        raise IaaError(
            f"{printable(path)} is not a readable tar archive: {str(error) or 'it is damaged'}; "
            "pack it again"
        ) from None
    return files, aside


def _check_end(path: Path | Piped, archive: tarfile.TarFile, allowed: Allowance) -> None:
    """Refuse an archive without the final block of zeros, or with data after it.

    `tarfile` would take a truncated or damaged header as the end of the archive.
    """
    file = cast("IO[bytes]", archive.fileobj)
    file.seek(archive.offset)
    if file.read(tarfile.BLOCKSIZE) != bytes(tarfile.BLOCKSIZE):
        raise tarfile.ReadError(f"it was truncated, or is damaged, after {archive.offset:,} bytes")
    while block := file.read(_BLOCK):
        allowed.take(str(path), file.tell())
        if block.strip(b"\0"):
            raise tarfile.ReadError(
                "further data follow its end, as if archives were joined by cat"
            )


def _unpacked(path: Path | Piped, stack: ExitStack, allowed: Allowance) -> IO[bytes]:
    """Return a seekable archive: the file itself, or its unpacked content if it is compressed.

    A compressed archive is unpacked as a whole, because each seek backwards would otherwise unpack
    it again.
    """
    file = stack.enter_context(path.open("rb"))
    start = file.read(MOST)
    file.seek(0)
    unpacking = unpacked_by(file, start, path.name)
    return file if unpacking is file else io.BytesIO(Limited(unpacking, path, allowed).read())
