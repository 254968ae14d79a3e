"""Pages written to files, in the format of the file's ending."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from iaa_jax._errors import IaaError, OptionError, brief, shown
from iaa_jax._files import write_all, write_folder
from iaa_jax.pages.content import PageContent, render
from iaa_jax.wording import Spelling
from iaa_jax.wording.formats import name as printable
from iaa_jax.wording.spelling import in_python

if TYPE_CHECKING:
    from iaa_jax.pages.overwriting import FilesRead

FORMS = {".md": "markdown", ".tex": "latex", ".html": "html"}
PICTURES = (".png", ".svg", ".pdf")
XLSX = ".xlsx"
_CONTROLS = {code: f"\\u{code:04x}" for code in range(0x7F, 0xA0)}
"""Control characters that JSON may hold but a terminal would obey."""
_LINE = 1 << 16
"""Maximum number of bytes that are read of a header line."""
ENDINGS = (*FORMS, ".csv", XLSX, ".json", *PICTURES)


def check_ending(path: str) -> None:
    """Refuse a path whose ending is unknown or whose folder is missing, before any work is done."""
    if not is_folder(path) and Path(path).suffix.lower() not in ENDINGS:
        raise OptionError(
            f"cannot write {path}: the name must end in {', '.join(ENDINGS)}, or in / for a folder "
            "with all tables"
        )
    try:
        os.lstat(path)
    except FileNotFoundError:
        pass
    except (OSError, ValueError) as error:  # too long, or with a null character
        what = error.strerror if isinstance(error, OSError) else error
        raise IaaError(f"cannot write {brief(path)}: {what}") from None
    folder = Path(path).parent
    if not os.path.isdir(folder):
        raise IaaError(f"cannot write {path}: there is no folder {folder}")


def is_folder(path: str) -> bool:
    """Tell whether a path names a folder, for all tables of a page."""
    return path.endswith("/") or os.path.isdir(path)


def save(
    page: PageContent, path: str, table: str | None = None, spelling: Spelling = in_python
) -> None:
    """Write a page to a file, or its tables to a folder, completely or not at all.

    Files from which the ratings were read, and people's decisions, are never overwritten.
    """
    from iaa_jax.pages.decisions import check_decisions

    check_ending(path)
    read, to_folder = _files_read(page), is_folder(path)
    read.check(path, is_folder=to_folder)
    if not to_folder:
        contents = {Path(path): content_of(page, Path(path).suffix.lower(), table, spelling)}
    else:
        from iaa_jax.pages.csv import as_csv

        contents = {Path(path) / f"{part.id}.csv": _bytes(as_csv(part)) for part in page.tables}
    for file, content in contents.items():
        read.check(str(file), is_named=not to_folder)
        check_decisions(str(file), content=content)
        if to_folder:
            _check_kind(file, content)
    if to_folder and not Path(path).exists():
        write_folder(Path(path), {file.name: content for file, content in contents.items()})
    else:
        write_all(contents)


def _check_kind(file: Path, content: bytes) -> None:
    """Refuse to replace a file in a folder, unless it is an earlier version of the same table.

    Columns named after annotators and labels, and optional columns, may change between runs, but at
    least half stay the same. A table that the user or another command made shares fewer columns.
    """
    if file.exists() and not file.is_file():  # a pipe or a folder
        raise OptionError(
            f"{printable(file)} is not a file, so no table can be written: name another folder"
        )
    if not file.is_file() or not file.stat().st_size:
        return
    with file.open("rb") as stream:
        before = _names(stream.read(_LINE))
    names = _names(content[:_LINE])
    common, longer = len({*before} & {*names}), max(len({*before}), len({*names}))
    if before[:1] != names[:1] or 2 * common < longer:
        raise OptionError(
            f"{printable(file)} is another table, with the columns {shown(before, 3)}, and would "
            "be replaced: name another folder"
        )


def _names(start: bytes) -> list[str]:
    encoding = "utf-16" if start.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    text = start.decode(encoding, errors="replace").split("\n", 1)[0]
    return next(csv.reader([text.rstrip("\r").replace("\r", " ")]), [])


def _files_read(page: PageContent) -> FilesRead:
    from iaa_jax.data.provenance import joined_files
    from iaa_jax.io.files import origins_of
    from iaa_jax.pages.overwriting import FilesRead

    files: list[str] = []
    joined: list[str] = []
    for result in page.results.values():
        for which in ("", "_a", "_b"):
            for name in ("files", "table_of"):
                files += json.loads(result.attrs.get(f"{name}{which}", "[]"))
            of_set = result.assign_attrs(reading=result.attrs.get(f"reading{which}", ""))
            joined += joined_files(of_set)
    named = [path for file in files for path in origins_of(file)]
    return FilesRead(named, [path for file in joined for path in origins_of(file)])


def content_of(
    page: PageContent, ending: str, table: str | None = None, spelling: Spelling = in_python
) -> bytes:
    """Return the content of a file with this ending."""
    if ending in PICTURES:
        if not page.pictures:
            others = ", ".join((*FORMS, ".csv", ".json"))
            raise IaaError(f"there is no picture to write as {ending}: end the name in {others}")
        from iaa_jax.pages.drawing import picture_file

        return picture_file(page, ending, spelling)
    if ending == ".csv":
        from iaa_jax.pages.csv import as_csv, table_of

        which = table_of(page, table)
        # the mark tells a spreadsheet program the encoding
        mark = "\ufeff" if which.to_fill_in is not None else ""
        return _bytes(mark + as_csv(which))
    if ending == XLSX:
        from iaa_jax.pages.xlsx import workbook_of

        return workbook_of(page, table)
    if ending == ".json":
        from iaa_jax.pages.records import record_of

        return _bytes(as_json(record_of(page, spelling)))
    return _bytes(render(page, FORMS[ending], spelling))


def as_json(record: Mapping[str, object], *, ascii_only: bool = False) -> str:
    """Return a record as JSON text."""
    text = json.dumps(record, indent=2, ensure_ascii=ascii_only, allow_nan=False)
    return text.translate(_CONTROLS) + "\n"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", errors="backslashreplace")
