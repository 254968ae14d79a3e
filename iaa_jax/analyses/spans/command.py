"""The command ``iaa spans``: agreement on the spans that annotators marked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import iaa_jax
from iaa_jax.catalog import CATALOG
from iaa_jax.catalog.spans import MATCHES, STRICT
from iaa_jax.cli import choices
from iaa_jax.cli.groups import InputOptions, Keywords, sampling_options, takes
from iaa_jax.cli.options import MEASURE, TABLE, option
from iaa_jax.cli.requirements import coefficients_required
from iaa_jax.cli.run import Output, call, gated_output_options, run
from iaa_jax.cli.span_groups import span_options
from iaa_jax.measure import IntervalOptions

if TYPE_CHECKING:
    from iaa_jax.cli.progress import LateProgress
    from iaa_jax.pages import Page

_SINGLE = [row for row in CATALOG.values() if row.measure.compares and not row.per_label]
_IF_NAMED = sum(row.listed == "asked" for row in _SINGLE)

Coefficients = Annotated[
    str | None,
    option(
        MEASURE,
        "A,B",
        f"Names from 'iaa coefficients'; {_IF_NAMED} of them, such as gamma, only if named.",
        "--coefficients",
        "--coefficient",
        common=True,
    ),
]


@takes(span_options, sampling_options, gated_output_options, common=("question", "format"))
def spans(
    asked: tuple[InputOptions, str],
    random: IntervalOptions,
    output: Output,
    match: Annotated[
        str,
        option(MEASURE, "NAME", f"When two spans match: {', '.join(MATCHES)}.", common=True),
    ] = STRICT,
    coefficients: Coefficients = None,
    tokens: Annotated[
        bool,
        option(
            MEASURE,
            None,
            "Add coefficients of labels on every position of the documents (their lengths must "
            "be known).",
            "--tokens",
        ),
    ] = False,
    top: Annotated[
        int | None,
        option(
            TABLE, "N", "Show only the first N labels, pairs and documents.", min=1, common=True
        ),
    ] = None,
    show: Annotated[
        int | None,
        option(
            TABLE,
            "N",
            "Show the N most disputed passages, with each annotator's marks in the text.",
            min=1,
            common=True,
        ),
    ] = None,
) -> None:
    """Measure agreement on spans, such as entities.

    The page states on what annotators differ most (boundaries, labels, or what to mark at all). It
    shows F1 by label, pair, annotator and document, and which labels are confused. The files are
    exports of annotation tools, or tables with one row per span: see 'iaa formats'.

    Examples
    --------
    iaa spans project.zip --match partial
    iaa spans spans.csv --show 5
    """
    reading, duplicates = asked
    choices.one_of(match, tuple(MATCHES), "--match")
    names = choices.coefficients_of(coefficients)
    further = coefficients_required(output.requirements, names)

    def work(progress: LateProgress) -> Page:
        from iaa_jax.data.as_ratings import span_ratings
        from iaa_jax.data.select import ratings_to_measure
        from iaa_jax.measure.ratings.rated import Rated

        marked_spans = span_ratings(reading.spans(progress, texts=show is not None))
        progress.step("Measuring")
        shared: Keywords = {"duplicates": duplicates, "options": random}
        # the spans are counted only once for both results
        rated = Rated.of(ratings_to_measure(marked_spans), random.computing)
        results = [
            call("span_f1", progress, rated, match, **shared),
            call("span_f1.coefficients", progress, rated, names, also=further, **shared),
        ]
        if tokens:
            progress.step("Tokens")
            tokens_of_documents = iaa_jax.data.token_ratings(marked_spans)
            # the bootstrap resamples whole documents
            results.append(call("agreement", progress, tokens_of_documents, options=random))
        if show is not None:
            results.append(call("span_f1.passages", progress, marked_spans, show))
        page: Page = iaa_jax.page(*results, top=top)
        return page

    run(work, output, reading.files)
