"""Judgements of an export become ratings: which count, and as what."""

from __future__ import annotations

import pytest

from iaa_jax import IaaError
from iaa_jax.data.provenance import parts_of
from iaa_jax.io.export.judgements import Export
from iaa_jax.io.export.ratings import ratings_of
from iaa_jax.io.words import in_words
from tests.io.exports import SEEN, Row, export_of

PAIRS = [("1", "ann", ["yes"]), ("1", "bob", ["no"]), ("2", "ann", ["no"]), ("2", "bob", ["no"])]


def labels(export: Export, item: object = 1) -> dict[str, object]:
    """What each annotator gave an item."""
    ratings = ratings_of(export)
    names = [*ratings["label"].values.tolist(), None]
    codes = ratings["primary"].sel(item=item).values
    return dict(zip(ratings["annotator"].values.tolist(), (names[k] for k in codes), strict=True))


def skipped(export: Export) -> str:
    return in_words(ratings_of(export).attrs["reading"])["skipped"]


def test_the_only_question_is_read_and_others_are_listed() -> None:
    export = export_of(PAIRS)
    assert labels(export) == {"ann": "yes", "bob": "no"}
    export_of(PAIRS[:2], name="tone", into=export)
    with pytest.raises(IaaError, match="2 questions: read one of them by question='q'") as caught:
        ratings_of(export)
    assert "question='tone' (labels, 2 judgements)" in str(caught.value)
    with pytest.raises(IaaError, match="there is no question 'x'; read one of them by"):
        ratings_of(export_of(PAIRS, question="x"))
    blank = export_of([("1", "ann", []), ("1", "bob", [])], name="comment", into=export_of(PAIRS))
    assert labels(blank) == {"ann": "yes", "bob": "no"}
    assert "question 'q'" in in_words(ratings_of(blank).attrs["reading"])["read_as"]


def test_spans_beside_labels_are_no_ratings() -> None:
    export = export_of(PAIRS)
    export_of([], kind="spans", name="layer", into=export)
    assert ratings_of(export).sizes["item"] == 2
    assert "question 'q'" in in_words(ratings_of(export).attrs["reading"])["read_as"]
    with pytest.raises(IaaError, match=r"'layer' was answered by spans, which iaa.read_spans"):
        ratings_of(export_of([], kind="spans", name="layer", question="layer"))
    with pytest.raises(IaaError, match=r"asks \('layer'\) was answered by spans"):
        ratings_of(export_of([], kind="spans", name="layer"))
    export_of(PAIRS, name="p", into=export)
    with pytest.raises(IaaError, match=r"2 questions: .*; what else it asks \('layer'\) was answ"):
        ratings_of(export)


def test_one_question_of_two_kinds_is_refused() -> None:
    with pytest.raises(IaaError, match="answered by labels and by number: are these files of one"):
        export_of([], kind="number", into=export_of(PAIRS))


def test_an_export_without_judgements() -> None:
    with pytest.raises(IaaError, match="holds no judgement of an annotator"):
        ratings_of(Export("Tool", export_of([]).options))
    with pytest.raises(IaaError):
        ratings_of(export_of([]))


@pytest.mark.parametrize(("kept", "label"), [("first", "early"), ("last", "late")])
def test_repeats_are_kept_by_time(kept: str, label: str) -> None:
    rows = [*PAIRS[1:], Row("1", "ann", ["late"], 9.0), Row("1", "ann", ["early"], 3.0)]
    export = export_of(rows, duplicates=kept)
    assert labels(export)["ann"] == label
    assert f"1 repeated rating (kept the {kept} by time)" in skipped(export)


@pytest.mark.parametrize(("kept", "label"), [("first", "a"), ("last", "b")])
def test_repeats_without_a_time_are_kept_by_their_place(kept: str, label: str) -> None:
    rows = [("1", "ann", ["a"]), ("1", "ann", ["b"]), ("1", "bob", ["a"])]
    assert labels(export_of(rows, duplicates=kept))["ann"] == label


def test_repeats_are_refused_unless_the_caller_says_what_to_do() -> None:
    rows = [*PAIRS, ("1", "ann", ["no"])]
    with pytest.raises(IaaError, match=r"export\.json record 5 .*item '?1'?, annotator 'ann'"):
        ratings_of(export_of(rows))
    together = ratings_of(export_of(rows, duplicates="combine"))
    assert together["mass"].sel(item=1, annotator="ann").values.tolist() == [1, 1]


def test_a_skip_and_an_answer_are_repeats() -> None:
    rows = [*PAIRS, Row("1", "ann", SEEN)]
    with pytest.raises(IaaError, match="of the same item by the same annotator"):
        ratings_of(export_of(rows))
    assert labels(export_of(rows, duplicates="last")) == {"ann": None, "bob": "no"}


def test_what_was_skipped_is_counted_by_annotator() -> None:
    rows = [*PAIRS, ("3", "ann", SEEN), ("3", "bob", ["no"]), ("4", "ann", SEEN)]
    assert skipped(export_of(rows)) == "2 judgements without an answer (ann: 2)"
    assert labels(export_of(rows), 3) == {"ann": None, "bob": "no"}
    own = ratings_of(export_of(rows, skipped="category"))
    assert own["label"].values.tolist() == ["(skipped)", "no", "yes"]
    assert parts_of(own, "skipped") == []
    dropped = export_of(rows, skipped="drop")
    assert ratings_of(dropped)["item"].values.tolist() == [1, 2]
    assert "2 items that somebody skipped" in skipped(dropped)


def test_an_answer_of_nothing_is_one_where_several_may_be_given() -> None:
    rows = [*PAIRS, ("3", "ann", []), ("3", "bob", ["no"])]
    assert labels(export_of(rows), 3) == {"ann": None, "bob": "no"}
    assert "1 empty answer" in skipped(export_of(rows))
    several = ratings_of(export_of(rows, several=True))
    assert several["mass"].sel(item=3, annotator="ann").values.tolist() == [0, 0]
    assert "empty" not in in_words(several.attrs["reading"])["skipped"]


def test_several_labels_are_sets_unless_the_question_takes_one() -> None:
    rows = [*PAIRS, ("3", "ann", ["no", "yes", "no"]), ("3", "bob", ["no"])]
    assert "mass" in ratings_of(export_of(rows))
    with pytest.raises(IaaError, match=r"record 5: 2 answers at once .* takes one \('no', 'yes'\)"):
        ratings_of(export_of(rows, several=False))


def test_an_empty_label_is_none() -> None:
    rows = [*PAIRS, ("3", "ann", ["", None, " "]), ("3", "bob", ["no"])]
    assert labels(export_of(rows), 3) == {"ann": None, "bob": "no"}


def test_who_answered_nothing_at_all_is_no_annotator() -> None:
    rows = [*PAIRS, ("1", "admin", []), ("2", "admin", SEEN), ("2", "boss", SEEN)]
    export = export_of(rows)
    assert ratings_of(export)["annotator"].values.tolist() == ["ann", "bob"]
    assert skipped(export) == "'admin', 'boss', who answered nothing"
    # who answered another question is one
    export = export_of(rows, question="q")
    export_of([("1", "admin", ["x"])], name="other", into=export)
    assert "admin" in ratings_of(export)["annotator"].values.tolist()


def test_labels_that_mean_not_rated() -> None:
    rows = [*PAIRS, ("3", "ann", ["unsure"]), ("3", "bob", ["no"])]
    assert labels(export_of(rows), 3)["ann"] == "unsure"
    assert labels(export_of(rows, missing=["unsure"]), 3)["ann"] is None
    # "None" and "NA" are labels of a tool like any other
    assert labels(export_of([*PAIRS, ("3", "ann", ["None"])]), 3)["ann"] == "None"
    sets = ratings_of(export_of([*rows, ("4", "ann", ["no", "unsure"])], missing=["unsure"]))
    assert sets["label"].values.tolist() == ["no", "yes"]


def test_labels_are_merged_and_declared() -> None:
    rows = [*PAIRS, ("3", "ann", ["Yes"]), ("3", "bob", ["yes"])]
    assert labels(export_of(rows, merge_labels=("case",)), 3) == {"ann": "yes", "bob": "yes"}
    with pytest.raises(IaaError, match="'Yes'"):
        ratings_of(export_of(rows, labels=["no", "yes"]))
    declared = ratings_of(export_of(PAIRS, labels=["yes", "maybe", "no"]))
    assert declared["label"].values.tolist() == ["yes", "maybe", "no"]


def test_names_are_merged() -> None:
    rows = [("a", "Ann", ["x"]), ("A", "bob", ["x"]), ("b", "ann", ["y"]), ("b", "bob", ["x"])]
    merged = ratings_of(export_of(rows, merge_ids=("case",)))
    assert merged.sizes["item"] == 2
    assert merged.sizes["annotator"] == 2


def test_numbers_are_numbers() -> None:
    rows = [("1", "ann", [4]), ("1", "bob", [2.5]), ("2", "ann", [10]), ("2", "bob", ["4"])]
    assert ratings_of(export_of(rows, kind="number"))["label"].values.tolist() == [2.5, 4, 10]


def test_judgements_of_nobody_and_of_no_item() -> None:
    with pytest.raises(IaaError, match=r"1 judgement without annotator, as in export\.json rec"):
        ratings_of(export_of([*PAIRS, ("3", None, ["x"])]))
    with pytest.raises(IaaError, match=r"export\.json record 5"):
        ratings_of(export_of([*PAIRS, (None, "ann", ["x"])]))


def test_rankings_are_items_with_records() -> None:
    export = export_of([], kind="number")
    for who, ranks in (("ann", (1, 2, 3)), ("bob", (2, 1, 3))):
        for record in ("r1", "r2"):
            for option, rank in zip("abc", ranks, strict=True):
                export.add(export.question("q", "number"), record, who, (rank,), 1, option=option)
    ratings = ratings_of(export)
    assert ratings["item"].values.tolist()[:3] == ["r1 | a", "r1 | b", "r1 | c"]
    assert ratings["record"].values.tolist() == ["r1"] * 3 + ["r2"] * 3
    assert ratings["label"].values.tolist() == [1, 2, 3]


def test_very_long_names_of_questions_are_cut_in_messages() -> None:
    export = export_of(PAIRS, name="x" * 9000)
    export_of(PAIRS, name="y" * 9000, into=export)
    with pytest.raises(IaaError, match="2 questions: read one of them by") as caught:
        ratings_of(export)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("place", range(3))
def test_half_a_character_is_no_text(place: int) -> None:
    rows = [["1", "ann", ["x"]], ["1", "bob", ["x"]]]
    for row in rows:
        row[place] = ["\ud800"] if place == 2 else f"\ud800{row[place]}"
    with pytest.raises(IaaError, match=r"'\\ud800.*' is no text: surrogates not allowed"):
        ratings_of(export_of(rows))
