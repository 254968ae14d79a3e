"""LeWiDi: items with the labels of all their annotators, as in 2023 and in 2025."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from iaa_jax import IaaError, krippendorff_alpha, read
from tests.io.tools.test_crowdflower import nominal_alpha

Make = Callable[..., Path]

SAMPLES = Path(__file__).parents[1] / "samples" / "lewidi"
OLD, NEW = SAMPLES / "synthetic_2023_train.json", SAMPLES / "synthetic_2025_dev.json"


@pytest.fixture
def made(tmp_path: Path) -> Make:
    def make(name: str, **items: dict[str, object]) -> Path:
        path = tmp_path / f"{name}.json"
        counted = {
            key: {"annotators": ",".join(given), "number of annotations": len(given)}
            | {"annotations": given, "split": name, "soft_label": {"1": 0.67, "2": 0.33}}
            for key, given in items.items()
        }
        path.write_text(json.dumps(counted), encoding="utf-8")
        return path

    return make


def test_labels_by_annotator(made: Make) -> None:
    """The small file of the second field trial: no count and no share is a rating."""
    each = [("1", "3", "1"), ("2", "2", "3"), ("1", "1"), ("2", "1", "2")]
    items = {
        f"1{row}": {f"Ann{(3 * row, 0)[row == 3] + k}": x for k, x in enumerate(labels)}
        for row, labels in enumerate(each)
    }
    ratings = read(made("dev", **items))
    assert ratings.attrs["read_as"] == "LeWiDi JSON, items from 'key', annotators from 'annotators'"
    assert ratings.sizes == {"item": 4, "annotator": 8, "label": 3}
    expected = nominal_alpha([list(labels) for labels in each])
    assert float(krippendorff_alpha(ratings).estimate) == pytest.approx(expected)
    assert expected == pytest.approx(0.211, abs=5e-4)


def test_labels_beside_annotators() -> None:
    ratings = read(OLD)
    assert ratings.annotator.values.tolist() == ["Ann1", "Ann2", "Ann3", "Ann4"]
    assert ratings.primary.values.tolist() == [[0, 1, 0, -1], [1, 1, 0, -1], [0, -1, -1, 0]]
    other = read(OLD, question="aggressive language detection")
    assert other.primary.values.tolist() == [[0, 1, 1, -1], [1, 1, 1, -1], [0, -1, -1, 1]]


def test_several_labels_of_an_annotator_are_a_set(made: Make) -> None:
    for path in (NEW, made("lists", a={"Ann1": ["x", "y"], "Ann2": ["x"]})):
        assert read(path).attrs["task"] == "multi_label"
    names = read(NEW)
    assert names.label.values.tolist() == ["entailment", "neutral"]
    assert (names.mass.values[0] > 0).tolist() == [[False, True], [True, True], [False, True]]


def test_items_of_several_files_are_told_apart_by_their_splits(made: Make) -> None:
    files = [made(split, a={"Ann1": "1", "Ann2": "2"}) for split in ("train", "dev")]
    assert read(files).item.values.tolist() == ["train | a", "dev | a"]


def test_who_gave_none(made: Make) -> None:
    path = made("dev", a={"Ann1": "1", "Ann2": "2"}, b={"Ann1": None, "Ann2": "1", "Ann3": ""})
    assert (
        "'Ann3', who answered nothing; 1 judgement without an answer (Ann1: 1)"
        in read(path).attrs["skipped"]
    )
    path.write_text(OLD.read_text().replace('"0,0"', '"0,0,1"'))
    with pytest.raises(IaaError, match=r"record 3 \(3\): 3 labels in 'annotations' for 2 names"):
        read(path)
    path.write_text(OLD.read_text().replace('"1": {"text"', '"0": 5, "1": {"text"'))
    with pytest.raises(IaaError, match="'0' is not an object"):
        read(path)
