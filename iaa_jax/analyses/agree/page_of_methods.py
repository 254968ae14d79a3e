"""The paragraph on agreement for the methods section of a paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import xarray as xr

from iaa_jax._errors import IaaError
from iaa_jax._types import Attributes
from iaa_jax.analyses.agree.words import WORDS
from iaa_jax.catalog import CATALOG, NAMES, UNWEIGHTED, title_of
from iaa_jax.catalog.works import cited
from iaa_jax.data.facts import code_for
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.measure.options.interval import SOURCES
from iaa_jax.measure.options.label_options import UNSAID
from iaa_jax.pages.intervals import WORDS as OF_INTERVALS, are_grouped, units_of
from iaa_jax.pages.ratings import WORDS as OF_RATINGS, ratings_each, reading_rows
from iaa_jax.wording import Note, joined, say

DRAWN = ("empirical_bayes", "bca", "percentile", "basic", "studentized")
"""Kinds of intervals that come from draws."""

_PLACES = (
    *("read_long", "read_scanned", "read_wide", "read_counts", "read_one_hot", "read_multi_hot"),
    *("read_transposed", "read_paired", "read_items_from", "read_items_from_files"),
    *("read_items_numbered", "read_items_in_columns", "read_annotators_from"),
    *("read_annotators_joined", "read_annotators_from_several", "read_annotators_from_files"),
    *("read_annotators_from_folders", "read_annotators_from_sheets"),
    *("read_annotators_in_columns", "read_labels_from", "read_labels_in_columns"),
    *("read_first_sheet", "read_sheet_of_ratings", "read_sheet_of_columns", "read_header_below"),
)
"""Codes of notes on places in files, which the paragraph omits."""


def methods(result: xr.Dataset | Mapping[str, xr.Dataset]) -> str:
    """Return a paragraph for the methods section of a paper.

    The paragraph states how many ratings the annotators gave, what was left out or merged in
    reading, which coefficient was measured, and how its interval was made, with the works to cite.

    Parameters
    ----------
    result : xarray.Dataset or mapping of them
        A result of `iaa_jax.agree`, `iaa_jax.agreement` or a coefficient. With several
        coefficients, the paragraph is about the one that the page shows first.

    Returns
    -------
    str
        The paragraph.

    Raises
    ------
    IaaError
        If the result is from another function.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"], ["b", "b"], ["a", "b"]] * 8)
    >>> import textwrap
    >>> print(textwrap.fill(iaa.methods(iaa.cohen_kappa(ratings, interval=None)), 92))
    ... # doctest: +ELLIPSIS
    2 annotators gave 48 ratings on 24 items, every item by all of them. Agreement was measured
    with Cohen's kappa (Cohen 1960; with weights Cohen 1968), computed with iaa_jax ...
    """
    whole = result if isinstance(result, xr.Dataset) else result.get("coefficients")
    if whole is None or whole.attrs.get("made_by") != "agreement":
        raise IaaError("methods needs a result of agree, agreement or a coefficient")
    words = joined(WORDS, OF_RATINGS, OF_INTERVALS)
    return say(methods_note(leading(whole)), words).removeprefix("Methods: ")


def leading(result: xr.Dataset) -> xr.Dataset:
    """Return the part of a result on the leading coefficient."""
    if "coefficient" not in result.dims:
        return result
    names = result["coefficient"].values.tolist()
    first = result.attrs.get("coefficient")
    return result.isel(coefficient=names.index(first) if first in names else 0)


def methods_note(row: xr.Dataset) -> Note:
    """Return the paragraph on one coefficient, as a note."""
    attrs = {str(name): value for name, value in row.attrs.items()}
    method = str(row["interval"].item()) if "interval" in row else ""
    drawn = Note("methods_drawn", attrs) if method in DRAWN else ""
    source: Note | str = ""
    if method in SOURCES:
        code = f"methods_cited_{method}"
        code = code if code in WORDS else "methods_cited"
        source = Note(code, {"source": cited(SOURCES[method])})
    made = method_note(attrs, method)
    interval = {**attrs, "made": made, "cited": source, "drawn": drawn}
    name = str(row["coefficient"].item() if "coefficient" in row else attrs["coefficient"])
    known_as = CATALOG.get(NAMES.get(name, ""))
    # matches of spans can be averaged in several ways
    averaged = kind_of(attrs) is Kind.SPANS and known_as and "average" in known_as.variants
    values = {
        **attrs,
        "averaged": Note("methods_averaged") if averaged else "",
        "who": Note("methods_unknown" if attrs["anonymous"] else "methods_known", attrs),
        "each": _each(attrs),
        "read": [*_read(attrs)],
        "title": title_of(name),
        "source": known_as.source if known_as else "",
        "weights": paper_weights(attrs, str(row["weights"].item())),
        "interval": Note("methods_interval", interval) if method else "",
        "version": attrs["iaa_jax_version"],
    }
    return Note(code_for(attrs, "methods"), values)


def method_note(attrs: Attributes, method: str) -> Note:
    """Return a note on the method and the units of an interval."""
    units, code = units_of(attrs), f"method_{method}"
    over = Note("intervals_over", {"units": units}) if are_grouped(units) else ""
    return Note(code if code in WORDS else "method_other", {"units": units, "over": over})


def _each(attrs: Attributes) -> Note:
    items = int(attrs["items"]) - int(attrs.get("unrated_items", 0))
    mean = float(attrs["ratings"]) / max(items, 1)
    if mean == attrs.get("annotators") and not attrs["anonymous"]:
        return Note("methods_of_all")
    equal_panels = attrs["smallest_panel"] == attrs["largest_panel"]
    of_mean = "" if equal_panels else Note("methods_mean", {"mean": mean})
    return Note("methods_each", {"each": ratings_each(attrs), "mean": of_mean})


def _read(attrs: Attributes) -> Iterator[Note]:
    for heading, note in reading_rows(attrs):
        if heading == "Left out":
            yield Note("methods_left_out", {"text": note})
        elif heading == "Read as" and isinstance(note, Note):
            listed = (part for part in note.listed("parts") if isinstance(part, Note))
            if parts := [part for part in listed if part.code not in _PLACES]:
                yield Note("methods_read", {"text": replace(note, values={"parts": parts})})


def paper_weights(attrs: Attributes, used: str) -> Note | str:
    """Return a note on label sets, weights or the level of measurement; "" for the default."""
    if compares_equal_sets(attrs, used):
        return Note("paper_sets")
    level = Note("paper_level") if used.startswith("level ") else ""
    if used in UNSAID and not level:
        return ""
    return Note("paper_weights", {"weights": used, "level": level})


def compares_equal_sets(attrs: Attributes, weights: str) -> bool:
    """Return whether only identical label sets agree, by default."""
    usual = kind_of(attrs) is Kind.SETS and attrs.get("leads") == "usual"
    return bool(usual and weights in UNWEIGHTED)
