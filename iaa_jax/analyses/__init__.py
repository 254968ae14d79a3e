"""The analyses: a folder a question, and a row here that plugs it in.

A folder ``NAME`` holds ``study.py`` (ratings to results) and further files by idea, ``words.py``
(a template for each code), and ``command.py`` (options to calls); perhaps ``declared.py`` (figures)
and ``page.py`` (results to a page), without which `iaa_jax.pages.generic` makes pages. Its row
names the commands, which are functions of ``command.py``, and the public functions with their
modules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from types import ModuleType

    import xarray as xr

    from iaa_jax.pages import Page
    from iaa_jax.wording import Words


class Analysis(NamedTuple):
    """What plugs an analysis in.

    Attributes
    ----------
    folder : str
        Its folder among the analyses.
    commands : tuple of str
        Commands, in the order of the help; the functions of ``command.py`` have their names
        (`function_of`), and its ``EXAMPLES`` two lines for the help of each. One of two words, as
        "prodigy doc", stands in the help of the first.
    functions : mapping
        Public functions of `iaa_jax`, and the module of the folder that has each. What belongs to
        another function, as "gold.methods", is an attribute of it.
    namespace : mapping
        Public functions of ``iaa_jax.FOLDER``, likewise.
    """

    folder: str
    commands: tuple[str, ...] = ()
    functions: Mapping[str, str] = {}
    namespace: Mapping[str, str] = {}


ANALYSES = (
    Analysis(
        "agree",
        ("agree", "demo"),
        {
            "agree": "study",
            "agree.questions": "questions",
            "contingency": "contingency",
            "in_words": "in_words",
            "bootstrap": "replicates",
            "bootstrap.of_result": "of_result",
            "bootstrap.intervals": "from_replicates",
            "bootstrap.probability_above": "from_replicates",
            "covariance": "covariance",
            "zero_agreement": "zero",
        },
    ),
    Analysis(
        "diagnose",
        ("items", "annotators", "labels"),
        {
            "items": "items",
            "items.with_groups": "study",
            "annotators": "annotators",
            "annotators.with_groups": "study",
            "annotators.repeats": "repeats",
            "labels": "labels",
            "labels.with_groups": "study",
            "labels.merges": "merges",
            "influence": "influence",
        },
    ),
    Analysis(
        "label_sets",
        ("label-sets",),
        {
            "label_sets": "study",
            "label_sets.with_labels": "with_labels",
            "per_label": "per_label",
        },
    ),
    Analysis(
        "doubles",
        ("sweep",),
        {"sweep": "study", "sweep.with_items": "with_items"},
        {
            "item_curves": "item_classes",
            "item_classes": "item_classes",
            "patterns": "patterns",
            "labels": "label_pairs",
        },
    ),
    Analysis("compare", ("compare",), {"compare": "study", "compare.with_labels": "with_labels"}),
    Analysis(
        "plan",
        ("plan", "variance"),
        {"plan": "study", "plan.looks": "looks", "variance": "generalizability"},
    ),
    Analysis("drift", ("drift",), {"drift": "study"}),
    Analysis(
        "gold", ("gold",), {"gold": "study", "gold.methods": "methods", "gold.spans": "spans"}
    ),
    Analysis("sharpen", ("sharpen",), {"sharpen": "study", "sharpen.settings": "settings"}),
    Analysis(
        "panels",
        ("panels",),
        {
            "panels": "study",
            "panels.what_if": "what_if",
            "panels.with_what_if": "with_what_if",
        },
    ),
    Analysis(
        "missing",
        ("missing",),
        {
            "missing": "study",
            "missing.inverse_probability": "weighting",
            "missing.with_weights": "with_weights",
        },
    ),
    Analysis(
        "judge",
        ("judge",),
        {"judge": "study", "judge.against_gold": "gold", "judge.with_gold": "with_gold"},
    ),
    Analysis(
        "spans",
        ("spans",),
        {
            "span_f1": "study",
            "span_f1.with_coefficients": "with_coefficients",
            "gamma": "gamma",
        },
    ),
    Analysis("prodigy", ("prodigy binary", "prodigy doc", "prodigy span"), {"prodigy": "study"}),
    Analysis("files", ("convert", "formats")),
    Analysis(
        "coefficients", ("coefficients",), {"coefficients": "study", "coefficients.bibtex": "study"}
    ),
)
"""Every analysis, in the order of the help."""


def function_of(name: str) -> str:
    """The function of a command in its module, or of a public name.

    Examples
    --------
    >>> function_of("label-sets"), function_of("prodigy doc"), function_of("gold.methods")
    ('label_sets', 'prodigy_doc', 'gold_methods')
    """
    return name.replace("-", "_").replace(" ", "_").replace(".", "_")


def page(
    result: xr.Dataset | Mapping[str, xr.Dataset],
    *,
    top: int | None = None,
    all_labels: bool = False,
    sentence: bool = False,
) -> Page:
    """Any result as a page: words, tables and pictures, as the commands show it.

    Parameters
    ----------
    result : xarray.Dataset or mapping of them
        What a function of this package returned, also when saved and read again. Several results
        of one question are a mapping from their names, as `iaa_jax.agree` returns it.
    top : int, optional
        Lines of tables that show only the first; by default as many as each page has room for.
    all_labels : bool
        Of agreement: a line for every label, however many there are.
    sentence : bool
        Of agreement: ends with a sentence for a paper.

    Returns
    -------
    Page
        ``print(page)`` shows it, a notebook renders it, and ``page.save("x.html")`` (``.md``,
        ``.tex``, ``.csv``, ``.json``, ``.png``, ``.svg``, ``.pdf``, or a folder) writes it.

    Raises
    ------
    IaaError
        If this is not a result of `iaa_jax`, or its page has no place for an option.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"]] * 12 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    >>> page = iaa.page(iaa.cohen_kappa(ratings, interval=None))
    >>> page.tables[0].columns[2].values.round(3)
    array([0.684])
    """
    import xarray

    from iaa_jax._checks import check_kind, check_whole

    if top is not None:
        check_whole("top", top, 1)
    check_kind("all_labels", all_labels, bool)
    check_kind("sentence", sentence, bool)
    given = {"top": top, "all_labels": all_labels, "sentence": sentence}
    chosen = {name: value for name, value in given.items() if value}
    if not isinstance(result, xarray.Dataset):
        return _page_of_results(result, chosen)
    made_by, folder = _origin(result)
    pages = _module(folder, "page")
    if pages is not None and made_by in pages.PAGES:
        return _shown(pages.PAGES[made_by], result, chosen)
    from iaa_jax.pages.generic import generic_page

    declared = _module(folder, "declared")
    known = None if declared is None else declared.IN_JSON
    return _shown(partial(generic_page, words=words_of(folder), figures=known), result, chosen)


def _shown(
    page_of: Callable[..., Page],
    result: xr.Dataset | Mapping[str, xr.Dataset],
    chosen: Mapping[str, object],
) -> Page:
    """The page of a result, by a function that may not know every option."""
    from iaa_jax._errors import OptionError
    from iaa_jax.wording import named

    for name in chosen.keys() - signature(page_of).parameters.keys():
        message = f"{named(name)} changes nothing here: leave it out"
        raise OptionError(message)
    from iaa_jax.pages.ratings import with_guesses_first

    return with_guesses_first(page_of(result, **chosen))


def words_of(folder: str) -> Words:
    """All words that the pages of an analysis use."""
    from iaa_jax.measure.words import OF_FIGURES, OF_RESULTS
    from iaa_jax.wording import joined

    pages = _module(folder, "page")
    if pages is not None:
        words: Words = pages.ALL_WORDS
        return words
    own = import_module(f"iaa_jax.analyses.{folder}.words").WORDS
    return joined(OF_FIGURES, OF_RESULTS, own)


def _module(folder: str, part: str) -> ModuleType | None:
    """A file of an analysis that not all of them have."""
    name = f"iaa_jax.analyses.{folder}.{part}"
    return None if find_spec(name) is None else import_module(name)


def _origin(result: object) -> tuple[str, str]:
    """What made a result, and the folder of its analysis."""
    from iaa_jax._errors import IaaError

    made_by = str(getattr(result, "attrs", {}).get("made_by", ""))
    folder = _folder_of(made_by)
    if folder is None:
        message = (
            "a page shows a result, such as that of agreement or items, and this "
            f"{type(result).__name__} is none"
        )
        raise IaaError(message)
    return made_by, folder


def _page_of_results(results: Mapping[str, xr.Dataset], chosen: Mapping[str, object]) -> Page:
    """The page of several results, where their analysis has one; what is no result is refused."""
    from iaa_jax._errors import IaaError

    _, folder = _origin(next(iter(results.values()), 0) if hasattr(results, "values") else results)
    pages = _module(folder, "page")
    if pages is None or not hasattr(pages, "page_of_results"):
        message = f"{', '.join(results)} are results with a page each: give one of them"
        raise IaaError(message)
    try:
        return _shown(pages.page_of_results, results, chosen)
    except KeyError as missing:
        message = (
            f"these results have no {missing}: a page shows what the functions return, by name"
        )
        raise IaaError(message) from None


_OF_MEASURE = {"agreement": "agree", "agreement_by": "diagnose"}
"""What `iaa_jax.measure` makes, and the analyses that show it."""


def _folder_of(made_by: str) -> str | None:
    if made_by in _OF_MEASURE:
        return _OF_MEASURE[made_by]
    for row in ANALYSES:
        dotted = {f"{row.folder}.{name}" for name in row.namespace}
        if made_by in row.functions or made_by in dotted:
            return row.folder
    return None
