"""What the tables say of real sets."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import iaa_jax as iaa
from tests.cifar10n import long_table


def test_pandalm_the_models_stand_apart_from_the_people() -> None:
    with as_file(files("iaa_jax").joinpath("demo", "pandalm.csv")) as path:
        ratings = iaa.read(path)
    found = iaa.annotators(ratings, replicates=200, sort="kappa")
    assert found.annotator.values[:2].tolist() == ["pandalm-7b", "gpt-3.5-turbo"]
    assert (found.kappa_ci_high.values[:2] < found.kappa_ci_low.values[2:].min()).all()
    assert (found.change.values[:2] > 0).all()
    assert (found.change.values[2:] < 0).all()
    # the language model that avoids a label
    assert float(found.bias_ci_high.sel(annotator="gpt-3.5-turbo", label="tie")) < 0
    labels = iaa.labels(ratings, interval=None, top=1)
    assert labels.label.values.tolist() == ["tie"]
    by_hand = ratings.primary.values
    people = iaa.contingency(ratings, annotators=["annotator1", "annotator2"])
    table = [
        [((by_hand[:, 0] == k) & (by_hand[:, 1] == c)).sum() for c in range(3)] for k in range(3)
    ]
    np.testing.assert_array_equal(people.table.values, table)


def test_convabuse_one_annotator_reads_more_abuse(data_folder: Path) -> None:
    frame = pd.read_csv(data_folder / "convabuse" / "ConvAbuseEMNLPfull.csv.gz")
    hot = [name for name in frame.columns if name.startswith("is_abuse.")]
    frame["label"] = np.array([int(name.split(".")[1]) for name in hot])[
        frame[hot].to_numpy().argmax(1)
    ]
    unit = ["conv_id", "prev_agent", "prev_user", "agent", "user", "bot"]
    frame["item"] = frame.groupby(unit, dropna=False).ngroup()
    frame = frame.rename(columns={"annotator_id": "annotator"}).drop_duplicates(
        ["item", "annotator"]
    )
    ratings = iaa.from_long(frame[["item", "annotator", "label"]])
    found = iaa.annotators(ratings, level="ordinal", replicates=100, top=1)
    assert found.annotator.values.tolist() == ["Annotator5"]
    assert found.attrs["estimate"] == pytest.approx(0.660, abs=5e-4)  # the set's own figure
    assert float(found.without[0]) == pytest.approx(0.742, abs=5e-4)
    others = ratings.isel(annotator=ratings.annotator.values != "Annotator5")
    again = iaa.krippendorff_alpha(others, level="ordinal", interval=None)
    assert float(found.without[0]) == pytest.approx(float(again.estimate), abs=1e-12)
    labels = iaa.labels(ratings, interval=None, sort="specific_agreement")
    assert labels.label.values[0] == 0


def test_cifar10n_hundreds_of_annotators(data_folder: Path) -> None:
    ratings = iaa.from_long(long_table(data_folder).query("item < 4000"))
    found = iaa.annotators(ratings, "fleiss_kappa", interval=None)
    assert found.sizes["annotator"] > 100
    assert float(found.ratings.sum()) == 12000
    # each pair of ratings is in the table twice
    shared = found.pair_shared_items.values - np.diag(np.diag(found.pair_shared_items.values))
    assert shared.sum() == 4000 * 6
    who = int(found.ratings.values.argmax())
    kept = long_table(data_folder).query("item < 4000")
    kept = kept[kept.annotator != ratings.annotator.values[who]]
    rest = iaa.from_long(kept, labels=ratings.label.values.tolist())
    again = iaa.fleiss_kappa(rest, interval=None)
    assert float(found.without[who]) == pytest.approx(float(again.estimate), abs=1e-12)
