"""What holds for any file: it is refused in a sentence, or read as its reading says."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError
from iaa_jax.data.provenance import parts_of
from iaa_jax.io.base import Options as Asked
from iaa_jax.io.questions import options_of_questions
from iaa_jax.io.request import FileRequest
from tests.fuzz.mutants import Mutant
from tests.fuzz.tables import Options

MISSING = {"", "NA", "N/A", "NaN", "nan", "None", "null", ".", "*"}
Rows = list[dict[str, str]]
SETS_OF_ROWS = {"read_by_label", "read_rows_as_sets"}
LONGEST = 8000  # characters of a message


class Broken(AssertionError):
    """A file for which the law does not hold."""


def outcome(mutant: Mutant, folder: Path) -> xr.Dataset | IaaError:
    """Read a mutant by the law; what the file became, or why it was refused.

    Of several questions the first that was refused, or else the first.
    """
    results = [*outcomes(mutant, folder).values()]
    return next((one for one in results if isinstance(one, IaaError)), results[0])


def outcomes(mutant: Mutant, folder: Path) -> dict[str, xr.Dataset | IaaError]:
    """What the file became, or why it was refused, for each question by its name."""
    paths = mutant.write(folder)
    options = mutant.options_in(folder)
    if not mutant.questions:
        return {"": _read(paths, options, mutant)}
    try:
        asked = options_of_questions(_request(paths, options), mutant.questions)
    except IaaError as error:
        return {"": _refused(error)}
    return {name: _read(paths, {**options, **columns}, mutant) for name, columns in asked.items()}


def _request(paths: list[Path], options: Options) -> FileRequest:
    """What a command asks of files before it reads single questions."""
    of_files = {"format", "records", "header_line", "file_pattern", "encoding"}
    of_tables = {
        *("secondary", "annotators", "counts", "one_hot", "multi_hot"),
        *("strength", "anonymous", "separator"),
    }
    told = {name: value for name, value in options.items() if name in of_tables | of_files}
    return FileRequest(paths, Asked(**told))  # type: ignore[arg-type]


def _read(paths: list[Path], options: Options, mutant: Mutant) -> xr.Dataset | IaaError:
    try:
        ratings = iaa.read(paths, **options)  # type: ignore[arg-type]
    except IaaError as error:
        return _refused(error)
    check_whole(mutant)
    iaa.data.validate(ratings)
    check_reading(ratings, mutant)
    return ratings


def _refused(error: IaaError) -> IaaError:
    check_message(str(error))
    if "not enough memory" in str(error):
        raise Broken(error) from None
    return error


def check_whole(mutant: Mutant) -> None:
    """Nothing is read of an archive that was cut."""
    if mutant.cut:
        msg = "a cut archive was read"
        raise Broken(msg)


def check_message(text: str) -> None:
    if not text.strip() or not text.isprintable():
        msg = f"a message that cannot be printed in a line: {text!a}"
        raise Broken(msg)
    if len(text) > LONGEST:
        msg = f"a message of {len(text)} characters"
        raise Broken(msg)


def check_reading(ratings: xr.Dataset, mutant: Mutant) -> None:
    """What was understood is said, and accounts for every cell of the file."""
    if not ratings.attrs["read_as"]:
        msg = "nothing is said of how the file was read"
        raise Broken(msg)
    for text in (ratings.attrs[name] for name in ("read_as", "skipped")):
        if text:
            check_message(text)
    for line in str(ratings.attrs.get("notices", "")).splitlines():
        check_message(line)
    if any(note.code == "skipped_unsound" for note in parts_of(ratings, "skipped")):
        return  # a file as a whole is left out, and why is said
    expected = counted(ratings, mutant)
    found = ratings_in(ratings) + repeated(ratings)
    if expected is not None and expected != found:
        msg = (
            f"{expected} cells hold a rating, and {found} were read or skipped; "
            f"{ratings.attrs['read_as']}; {ratings.attrs['skipped']}"
        )
        raise Broken(msg)


def ratings_in(ratings: xr.Dataset) -> int:
    """How many ratings there are, as their items' weights count them."""
    weight = ratings["item_weight"].values if "item_weight" in ratings else None
    rated = iaa.data.rated(ratings)
    return int(rated[:, 0] @ weight if weight is not None else rated.sum())


def repeated(ratings: xr.Dataset) -> int:
    """How many ratings were left out as repeated; those of wide rows are counted apart."""
    return sum(
        note.values["ratings"]
        for note in parts_of(ratings, "skipped")
        if note.code == "skipped_repeated_ratings"
    )


def counted(ratings: xr.Dataset, mutant: Mutant) -> int | None:
    """The ratings that stand in the files, counted in a simple way; None where that cannot be."""
    said = {note.code: note.values for note in parts_of(ratings, "read_as")}
    left = {note.code for note in parts_of(ratings, "skipped")}
    if left & {"skipped_repeated_rows", "skipped_files"} or said.keys() & SETS_OF_ROWS:
        return None
    wanted = _label_columns(said, ratings, mutant)
    if wanted is None:
        return None
    every: Rows = []
    for name, data in mutant.files.items():
        if mutant.paths and Path(name).parts[0] not in mutant.paths:
            continue  # it is joined
        rows = _rows(name, data, wanted, mutant)
        if rows is None:
            return None
        every += rows
    missing = _missing(mutant)
    if "skipped_rows_of_names" in {note.code for note in parts_of(ratings, "skipped")}:
        every = [row for row in every if any(cell.strip() != key for key, cell in row.items())]
    cells = [[*row.values()] for row in every]
    if "read_counts" in said or "read_contingency" in said:
        return sum(int(float(cell)) for row in cells for cell in row if cell)
    if "read_one_hot" in said or "read_multi_hot" in said:
        return sum(any(cell not in missing for cell in row) for row in cells)
    if "read_list_of_ratings" in said or "read_places_of_lists" in said:
        return None
    filled = said.get("read_blanks", said.get("read_blanks_none", {}))  # these count as labels
    blanks = filled.get("cells", 0)
    return sum(not _is_missing(cell, missing) for row in cells for cell in row) + int(str(blanks))


def _label_columns(
    said: dict[str, dict[str, object]], ratings: xr.Dataset, mutant: Mutant
) -> Sequence[str] | None:
    if "read_labels_from" in said:
        return [str(said["read_labels_from"]["column"])]
    if "read_labels_from_several" in said:
        several = said["read_labels_from_several"]["columns"]
        assert isinstance(several, list)
        return several
    if "read_annotators_in_columns" in said:
        names = said["read_annotators_in_columns"]["names"]
        assert isinstance(names, list)
        return None if said["read_annotators_in_columns"]["annotators"] != len(names) else names
    if "read_transposed" in said:
        return (
            None if mutant.options.get("keep") else [str(item) for item in ratings["item"].values]
        )
    if {"read_counts", "read_one_hot", "read_multi_hot"} & said.keys():
        option = next(o for o in ("counts", "one_hot", "multi_hot") if mutant.options.get(o))
        stem = str(mutant.options[option]).partition("*")[0]
        labels = said["read_labels_in_columns"]["names"]
        assert isinstance(labels, list)
        return [f"{stem}{label}" for label in labels] if stem else None
    return None


def _missing(mutant: Mutant) -> set[str]:
    def listed(option: str) -> set[str]:
        given = mutant.options.get(option)
        parts = given.split(",") if isinstance(given, str) else given or ()
        assert isinstance(parts, Iterable)
        return {str(part).strip() for part in parts}

    return (MISSING - listed("labels")) | listed("missing")


def _is_missing(cell: str, missing: set[str]) -> bool:
    if cell in missing:
        return True
    try:
        number = float(cell)
    except ValueError:
        return False
    return any(_number(code) == number for code in missing - MISSING)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _rows(name: str, data: bytes, wanted: Sequence[str], mutant: Mutant) -> Rows | None:
    """The wanted cells of each row, by the plainest reading; None where it is not plain."""
    if name.endswith((".zip", ".gz", ".bz2", ".xz", ".tar")) or data[:4] in (b"PAR1", b"PK\3\4"):
        return None
    encoding = str(mutant.options.get("encoding", "utf-8-sig"))
    try:
        text = data.decode("utf-8-sig" if encoding == "utf-8" else encoding)
    except (UnicodeError, LookupError):
        return None
    if text.lstrip().startswith(("{", "[")):
        return _records(text, wanted)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    for separator in "\t,;|" if name.endswith((".tsv", ".tab")) else ",;\t|":
        lines = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
        rows = [row for row in lines if len(row) > 1 or (row and row[0].strip(" \t"))]
        header = [cell.strip() for cell in rows[0]] if rows else []
        if mutant.options.get("header_line") == 0:
            header = [str(k + 1) for k in range(len(header))]
            rows.insert(0, header)
        if Counter(header) & Counter(wanted) == Counter(wanted):
            places = {column: header.index(column) for column in wanted}
            return [{c: row[k].strip() for c, k in places.items()} for row in rows[1:]]
    return None


def _records(text: str, wanted: Sequence[str]) -> Rows | None:
    """The fields of flat records."""
    try:
        found = json.loads(text)
    except ValueError:
        try:
            found = [json.loads(line) for line in text.splitlines() if line.strip()]
        except ValueError:
            return None
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        return None
    if any(isinstance(cell, (list, dict)) for row in found for cell in row.values()):
        return None  # what is inside has columns too
    columns = {name.strip() for name in wanted}
    known = {name for row in found for name in row if name.strip() in columns}
    return [{name: _text(row.get(name)) for name in known} for row in found]


def _text(value: object) -> str:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return ""
    return json.dumps(value) if isinstance(value, (list, dict)) else str(value).strip()
