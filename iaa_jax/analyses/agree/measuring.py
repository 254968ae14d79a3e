"""From files and options to a report, without a word printed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from iaa_jax._errors import IaaError
from iaa_jax.catalog import CATALOG, NAMES
from iaa_jax.cli.drawing import Drawing
from iaa_jax.cli.output import write_whole
from iaa_jax.cli.provenance import provenance
from iaa_jax.cli.reading import Reading, Resampling

if TYPE_CHECKING:
    import xarray as xr

    from iaa_jax.analyses.agree.contingency_page import ContingencyFacts
    from iaa_jax.measure.interval import Interval
    from iaa_jax.report.records import AgreementReport, Row

LABELS_MEASURED = 100
"""Most labels that are measured one by one without being asked for."""


@dataclass(frozen=True)
class Measuring:
    """What to measure on them; ``further`` are coefficients needed beside those that apply."""

    coefficients: Sequence[str] | None = None
    further: Sequence[str] = ()
    level: str | None = None
    weights: str | None = None
    weights_on: str = "value"
    distance: str | None = None
    p: float = 1.0
    min_common: int = 2
    interval: str | None = "auto"
    confidence: float = 0.95
    replicates: int = 2000
    seed: int = 0
    undefined: str = "nan"
    scale: str | None = None
    drawing: Drawing = field(default_factory=Drawing)
    above: tuple[float, ...] = ()
    zero: bool = False

    @property
    def how(self) -> str | Interval | None:
        """The interval in full."""
        return self.drawing.interval(Resampling(self.interval))


class Watch(Protocol):
    """Somebody who is told how the work goes on."""

    def step(self, description: str) -> None:
        """Begin a part of the work."""

    def done(self, count: int, total: int) -> None:
        """Say how far the part is."""


def measure(
    reading: Reading, measuring: Measuring, watch: Watch, keep_replicates: str | None = None
) -> AgreementReport:
    """Read ratings and measure agreement on them.

    Parameters
    ----------
    reading
        Where the ratings come from.
    measuring
        What to measure.
    watch
        Told of every part of the work as it begins and goes on.
    keep_replicates
        A file for the replicates.
    """
    from iaa_jax.cli.beside import with_columns
    from iaa_jax.data import summary
    from iaa_jax.report.records import AgreementReport, data_facts

    watch.step("Reading")
    ratings = with_columns(reading.ratings(watch.done), reading, measuring.drawing.columns)
    labels_asked = any(map(_per_label, measuring.coefficients or ()))
    has_labels = ratings.attrs["task"] in ("single", "primary_secondary")
    wanted = measuring.coefficients is None and has_labels
    too_many = wanted and ratings.sizes["label"] > LABELS_MEASURED
    watch.step("Measuring")
    rows, labels, attrs = _measured(
        ratings, measuring, labels_asked or (wanted and not too_many), watch.done
    )
    if measuring.above:
        watch.step("Probabilities")
        rows = _with_probabilities(rows, ratings, measuring, watch.done)
    if measuring.zero:
        watch.step("Test of zero agreement")
        rows = _with_tests(rows, ratings, measuring, watch.done)
    if keep_replicates is not None:
        watch.step("Replicates")
        _keep(rows, ratings, measuring, keep_replicates, watch.done)
    return AgreementReport(
        data=data_facts(ratings, summary(ratings)),
        coefficients=rows,
        specific_agreement=labels,
        provenance=provenance(reading, attrs, measuring, without=("further",)),
        labels_asked=labels_asked,
        labels_left_out=too_many,
        contingency=_contingency(ratings, measuring) if wanted and not too_many else None,
    )


def _measured(
    ratings: xr.Dataset,
    measuring: Measuring,
    with_labels: bool,
    progress: Callable[[int, int], None],
) -> tuple[tuple[Row, ...], tuple[Row, ...], dict[str, Any]]:
    """The coefficients, the labels, and how they were made: all from the same replicates."""
    from iaa_jax.measure.agreement import agreement_and_labels
    from iaa_jax.measure.interval import IntervalOptions
    from iaa_jax.measure.label_options import LabelOptions
    from iaa_jax.report.records import result_rows

    found: list[Row] = []
    labels: list[Row] = []
    attrs: dict[str, Any] = {}

    def add(coefficients: Sequence[str] | None, per_label: Sequence[str]) -> None:
        result, by_label = agreement_and_labels(
            ratings,
            coefficients,
            per_label,
            LabelOptions(
                measuring.weights, measuring.weights_on, measuring.level, measuring.distance
            ),
            measuring.p,
            IntervalOptions(
                measuring.how,
                measuring.confidence,
                measuring.replicates,
                measuring.seed,
                sampling=measuring.drawing.sampling(),
            ),
            measuring.undefined,
            {"min_common": measuring.min_common},
            progress,
        )
        rows = result_rows(result, titles=_titles())
        if measuring.scale is not None:
            rows, scale = _with_words(rows, result, measuring.scale)
            attrs.update(scale)
        found.extend(rows)
        for along_labels in by_label.values():
            labels.extend(result_rows(along_labels, "label"))
        attrs.update({name: value for name, value in result.attrs.items() if name not in attrs})

    names = measuring.coefficients
    listed = None if names is None else [name for name in names if not _per_label(name)]
    add(listed, [name for name in CATALOG if _per_label(name)] if with_labels else [])
    measured = {NAMES[row.name] for row in found}
    further = [name for name in measuring.further if NAMES[name] not in measured]
    if further:
        add(further, ())
    return tuple(found), tuple(labels), attrs


def _drawn(
    names: Sequence[str],
    ratings: xr.Dataset,
    measuring: Measuring,
    progress: Callable[[int, int], None],
    *,
    bayesian: bool,
) -> xr.Dataset:
    """Replicates of several coefficients."""
    from iaa_jax.analyses.agree.replicates import bootstrap

    return bootstrap(
        ratings,
        names,
        weights=measuring.weights,
        weights_on=measuring.weights_on,
        level=measuring.level,
        distance=measuring.distance,
        p=measuring.p,
        min_common=measuring.min_common,
        sampling=measuring.drawing.sampling(bayesian=bayesian),
        replicates=measuring.replicates,
        seed=measuring.seed,
        progress=progress,
    )


def _with_probabilities(
    rows: tuple[Row, ...],
    ratings: xr.Dataset,
    measuring: Measuring,
    progress: Callable[[int, int], None],
) -> tuple[Row, ...]:
    """The rows with the probabilities of lying above the cut-offs."""
    from iaa_jax.analyses.agree.replicates import probability_above

    names = [row.name for row in rows if row.code == 0]
    if not names:
        return rows
    drawn = _drawn(names, ratings, measuring, progress, bayesian=True)
    found = probability_above(drawn, measuring.above).probability
    cut_offs = [f"{cut_off:g}" for cut_off in measuring.above]
    by_name = {
        name: dict(zip(cut_offs, own.tolist(), strict=True))
        for name, own in zip(names, found.transpose("coefficient", "cut_off").values, strict=True)
    }
    return tuple(replace(row, above=by_name.get(row.name)) for row in rows)


def _with_tests(
    rows: tuple[Row, ...],
    ratings: xr.Dataset,
    measuring: Measuring,
    progress: Callable[[int, int], None],
) -> tuple[Row, ...]:
    """The rows with the test of zero agreement."""
    from iaa_jax.analyses.agree.zero import zero_agreement

    names = [row.name for row in rows if row.code == 0]
    if not names:
        return rows
    found = zero_agreement(
        ratings,
        names,
        weights=measuring.weights,
        weights_on=measuring.weights_on,
        level=measuring.level,
        distance=measuring.distance,
        p=measuring.p,
        min_common=measuring.min_common,
        seed=measuring.seed,
        progress=progress,
    )
    figures = ("null_standard_error", "z", "p_value", "method", "note")
    by_name = {
        name: {figure: found[figure].values[place].item() for figure in figures}
        for place, name in enumerate(names)
    }
    return tuple(replace(row, zero=by_name.get(row.name)) for row in rows)


def _keep(
    rows: tuple[Row, ...],
    ratings: xr.Dataset,
    measuring: Measuring,
    file: str,
    progress: Callable[[int, int], None],
) -> None:
    """Save the replicates that the intervals stand on."""
    names = [row.name for row in rows if row.code == 0]
    if not names:
        message = "no coefficient is defined: there are no replicates to keep"
        raise IaaError(message)
    drawn = _drawn(names, ratings, measuring, progress, bayesian=measuring.drawing.bayesian)
    write_whole(Path(file), bytes(drawn.to_netcdf(engine="scipy")))


def _with_words(
    rows: Sequence[Row], result: xr.Dataset, scale: str
) -> tuple[tuple[Row, ...], dict[str, Any]]:
    """The rows with their words, where chance is taken out, and what the scale is."""
    from iaa_jax.analyses.agree.words_for_figures import benchmark

    found = benchmark(result, scale)
    named = zip(rows, found.word.values, found.reached.values, found.certain.values, strict=True)
    said = tuple(
        replace(row, words={"word": str(word), "reached": str(reached), "certain": float(certain)})
        if row.code == 0 and CATALOG[NAMES[row.name]].beyond_chance
        else row
        for row, word, reached, certain in named
    )
    names = ("scale", "scale_title", "scale_source", "made_for", "certainty")
    return said, {name: found.attrs[name] for name in names}


PAIRS_TESTED = 200
"""Most pairs of annotators whose label margins are compared without being asked for."""


def _contingency(ratings: xr.Dataset, measuring: Measuring) -> ContingencyFacts | None:
    """What stands behind a kappa, where annotators are known and few."""
    annotators = ratings.sizes["annotator"]
    if ratings.attrs.get("anonymous", 0) or annotators * (annotators - 1) // 2 > PAIRS_TESTED:
        return None
    from iaa_jax.analyses.agree.contingency import contingency
    from iaa_jax.analyses.agree.contingency_page import contingency_facts

    return contingency_facts(contingency(ratings, p=measuring.p))


def _per_label(name: str) -> bool:
    return CATALOG[NAMES[name]].per_label


def _titles() -> dict[str, str]:
    """What to call a coefficient in a table: its title, and the alias it was asked by."""
    return {
        name: CATALOG[row].title if name == row else f"{CATALOG[row].title} ({name})"
        for name, row in NAMES.items()
    }
