"""Tags of IOB are read as conlleval reads them, in all schemes, against verified cases."""

from __future__ import annotations

import re

import pytest
import xarray as xr

import iaa_jax as iaa
from tests.io.tools.marks import Write, folder, marked
from tests.reference.spans import SpanCase, span_cases


def read(write: Write, tags: dict[str, list[str]]) -> xr.Dataset:
    lines = {
        f"{who}.conll": "".join(f"t{k}\t{tag}\n" for k, tag in enumerate(of))
        for who, of in tags.items()
    }
    return iaa.read_spans(folder(write, lines))


@pytest.mark.parametrize("case", span_cases("tags_to_spans"), ids=lambda case: case.id)
def test_tags_are_read_as_by_conlleval(write: Write, case: SpanCase) -> None:
    tags = case.record["tags"]
    spans = read(write, {"ann": tags, "bob": tags})
    lenient = case.expected["lenient_conlleval_spans"]
    for found in marked(spans).values():
        assert sorted(found) == sorted(map(tuple, lenient))
    assert "tags of IOB, read as by conlleval" in spans.attrs["read_as"]
    # what a strict scheme leaves out is counted, here for both files
    strict = case.expected["strict_scheme_spans"]
    said = re.match(r"\d+", spans.attrs.get("notices", "0"))
    assert said is not None
    assert int(said[0]) == 2 * (len(lenient) - len(strict))


@pytest.mark.parametrize(
    "case", span_cases("pairwise_f1_strict_from_tags"), ids=lambda case: case.id
)
def test_strict_f1_of_tags(write: Write, case: SpanCase) -> None:
    f1 = iaa.span_f1(read(write, case.record["tags"]), interval=None).estimate
    assert float(f1) == pytest.approx(case.expected["f1_lenient_conlleval"], abs=case.abs_tol)


@pytest.mark.parametrize(
    ("tags", "not_whole"),
    [
        ("B-x I-x E-x S-y", 0),
        ("B-x B-x E-x S-y", 1),
        ("I-x E-x O S-y", 1),
        ("I-x I-x O S-y", 1),
        ("B-x I-y E-y S-y", 2),
        ("B-x L-x U-x B-x", 1),
        ("B-x E-y S-y O", 2),
    ],
)
def test_spans_without_begin_or_end_are_counted(write: Write, tags: str, not_whole: int) -> None:
    notices = read(write, {"ann": tags.split(), "bob": ["O"] * 4}).attrs.get("notices", "")
    assert notices.startswith(f"{not_whole} span" if not_whole else "")
    assert bool(notices) == bool(not_whole)
