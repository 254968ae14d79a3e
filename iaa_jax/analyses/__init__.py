"""The analyses: one folder per question, and a row here that registers it.

A folder ``NAME`` holds ``study.py`` (ratings to results) and further files by idea, ``words.py`` (a
template for each code), and ``command.py`` (options to calls). It may have ``declared.py``
(variables) and ``page.py`` (results to a page); otherwise `iaa_jax.pages.generic` makes the page.
The row names the commands, which are functions in ``command.py``, and the public functions with
their modules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from types import ModuleType

    import xarray as xr

    from iaa_jax.pages import Page, SheetOptions
    from iaa_jax.wording import Words


class Analysis(NamedTuple):
    """Registration of an analysis.

    Attributes
    ----------
    folder : str
        Its folder among the analyses.
    commands : tuple of str
        Commands, in the order of the help. The functions in ``command.py`` have their names
        (`function_of`), and two examples for the help in their docstrings. A command of two words,
        such as "prodigy doc", is in the help of the first. An analysis without commands has no
        ``command.py``: it is an option of another command.
    functions : mapping
        Public functions of `iaa_jax`, with the folder's module for each. A dotted name, such as
        "gold.methods", is an attribute of the first function.
    namespace : mapping
        Public functions of ``iaa_jax.FOLDER``, likewise.
    asked_as : mapping
        Further words that people type for a command, perhaps with an option, separated by blanks.
    """

    folder: str
    commands: tuple[str, ...] = ()
    functions: Mapping[str, str] = {}
    namespace: Mapping[str, str] = {}
    asked_as: Mapping[str, str] = {}


ANALYSES = (
    Analysis(
        "agree",
        ("agree", "demo"),
        {
            "agree": "study",
            "agree.questions": "questions",
            "contingency": "contingency",
            "in_words": "in_words",
            "methods": "page_of_methods",
            "bootstrap": "replicates",
            "bootstrap.of_result": "replicates",
            "bootstrap.intervals": "from_replicates",
            "bootstrap.probability_above": "from_replicates",
            "covariance": "covariance",
            "zero_agreement": "zero",
        },
        asked_as={
            "agree": "agreement reliability interrater measure irr iaa",
            "agree --zero": "chance significance p-value",
        },
    ),
    Analysis(
        "diagnose",
        ("items", "annotators", "labels"),
        {
            "items": "items",
            "annotators": "annotators",
            "annotators.repeats": "repeats",
            "labels": "labels",
            "labels.merges": "merges",
            "influence": "influence",
        },
        asked_as={
            "items": "disagreement disagreements disputes disputed difficult hard comments texts",
            "annotators": "raters coders workers people users outliers bias pairs",
            "labels": "confusion confusions confusion-matrix matrix categories classes",
            "labels --suggest-merges": "merge merges",
        },
    ),
    Analysis(
        "findings",
        ("findings",),
        {"findings": "study"},
        asked_as={"findings": "causes check diagnose errors explain problems quality why"},
    ),
    Analysis(
        "label_sets",
        ("label-sets",),
        {
            "label_sets": "study",
            "per_label": "per_label",
        },
        asked_as={"label-sets": "masi jaccard multilabel multi-label sets"},
    ),
    Analysis(
        "doubles",
        ("sweep",),
        {"sweep": "study"},
        {
            "item_curves": "item_classes",
            "item_classes": "item_classes",
            "patterns": "patterns",
            "labels": "label_pairs",
        },
    ),
    Analysis(
        "compare",
        ("compare",),
        {"compare": "study"},
        asked_as={"compare": "diff difference differences test versus vs"},
    ),
    Analysis(
        "plan",
        ("plan", "variance"),
        {"plan": "study", "plan.looks": "looks", "variance": "generalizability"},
        asked_as={
            "plan": "power sample-size size how-many",
            "variance": "generalizability g-study variance-components",
        },
    ),
    Analysis(
        "drift",
        ("drift",),
        {"drift": "study"},
        asked_as={"drift": "change changes course over-time time trend"},
    ),
    Analysis(
        "watch",
        ("watch",),
        {"watch": "study"},
        asked_as={"watch": "anytime every-day monitor sequential stop stopping"},
    ),
    Analysis(
        "gold",
        ("gold",),
        {"gold": "study", "gold.methods": "methods", "gold.spans": "spans"},
        asked_as={
            "gold": "adjudicate adjudication aggregate consensus majority majority-vote vote truth",
            "gold --method dawid_skene": "dawid-skene",
            "gold --method mace": "mace",
        },
    ),
    Analysis("sharpen", ("sharpen",), {"sharpen": "study", "sharpen.settings": "settings"}),
    Analysis(
        "panels",
        ("panels",),
        {
            "panels": "study",
            "panels.what_if": "what_if",
        },
        asked_as={"panels": "leave-one-out leave-out without"},
    ),
    Analysis(
        "missing",
        ("missing",),
        {
            "missing": "study",
            "missing.inverse_probability": "weighting",
        },
        asked_as={"missing": "gaps holes unrated"},
    ),
    Analysis(
        "judge",
        ("judge",),
        {"judge": "study", "judge.against_gold": "gold", "judge.jury": "jury"},
        asked_as={
            "judge": "alt-test llm model models",
            "judge --corrected": "corrected judged-scores ppi prediction-powered",
            "judge --jury": "jury ensemble",
        },
    ),
    Analysis("judged_scores", functions={"judged_scores": "study"}),  # an option of judge
    Analysis(
        "spans",
        ("spans",),
        {
            "span_f1": "study",
            "span_f1.coefficients": "study",
            "span_f1.passages": "passages",
            "gamma": "gamma",
        },
        asked_as={"spans": "entities ner segments"},
    ),
    Analysis("prodigy", ("prodigy binary", "prodigy doc", "prodigy span"), {"prodigy": "study"}),
    Analysis(
        "files",
        ("convert", "formats"),
        asked_as={"convert": "export import load read save", "formats": "readers tools"},
    ),
    Analysis(
        "coefficients", ("coefficients",), {"coefficients": "study", "coefficients.bibtex": "study"}
    ),
)
"""Every analysis, in the order of the help."""


def function_of(name: str) -> str:
    """Return the function name of a command, or of a public name.

    Examples
    --------
    >>> function_of("label-sets"), function_of("prodigy doc"), function_of("gold.methods")
    ('label_sets', 'prodigy_doc', 'gold_methods')
    """
    return name.replace("-", "_").replace(" ", "_").replace(".", "_")


def page(
    *results: xr.Dataset | Mapping[str, xr.Dataset],
    top: int | None = None,
    sentence: bool = False,
    sheet: SheetOptions | None = None,
) -> Page:
    """Show any result, or several on one question, as a page: words, tables and pictures.

    Parameters
    ----------
    *results : xarray.Dataset or mapping of them
        Results of functions of this package, which may have been saved and read again. Several must
        be about one question and the same ratings, such as `iaa_jax.panels` and
        `iaa_jax.panels.what_if`; the results of `iaa_jax.agree` are a mapping.
    top : int, optional
        Number of lines in tables that show only the first ones (for agreement, the labels); by
        default as many as each page has room for.
    sentence : bool
        For agreement: whether to end with a sentence for a paper.
    sheet : iaa_jax.pages.SheetOptions, optional
        For items with votes and for gold labels: what to put on the sheet that people fill in, the
        table "sheet"; by default the disputed items.

    Returns
    -------
    Page
        ``print(page)`` shows it, a notebook renders it, and ``page.save("x.html")`` (``.md``,
        ``.tex``, ``.csv``, ``.json``, ``.png``, ``.svg``, ``.pdf``, or a folder) writes it.

    Raises
    ------
    IaaError
        If this is not a result of `iaa_jax`, if the results have no page together, or if their page
        does not take an option.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"]] * 12 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    >>> page = iaa.page(iaa.cohen_kappa(ratings, interval=None))
    >>> page.tables[0].columns[2].values.round(3)
    array([0.684])
    """
    from iaa_jax._checks import check_kind, check_whole

    if top is not None:
        check_whole("top", top, 1)
    check_kind("sentence", sentence, bool)
    given = {"top": top, "sentence": sentence, "sheet": sheet}
    chosen = {name: value for name, value in given.items() if value}
    from iaa_jax.pages.ratings import with_guesses_first

    return with_guesses_first(page_of(results, chosen))


def page_of(results: Sequence[object], chosen: Mapping[str, object]) -> Page:
    """Return the page of one result or several, with options on what to show."""
    several: list[Any] = []
    for one in results or (None,):
        several += one.values() if isinstance(one, dict) and one else [one]
    origins = [_origin(each) for each in several]
    made_by = {name for name, _ in origins}
    for folder in dict.fromkeys(folder for _, folder in origins):
        pages = _module(folder, "page")
        for names, page_of in () if pages is None else pages.PAGES.items():
            if made_by == {*names} and _takes(page_of, len(several), len(names)):
                in_order = sorted(several, key=lambda each: names.index(each.attrs["made_by"]))
                return _shown(page_of, in_order, chosen, folder)
    if len(several) == 1:
        return _shown(_generic(folder), several, chosen, folder)
    from iaa_jax._errors import IaaError

    named = ", ".join(name for name, _ in origins)
    raise IaaError(f"the results of {named} have no page together: show each alone")


def _takes(page_of: Callable[..., Page], results: int, functions: int) -> bool:
    """Tell whether a page function takes this number of results from this number of functions."""
    kinds = [each.kind for each in signature(page_of).parameters.values()]
    return results == functions or Parameter.VAR_POSITIONAL in kinds


def _shown(
    page_of: Callable[..., Page],
    results: Sequence[xr.Dataset],
    chosen: Mapping[str, object],
    folder: str,
) -> Page:
    """Call a page function, which may not take every option, and add its words."""
    from iaa_jax._errors import OptionError
    from iaa_jax.wording import named

    for name in chosen.keys() - signature(page_of).parameters.keys():
        raise OptionError(f"{named(name)} changes nothing here: leave it out")
    made = page_of(*results, **chosen)
    return replace(made, words={**words_of(folder), **made.words})


def _generic(folder: str) -> Callable[..., Page]:
    """Return the page function for a result without its own page."""
    from iaa_jax.pages.generic import generic_page

    declared = _module(folder, "declared")
    known = None if declared is None else declared.IN_JSON
    return partial(generic_page, words=words_of(folder), figures=known)


@cache
def words_of(folder: str) -> Words:
    """Return all words of an analysis's pages: its own, and the words that all pages share."""
    from iaa_jax.measure.words import DOUBTS, OF_FIGURES, OF_RESULTS
    from iaa_jax.pages import intervals, item_sheet, ratings
    from iaa_jax.wording import joined
    from iaa_jax.wording.figures import Figure, footnotes

    shared = (ratings.WORDS, item_sheet.WORDS, intervals.WORDS, OF_FIGURES, OF_RESULTS, DOUBTS)
    own = import_module(f"iaa_jax.analyses.{folder}.words").WORDS
    declared = _module(folder, "declared")
    tables = [] if declared is None else [*vars(declared).values()]
    figures = [each for table in tables if isinstance(table, tuple) for each in table]
    below = footnotes(each for each in figures if isinstance(each, Figure))
    return joined(*shared, own, below, *getattr(_module(folder, "page"), "FURTHER_WORDS", ()))


def _module(folder: str, part: str) -> ModuleType | None:
    """Import an optional file of an analysis; None if there is none."""
    name = f"iaa_jax.analyses.{folder}.{part}"
    return None if find_spec(name) is None else import_module(name)


def _origin(result: object) -> tuple[str, str]:
    """Return the function that made a result, and the folder of its analysis."""
    from iaa_jax._errors import IaaError

    made_by = str(getattr(result, "attrs", {}).get("made_by", ""))
    folder = _folder_of(made_by)
    if folder is None:
        raise IaaError(
            "a page shows a result, such as one of agreement or items, and this "
            f"{type(result).__name__} is not one"
        )
    return made_by, folder


_OF_MEASURE = {"agreement": "agree", "agreement_by": "diagnose"}
"""Functions of `iaa_jax.measure`, and the analyses that show their results."""


def _folder_of(made_by: str) -> str | None:
    if made_by in _OF_MEASURE:
        return _OF_MEASURE[made_by]
    for row in ANALYSES:
        dotted = {f"{row.folder}.{name}" for name in row.namespace}
        if made_by in row.functions or made_by in dotted:
            return row.folder
    return None
