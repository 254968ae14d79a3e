"""Exports in UTF-16 and UTF-32, as editors save them: known for what they are by their text."""

from __future__ import annotations

from pathlib import Path

import pytest

import iaa_jax as iaa

SAMPLES = Path(__file__).with_name("samples")
EXPORTS = {
    "inception/synthetic_project_export": "NamedEntity",
    "redewiedergabe/synthetic_two_annotators": "stwr.type",
}


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("sample", EXPORTS)
def test_an_export_with_a_mark_is_known(sample: str, encoding: str, tmp_path: Path) -> None:
    question = EXPORTS[sample]
    whole = iaa.read_spans(SAMPLES / sample, question=question)
    for path in sorted((SAMPLES / sample).rglob("*")):
        if path.is_file():
            copy = tmp_path / Path(sample).name / path.relative_to(SAMPLES / sample)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_text("utf-8").encode(encoding))
    marked = iaa.read_spans(tmp_path / Path(sample).name, question=question)
    assert marked.drop_attrs().equals(whole.drop_attrs())
    assert (marked.attrs["read_as"], marked.attrs["skipped"]) == (
        whole.attrs["read_as"],
        whole.attrs["skipped"],
    )
