"""The whole report: a section for every question that the ratings can answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from iaa_jax._checks import check_names
from iaa_jax._errors import IaaError, OptionError
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.studies import begin
from iaa_jax.measure.shared.sections import Asked
from iaa_jax.overview.next_step import ADVISING, next_steps
from iaa_jax.overview.page import (
    head_of,
    leading,
    limits_of,
    making_of,
    section_below,
    within,
)
from iaa_jax.overview.sections import SECTIONS, agreement, judges_of
from iaa_jax.overview.texts import without_texts
from iaa_jax.pages import Page
from iaa_jax.wording import Note, named
from iaa_jax.wording.undecided import questions_of

VERDICTS = ("merges", "plan")
"""Sections that are a verdict and nothing else: made where the level is open if asked for alone."""


@public
def report(
    ratings: Rated,
    coefficients: str | Sequence[str] | None = None,
    *,
    title: str | None = None,
    sections: Sequence[str] | None = None,
    scale: str | None = None,
    judges: str | Sequence[str] = (),
    by: str | None = None,
    keep: str | Sequence[str] | None = None,
    texts: bool = True,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions),
    progress: Callable[[int, int], None] | None = None,
) -> Page:
    """Everything that the ratings say, as one page: ``report(ratings).save("report.html")``.

    At its head stand the leading coefficient with its interval, what causes disagreement and what
    to do next, then how the ratings were read and all coefficients. Below it sections say what
    mending each cause would bring, which labels are confused, which
    annotators stand apart, which items are disputed, what the gold labels are, how agreement
    changes over p or time, how models compare with people, and what more ratings would buy: those
    that apply. The last one says how the report was made.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors, `iaa_jax.read` and `iaa_jax.read_spans` make them.
    coefficients : str or sequence of str, optional
        Names from the catalogue, the leading one first; by default all that apply.
    title : str, optional
        What the report is called; by default the name of the file.
    sections : sequence of str, optional
        Which sections, in this order: "findings", "labels", "merges", "annotators", "items",
        "label_sets", "gold", "sweep", "drift", "spans", "judge", "plan"; by default all that apply.
    scale : str, optional
        Adds the word for each coefficient on this scale, as `iaa_jax.in_words` takes it.
    judges : str or sequence of str
        Annotators who are no people, such as models: they are compared with people in a section of
        their own, and all others are about people alone.
    by : str, optional
        A coordinate with times or batches of the items; by default "time" where there is one.
    keep : str or sequence of str, optional
        Columns of the items that sections show; by default all. Causes of disagreement are looked
        for in all columns.
    texts : bool
        Whether the report may hold texts of the data. Without them it has no column of the items
        but their ids, which are numbered where they are texts themselves, and no marked passages.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the replicates done and their total.

    Returns
    -------
    Page
        ``page.sections`` has the sections by name, each a page whose ``results`` are those of its
        analysis.

    Raises
    ------
    IaaError
        If agreement cannot be measured, or an option is unknown. A section that cannot be made is
        left out, and the report says why.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a", "b"], ["b", "b", "b"], ["c", "a", "c"]] * 8)
    >>> page = iaa.report(ratings, sections=["labels", "annotators"], interval=None)
    >>> [*page.sections]
    ['labels', 'annotators', 'limits', 'making']
    """
    chosen = _known(_several("sections", sections))
    of_judges = _several("judges", judges)
    names = _several("coefficients", coefficients)
    judged = judges_of(ratings, of_judges, by)
    names_of_all = map(str, ratings.annotator_names.tolist())
    people = [name for name in names_of_all if name not in judged] if judged else []
    cluster = options.random.cluster
    described = ratings if texts else ratings.other(without_texts(ratings.dataset, by, cluster))
    everyone = described
    if keep is not None:
        shown = ("item", *_several("keep", keep), *([] if by is None else [by]))
        of_items = [name for name, each in described.dataset.coords.items() if "item" in each.dims]
        everyone = described.without_coordinates({*map(str, of_items)}.difference(shown))
    asked = Asked(
        ratings=everyone.of_annotators(people) if people else everyone,
        coefficients=names,
        label_options=label_options,
        options=options,
        scale=scale,
        judges=of_judges,
        everyone=everyone,
        described=described.of_annotators(people) if people else described,
        by=by,
        texts=texts,
        progress=progress,
    )
    made: dict[str, Page | None] = {}
    refused: dict[str, IaaError] = {}
    begin("Agreement", progress)
    first = agreement(asked)
    row = leading(first)
    open_level = row is not None and bool(questions_of(row.attrs))
    takes_long = not chosen and not open_level and asked.plan_takes_long
    left_out = [Note("plan_takes_long")] if takes_long else []
    aside = VERDICTS if open_level else ("plan",) if takes_long else ()
    usual = [name for name in SECTIONS if name not in aside]
    advising = () if open_level else ADVISING
    for name in dict.fromkeys([*(chosen or usual), *advising]):
        begin(name.replace("_", " ").capitalize(), progress)
        try:
            made[name] = SECTIONS[name](asked)
        except IaaError as error:
            refused[name] = error
    for name in chosen:
        if made.get(name, first) is None:
            raise OptionError(
                f"{named('sections')}: there is nothing to say about {name} in these ratings"
            )
    findings = {name: _attributes(page) for name, page in made.items() if page is not None}
    below = {name: page for name in chosen or SECTIONS if (page := made.get(name)) is not None}
    refused = {name: error for name, error in refused.items() if name in (chosen or SECTIONS)}
    causes = made.get("findings")
    result = None if causes is None else causes.results[""]
    step = [] if open_level else next_steps(row, findings, result)
    apart = [Note("primary_alone")] if "sweep" in below else []
    apart += [Note("judges_apart", {"judges": judged})] if judged else []
    commands = within(below, people)
    head = head_of(
        first, apart, step, title, commands, causes, made.get("spans"), made.get("judge")
    )
    parts = {
        name: section_below(head, page, commands if name != "judge" else within(below))
        for name, page in below.items()
    }
    parts |= {
        "limits": limits_of(
            head,
            refused,
            left_out,
            numbered=not np.array_equal(everyone.item_names, ratings.item_names),
        ),
        "making": making_of(head, first, with_paper=not open_level),
    }
    return replace(head, sections=parts)


def _several(option: str, given: str | Sequence[str] | None) -> tuple[str, ...]:
    """One name or several, as names."""
    check_names(option, () if given is None else given)
    return (given,) if isinstance(given, str) else tuple(map(str, () if given is None else given))


def _known(asked: Sequence[str]) -> list[str]:
    """The sections that were asked for, in order."""
    for name in asked:
        if name not in SECTIONS:
            raise OptionError(
                f"{named('sections')} must be among {', '.join(SECTIONS)}, not {name!r}"
            )
    return list(dict.fromkeys(asked))


def _attributes(page: Page) -> dict[str, object]:
    return {
        str(name): value for result in page.results.values() for name, value in result.attrs.items()
    }
