"""The analyses: each has a folder, and an entry in `ANALYSES` that registers it.

Some modules have the same name in every folder that needs them:

- ``command.py`` has a function for each command.
- ``declared.py`` describes the variables of results.
- ``page.py`` makes a page of a result. Without it, `iaa_jax.pages.generic` makes the page.
- ``words.py`` has the templates of notes. A note is a remark, stored in a result as a code with
  values; the template of the code puts the values into a sentence.

The other modules, such as ``study.py``, compute results from ratings. An entry in `ANALYSES` names
the commands, and the public functions with their modules.
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
        Name of the analysis's folder.
    commands : tuple of str
        Names of the commands, in the order of the help. Each command is a function in
        ``command.py`` with the same name (see `function_of`), whose docstring has two examples for
        the help. A command of two words, such as "prodigy doc", is listed in the help of the first
        word. An analysis without commands is an option of another command, and has no
        ``command.py``.
    functions : mapping
        Public functions of `iaa_jax`, with the name of the module in the folder that defines each.
        A dotted name, such as "gold.methods", is an attribute of the function before the dot.
    namespace : mapping
        Likewise, but for public functions of ``iaa_jax.FOLDER``, where FOLDER is the name of the
        folder.
    asked_as : mapping
        Further words under which people may look for a command, separated by blanks. A key is a
        command, or a command with an option.
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
"""All analyses, in the order of the help."""


def function_of(name: str) -> str:
    """Return the name of the function that implements a command or a public name.

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
    """Return a page with words, tables and pictures, for one result or several on one question.

    Parameters
    ----------
    *results : xarray.Dataset or dict of them
        Results of functions of this package, which may have been saved and read again. Several
        results must be about the same question and the same ratings, such as the results of
        `iaa_jax.panels` and `iaa_jax.panels.what_if`. The dict that `iaa_jax.agree` returns is
        accepted as it is.
    top : int, optional
        Maximum number of rows in tables that show only their first rows; on the page of agreement,
        these are the tables of labels. By default, each page decides.
    sentence : bool
        For agreement: whether a sentence for a paper follows the conclusion.
    sheet : iaa_jax.pages.SheetOptions, optional
        For results of `iaa_jax.items` and `iaa_jax.gold`: options of the table "sheet", which
        people fill in. By default, this table has only the items that need a decision and, for
        gold, the items that were adjudicated before.

    Returns
    -------
    Page
        ``print(page)`` shows the page, a notebook renders it, and ``page.save("x.html")`` writes it
        (also as ``.md``, ``.tex``, ``.csv``, ``.json``, ``.png``, ``.svg``, ``.pdf``, or a folder).

    Raises
    ------
    IaaError
        If an argument is not a result of `iaa_jax`, if the results cannot be shown on one page, or
        if their page does not take an option.

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
    options = {"top": top, "sentence": sentence, "sheet": sheet}
    chosen = {name: value for name, value in options.items() if value}
    from iaa_jax.pages.ratings import with_guesses_first

    return with_guesses_first(page_of(results, chosen))


def page_of(results: Sequence[object], chosen: Mapping[str, object]) -> Page:
    """Return the page of one result or several; ``chosen`` are options of the page, by name."""
    datasets: list[Any] = []
    for result in results or (None,):
        datasets += result.values() if isinstance(result, dict) and result else [result]
    origins = [_origin(dataset) for dataset in datasets]
    made_by = {name for name, _ in origins}
    for folder in dict.fromkeys(folder for _, folder in origins):
        pages = _module(folder, "page")
        for names, page_of in () if pages is None else pages.PAGES.items():
            if made_by == {*names} and _takes(page_of, len(datasets), len(names)):
                in_order = sorted(datasets, key=lambda each: names.index(each.attrs["made_by"]))
                return _shown(page_of, in_order, chosen, folder)
    if len(datasets) == 1:
        return _shown(_generic(folder), datasets, chosen, folder)
    from iaa_jax._errors import IaaError

    named = ", ".join(name for name, _ in origins)
    raise IaaError(f"the results of {named} cannot be shown on one page: show each separately")


def _takes(page_of: Callable[..., Page], results: int, functions: int) -> bool:
    """Tell whether a page function accepts ``results`` results, made by ``functions`` functions."""
    kinds = [each.kind for each in signature(page_of).parameters.values()]
    return results == functions or Parameter.VAR_POSITIONAL in kinds


def _shown(
    page_of: Callable[..., Page],
    results: Sequence[xr.Dataset],
    chosen: Mapping[str, object],
    folder: str,
) -> Page:
    """Return the page with its templates; raise an error for options that ``page_of`` lacks."""
    from iaa_jax._errors import OptionError
    from iaa_jax.wording import named

    for name in chosen.keys() - signature(page_of).parameters.keys():
        raise OptionError(f"{named(name)} changes nothing here: leave it out")
    made = page_of(*results, **chosen)
    return replace(made, words={**words_of(folder), **made.words})


def _generic(folder: str) -> Callable[..., Page]:
    from iaa_jax.pages.generic import generic_page

    declared = _module(folder, "declared")
    known = None if declared is None else declared.IN_JSON
    return partial(generic_page, words=words_of(folder), figures=known)


@cache
def words_of(folder: str) -> Words:
    """Return the templates for an analysis's pages, including templates that all pages share."""
    from iaa_jax.measure.words import DOUBTS, OF_FIGURES, OF_RESULTS
    from iaa_jax.pages import intervals, item_sheet, ratings
    from iaa_jax.wording import joined
    from iaa_jax.wording.figures import Figure, footnotes

    shared = (ratings.WORDS, item_sheet.WORDS, intervals.WORDS, OF_FIGURES, OF_RESULTS, DOUBTS)
    analysis_words = import_module(f"iaa_jax.analyses.{folder}.words").WORDS
    declared = _module(folder, "declared")
    tables = [] if declared is None else [*vars(declared).values()]
    figures = [each for table in tables if isinstance(table, tuple) for each in table]
    below = footnotes(each for each in figures if isinstance(each, Figure))
    return joined(
        *shared, analysis_words, below, *getattr(_module(folder, "page"), "FURTHER_WORDS", ())
    )


def _module(folder: str, part: str) -> ModuleType | None:
    name = f"iaa_jax.analyses.{folder}.{part}"
    return None if find_spec(name) is None else import_module(name)


def _origin(result: object) -> tuple[str, str]:
    from iaa_jax._errors import IaaError

    made_by = str(getattr(result, "attrs", {}).get("made_by", ""))
    folder = _folder_of(made_by)
    if folder is None:
        raise IaaError(
            "a page shows a result of a function such as agreement or items, and this "
            f"{type(result).__name__} is no such result"
        )
    return made_by, folder


_OF_MEASURE = {"agreement": "agree", "agreement_by": "diagnose"}
"""The analysis that makes the page of a result, by the function of `iaa_jax.measure`."""


def _folder_of(made_by: str) -> str | None:
    if made_by in _OF_MEASURE:
        return _OF_MEASURE[made_by]
    for row in ANALYSES:
        dotted = {f"{row.folder}.{name}" for name in row.namespace}
        if made_by in row.functions or made_by in dotted:
            return row.folder
    return None
