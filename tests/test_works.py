"""The bibliography: entries that can be cited as they are, and rows that name them."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

import iaa_jax
from iaa_jax.catalog import CATALOG, NAMES
from iaa_jax.catalog.labelling import METHODS
from iaa_jax.catalog.scales import SCALES
from iaa_jax.catalog.works import Sourced, Work, bibliography, bibtex_of, works_of
from iaa_jax.measure.options import interval

ROOT = Path(__file__).parents[1]
ROWS: list[Sourced] = [*CATALOG.values(), *METHODS.values(), *SCALES.values()]
TEXTS = [*(row.sources for row in ROWS), *interval.SOURCES.values()]
WORKS = [work for key, work in bibliography().items() if key != "iaa_jax"]
NEEDED = {
    "article": {"journal", "volume"},
    "book": {"publisher"},
    "inproceedings": {"booktitle"},
    "misc": {"url"},
}
WITHOUT_YEAR = ("appen",)
"""A page of a company that has no date."""


def test_the_whole_file_is_read() -> None:
    """What the pattern of an entry or a field missed would be dropped silently."""
    text = Path(iaa_jax.__file__).with_name("catalog").joinpath("works.bib").read_text("utf-8")
    assert "\n\n".join(work.bibtex({}) for work in bibliography().values()) + "\n" == text
    assert [work.key for work in WORKS] == sorted(work.key for work in WORKS)


@pytest.mark.parametrize("work", WORKS, ids=lambda work: work.key)
def test_an_entry_can_be_cited(work: Work) -> None:
    fields = work.fields
    needed = {"author", "title", "year"} - ({"year"} if work.key in WITHOUT_YEAR else set())
    assert fields.keys() >= needed | NEEDED[work.kind]
    first = fields["author"].partition(" and ")[0].partition(",")[0]
    plain = unicodedata.normalize("NFD", first).encode("ascii", "ignore").decode().lower()
    assert work.key == re.sub("[^a-z]", "", plain) + fields.get("year", "")
    assert re.fullmatch(r"10\.\d{4,}/\S+", fields.get("doi", "10.1000/none"))
    assert re.fullmatch(r"https://\S+", fields.get("url", "https://none"))
    for name, value in fields.items():
        assert balanced(value), (name, value)
        if name not in ("doi", "url"):
            outside = re.sub(r"\$[^$]*\$", "", value)
            assert not re.search(r"(?<!\\)[&%#_$]", outside), (name, value)
    for name in {"pages", "number"} & fields.keys():
        assert re.fullmatch(r"e?\d+(--\d+)?", fields[name])


def balanced(text: str) -> bool:
    depth = 0
    for letter in text:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if depth < 0:
            return False
    return depth == 0


@pytest.mark.parametrize("sources", sorted(set(TEXTS)))
def test_a_row_names_its_works_by_key(sources: str) -> None:
    """A year beside the keys would be a work without an entry."""
    assert works_of(sources)
    assert not re.search(r"\b(1[89]|20)\d\d\b", re.sub(r"\{\w+\}", "", sources))


def test_no_work_is_without_a_row() -> None:
    assert {work.key for text in TEXTS for work in works_of(text)} == {work.key for work in WORKS}


@pytest.mark.parametrize("row", CATALOG.values(), ids=lambda row: row.name)
def test_each_citation_of_a_coefficient_has_an_entry(row: Sourced) -> None:
    printed = bibtex_of([("", row.sources)], "1")
    cited = re.findall(r"([^\W\d]+)( et al\.|[^;\d]*?) (\d{4})", row.source)
    assert cited
    for _, _, year in cited:
        assert f"year = {{{year}}}" in printed
    assert row.link.startswith("https://")


def test_a_work_stands_once_with_all_that_it_is_for() -> None:
    printed = iaa_jax.coefficients.bibtex(["am_agreement", "icc1", "icc3k"])
    assert printed.count("@article{shrout1979,") == 1
    assert "  annote = {ICC(1); ICC(3,k)},\n" in printed
    assert "  annote = {A\\_m},\n" in printed


def test_methods_of_gold_labels_and_scales_have_sources_too() -> None:
    printed = iaa_jax.coefficients.bibtex(["mace", "landis_koch"])
    assert re.findall(r"@\w+\{(\w+),", printed) == ["hovy2013", "landis1977", "iaa_jax"]
    assert len({*METHODS, *SCALES, *NAMES}) == len(METHODS) + len(SCALES) + len(NAMES)
    with pytest.raises(iaa_jax.IaaError, match="unknown coefficient 'mase'"):
        iaa_jax.coefficients.bibtex(["mase"])


def test_the_package_is_cited_alike_everywhere() -> None:
    entry = bibtex_of([], iaa_jax.__version__)
    assert f"```bibtex\n{entry}\n```" in (ROOT / "README.md").read_text("utf-8")
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    for name in ("title", "author", "license", "version"):
        value = re.search(rf"  {name} = \{{+(.*?)\}}+,", entry)[1]  # type: ignore[index]
        assert value.replace("\\", "") in citation
