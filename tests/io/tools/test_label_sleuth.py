"""Label Sleuth: a file for each person, a question for each category."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from iaa_jax import IaaError, read

Write = Callable[..., Path]

SAMPLES = Path(__file__).parents[1] / "samples" / "label_sleuth"
FILES = sorted(SAMPLES.glob("*.csv"))


def refused(paths: object, **options: object) -> str:
    with pytest.raises(IaaError) as caught:
        read(paths, **options)  # type: ignore[arg-type]
    return str(caught.value)


def test_categories_are_questions() -> None:
    assert refused(FILES).endswith(
        "2 questions: read one of them by question='refund' (labels, 6 judgements), "
        "question='privacy' (labels, 7 judgements)"
    )
    ratings = read(FILES, question="refund")
    assert ratings.item.values.tolist() == [f"contracts-doc7-{n}" for n in range(4)]
    assert ratings.annotator.values.tolist() == ["synthetic_ana", "synthetic_ben"]
    assert ratings.label.values.tolist() == ["False", "True"]
    assert ratings.primary.values.tolist() == [[1, 1], [0, 0], [0, -1], [-1, 1]]
    privacy = read(FILES, question="privacy")
    assert privacy.primary.values.tolist() == [[0, 0], [1, 1], [-1, 0], [0, 0]]


def test_weak_labels_are_predictions() -> None:
    assert read(FILES, question="refund").attrs["skipped"] == "1 prediction"
    ratings = read(FILES, question="refund", include="predictions")
    assert ratings.sizes["item"] == 5


def test_one_category_and_none(tmp_path: Path) -> None:
    head = "workspace_id,document_id,dataset,text,uri,element_metadata,label,label_type\n"
    for who, label in (("ana", "true"), ("ben", "False")):
        rows = f"w,d,s,t,s-d-0,{{}},{label},Standard\nw,d,s,u,s-d-1,{{}},True,Standard\n"
        (tmp_path / f"{who}.csv").write_text(head + rows)
    ratings = read(tmp_path)
    assert ratings.annotator.values.tolist() == ["ana", "ben"]
    assert ratings.primary.values.tolist() == [[1, 0], [1, 1]]


def test_other_keys_and_repeats(write: Write) -> None:
    ratings = read(FILES, question="refund", item="text", file_pattern="synthetic_{annotator}.csv")
    assert ratings.annotator.values.tolist() == ["ana", "ben"]
    assert "Fees apply." in ratings.item.values.tolist()
    lines = FILES[0].read_text()
    twice = write(lines + lines.splitlines()[1], "twice.csv")
    assert "line 9" in refused([twice, FILES[1]], question="refund")
    assert read([twice, FILES[1]], question="refund", duplicates="last").sizes["item"] == 4
