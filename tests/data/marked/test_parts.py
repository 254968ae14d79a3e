"""Parts of spans, two sets of them as one, and their other forms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.data.as_ratings import span_ratings
from iaa_jax.data.joining import concatenate
from iaa_jax.measure import functions
from tests.data.marked.documents import as_python, ordered, random_documents

SEEDS = range(4)


def f1(ratings: xr.Dataset) -> float:
    return float(iaa.span_f1(ratings, interval=None).estimate)


@pytest.mark.parametrize("seed", SEEDS)
def test_kept_annotators_are_as_though_others_had_not_rated(seed: int) -> None:
    documents = random_documents(seed)
    names = ["ann2", "ann0"]
    kept = iaa.data.keep_annotators(iaa.from_spans(documents), names)
    of_some = {
        document: {who: spans for who, spans in by.items() if who in names}
        for document, by in documents.items()
    }
    said = {document: by for document, by in as_python(kept).items() if by}
    assert said == ordered(of_some)
    again = span_ratings(iaa.from_spans(of_some))
    seen = np.flatnonzero([bool(by) for by in as_python(kept).values()])
    assert again["label"].values.tolist() == kept["label"].values.tolist()
    part = kept.isel(item=seen)
    for name in ("marked", "marking_of", "label_of", "start", "end", "unit_of"):
        np.testing.assert_array_equal(part[name].values, again[name].values)
    assert f1(kept) == f1(iaa.from_spans(of_some))


@pytest.mark.parametrize("seed", SEEDS)
def test_documents_stay_seen_when_spans_of_other_labels_go(seed: int) -> None:
    documents = random_documents(seed)
    kept = iaa.data.keep_labels(iaa.from_spans(documents), ["PER", "ORG"])
    without = {
        document: {who: [s for s in spans if s[2] != "LOC"] for who, spans in by.items()}
        for document, by in documents.items()
    }
    assert as_python(kept) == ordered(without)
    assert kept["label"].values.tolist() == ["ORG", "PER"]
    # markings that differed in these spans alone are one
    cells = {code for code in kept["marked"].values.ravel().tolist() if code >= 0}
    distinct = {tuple(spans) for by in ordered(without).values() for spans in by.values()}
    assert len(cells) == len(distinct)
    lost = sum(s[2] == "LOC" for by in documents.values() for x in by.values() for s in x)
    assert kept.attrs["skipped"] == f"{lost} spans of 1 label"


def test_left_out_annotators_are_counted_in_spans() -> None:
    documents = {
        "d1": {"ann": [(0, 1, "X")], "bob": [(0, 1, "X")], "cleo": [(2, 3, "Y"), (4, 5, "X")]},
        "d2": {"cleo": [(0, 1, "X")]},
    }
    kept = iaa.data.keep_annotators(iaa.from_spans(documents), ["ann", "bob"])
    assert kept.attrs["skipped"] == ("3 spans by 1 annotator (no annotator left on 1 document)")
    assert kept["label"].values.tolist() == ["X"]
    declared = iaa.from_spans(documents, labels=["X", "Y"])
    assert iaa.data.keep_annotators(declared, ["ann", "bob"])["label"].values.tolist() == ["X", "Y"]


def test_parts_of_a_discontinuous_span_count_as_one_and_stay_one() -> None:
    documents = {
        "d1": {"ann": [(0, 1, "X", 7), (4, 5, "X", 7)], "bob": [(0, 1, "X"), (4, 5, "X")]},
        "d2": {"ann": [(0, 1, "Y")], "bob": [(0, 1, "Y")]},
    }
    spans = iaa.from_spans(documents)
    assert iaa.data.keep_labels(spans, ["Y"]).attrs["skipped"] == "3 spans of 1 label"
    kept = iaa.data.keep_labels(spans, ["X"])
    assert f1(kept) == 0.0
    assert len(set(kept["marked"].values.ravel().tolist())) == 3  # two of d1, and nothing


@pytest.mark.parametrize("seed", SEEDS)
def test_two_sets_are_one(seed: int) -> None:
    first = random_documents(seed)
    second = random_documents(seed + 50, annotators=6, name="e")
    second["ezebra"] = {"ann0": [(0, 2, "ANIMAL")], "zoe": [(0, 2, "ANIMAL"), (3, 4, "PER")]}
    both = concatenate(iaa.from_spans(first), iaa.from_spans(second))
    one = iaa.from_spans(first | second)
    assert both["label"].values.tolist() == one["label"].values.tolist()
    assert [*as_python(both).values()] == [*ordered(first | second).values()]
    assert f1(both) == f1(one)
    other = concatenate(iaa.from_spans(second), iaa.from_spans(first))
    assert f1(other) == pytest.approx(f1(one), abs=1e-12)
    # equal markings of the two sets are one
    assert both["marked"].values.max() == span_ratings(one)["marked"].values.max()


def test_labels_of_two_sets_are_recoded() -> None:
    first = iaa.from_spans({"d": {"a": [(0, 1, "B")], "b": [(0, 1, "B")]}})
    second = iaa.from_spans({"e": {"a": [(0, 1, "A")], "b": [(0, 1, "B")]}})
    both = concatenate(first, second)
    assert as_python(both) == {
        "0": {"a": [(0, 1, "B")], "b": [(0, 1, "B")]},
        "1": {"a": [(0, 1, "A")], "b": [(0, 1, "B")]},
    }


def test_lengths_stay_where_both_sets_know_them() -> None:
    documents = {"d": {"a": [(0, 1, "B")], "b": [(0, 1, "B")]}}
    known = iaa.from_spans(documents, lengths={"d": 5})
    other = iaa.from_spans(documents, lengths={"d": 9})
    both = concatenate(known, other)
    assert both["length"].values[both["marked"].values].tolist() == [[5, 5], [9, 9]]
    assert "length" not in concatenate(known, iaa.from_spans(documents))


@pytest.mark.parametrize("exchangeable", [False, True])
def test_equal_documents_are_compressed_by_their_markings(*, exchangeable: bool) -> None:
    documents = random_documents(5)
    again = {f"again {name}": by for name, by in documents.items()}
    spans = iaa.from_spans(documents | again)
    compressed = iaa.data.compress(spans, anonymous=exchangeable)
    weights = compressed["item_weight"].values
    assert weights.sum() == spans.sizes["document"]
    assert len(weights) < spans.sizes["document"] / 2 + 1
    assert f1(compressed) == pytest.approx(f1(spans), abs=1e-12)
    by_label = [
        functions.label_span_f1(x, interval=None).estimate.values for x in (spans, compressed)
    ]
    np.testing.assert_allclose(*by_label, atol=1e-12)


def test_merging_is_associative() -> None:
    parts = [iaa.from_spans(random_documents(k, name=f"s{k}")) for k in range(3)]
    left = iaa.data.merge(iaa.data.merge(parts[0], parts[1]), parts[2])
    right = iaa.data.merge(parts[0], iaa.data.merge(parts[1], parts[2]))
    whole = iaa.from_spans(
        {name: by for k in range(3) for name, by in random_documents(k, name=f"s{k}").items()}
    )

    def patterns(ratings: xr.Dataset) -> list[tuple[str, float]]:
        said = [str(sorted(by.items())) for by in as_python(ratings).values()]
        return sorted(zip(said, ratings["item_weight"].values.tolist(), strict=True))

    assert patterns(left) == patterns(right)
    assert f1(left) == pytest.approx(f1(whole), abs=1e-12)


def test_a_crowd_by_slot_says_what_its_table_says() -> None:
    documents = random_documents(1, annotators=3)
    crowd = {
        f"{name}": {f"c{3 * k + int(who[-1])}": spans for who, spans in by.items()}
        for k, (name, by) in enumerate((random_documents(2, 60, 3) | documents).items())
    }
    spans = iaa.from_spans(crowd)
    by_slot = span_ratings(spans)
    assert "slot" in by_slot.sizes
    grid = iaa.data.in_grid(spans)
    assert "slot" not in grid.sizes
    assert as_python(grid) == as_python(by_slot) == ordered(crowd)
    assert iaa.data.in_slots(grid).identical(by_slot)
    assert f1(grid) == f1(by_slot)
    few = spans["annotator"].values[:40]
    assert as_python(iaa.data.keep_annotators(by_slot, few)) == as_python(
        iaa.data.keep_annotators(grid, few)
    )
    joined = concatenate(by_slot, iaa.from_spans(documents))
    assert [*as_python(joined).values()] == [
        *as_python(by_slot).values(),
        *ordered(documents).values(),
    ]


@pytest.mark.parametrize("form", ["spans", "ratings"])
def test_files_give_them_back(tmp_path: Path, form: str) -> None:
    spans = iaa.from_spans(random_documents(3), lengths={f"d{k}": 20 for k in range(12)})
    data = spans if form == "spans" else span_ratings(spans)
    data.to_netcdf(tmp_path / "spans.nc")
    with xr.open_dataset(tmp_path / "spans.nc") as opened:
        again = opened.load()
    assert f1(again) == f1(spans)
    assert as_python(span_ratings(again)) == as_python(span_ratings(spans))


def test_summary_counts_documents() -> None:
    counts = iaa.summary(
        iaa.from_spans(
            {
                "d1": {"a": [(0, 1, "X")], "b": []},
                "d2": {"a": [(0, 1, "Y")]},
            }
        )
    )
    assert (counts.items, counts.pairable_items, counts.ratings, counts.task) == (2, 1, 3, "spans")
