"""Reasons why a coefficient does not apply to ratings, with advice on what to use instead."""

from __future__ import annotations

from iaa_jax.catalog import CATALOG, Coefficient
from iaa_jax.data.kind import Kind
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.wording import keyword


def unfit(row: Coefficient, name: str, tables: Rated) -> str:
    """Return why the coefficient called ``name`` does not apply to ratings; "" if it does.

    Whether it applies to numbers is not checked here.
    """
    measure, annotators = row.measure, tables.annotators
    if measure.compares and tables.kind is not Kind.SPANS:
        return (
            f"{name} compares spans, and these ratings are labels of whole items: read spans "
            "with read_spans, or make them with from_spans"
        )
    if tables.kind is Kind.SPANS and not measure.compares:
        return unfit_for_spans(name)
    if measure.identified and tables.anonymous:
        others = ", ".join(each.name for each in CATALOG.values() if not each.identified)
        return (
            f"{name} needs to know who gave which rating, and these ratings are counts without "
            f"annotators; these do not need it: {others}"
        )
    if measure.annotators is not None and annotators != measure.annotators:
        return (
            f"{name} is defined for two annotators, and these ratings have {annotators}; use "
            "mean_pairwise_cohen_kappa or conger_kappa, or keep two annotators"
        )
    if measure.label_sets and tables.kind is not Kind.SETS:
        return (
            f"{name} compares label sets (any number of labels per rating), and these ratings are "
            f"not sets: make label sets with from_sets or read them with {keyword('separator')} "
            f"or {keyword('multi_hot')}; for one label per rating use krippendorff_alpha or "
            "conger_kappa"
        )
    return ""


def unfit_for_spans(name: str) -> str:
    """Return the reason why a coefficient of labels of items does not apply to spans."""
    of_spans = ", ".join(each.name for each in CATALOG.values() if each.measure.compares)
    return (
        f"{name} compares labels of items, and spans have no items that annotators agree to "
        "leave unmarked, so that chance agreement is not known; for spans use "
        f"{of_spans}; if the lengths of documents are known, token_ratings makes ratings "
        "of their positions"
    )


def unfit_for_numbers(name: str) -> str:
    """Return the reason why a coefficient of labels does not apply to numbers."""
    takes = ", ".join(
        row.name for row in CATALOG.values() if row.levels or row.measure.takes_values
    )
    return (
        f"{name} compares labels, and these ratings are numbers without labels; these take "
        f"numbers: {takes}; if each number is a label, use from_wide"
    )
