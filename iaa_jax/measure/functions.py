"""One public function per coefficient, made from the coefficient's row of the catalogue."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from iaa_jax._errors import OptionError
from iaa_jax.catalog import NAMES, Coefficient, resolve_name
from iaa_jax.measure.agreement import measure_coefficient
from iaa_jax.measure.figures import FIGURES
from iaa_jax.measure.options.declared import public, select, with_signature
from iaa_jax.measure.options.interval_options import IntervalOptions
from iaa_jax.measure.options.label_options import LabelOptions
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.wording import keyword
from iaa_jax.wording.figures import gives

if TYPE_CHECKING:
    import xarray as xr

_OF_PAIRS = ("min_common",)
"""Options that only pairwise coefficients take."""

_VARIANTS = {
    "percent_agreement average": """\
average : {"item_mean", "rating_weighted", "all_agree"}
    The mean over items (the default); the mean over items weighted by their numbers of ratings;
    or the share of items on which all ratings agree.
""",
    "specific_agreement average": """\
average : {"auto", "pairs", "ratings"}
    Whether an item counts by its pairs of ratings, as published, so that items with many
    ratings dominate, or by its ratings, as in Krippendorff's alpha. "auto" counts pairs, unless
    this would shift more than a quarter of the weight to other items; it then counts ratings,
    and a note states so.
""",
    "normalize": """\
normalize : {"none", "ceiling"}
    ``(A - E) / (1 - E)`` as published (the default), or ``(A - E) / (c - E)``. Here c is the
    observed agreement that two annotators with the same ratings would have, which is below 1
    because identical double labels agree only by p^2 + (1 - p)^2. Both forms are 0 on average
    for independent annotators.
""",
    "pool": """\
pool : {"pairs", "components"}
    The mean of the coefficients of the pairs (the default), or a single ratio, of the means of
    A, E and c over the pairs.
""",
    "average": """\
average : {"micro", "macro", "weighted", "pairs", "documents"}
    "micro" is the ratio of sums over labels and pairs of annotators (the default); "macro" the
    mean of the F1 of each used label; "weighted" this mean, weighted by the support of the
    labels, which equals "micro" because support counts both annotators; "pairs" the mean of the
    F1 of each pair of annotators that marked anything; and "documents" the mean over documents
    of the mean over pairs, in which two annotators who marked nothing have an F1 of 1 (the task
    agreement of Label Studio, with F1 as its metric). Without labels, there are no means over
    labels.
""",
    "duplicates": """\
duplicates : {"set", "multiset"}
    Whether spans that an annotator marked twice, with the same boundaries and label, count once
    (the default) or twice.
""",
    "credit": """\
credit : {"average", "strict", "lenient"}
    Whether matches with different boundaries count half (the default: the mean of the other two
    figures), not at all, or fully.
""",
    "match": """\
match : {"strict", "partial", "token"}
    As in `span_f1` (the default), `partial_span_f1` or `token_span_f1`.
""",
    "form": """\
form : {"alpha_u", "u", "ub", "cu", "ku"}
    "alpha_u" is the coefficient of 1995 and 2004 (the default). The others are of 2016: "u"
    compares labels and gaps; "ub" units and gaps; "cu" labels where units of two annotators
    overlap; and "ku" is cu of each label, with its ``coverage``, the share of the length of its
    units at which other annotators have units too.
""",
    "n_t": """\
n_t : int
    Boundaries of two annotators at a smaller distance than this are near misses, which count in
    part; with 1 there are no near misses.
""",
    "reference": """\
reference : {"both", "second"}
    The annotator who determines the length of the windows in which boundaries are counted: each of
    a pair in turn (the default), or the second, in the order of the annotators.
""",
    "per_label": """\
per_label : bool
    Whether to give one figure for each label, as if no other labels had been marked.
""",
    "undefined_pairs": """\
undefined_pairs : {"omit", "zero"}
    Leave out pairs whose kappa is 0/0 and report their number (the default), or take their kappa
    as 0.
""",
}


_RATINGS = """\
ratings : xarray.Dataset
    Ratings, as the constructors and `iaa_jax.read` make them."""

_SPANS = """\
ratings : xarray.Dataset
    Spans, as `iaa_jax.from_spans` and `iaa_jax.read_spans` make them."""


_MARKED = """\
{
        "d1": {
            "ann": [(0, 5, "PER"), (9, 12, "ORG")],
            "bob": [(0, 5, "PER"), (9, 14, "ORG")],
        }
    },
    lengths={"d1": 20},"""


def _docstring(name: str, row: Coefficient) -> str:
    shape = "Along ``label``" if row.per_label else "As scalars"
    if row.by_label:
        shape += ", or along ``label`` with ``per_label``"
    options = (*row.variants, *row.numbers, *(["per_label"] if row.by_label else []))
    parameters = "".join(
        _VARIANTS.get(f"{name} {option}") or _VARIANTS[option] for option in options
    )
    also = [synonym for synonym in row.names if synonym != name]
    alias = f"\nThe same coefficient as {', '.join(f'`{synonym}`' for synonym in also)}.\n"
    return f"""{row.title}.

{textwrap.fill(row.summary, 96)}
{alias if also else ""}
{textwrap.fill(row.equation, 96)}

{textwrap.fill(f"Range: {row.range}. Undefined: {row.undefined}.", 96)}

Parameters
----------
{_SPANS if row.measure.compares else _RATINGS}
{parameters}label_options : LabelOptions
options : IntervalOptions

Returns
-------
xarray.Dataset
    {shape}:

    FIGURES

    For ``conclusion``, see `iaa_jax.agreement`.

Raises
------
IaaError
    If an option is unknown, or does not fit the ratings.
{_section("Notes", row.notes)}
References
----------
{row.source}. {row.link}

Examples
--------
{_example(name, row)}"""


def _section(title: str, text: str) -> str:
    if not text:
        return ""
    filled = "\n\n".join(textwrap.fill(part, 96) for part in text.split("\n\n"))
    return f"\n{title}\n{'-' * len(title)}\n{filled}\n"


def _example(name: str, row: Coefficient) -> str:
    shown = repr(np.array(row.example))
    if row.measure.compares:
        marked = (row.marked or _MARKED).replace("\n", "\n... ")
        return f""">>> import iaa_jax as iaa
>>> spans = iaa.from_spans(
...     {marked}
... )
>>> iaa.{name}(spans, interval=None).estimate.round(4).values
{shown}
"""
    if row.measure.takes_values:
        return f""">>> import iaa_jax as iaa
>>> ratings = iaa.from_values(
...     [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
... )
>>> iaa.{name}(ratings, interval=None).estimate.round(4).values
{shown}
"""
    if row.measure.label_sets:
        return f""">>> import iaa_jax as iaa
>>> ratings = iaa.from_sets(
...     [[["joy"], ["joy", "hope"]], [["fear"], ["fear"]], [[], ["fear"]], [["hope"], ["hope"]]]
... )
>>> iaa.{name}(ratings, interval=None).estimate.round(4).values
{shown}
"""
    return f""">>> import iaa_jax as iaa
>>> ratings = iaa.from_contingency([[20, 5], [10, 15]], labels=["yes", "no"])
>>> iaa.{name}(ratings, interval=None).estimate.round(4).values
{shown}
"""


def __getattr__(name: str) -> Callable[..., xr.Dataset]:
    """Return the function of a coefficient, by its name in the catalogue (PEP 562)."""
    if name in NAMES:
        return coefficient_function(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@cache
def coefficient_function(name: str) -> Callable[..., xr.Dataset]:
    """Return the public function of a coefficient, by its name in the catalogue."""
    row = resolve_name(name)

    def coefficient(
        ratings: Rated,
        *,
        label_options: LabelOptions,
        options: IntervalOptions,
        per_label: bool = False,
        **variants: Any,
    ) -> xr.Dataset:
        if per_label:
            _refuse_varied(row, variants)
            return measure_coefficient(row.by_label, ratings, label_options, options, {})
        return measure_coefficient(name, ratings, label_options, options, variants)

    coefficient.__name__ = coefficient.__qualname__ = name
    coefficient.__doc__ = _docstring(name, row)
    documented = gives({"FIGURES": FIGURES})(coefficient)
    return public(with_signature(documented, _signature(coefficient, row)))


def _refuse_varied(row: Coefficient, variants: Mapping[str, Any]) -> None:
    """Raise an error unless all variants are the defaults: figures by label have no others."""
    for option, value in variants.items():
        usual = next(iter(row.variants[option]))
        if value != usual:
            raise OptionError(f"{keyword('per_label', True)} takes only {keyword(option, usual)}")


def _signature(function: Callable[..., xr.Dataset], row: Coefficient) -> inspect.Signature:
    shape = inspect.signature(function)
    ratings, of_labels, of_intervals, per_label, variant = shape.parameters.values()
    keyword = inspect.Parameter.KEYWORD_ONLY
    others = tuple(name for name in _OF_PAIRS if name not in row.options)
    parameters = [
        ratings,
        *(
            variant.replace(name=name, kind=keyword, default=next(iter(choices)), annotation="str")
            for name, choices in row.variants.items()
        ),
        *(
            inspect.Parameter(
                name, keyword, default=number.default, annotation="int" if number.whole else "float"
            )
            for name, number in row.numbers.items()
        ),
        *([per_label] if row.by_label else []),
        of_labels.replace(default=select(LabelOptions, without=others)),
        of_intervals.replace(default=select(IntervalOptions)),
    ]
    return shape.replace(parameters=parameters)
