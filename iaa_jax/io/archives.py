"""Zip and tar archives: their members that are files, and what of them is left aside."""

from __future__ import annotations

import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from lzma import LZMAError
from pathlib import Path
from typing import IO, TypeAlias, cast

from iaa_jax._errors import IaaError
from iaa_jax.io.table.content import Allowance, Member, Piped, TarMember, raw, unpacked_by
from iaa_jax.io.table.opening import SHEETS
from iaa_jax.wording.formats import name as printable

ENDINGS = (".tar", ".tgz", ".tbz2", ".txz", ".tar.gz", ".tar.bz2", ".tar.xz")
"""How tar archives are named."""

_IN_MEMORY = 1 << 24  # bytes of an unpacked archive beyond which it goes to disk
_BLOCK = 1 << 20
_DAMAGE = (
    tarfile.TarError,
    zlib.error,
    LZMAError,
    EOFError,
    OSError,
    ValueError,
    OverflowError,
    RecursionError,
)

Inner: TypeAlias = Member | TarMember


@dataclass(frozen=True)
class Archive:
    """An archive that was named: its name without ending, its files, and what is no file."""

    stem: str
    members: list[Inner]
    aside: list[str]


def open_archive(path: Path | Piped, stack: ExitStack, allowed: Allowance) -> Archive | None:
    """Open an archive; None if it is none, or cannot be read, as its reader then says."""
    if Path(path.name).suffix.lower() in SHEETS:
        return None  # one inside, but a table to whoever made it
    try:
        with path.open("rb") as file:
            is_zip = file.read(4) == b"PK\x03\x04"
    except OSError:
        return None
    if is_zip:
        return Archive(Path(path.name).stem, list(_zipped(path, stack)), [])
    if not (path.name.lower().endswith(ENDINGS) or _begins_as_tar(path)):
        return None
    endings = [ending for ending in ENDINGS if path.name.lower().endswith(ending)]
    stem = path.name[: len(path.name) - max(map(len, endings), default=0)]
    return Archive(stem, *_tarred(path, stack, allowed))


def _zipped(path: Path | Piped, stack: ExitStack) -> Iterator[Inner]:
    """The files of a zip archive."""
    try:
        archive = stack.enter_context(zipfile.ZipFile(stack.enter_context(path.open("rb"))))
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError) as error:
        msg = f"{printable(path)} is not a readable zip archive: {error}"
        raise IaaError(msg) from None
    archive.filename = archive.filename or str(path)
    names = [name for name in archive.namelist() if not name.endswith(("/", "\\"))]
    if "[Content_Types].xml" in names or {"mimetype", "content.xml"} <= {*names}:
        msg = f"{printable(path)} is a spreadsheet or another office file; save it as CSV"
        raise IaaError(msg)
    return (Member(archive, name) for name in names)


def _begins_as_tar(path: Path | Piped) -> bool:
    """Whether a file, unpacked, begins with the header of a member, whose checksum is right."""
    try:
        tarfile.TarInfo.frombuf(raw(path, tarfile.BLOCKSIZE), "utf-8", "surrogateescape")
    except (IaaError, tarfile.TarError, ValueError):
        return False
    return True


def _tarred(
    path: Path | Piped, stack: ExitStack, allowed: Allowance
) -> tuple[list[Inner], list[str]]:
    """The files of a tar archive, and its links, devices and members of places outside."""
    files: list[Inner] = []
    aside: list[str] = []
    try:
        # closed with the stack, as members are read later
        archive = tarfile.open(fileobj=_unpacked(path, stack, allowed), mode="r:")  # noqa: SIM115
        stack.callback(archive.close)
        before = -1
        while (member := archive.next()) is not None:
            if archive.offset <= before:  # a size below 0 would go round for ever
                msg = f"the size of {member.name!r} is wrong"
                raise tarfile.ReadError(msg)
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
                files.append(TarMember(str(path), "/".join(parts), archive, member))
    except IaaError:
        raise
    except _DAMAGE as error:
        msg = (
            f"{printable(path)} is not a readable tar archive: {str(error) or 'it is damaged'}; "
            "pack it again"
        )
        raise IaaError(msg) from None
    return files, aside


def _unpacked(path: Path | Piped, stack: ExitStack, allowed: Allowance) -> IO[bytes]:
    """An archive that one may go back in: as it stands, or unpacked up to what is allowed.

    What is read back and forth while packed is unpacked again each time.
    """
    file = stack.enter_context(path.open("rb"))
    start = file.read(6)
    file.seek(0)
    unpacking = unpacked_by(file, start)
    if unpacking is file:
        return file
    whole = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
    stack.callback(whole.close)
    size = 0
    while block := unpacking.read(_BLOCK):
        size += len(block)
        allowed.take(str(path), size)
        whole.write(block)
    whole.seek(0)
    return cast("IO[bytes]", whole)
