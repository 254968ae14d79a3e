"""Documents, annotators and labels of spans, against plain loops over sets of spans."""

from __future__ import annotations

import numpy as np
import pytest
import xarray as xr
from matplotlib.figure import Figure

import iaa_jax as iaa
from iaa_jax import IaaError
from iaa_jax.data.as_ratings import span_ratings
from iaa_jax.measure import functions
from iaa_jax.pages import Picture
from tests.data.marked.documents import LABELS, Documents, random_documents
from tests.oracles.strict_f1 import counts, share as f1

SEEDS = range(3)
QUICK = {"interval": None}


def crowd(seed: int) -> Documents:
    """Many annotators, of whom three at most see a document."""
    documents = random_documents(seed, 70, 3)
    return {
        name: {f"c{(3 * k + int(who[-1])) % 110:03}": spans for who, spans in by.items()}
        for k, (name, by) in enumerate(documents.items())
    }


@pytest.fixture(params=[*SEEDS, "crowd"])
def documents(request: pytest.FixtureRequest) -> Documents:
    return crowd(7) if request.param == "crowd" else random_documents(request.param)


def test_documents_have_their_own_f1(documents: Documents) -> None:
    table = iaa.items(iaa.from_spans(documents))
    rows = counts(documents)
    for name, by in documents.items():
        if not by:
            continue
        one = table.sel(item=name)
        assert one["ratings"] == len(by)
        assert one["spans"] == sum(len(set(spans)) for spans in by.values())
        np.testing.assert_allclose(one["agreement"], f1([row for row in rows if row[0] == name]))
    assert table.attrs["estimate"] == pytest.approx(f1(rows))
    differ = [len({frozenset(spans) for spans in by.values()}) > 1 for by in documents.values()]
    assert table.attrs["disputed_items"] == sum(differ)
    assert table.attrs["conclusion"] == "disputed"


def test_change_is_what_leaving_the_document_out_does() -> None:
    documents = random_documents(4, 200)
    table = iaa.items(iaa.from_spans(documents))
    rows = counts(documents)
    for name in list(documents)[:20]:
        if not documents[name]:
            continue
        without = f1([row for row in rows if row[0] != name]) - f1(rows)
        assert float(table["change"].sel(item=name)) == pytest.approx(without, abs=3e-4)


@pytest.mark.slow
def test_annotators_by_their_pairs(documents: Documents) -> None:
    table = iaa.annotators(iaa.from_spans(documents), **QUICK)
    rows = counts(documents)
    for name in table["annotator"].values:
        one = table.sel(annotator=name)
        own = [row for row in rows if name in row[1:3]]
        np.testing.assert_allclose(one["agreement"], f1(own))
        without = f1([row for row in rows if name not in row[1:3]])
        np.testing.assert_allclose(one["without"], without)
        seen = [by for by in documents.values() if name in by]
        with_others = [by for by in seen if len(by) > 1]
        assert one["ratings"] == len(seen)
        assert one["shared_items"] == len(with_others)
        assert one["spans"] == sum(len(set(by[name])) for by in seen)
        ours = sum(len(set(by[name])) for by in with_others)
        others = sum(
            np.mean([len(set(spans)) for who, spans in by.items() if who != name])
            for by in with_others
        )
        np.testing.assert_allclose(one["spans_ratio"], ours / others if others else np.nan)
        for label in LABELS:
            more = [
                sum(s[2] == label for s in set(by[name]))
                - np.mean(
                    [sum(s[2] == label for s in set(x)) for who, x in by.items() if who != name]
                )
                for by in with_others
            ]
            mean = np.mean(more) if more else np.nan
            np.testing.assert_allclose(one["bias"].sel(label=label), mean, atol=1e-12)
        for other in table["annotator_2"].values:
            pair = [row for row in own if other in row[1:3]]
            met = len(pair) if other != name else len(seen)
            assert one["pair_shared_items"].sel(annotator_2=other) == met
            figure = np.nan if other == name else f1(pair)
            np.testing.assert_allclose(one["pair_agreement"].sel(annotator_2=other), figure)


def test_labels_by_their_spans(documents: Documents) -> None:
    table = iaa.labels(iaa.from_spans(documents), **QUICK)
    marked = [s for by in documents.values() for spans in by.values() for s in set(spans)]
    for label in LABELS:
        one = table.sel(label=label)
        np.testing.assert_allclose(one["coefficient_estimate"], f1(counts(documents, label)))
        assert one["count"] == sum(s[2] == label for s in marked)
        assert float(one["share"]) == pytest.approx(int(one["count"]) / len(marked))
        having = [any(s[2] == label for x in by.values() for s in x) for by in documents.values()]
        assert one["items"] == sum(having)
    held = {label: sum(row[4] for row in counts(documents, label)) for label in LABELS}
    for label in LABELS:
        confused = table["coincidences"].sel(label=label)
        partners = float(confused.sum())
        np.testing.assert_allclose(
            table["unmatched"].sel(label=label),
            (held[label] - partners) / held[label] if held[label] else np.nan,
        )
    np.testing.assert_array_equal(table["coincidences"], table["coincidences"].T)


def test_labels_that_are_confused() -> None:
    documents = {
        "d1": {"a": [(0, 3, "PER"), (5, 8, "LOC")], "b": [(0, 3, "ORG"), (6, 9, "LOC")]},
        "d2": {"a": [(0, 3, "PER")], "b": [(1, 3, "ORG"), (20, 30, "PER")]},
    }
    table = iaa.labels(iaa.from_spans(documents), **QUICK)
    assert [table[f"confused_label_{k}"].values[0] for k in (1, 2)] == ["ORG", "PER"]
    assert table["confused"].values[0] == 2
    assert table["unmatched"].sel(label="PER") == pytest.approx(1 / 3)
    assert table["unmatched"].sel(label="LOC") == 0
    assert table.attrs["lowest_label"] in LABELS


def test_intervals_are_those_of_the_coefficients_of_parts() -> None:
    documents = random_documents(2, 60, 3)
    spans = iaa.from_spans(documents)
    table = iaa.annotators(spans)
    pair = {
        name: {who: x for who, x in by.items() if who != "ann2"} for name, by in documents.items()
    }
    # of two annotators each has the pair of both
    both = iaa.from_spans({name: by for name, by in pair.items() if by})
    of_two = iaa.annotators(both)
    whole = iaa.span_f1(both)
    for name in ("ci_low", "ci_high", "standard_error"):
        expected = float(whole[name])
        np.testing.assert_allclose(of_two[f"agreement_{name}"], [expected] * 2, atol=1e-9)
    assert of_two.attrs["conclusion"] == "two_annotators"
    assert (table["agreement_ci_low"] < table["agreement"]).all()
    labels = iaa.labels(spans)
    by_label = functions.label_span_f1(spans)
    for name in ("ci_low", "ci_high", "standard_error"):
        np.testing.assert_allclose(labels[f"coefficient_{name}"], by_label[name], atol=1e-9)


def test_labels_draw_annotators_too() -> None:
    spans = iaa.from_spans(random_documents(2, 40, 5))
    labels = iaa.labels(spans, sampling=iaa.Sampling(annotators="random"))
    by_label = functions.label_span_f1(spans, sampling=iaa.Sampling(annotators="random"))
    np.testing.assert_allclose(labels["coefficient_ci_low"], by_label["ci_low"], atol=1e-9)


def test_many_annotators_have_no_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    spans = iaa.from_spans(random_documents(2, 20))
    drawn = iaa.annotators(spans, replicates=100)
    monkeypatch.setattr("iaa_jax.analyses.diagnose.spans._DRAWN", 10)
    table = iaa.annotators(spans, replicates=100)
    np.testing.assert_allclose(table["agreement"], drawn["agreement"], atol=1e-12)
    assert table["agreement_ci_low"].isnull().all()
    assert not drawn["agreement_ci_low"].isnull().any()
    assert "4 annotators on so many documents" in str(iaa.page(table))


def test_a_crowd_by_slot_is_the_same_as_in_a_grid() -> None:
    by_slot = span_ratings(iaa.from_spans(crowd(3)))
    assert "slot" in by_slot.sizes
    grid = iaa.data.in_grid(by_slot)
    for study in (iaa.items, iaa.annotators, iaa.labels):
        keywords = {} if study is iaa.items else QUICK
        tables = [study(data, **keywords) for data in (by_slot, grid)]
        for name in tables[0].data_vars:
            if tables[0][name].dtype.kind == "f":
                np.testing.assert_allclose(tables[0][name], tables[1][name], err_msg=name)


@pytest.mark.parametrize("what", ["documents", "annotators", "weights"])
def test_order_and_repetition_change_nothing(what: str) -> None:
    documents = random_documents(6, 20)
    spans = iaa.from_spans(documents)
    if what == "documents":
        other = iaa.from_spans(dict(reversed(documents.items())))
    elif what == "annotators":
        other = iaa.from_spans(
            {name: dict(reversed(by.items())) for name, by in documents.items() if by}
        )
    else:
        copies = {f"{name} {k}": by for name, by in documents.items() for k in range(2)}
        other = iaa.data.compress(iaa.from_spans(copies))
    first, second = (iaa.annotators(x, **QUICK) for x in (spans, other))
    second = second.sel(annotator=first["annotator"], annotator_2=first["annotator_2"])
    for name in ("agreement", "without", "pair_agreement", "bias", "spans_ratio"):
        np.testing.assert_allclose(first[name], second[name], atol=1e-12)
    first, second = (iaa.labels(x, **QUICK) for x in (spans, other))
    for name in ("coefficient_estimate", "unmatched", "share"):
        np.testing.assert_allclose(first[name], second[name], atol=1e-12)
    if what != "weights":
        first, second = (iaa.items(x) for x in (spans, other))
        seen = [name for name, by in documents.items() if by]
        for name in ("agreement", "influence", "change"):
            both = [x[name].sel(item=seen) for x in (first, second)]
            np.testing.assert_allclose(*both, atol=1e-12)


def test_any_coefficient_of_spans(documents: Documents) -> None:
    spans = iaa.from_spans(documents)
    for name in iaa.agreement(spans, interval=None)["coefficient"].values:
        table = iaa.items(spans, name)
        assert table.attrs["coefficient"] == name
        two = next(by for by in documents.values() if len(by) == 2)
        document = next(key for key, by in documents.items() if by is two)
        alone = iaa.agreement(iaa.from_spans({document: two}), name, interval=None)
        np.testing.assert_allclose(table["agreement"].sel(item=document), alone["estimate"][0])


@pytest.mark.parametrize("name", ["gamma", "unitizing_alpha", "partial_span_f1"])
def test_without_and_pairs_are_those_of_fewer_annotators(name: str) -> None:
    documents = {  # no two spans of a label overlap
        document: {
            who: [(4 * k + start % 2, 4 * k + 3, label) for k, (start, _, label) in enumerate(x)]
            for who, x in by.items()
        }
        for document, by in random_documents(3, 8, 3).items()
    }
    spans = iaa.from_spans(documents, lengths=dict.fromkeys(documents, 20))
    table = iaa.annotators(spans, name, **QUICK)
    for left_out in ("ann0", "ann1", "ann2"):
        two = [who for who in ("ann0", "ann1", "ann2") if who != left_out]
        kept = iaa.data.keep_annotators(spans, two)
        expected = float(iaa.agreement(kept, name, interval=None).estimate[0])
        assert float(table["without"].sel(annotator=left_out)) == pytest.approx(expected)
        pair = table["pair_agreement"].sel(annotator=two[0], annotator_2=two[1])
        assert float(pair) == pytest.approx(expected)


def test_by_groups_of_documents_and_annotators() -> None:
    documents = {name: by for name, by in random_documents(8, 20).items() if by}
    spans = iaa.from_spans(documents)
    batch = np.arange(len(documents)) % 3
    spans = spans.assign_coords(batch=("document", batch))
    team = {"ann0": "x", "ann1": "y", "ann2": "x", "ann3": "y"}
    teams = [team[name] for name in spans["annotator"].values]
    spans = spans.assign_coords(team=("annotator", teams))
    groups = iaa.agreement_by(spans, "batch", "span_f1", interval=None)
    rows = counts(documents)
    for k, figure in enumerate(groups["estimate"].values[:, 0]):
        inside = {name for name, b in zip(documents, batch, strict=True) if b == k}
        assert figure == pytest.approx(f1([row for row in rows if row[0] in inside]))
    groups = iaa.agreement_by(spans, "team", "span_f1", interval=None)
    for name, figure in zip("xy", groups["estimate"].values[:, 0], strict=True):
        inside_rows = [row for row in rows if team[row[1]] == team[row[2]] == name]
        assert figure == pytest.approx(f1(inside_rows))


def test_what_cannot_be_told_is_nan() -> None:
    spans = iaa.from_spans(
        {
            "empty": {"a": [], "b": []},
            "alone": {"a": [(0, 1, "X")]},
            "both": {"a": [(0, 1, "X")], "b": [(0, 1, "X")], "c": [(0, 1, "X")]},
            "other": {"c": [], "d": [(5, 6, "X")]},
        },
        labels=["X", "Y"],
    )
    table = iaa.items(spans)
    np.testing.assert_array_equal(table["agreement"], [np.nan, np.nan, 1.0, 0.0])
    assert table["ratings"].values.tolist() == [2, 1, 3, 2]
    annotators = iaa.annotators(spans)
    pair = annotators["pair_agreement"].sel(annotator="a", annotator_2="d")
    assert np.isnan(pair)  # they never meet
    assert np.isnan(annotators["agreement_ci_low"].sel(annotator="d"))  # one document
    assert annotators.attrs["farthest"] == "d"
    labels = iaa.labels(spans)
    assert np.isnan(labels["coefficient_estimate"].sel(label="Y"))
    assert labels["coefficient_code"].sel(label="Y") != 0
    nothing = iaa.from_spans({"d": {"a": [], "b": []}}, labels=["X"])
    assert iaa.annotators(nothing).attrs["conclusion"] == "undefined"
    assert iaa.labels(nothing).attrs["conclusion"] == "undefined"
    assert iaa.items(nothing).attrs["conclusion"] == "unanimous"


def test_pages_say_documents_and_spans() -> None:
    spans = iaa.from_spans(random_documents(2, 30))
    for study in (iaa.items, iaa.annotators, iaa.labels):
        text = str(iaa.page(study(spans)))
        assert "Strict F1" in text
        assert "nan" not in text
    text = str(iaa.page(iaa.items(spans, top=3)))
    assert "Shown: 3 of 31 documents" in text


def test_options_of_labels_are_refused() -> None:
    spans = iaa.from_spans(random_documents(2))
    with pytest.raises(IaaError, match="ties"):
        iaa.annotators(spans, ties="skip")
    with pytest.raises(IaaError, match="annotator_weight"):
        iaa.annotators(spans, annotator_weight=[1.0] * 4)
    with pytest.raises(IaaError, match="krippendorff_alpha compares labels"):
        iaa.items(spans, "krippendorff_alpha")

    def own(mass: object, item_weight: object) -> xr.Dataset:
        raise AssertionError

    with pytest.raises(IaaError, match="own compares labels"):
        iaa.items(spans, own)


def test_rows_of_the_heat_map_of_labels_add_up_to_one() -> None:
    """Its last column is the share of a label's spans that no other span matches."""
    marked = {
        f"d{k}": {
            "ann": [(0, 4, "PER"), (6, 9, "ORG"), (12, 14, "LOC")],
            "bob": [(0, 4, "PER"), (6, 8, "PER" if k < 3 else "ORG")],
        }
        for k in range(12)
    }
    result = iaa.labels(iaa.from_spans(marked), interval=None)
    (picture,) = (block for block in iaa.page(result).blocks if isinstance(block, Picture))
    drawn = dict(zip(picture.x, (curve.y for curve in picture.curves), strict=True))
    assert picture.aside == "no partner"
    np.testing.assert_allclose([row.sum() for row in drawn.values()], 1, rtol=1e-12)
    assert drawn["LOC"].tolist() == [0, 0, 0, 1]
    alone = dict(zip(result.label.values, result.unmatched.values, strict=True))
    assert {name: row[-1] for name, row in drawn.items()} == alone
    of_org = dict(zip([*picture.x, "none"], drawn["ORG"], strict=True))
    assert of_org["PER"] == pytest.approx(3 / 21)
    axes = Figure().add_subplot()
    iaa.plot(iaa.page(result), "labels_confused", ax=axes)
    assert [label.get_text() for label in axes.get_xticklabels()] == [*picture.x, "no partner"]
    assert len([text for text in axes.texts if text.get_text()]) == 12
