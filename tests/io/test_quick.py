"""The quick way through regular text gives what the slower ways give."""

from __future__ import annotations

import csv
import gzip
import io
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

from iaa_jax import IaaError, read
from iaa_jax.data.labels import Column
from iaa_jax.io.table import delimited, quick, words
from iaa_jax.io.table.quick import Quick, Shape, quick_columns
from iaa_jax.io.table.source import Source
from tests.io.alike import alike

Write = Callable[..., Path]

SPLIT = quick_columns
LONG = "item,annotator,label\n"


def split(path: Path, width: int, block: int, delimiter: str = ",") -> Quick | None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quick, "BLOCK", block)
        return SPLIT(Source(path), Shape(delimiter, width, range(width)), None)


def told(found: Quick, place: int) -> Column:
    if place not in found.numbers:
        return found.columns[place]
    codes, numbers = found.numbers[place]
    return codes, [str(number) for number in numbers.tolist()]


def cells_of(known: words.Known) -> list[str]:
    if known.numbers is not None:
        return [str(number) for number in known.numbers.tolist()]
    assert known.words is not None
    return words.texts(known.words)


def outcome(path: Path, **options: object) -> object:
    try:
        return read(path, **options)  # type: ignore[arg-type]
    except IaaError as error:
        return str(error)


cell = st.text(alphabet="ab01.7é \t\v\r'-", max_size=20).filter(
    lambda text: text.strip("\r") == text
)


@given(
    st.integers(2, 4).flatmap(
        lambda width: st.lists(st.tuples(*[cell] * width), min_size=2, max_size=40)
    ),
    st.integers(1, 200),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_cells_are_those_of_the_csv_module(
    tmp_path_factory: pytest.TempPathFactory,
    table: list[tuple[str, ...]],
    block: int,
    newline: str,
    end: bool,
) -> None:
    path = tmp_path_factory.mktemp("quick") / "t.csv"
    text = newline.join(",".join(row) for row in table) + newline * end
    path.write_bytes(text.encode())
    found = split(path, len(table[0]), block)
    if "\r" in text.replace("\r\n", ""):
        assert found is None  # some newline, for the slower ways
        return
    assert found is not None
    rows = list(csv.reader(io.StringIO(text, newline="")))[1:]
    assert found.rows == len(rows)
    for place, column in enumerate(zip(*rows, strict=True)):
        codes, distinct = told(found, place)
        assert [distinct[code] for code in codes] == list(column)
        assert distinct == list(dict.fromkeys(column))  # in the order of their first rows
        if place in found.tidy:
            assert all(text and text == text.strip() for text in distinct)


quoted = st.text(alphabet='a,"\né', max_size=8)


@given(
    st.lists(st.tuples(quoted, quoted, quoted), min_size=2, max_size=30),
    st.integers(1, 100),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
def test_quoted_cells_are_those_of_the_csv_module(
    tmp_path_factory: pytest.TempPathFactory,
    table: list[tuple[str, ...]],
    block: int,
    newline: str,
    style: int,
) -> None:
    path = tmp_path_factory.mktemp("quick") / "t.csv"
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator=newline, quoting=style).writerows(table)  # type: ignore[arg-type]
    path.write_bytes(text.getvalue().encode())
    found = split(path, 3, block)
    broken = any("\n" in cell for row in table[1:] for cell in row)
    assert (found is None) == broken
    if found is not None:
        assert found.rows == len(table) - 1
        for place, column in enumerate(zip(*table[1:], strict=True)):
            codes, distinct = told(found, place)
            assert [distinct[code] for code in codes] == list(column)
            assert distinct == list(dict.fromkeys(column))


@given(st.text(alphabet='a,"\n\r\0', max_size=20), st.integers(1, 9))
def test_what_is_not_regular_is_left_alone(
    tmp_path_factory: pytest.TempPathFactory, text: str, block: int
) -> None:
    path = tmp_path_factory.mktemp("quick") / "t.csv"
    path.write_bytes(text.encode())
    found = split(path, 2, block)
    if found is not None and '"' not in text:
        assert "\0" not in text
        lines = text.replace("\r\n", "\n").rstrip("\n\r").split("\n")
        assert all(line.count(",") == 1 for line in lines)
        assert found.rows == len(lines) - 1


TRICKY = {
    "plain": LONG + "1,ann,x\n1,bob, y\n2,ann,\n2,bob,NA\n 1,cy,é",
    "tabs": "id\tann\tbob\n007\t1\t1.0\n7\t\t2\n\xa07.0\t2\t1\n",
    "zeros": LONG + "07,a,1\n07,b,1.0\n7,a,01\n7,b,2\n0,a,1\n0,b,1\n00,a,1\n00,b,2\n",
    "commas": "item;annotator;label\n1;a;3,5\n1;b;4\n2;a;4\n2;b;4,25\n",
    "mixed": LONG + "1,a,1\n1,b,x\n2,a,1.0\n2,b,x\n",
    "missing": LONG + "1,a,*\n1,b,.\n1,c,null\n1,d,x\n1,e,y\n2,NA,\n,,\nNA,a,x\nNA,b,-1\n",
    "returns": (LONG + "1,a,x\n1,b,y\n\n").replace("\n", "\r\n"),
    "mixed returns": LONG + "1,a,x\r\n1,b,y\n2,a,x\r\n",
    "old returns": (LONG + "1,a,x\n1,b,y\n").replace("\n", "\r"),
    "a return inside": LONG + "1,a,x\n1,b,\ry\n",
    "mark": "\ufeff" + LONG + "1,a,x\n1,b,y\n",
    "blank lines": LONG + "1,a,x\n\n1,b,y\n \t\n2,a,x\n\n\n",
    "blank lines at the end": LONG + "1,a,x\n1,b,y\n\n\n\n",
    "blanks at the end": LONG + "1,a,x\n1,b,y\n \n",
    "quotes": LONG + '1,"a",x\n1,b,"x"\n2,a,"y"""\n2,b,"1\n2"\n',
    "quoted": LONG + '"1",a,"x"\n1,b," x "\n2,"a","y"""\n"2",b,""\n3,a,"1,2"\n3,"b",""""\n',
    "quoted returns": (LONG + '"1",a,"x"\n1,b,y\n2,"a","y"\n').replace("\n", "\r\n"),
    "quoted text": 'item,"te""xt",annotator,label\n' + "".join(
        f'{k},"some, text\n""{k}"" {"more " * (k % 9)}",{a},{k % 3}\n'
        for k in range(40) for a in "ab"
    ),
    "stray quotes": LONG + '1,5" nail,x\n1,b,y\n2,5" nail,x\n',
    "open quotes": LONG + '1,a,x\n1,b,"y\n2,a,x\n',
    "ragged": LONG + "1,a,x\n1,b\n1,c,d,e\n",
    "balanced": LONG + "1,a,x\n1,b\n1,c,x,y\n2,b,x\n",
    "zero byte": LONG + "1,a,x\n1,b,\0y\n",
    "repeats": LONG + "1,a,x\n1,b,y\n1,a,y\n",
    "words": LONG + "".join(
        f"{'x' * k}{i}{'é' * (k % 3)},{'annotator' * (k % 4)}{a},{'label' * (i % 4)}{a}\n"
        for i in range(4) for k in range(40) for a in range(3)
    ),
    "long cells": LONG + "".join(f"{'text ' * k},{a},x\n" for k in range(1, 100) for a in "ab"),
    "huge cells": LONG + "".join(f"{'text ' * 300}{k},{a},x\n" for k in range(9) for a in "ab"),
    "many": LONG + "".join(f"{i % 700},rater {i // 700},{i * i % 5}\n" for i in range(7000)),
    "shuffled": LONG + "".join(
        f"{i * 7919 % 7001 // 7},{i * 7919 % 7001 % 7 + 1},label {i % 100}\n" for i in range(6999)
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TRICKY)
@pytest.mark.parametrize("options", [{}, {"missing": "-1"}, {"duplicates": "last"}])
def test_tricky_files(
    write: Write, monkeypatch: pytest.MonkeyPatch, name: str, options: dict[str, str]
) -> None:
    path = write(TRICKY[name])
    seen: list[bool] = []

    def watched(*arguments: object) -> Quick | None:
        found = SPLIT(*arguments)  # type: ignore[arg-type]
        seen.append(found is not None)
        return found

    for block in (1 << 20, 50, 4000):
        monkeypatch.setattr(quick, "BLOCK", block)
        monkeypatch.setattr(delimited, "quick_columns", watched)
        quickly = outcome(path, **options)
        monkeypatch.setattr(delimited, "quick_columns", lambda *_: None)
        slowly = outcome(path, **options)
        if isinstance(quickly, str):
            assert quickly == slowly
        else:
            assert quickly.identical(slowly)  # type: ignore[attr-defined]
            for coordinate in ("item", "annotator", "label"):
                one, other = (np.asarray(d[coordinate]) for d in (quickly, slowly))  # type: ignore[index]
                assert one.dtype == other.dtype
                assert one.tolist() == other.tolist()
    slow = {"old returns", "a return inside", "blank lines", "blanks at the end", "quotes",
            "stray quotes", "open quotes", "ragged", "balanced", "zero byte",
            "huge cells"}  # fmt: skip
    assert any(seen) == (name not in slow)


def test_other_encodings_and_packed_files(write: Write) -> None:
    text = LONG + "".join(f"ü{k},{a},x\n" for k in range(50) for a in "ab")
    plain = read(write(text))
    for data, options in (
        (gzip.compress(text.encode()), {}),
        (text.encode("utf-16"), {}),
        (text.encode("latin-1"), {"encoding": "latin-1"}),
    ):
        assert alike(read(write(data, "u.csv"), **options), plain)  # type: ignore[arg-type]


def test_a_packed_file_that_breaks_off(write: Write) -> None:
    text = LONG + "".join(f"{k * 7919 % 10007},{a},x\n" for k in range(40_000) for a in "ab")
    path = write(gzip.compress(text.encode())[:-20_000])
    with pytest.raises(IaaError, match=r"t\.csv is compressed and cannot be unpacked"):
        read(path)


def test_a_line_beyond_all_measure(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("iaa_jax.io.table.content.LONGEST_LINE", 200)
    path = write(LONG + "1,a,x\n1,b,y\n2,a," + "z" * 1000 + "\n")
    assert split(path, 3, 50) is None
    assert read(path).sizes["label"] == 3


@pytest.mark.parametrize("repeat", [1, 5])
def test_large_files_in_threads(write: Write, monkeypatch: pytest.MonkeyPatch, repeat: int) -> None:
    rows = [(f"t{k // repeat % 2000}", f"a{k % repeat}-{k // 2000 // repeat}", f"{k % 7}")
            for k in range(20_000 * repeat)]  # fmt: skip
    path = write(LONG + "".join(",".join(row) + "\n" for row in rows))
    monkeypatch.setattr(quick, "BLOCK", 20_000)
    threads = threading.active_count()
    many = read(path)
    assert threading.active_count() == threads
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    assert alike(read(path), many)
    values = many["label"].values[many["primary"].values]
    place = {name: k for k, name in enumerate(many["item"].values.tolist())}
    who = {name: k for k, name in enumerate(many["annotator"].values.tolist())}
    assert all(values[place[item], who[rater]] == int(label) for item, rater, label in rows)


texts = st.lists(
    st.one_of(st.text(alphabet="ab1é", max_size=20), st.integers(0, 300).map(str)), max_size=60
)


@given(texts, st.integers(1, 4))
def test_distinct_cells_are_those_of_a_dictionary(cells: list[str], pieces: int) -> None:
    parts = [cells[k::pieces] for k in range(pieces)]
    cells = [text for part in parts for text in part]
    found = words.column([words.narrowed(as_words(part)) for part in parts])
    assert found is not None
    known = list(dict.fromkeys(cells))
    assert found.codes.tolist() == [known.index(text) for text in cells]
    assert cells_of(found) == known


@pytest.mark.parametrize(
    "cells",
    [
        ["a", "b"] * 600,  # few
        [*["a", "b"] * 600, ""],
        [str(k // 40) for k in range(1200)],  # in a row
        [f"annotator {k * k % 311}" for k in range(1200)],  # many, and each often
        [*["a"] * 600, *["b", "c"] * 300],  # others than at the start
        [*["a", "b"] * 300, *map(str, range(600))],
        [*map(str, range(600)), "07", *["7"] * 599],
        [f"{k * 7919 % 1201}" for k in range(1201)] * 2,
    ],
)
def test_each_way_to_find_repeated_cells(cells: list[str]) -> None:
    known = list(dict.fromkeys(cells))
    places = {text: k for k, text in enumerate(known)}
    part = words.narrowed(as_words(cells))
    assert part.rows == len(cells)
    few = words.few_of(words.narrowed(as_words(cells[:600])))
    again = words.narrowed(as_words(cells), few)
    for parts in ([part], [part, again], [part, words.narrowed(as_words(cells[::-1]), few)]):
        found = words.column(parts)
        assert found is not None
        codes = [places[text] for text in cells]
        backwards = len(parts) == 2 and parts[1] is not again
        more = codes[::-1] if backwards else codes
        assert found.codes.tolist() == codes + (more if len(parts) == 2 else [])
        assert cells_of(found) == known


def test_cells_that_come_late_are_remembered() -> None:
    few = words.few_of(words.narrowed(as_words(["b", "a"] * 600)))
    late = words.narrowed(as_words(["a", "a longer one", "b"] * 600), few)
    few = words.grown(few, late)
    assert few is not None
    assert words.texts(few.known) == ["b", "a", "a longer one"]
    assert words.narrowed(as_words(["a", "b"] * 600), few).words is few.known
    assert words.grown(few, words.narrowed(as_words([str(k % 100) for k in range(1000)]))) is few


def test_cells_that_mix_alike_are_told_apart(monkeypatch: pytest.MonkeyPatch, write: Write) -> None:
    path = write(LONG + "".join(f"the item {k},{a},x\n" for k in range(300) for a in "ab"))
    plain = read(path)
    monkeypatch.setattr(words, "_mixed", lambda found: found[0])  # "the item" is all that counts
    cells = as_words([f"the item {k // 2}" for k in range(600)])
    assert words.distinct(cells) is None
    assert split(path, 3, 1 << 19) is None
    assert alike(read(path), plain)


def as_words(cells: list[str]) -> words.Words:
    encoded = [text.encode() for text in cells]
    data = b"".join(encoded) + bytes(100)
    lengths = np.array([len(text) for text in encoded], dtype=np.int64)
    starts = np.cumsum(lengths) - lengths
    return words.words_at(np.frombuffer(data, dtype=np.uint8), starts, lengths)
