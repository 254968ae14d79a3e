"""Tables of unknown layout are read by what their values show, or advised with what was tried."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import iaa_jax as iaa
from iaa_jax import read
from iaa_jax.data.provenance import doubts_of
from iaa_jax.io.layout.evidence import is_mean
from iaa_jax.io.layout.sample import SampledColumn
from tests.io.test_advice_for_kinds import alpha

Write = Callable[..., Path]
Refused = Callable[..., str]


def measured(path: Path, level: str = "nominal", **options: Any) -> float:
    result = iaa.krippendorff_alpha(read(path, **options), level=level, interval=None)
    return float(result.estimate)


def lines(*rows: Sequence[object]) -> str:
    return "".join(",".join(map(str, row)) + "\n" for row in rows)


VOTES = [(0, 2, 1), (0, 2, 1), (1, 1, 1), (0, 3, 0), (3, 0, 0), (1, 2, 0), (0, 3, 0)]
RATED = [["abc"[k] for k, times in enumerate(row) for _ in range(times)] for row in VOTES]


def test_rows_with_one_sum_are_counts(write: Write, refused: Refused) -> None:
    named = lines(("item", "a", "b", "c"), *((k, *row) for k, row in enumerate(VOTES)))
    assert measured(write(named)) == pytest.approx(alpha(RATED))
    assert "header_line=0 and counts='1,2,3' (7 items, 3 annotators, 21 ratings)" in refused(
        lines(*VOTES)
    )
    shares = [(k, 10 + k, 60 - k * k, 30 - k + k * k) for k in range(7)]
    assert "counts='a,b,c' (7 items, 100 ann" in refused(lines(("item", "a", "b", "c"), *shares))
    ranks = [(k, *np.roll([1, 2, 3], k)) for k in range(60)]
    assert "annotators='a,b,c' (60 items" in refused(lines(("item", "a", "b", "c"), *ranks))
    scores = named.replace("0,0,2,1", "0,0,2,3", 1)  # another sum: three people with scores
    assert read(write(scores)).annotator.values.tolist() == ["a", "b", "c"]


def test_a_date_is_first_taken_for_that_of_a_second_rating(refused: Refused) -> None:
    rows = [
        (f"n{k}", who, "xyz"[k % 3], f"2024-0{month}-1{k % 9}")
        for k in range(20)
        for who in ("ann", "bob")
        for month in ((3, 4) if k < 8 else (3,))
    ]
    again, apart = refused(lines(("note_id", "nurse", "label", "date"), *rows)).split("; if ")[1:]
    assert again.startswith(
        "'date' tells when an item was rated again, give item='note_id', annotator='nurse', "
        "label='label' and duplicates='last' (20 items, 2 annotators, 40 ratings)"
    )
    assert "duplicates='apart'" in again
    assert apart.startswith("each 'date' is another item, give item='note_id,date'")


def test_people_and_what_they_rate_are_told_by_who_agrees(write: Write, refused: Refused) -> None:
    """Neither name says which is which, and each of both rates, or is rated, several times."""
    draw = np.random.default_rng(3)
    true = draw.uniform(0, 100, 12)
    rows, values = [], []
    for who in range(6):
        for what in draw.permutation(12)[:6]:
            score = round(float(np.clip(true[what] + draw.normal(0, 4), 0, 100)))
            rows.append((f"L{who}", 20 + who, f"S{what:02}", "mf"[what % 2], score))
            values.append((what, score))
    names = ("listener", "listener_age", "speaker", "speaker_gender", "warm")
    for order in ([0, 1, 2, 3, 4], [2, 3, 0, 1, 4]):
        table = [[row[k] for k in order] for row in (names, *rows)]
        ratings = read(write(lines(*table)), labels=None)
        assert ratings.attrs["read_as"] == (
            "long table, items from 'speaker', annotators from 'listener', labels from 'warm'"
        )
    by_item = [[v for k, v in values if k == what] for what in range(12)]
    right = alpha(by_item, lambda a, b: float(a - b) ** 2)
    assert measured(write(lines(names, *rows)), "interval") == pytest.approx(right)
    further = [(*names, "safe"), *((*row, draw.integers(100)) for row in rows)]
    said = refused(lines(*further))
    assert "item='speaker', annotator='listener' and label='warm' (12 items, 6 annotators" in said
    assert "--questions warm,safe" in said


def test_triples_of_numbers_without_names(refused: Refused) -> None:
    rows = [
        (1 + who, item, 1 + (item + who * (item % 2)) % 3) for item in range(1, 7) for who in (0, 1)
    ]
    said = refused(lines(*rows, (1, 2, 2), (2, 5, 1)))
    way = "header_line=0, item='2', annotator='1', label='3' and duplicates='first'"
    assert f"{way} (6 items, 2 annotators, 12 ratings counting each repeated pair once)" in said


def test_lists_belong_to_the_column_that_tells_rows_apart(write: Write) -> None:
    lists = [["yes", "yes", "no"], ["no"] * 3, ["yes"] * 3, ["no", "no", "yes"]]
    rows = [
        {"labels": each, "captionID": f"p{k // 2}", "pairID": f"p{k}", "gold": each[0]}
        for k, each in enumerate(lists)
    ]
    path = write("\n".join(map(json.dumps, rows)), "t.jsonl")
    assert measured(path) == pytest.approx(alpha(lists))


def test_sets_of_tags_are_no_lists_of_ratings(refused: Refused) -> None:
    tags = ("news", "sport", "art", "film")
    sets = [[tags[k % 4], tags[(k + 1 + k % 2) % 4]] for k in range(60)]
    text = "".join(json.dumps({"doc": f"d{k}", "tags": each}) + "\n" for k, each in enumerate(sets))
    assert "if each has all ratings of an item, give item='doc', label='tags'" in refused(text)


def test_names_beside_their_ratings(write: Write) -> None:
    people = [("u7", "u9", ""), ("u8", "u7", ""), ("u9", "u8", "u7"), ("u7", "u9", "u8")]
    scores = [(4, 4, ""), (1, 2, ""), (3, 3, 3), (4, 3, 3)]
    rows = [
        (k, "oak", round(float(np.mean([s for s in score if s != ""])), 1), *score, *names)
        for k, (names, score) in enumerate(zip(people, scores, strict=True))
    ]
    names = (
        "",
        "word",
        "mean",
        *(f"rater{k}" for k in (1, 2, 3)),
        *(f"rater{k}_id" for k in (1, 2, 3)),
    )
    path = write(lines(names, *rows))
    assert read(path).annotator.values.tolist() == ["u7", "u8", "u9"]
    assert measured(path) == pytest.approx(alpha([[s for s in row if s != ""] for row in scores]))


def conclusion(items: int, last: str) -> str:
    """Three people, of whom one is wrong about every other item, and what they came to."""
    rows = []
    for k in range(items):
        cells = [k % 4] * 3
        cells[k % 3] += k % 2
        rows.append((f"i{k}", *cells, k % 4))
    return lines(("num", "ann", "bob", "cleo", last), *rows)


@pytest.mark.parametrize("last", ["결론", "verdict", "dora"])
def test_a_column_that_follows_the_others_is_asked_about(
    write: Write, refused: Refused, last: str
) -> None:
    said = refused(conclusion(24, last))
    assert (
        f"if '{last}' is a consensus of the others, give item='num' and annotators='ann,bob,cleo'"
        in said
    )
    assert f"annotators='ann,bob,cleo,{last}' (24 items, 4 annotators, 96 ratings)" in said
    few = read(write(conclusion(12, last)))  # which may be by chance
    assert few.sizes["annotator"] == 4
    assert "leave it out (keep_annotators='ann,bob,cleo')" in few.attrs["notices"]
    assert doubts_of(few.attrs, 12)
    for kept in (["ann", "bob"], ["ann", last]):  # it is left out, or named
        assert not doubts_of(iaa.data.keep_annotators(few, kept).attrs, 12)
    header, *rows = conclusion(12, last).splitlines()
    names = header.split(",")[1:]
    long = [
        (row.split(",")[0], *pair)
        for row in rows
        for pair in zip(names, row.split(",")[1:], strict=True)
    ]
    same = read(write(lines(("item", "annotator", "label"), *long)))
    assert f"'{last}' has the majority label of the other" in same.attrs["notices"]
    differs = conclusion(24, last).replace("i3,", "i99,").replace("i5,1,1,2,1", "i5,1,1,2,2")
    assert "majority" not in read(write(differs)).attrs.get("notices", "")
    whole = [row.split(",") for row in conclusion(24, last).splitlines()]
    between = lines(*([*row[:2], row[4], *row[2:4]] for row in whole))  # as the best annotator may
    assert "majority" not in read(write(between)).attrs.get("notices", "")


def test_one_of_a_crowd_may_follow_the_others_by_chance(write: Write) -> None:
    """Whoever rated few of the items is no consensus of all; who rated all of them may be."""
    draw = np.random.default_rng(5)
    right = draw.uniform(0.8, 0.9, 30)
    rows: list[Sequence[object]] = []
    verdicts: list[Sequence[object]] = []
    for k in range(250):
        who = draw.permutation(30)[: draw.integers(3, 6)]
        votes = (draw.random(len(who)) < right[who]).astype(int)
        rows += [(k, f"w{each}", f"L{vote}") for each, vote in zip(who, votes, strict=True)]
        verdicts.append((k, "zoe", f"L{round(votes.mean())}"))
    names = ("item", "worker", "label")
    assert "majority" not in read(write(lines(names, *rows))).attrs.get("notices", "")
    noted = read(write(lines(names, *rows, *verdicts))).attrs["notices"]
    assert "'zoe' has the majority label" in noted
    assert "leave it out with exclude='worker=zoe'" in noted


def test_means_of_the_others_are_no_annotator(write: Write) -> None:
    rows = [(f"i{k}", k % 3, (k + k // 4) % 3, k % 2, "x y z" * k) for k in range(20)]
    table = [(*row, round(sum(row[1:4]) / 3, 2)) for row in rows]
    path = write(lines(("id", "ann_1", "ann_2", "ann_3", "comment", "m"), *table))
    assert read(path).annotator.values.tolist() == ["ann_1", "ann_2", "ann_3"]


def test_a_column_beside_names_that_only_renames_them_is_none(write: Write) -> None:
    rows = [
        (f"c{k}", f"w{k % 3}", 500 + k % 3, f"s{k // 3}", "ab"[k * k % 5 % 2]) for k in range(18)
    ]
    path = write(lines(("click_id", "worker_name", "worker_no", "subject", "choice"), *rows))
    assert read(path).attrs["read_as"] == (
        "long table, items from 'subject', annotators from 'worker_name', labels from 'choice'"
    )


def panel(names: str, first: Sequence[object], second: Sequence[object], effect: str) -> str:
    """Rows for all pairs of two columns, with values that the first, or the second, explains."""
    pairs = [(k, j) for k in range(len(first)) for j in range(len(second))]
    a, b = {"first": (9, 0), "second": (0, 9), "none": (0, 0)}[effect]
    rows = [(first[k], second[j], a * k + b * j + (k + 3) * (j + 2) % 7 % 3) for k, j in pairs]
    return lines(names.split(","), *rows)


@pytest.mark.parametrize(
    ("names", "second", "effect"),
    [
        ("doc,seq,code", range(3), "none"),  # places in documents cross like items and annotators
        ("country,year,value", range(2000, 2015), "first"),
        ("worker,day,shift", range(1, 15), "first"),
        ("sample,sensor,level", ["s1", "s2", "s3"], "first"),
        ("trial_time,rater,level", ["s1", "s2", "s3"], "first"),
    ],
)
def test_structure_alone_is_no_annotation(
    refused: Refused, names: str, second: Sequence[object], effect: str
) -> None:
    """What any panel of data shows is asked about, where no name says who rated what."""
    assert "(4 items" in refused(panel(names, ["a", "b", "c", "d"], second, effect))


def test_annotators_whose_levels_differ_are_no_items(refused: Refused) -> None:
    """Rows of one person agree, and those of an item do not: both ways are shown."""
    said = refused(panel("stim,who,answer", range(12), [f"p{k}" for k in range(6)], "second"))
    assert "item='who', annotator='stim'" in said
    assert "item='stim', annotator='who' and label='answer' (12 items, 6 annotators" in said


@pytest.mark.parametrize("beside", ["aspect", "round", "model"])
def test_items_beside_each_of_some_questions_are_asked_about(refused: Refused, beside: str) -> None:
    each = [
        (f"d{k}", q, f"p{j}", (k + q * j) % 3) for k in range(8) for q in (1, 2) for j in (1, 2)
    ]
    said = refused(lines(("doc", beside, "who", "score"), *each))
    way = f"item='doc,{beside}', annotator='who' and label='score' (16 items, 2 annotators, 32 r"
    assert way in said


def test_measures_are_not_taken_for_annotators(write: Write, refused: Refused) -> None:
    """Such as have the same numbers and do not agree, are of times, or begin with fractions."""
    draw = np.random.default_rng(0)
    small = draw.integers(0, 4, (60, 4))
    names = ("id", "adults", "children", "pets", "cars")
    rows = [(k, *row) for k, row in enumerate(small)]
    said = refused(lines(names, *rows))
    assert "item='id' and annotators='adults,children,pets,cars' (60 items, 4 annotators" in said
    assert (
        read(write(lines(("id", *(f"rater_{k}" for k in "abcd")), *rows))).sizes["annotator"] == 4
    )
    near = (draw.normal(20, 5, (30, 1)) + draw.normal(0, 1, (30, 4))).round(1)
    days = [(f"{8 + k // 4:02}:{15 * (k % 4):02}", *row) for k, row in enumerate(near)]
    assert "item='day' and" in refused(lines(("day", "open", "high", "low", "close"), *days))
    assert "give annotators='x0,x1,x2,x3'" in refused(lines(("x0", "x1", "x2", "x3"), *near))


def test_what_is_compared_is_of_the_item(refused: Refused) -> None:
    """The names of columns stand among the answers, and are names all the same."""
    draw = np.random.default_rng(4)
    sides = [sorted(draw.permutation(4)[:2]) for _ in range(60)]
    won = draw.choice(["model_a", "model_b", "tie"], 60)
    rows = [(f"p{k // 3}", *sides[k], won[k], f"j{k % 3}") for k in range(60)]
    rows = [(what, f"m{a}", f"m{b}", *rest) for what, a, b, *rest in rows]
    said = refused(lines(("prompt", "model_a", "model_b", "winner", "judge"), *rows))
    assert "header_line" not in said
    assert "annotator='judge' and label='winner'" in said


def test_columns_that_agree_with_no_other_are_named(write: Write) -> None:
    draw = np.random.default_rng(0)
    true = draw.integers(1, 6, (40, 1))
    near, sure = true + draw.integers(0, 2, (40, 2)), draw.integers(1, 6, (40, 2))
    rows = [
        (f"i{k}", a, b, c, d) for k, ((a, c), (b, d)) in enumerate(zip(near, sure, strict=True))
    ]
    noted = read(write(lines(("id", "ann", "x", "bob", "y"), *rows))).attrs["notices"]
    assert "hardly with 'x', 'y'; if it is no annotator, give annotators='ann,bob'" in noted
    named = read(write(lines(("id", "rater1", "rater2", "rater3", "rater4"), *rows)))
    assert "hardly" not in named.attrs.get("notices", "")
    graded = read(write(lines(("student", "ann", "bob"), *((a, b, d) for a, b, _, d, _ in rows))))
    assert "'student' seems to name annotators" in graded.attrs["notices"]


@pytest.mark.parametrize(
    ("words", "is_read", "items"),
    [
        (("JOY", "FEAR", "NO ANGER"), True, "id"),
        (("Joy", "fear ", "No  anger"), True, "id"),
        (("Freude", "Angst", "kein Zorn"), False, "id"),
        (("Freude", "Angst", "kein Zorn"), False, "Item,Batch"),
        (("1", "2", "3"), False, "id"),
    ],
)
def test_an_annotator_in_other_words_is_read_or_named(
    write: Write, words: Sequence[str], is_read: bool, items: str
) -> None:
    draw = np.random.default_rng(0)
    true = draw.integers(0, 3, (60, 1))
    codes = np.where(draw.random((60, 3)) < 0.2, draw.integers(0, 3, (60, 3)), true)
    usual = ("joy", "fear", "no anger")
    rows = [
        (f"i{k}", f"a text of {k}", "xyz"[draw.integers(3)], usual[a], words[b], usual[c])
        for k, (a, b, c) in enumerate(codes)
    ]
    names = ("id", "text", "topic", "anna", "ben", "cleo")
    way = "annotators='anna,ben,cleo'"
    if items != "id":
        names = ("Item", "Batch", "anna", "ben", "cleo")
        rows = [(f"i{k % 30}", f"b{k // 30}", *row[3:]) for k, row in enumerate(rows)]
        way = f"item='{items}' and {way}"
    path = write(lines(names, *rows))
    ratings = read(path)
    who = ["anna", "ben", "cleo"] if is_read else ["anna", "cleo"]
    assert ratings["annotator"].values.tolist() == who
    doubts = {note.code for note in doubts_of(ratings.attrs, 60)}
    rounds = {"items_of_rounds"} if items != "id" else set()
    assert doubts == {"labels_alike" if is_read else "columns_left", *rounds}
    if is_read:
        return
    assert (
        "'ben' was not read as an annotator, since it shares no label with the others, but its "
        f"values go with those labels; if it is an annotator, give {way}, best"
    ) in ratings.attrs["notices"]
    with pytest.raises(iaa.IaaError, match=f"'ben' was not read .*: to read it, give {way}"):
        iaa.data.keep_annotators(ratings, ["anna", "ben"])
    told = {} if items == "id" else {"item": items}
    assert read(path, annotators="anna,ben,cleo", **told).sizes["item"] == 60
    assert "columns_left" not in read(path, keep="ben").attrs["reading"]


def test_an_empty_column_numbered_like_the_annotators_is_named(write: Write) -> None:
    rows = [
        (f"i{k % 30}", f"b{k // 30}", "xyz"[k % 3], "xyz"[(k + (k % 7 == 0)) % 3], "", "")
        for k in range(60)
    ]
    ratings = read(write(lines(("Item", "Batch", "rater 1", "rater 2", "rater 3", "note"), *rows)))
    assert ratings["annotator"].values.tolist() == ["rater 1", "rater 2"]
    assert "'rater 3' is an empty column, and left out" in ratings.attrs["notices"]


def test_nothing_but_names_that_stand_twice_and_infinite_numbers(refused: Refused) -> None:
    assert "its columns are 'n', 'n'" in refused("n,n\n4,1\n")
    odd = [(f"i{k}", "inf", k % 3, k % 2, f"{k % 3}.5", "z w") for k in range(8)]
    assert "cannot tell" in refused(lines(("i", "a", "b", "c", "b2", "s"), *odd))


SLOTS = [(f"H{k}", *("abc"[(k + (k % 5 == j)) % 3] for j in range(3))) for k in range(30)]
COUNTERS = [(k, "ab"[k % 2], k % 5, (k + k % 3) % 5, "x y z w v u" * k) for k in range(1, 31)]


@pytest.mark.parametrize(
    ("names", "rows", "way"),
    [
        pytest.param(
            ("HITId", "label1", "label2", "label3"),
            SLOTS,
            "item='HITId', annotators='label1,label2,label3' and anonymous=True (30 items, "
            "3 annotators",
            id="labels in order of arrival",
        ),
        pytest.param([f"c{k}" for k in range(1, 6)], COUNTERS, "annotators='c3,c4'", id="counters"),
    ],
)
def test_numbered_columns(
    refused: Refused, names: Sequence[str], rows: Sequence[Sequence[object]], way: str
) -> None:
    """Columns of labels are of whoever came first; counters stand in no numbered group."""
    assert way in refused(lines(names, *rows))


def test_rows_of_another_length_are_told_where_no_column_is_whole(write: Write) -> None:
    rows = [
        "item t1 t1 t1 t2 t2 t2 t3 t3 t3 t4 t4 t4 t5 t5 tt6 t6",
        "annotator" + " ann ben eve" * 6,
        "label fear anger -1 anger _ fear _ anger joy joy _ -1 fear fear fear -1 _ joy",
    ]
    text = "".join(row.replace(" ", "\t").replace("_", "") + "\n" for row in rows)
    with pytest.raises(iaa.IaaError, match="line 2 has 19 cells, but the header names 17"):
        read(write(text, "t.tsv"), missing="-1")


def test_questions_are_not_taken_for_annotators(refused: Refused) -> None:
    draw = np.random.default_rng(0)
    wrong = draw.random((30, 2, 3)) < 0.1
    answers = draw.integers(0, 2, (30, 2, 1)) ^ wrong
    names = ("id", *(f"{question}{who}" for question in ("hi", "lo") for who in "123"))
    said = refused(lines(names, *((f"i{k}", *row.ravel()) for k, row in enumerate(answers))))
    assert "item='id' and annotators='hi1,hi2,hi3' (30 items, 3 annotators, 90 ratings)" in said
    assert "--questions 'hi*,lo*'" in said
    longer = tuple(name.replace("lo", "hi_sub") for name in names)  # which "hi*" would take, too
    said = refused(lines(longer, *((f"i{k}", *row.ravel()) for k, row in enumerate(answers))))
    assert "; the questions are 'hi1,hi2,hi3', 'hi_sub1,hi_sub2,hi_sub3'" in said
    answers[:, 1] = draw.integers(0, 2, (30, 3))  # how sure each is, say
    said = refused(lines(names, *((f"i{k}", *row.ravel()) for k, row in enumerate(answers))))
    assert "item='id' and annotators='hi1,hi2,hi3' (30 items" in said


def test_advice_is_short_and_has_been_run(refused: Refused) -> None:
    rows = [(k, f"p{k % 4}", f"d{k // 4}", *(k * j % 7 % 3 for j in (1, 2, 3))) for k in range(24)]
    said = refused(lines(("nr", "person", "doc", "tone", "topic", "style"), *rows))
    ways = said.split("; if ")[1:]
    assert 1 <= len(ways) <= 2
    for way in ways:
        assert "annotators, 24 ratings)" in way


def test_numbers_beyond_all_bounds_are_no_means() -> None:
    one, two, three = (
        [float("inf"), *values] for values in ([1, 2, 3], [2, 3, 4], [1.5, 2.5, 3.5])
    )
    columns = [
        SampledColumn(name, np.arange(4), list(map(str, values)))
        for name, values in zip("abc", (one, two, three), strict=True)
    ]
    assert is_mean(columns[2], columns[:2])
    assert not is_mean(columns[1], [columns[0], columns[2]])
