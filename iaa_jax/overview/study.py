"""The whole report, with a section for every question that the ratings can answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from iaa_jax._checks import check_names
from iaa_jax._errors import OptionError
from iaa_jax.measure import IntervalOptions, LabelOptions, public, select
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.studies import announce
from iaa_jax.measure.shared.sections import ReportRequest
from iaa_jax.overview.brief import brief_report, causes_and_steps
from iaa_jax.overview.lazy_sections import LazySections
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
from iaa_jax.wording import Note, load_notes, named
from iaa_jax.wording.undecided import QUESTIONS, questions_of

VERDICTS = ("merges", "plan")
"""Sections that consist of a verdict; by default omitted while it is unknown whether numeric labels
form a scale."""


@public
def report(
    ratings: Rated,
    coefficients: str | Sequence[str] | None = None,
    *,
    title: str | None = None,
    sections: Sequence[str] | None = None,
    brief: bool = False,
    scale: str | None = None,
    judges: str | Sequence[str] = (),
    by: str | None = None,
    keep: str | Sequence[str] | None = None,
    texts: bool = True,
    label_options: LabelOptions = select(LabelOptions),
    options: IntervalOptions = select(IntervalOptions),
    progress: Callable[[int, int], None] | None = None,
) -> Page:
    """Report all results for the ratings on one page: ``report(ratings).save("report.html")``.

    The head has the leading coefficient with its interval, the causes of disagreement, what to do
    next, how the ratings were read, and all coefficients. Sections below it, as far as they apply,
    report what remedying each cause would bring, which labels are confused, how each annotator
    agrees with the others, which items are disputed, the gold labels, how agreement changes over
    time or if second labels count, how models compare with people, and what more ratings would
    bring. The last section states how the report was made.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings, as the constructors, `iaa_jax.read` and `iaa_jax.read_spans` make them.
    coefficients : str or sequence of str, optional
        Names from the catalogue, the leading one first; by default all that apply.
    title : str, optional
        Title of the report; by default it names the files.
    sections : sequence of str, optional
        Names of sections, in the order of the report: "findings", "labels", "merges", "annotators",
        "items", "label_sets", "gold", "sweep", "drift", "spans", "judge", "plan"; by default all
        that apply, except a plan that takes long.
    brief : bool
        Whether to make one page to print or mail, without sections: the head, a few coefficients,
        one picture, doubts, and a paragraph on methods. Sections that it does not need are not
        computed.
    scale : str, optional
        A verbal scale, with a word for each value of a coefficient; see `iaa_jax.in_words`.
    judges : str or sequence of str
        Annotators who are not people, such as models. They are compared with people in their own
        section; all other sections are only about people.
    by : str, optional
        A coordinate with times or batches of the items; by default "time", if there is one.
    keep : str or sequence of str, optional
        Columns of the items that sections show; by default all. Causes of disagreement are sought
        in all columns.
    texts : bool
        Whether the report may contain texts of the data. Without them, it has no marked passages,
        and of the columns of the items only ids, times (or batches) and clusters. If an id may be a
        text itself, numbers replace all ids.
    label_options : LabelOptions
    options : IntervalOptions
    progress : callable, optional
        Called with the number of finished replicates and the number of all replicates.

    Returns
    -------
    Page
        ``page.sections`` has the sections by name, each a page with the ``results`` of its
        analysis.

    Raises
    ------
    IaaError
        If agreement cannot be measured, or an option is unknown. A section that cannot be made is
        left out, and the report gives the reason.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a", "b"], ["b", "b", "b"], ["c", "a", "c"]] * 8)
    >>> page = iaa.report(ratings, sections=["labels", "annotators"], interval=None)
    >>> [*page.sections]
    ['labels', 'annotators', 'limits', 'making']
    """
    chosen = _known(_several("sections", sections))
    if brief and sections is not None:
        raise OptionError(f"{named('brief')} is a page without sections: leave out one of the two")
    named_judges = _several("judges", judges)
    judged = judges_of(ratings, named_judges, by)
    names_of_all = map(str, ratings.annotator_names.tolist())
    people = [name for name in names_of_all if name not in judged] if judged else []
    everyone = ratings
    if not texts:
        everyone = ratings.other(without_texts(ratings.dataset, by, options.random.cluster))
    described = everyone.select_annotators(people) if people else everyone
    request = ReportRequest(
        ratings=described,
        coefficients=_several("coefficients", coefficients),
        label_options=label_options,
        options=options,
        scale=scale,
        judges=named_judges,
        everyone=everyone,
        described=described,
        by=by,
        texts=texts,
        progress=progress,
    )
    announce("Agreement", progress)
    first = agreement(request)
    if keep is not None:  # ratings with fewer columns share the counts that are cached already
        shown = ("item", *_several("keep", keep), *([] if by is None else [by]))
        request = replace(
            request, ratings=_showing(request.ratings, shown), everyone=_showing(everyone, shown)
        )
    lazy, row = LazySections(request), leading(first)
    open_level = row is not None and bool(questions_of(row.attrs))
    if brief:
        return brief_report(lazy, first, title, judged, within({}, people), open_level=open_level)
    takes_long = not chosen and not open_level and request.plan_takes_long
    left_out = [Note("plan_takes_long")] if takes_long else []
    asked = row is not None and any(
        each.code in QUESTIONS for each in load_notes(row.attrs["notes"])
    )
    omitted = VERDICTS if open_level else ("plan",) if takes_long or asked else ()
    usual = [name for name in SECTIONS if name not in omitted]
    below = {name: page for name in chosen or usual if (page := lazy.page(name)) is not None}
    for name in chosen:
        if name not in below and name not in lazy.refused:
            raise OptionError(
                f"{named('sections')}: there is nothing to say about {name} in these ratings"
            )
    causes, steps = causes_and_steps(lazy, row, open_level=open_level)
    refused = {name: error for name, error in lazy.refused.items() if name in (chosen or SECTIONS)}
    scope = [Note("primary_alone")] if "sweep" in below else []
    scope += [Note("judges_apart", {"judges": judged})] if judged else []
    commands = within(below, people)
    head = head_of(
        first, scope, steps, title, commands, causes, below.get("spans"), below.get("judge")
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


def _several(option: str, names: str | Sequence[str] | None) -> tuple[str, ...]:
    check_names(option, () if names is None else names)
    return (names,) if isinstance(names, str) else tuple(map(str, () if names is None else names))


def _known(names: Sequence[str]) -> list[str]:
    for name in names:
        if name not in SECTIONS:
            raise OptionError(
                f"{named('sections')} must be among {', '.join(SECTIONS)}, not {name!r}"
            )
    return list(dict.fromkeys(names))


def _showing(ratings: Rated, names: Sequence[str]) -> Rated:
    coords = ratings.dataset.coords
    of_items = {str(name) for name, values in coords.items() if "item" in values.dims}
    return ratings.without_coordinates(of_items.difference(names))
