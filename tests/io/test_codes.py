"""What was understood of files is noted as codes with values; sentences are made of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import read
from iaa_jax.cli.context import as_option, running
from iaa_jax.data.provenance import parts_of
from iaa_jax.io.words import WORDS, in_words
from iaa_jax.measure.words import OF_FIGURES
from iaa_jax.wording import Note, load_notes

Write = Callable[..., Path]

PACKAGE = Path(iaa.__file__).parent
LONG = "item,who,label\n1,a,x\n1,a,x\n1,b,NULL\n2,a,X\n2,b,x\n,c,\n"
OPTIONS = {"annotator": "who", "duplicates": "first"}


def codes_in(folder: str) -> set[str]:
    """All texts in the code of a folder that are a code of `WORDS` or stand in a note."""
    found = set()
    for path in (PACKAGE / folder).rglob("*.py"):
        if path.name == "words.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            name = getattr(getattr(node, "func", None), "id", "")
            if isinstance(node, ast.Call) and name == "Note" and node.args:
                first = node.args[0]
                found |= {first.value} if isinstance(first, ast.Constant) else set()
                if isinstance(first, ast.JoinedStr):
                    parts = [getattr(part, "value", None) for part in first.values]
                    put = "".join(part if isinstance(part, str) else ".+" for part in parts)
                    found |= {code for code in WORDS if re.fullmatch(put, code)}
            if isinstance(node, ast.Constant) and node.value in WORDS:
                found.add(node.value)
    return found


def test_every_code_has_words_and_every_words_a_code() -> None:
    assert (codes_in("io") | codes_in("data") | codes_in("scale")) - set(OF_FIGURES) == set(WORDS)


def test_notes_of_a_table(write: Write) -> None:
    ratings = read(write(LONG), **OPTIONS)
    assert [note.code for note in parts_of(ratings, "read_as")] == [
        "read_long",
        "read_items_from",
        "read_annotators_from",
        "read_labels_from",
    ]
    repeated, nobody = parts_of(ratings, "skipped")
    assert (repeated.code, repeated.values) == (
        "skipped_repeated_ratings",
        {"ratings": 1, "kept": "first", "order": Note("order_of_file")},
    )
    assert (nobody.code, nobody.values) == ("skipped_rows_of_nobody", {"rows": 1})
    _, _, gaps, alike = load_notes(ratings.attrs["reading"])
    assert (gaps.code, gaps.level) == ("gaps_as_labels", "caution")
    assert gaps.values["way"] == Note("missing_given", {"value": "NULL"})
    assert alike.code == "labels_alike"


def test_the_sentences_are_made_of_the_notes(write: Write) -> None:
    ratings = read(write(LONG), **OPTIONS)
    said = in_words(ratings.attrs["reading"])
    assert said["read_as"] == ratings.attrs["read_as"]
    assert said["skipped"] == ratings.attrs["skipped"]
    assert "\n".join(said["notices"]) == ratings.attrs["notices"]
    assert said["read_as"] == (
        "long table, items from 'item', annotators from 'who', labels from 'label'"
    )
    assert said["skipped"] == (
        "1 repeated rating (kept the first in the order of the file); "
        "1 row without label and without item or annotator"
    )
    assert said["notices"][0].endswith("if so, give missing='NULL'")
    with running({"missing": None}):
        assert in_words(ratings.attrs["reading"], as_option)["notices"][0].endswith(
            "if so, give --missing NULL"
        )


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a b", "'a b'"),
        ('say "a"', "'say \"a\"'"),
        ("it's", '"it\'s"'),
        ("tab\there", r"'tab\there'"),
        ("größe", "'größe'"),
    ],
)
def test_names_are_quoted(write: Write, name: str, shown: str) -> None:
    cell = name.replace('"', '""')
    path = write(f'item,who,"{cell}"\n1,a,x\n1,b,x\n'.encode())
    ratings = read(path, annotator="who", label=name)
    assert ratings.attrs["read_as"].endswith(f"labels from {shown}")


def test_what_is_left_out_later_is_noted_too(write: Write) -> None:
    ratings = read(write(LONG), **OPTIONS, labels=["x", "X", "NULL"])
    part = iaa.data.keep_labels(ratings, ["x", "X"])
    assert [note.code for note in parts_of(part, "skipped")][-1] == "skipped_labels"
    assert part.attrs["skipped"] == (f"{ratings.attrs['skipped']}; 1 rating of 1 label")
    assert in_words(part.attrs["reading"])["skipped"] == part.attrs["skipped"]
    made = iaa.data.keep_labels(iaa.from_wide([["a", "b"], ["c", "b"], ["a", "a"]]), ["a", "b"])
    assert in_words(made.attrs["reading"])["skipped"] == made.attrs["skipped"]


def test_a_file_can_hold_the_notes(write: Write, tmp_path: Path) -> None:
    attrs = read(write(LONG), **OPTIONS).attrs
    xr.Dataset(attrs=attrs).to_netcdf(tmp_path / "t.nc", engine="scipy")
    with xr.open_dataset(tmp_path / "t.nc", engine="scipy") as again:
        assert load_notes(again.attrs["reading"]) == load_notes(attrs["reading"])
