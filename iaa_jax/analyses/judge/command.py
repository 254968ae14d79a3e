"""The command ``iaa judge``: whether a model may replace people, and annotators' accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Annotated

import typer

from iaa_jax._checks import names_like
from iaa_jax._errors import suggestion
from iaa_jax.cli import choices, options
from iaa_jax.cli.grouping import joined
from iaa_jax.cli.groups import plain_draws, takes, with_sampling
from iaa_jax.cli.measuring import Measuring, measuring
from iaa_jax.cli.options import INTERVALS, MEASURE, option
from iaa_jax.cli.run import Call, run_functions
from iaa_jax.measure import IntervalOptions, LabelOptions
from iaa_jax.wording.formats import quoted

_DRAWING = joined(with_sampling, plain_draws, only=("cluster", "random_annotators"))


@takes(measuring(_DRAWING))
def judge(
    asked: Measuring,
    judges: Annotated[
        str | None,
        option(
            MEASURE,
            "A,B",
            "Annotators who are judges, such as models; the others are people.",
            common=True,
        ),
    ] = None,
    gold: Annotated[
        str | None,
        option(MEASURE, "COLUMN", "Column of gold labels, for accuracy.", common=True),
    ] = None,
    epsilon: Annotated[
        str | None,
        option(
            MEASURE,
            "E,E",
            "Advantage granted to the judge: 0.1 against crowd workers, 0.15 skilled, 0.2 "
            "experts; the verdict is about the first.",
            common=True,
        ),
    ] = None,
    false_discovery_rate: Annotated[
        float,
        option(MEASURE, "Q", "False discovery rate for the people that a judge is said to beat."),
    ] = 0.05,
    min_items: Annotated[
        int, option(MEASURE, "N", "Minimum items that a judge and a person have in common.", min=2)
    ] = 30,
    score: Annotated[
        str | None,
        option(
            MEASURE,
            "NAME",
            "Closeness of two ratings: 'match', or 'distance' (of numbers, or ranks).",
        ),
    ] = None,
    margin: Annotated[
        float,
        option(MEASURE, "D", "Non-inferiority margin for agreement with people."),
    ] = 0.1,
    items: Annotated[
        str | None,
        option(
            MEASURE,
            "N,N",
            "Numbers of items to give the power for; by default 50,100,200,400,800.",
        ),
    ] = None,
    replicates: Annotated[
        int, option(INTERVALS, "N", "Bootstrap replicates over items; 0 for none.", min=0)
    ] = IntervalOptions.replicates,
    corrected: Annotated[
        bool,
        option(
            MEASURE,
            None,
            "Scores over all judged items, corrected by people's ratings.",
            "--corrected",
            common=True,
        ),
    ] = False,
    people: Annotated[
        str | None,
        option(MEASURE, "A,B", "With --corrected: who the people are; by default all others."),
    ] = None,
    scored: Annotated[
        str | None,
        option(
            MEASURE,
            "A,B",
            "With --corrected: whose labels to compare with people's; the judges' by default.",
        ),
    ] = None,
    probability: Annotated[
        str | None,
        option(MEASURE, "COLUMN", "With --corrected: each item's probability to be rated."),
    ] = None,
    these_items: Annotated[
        bool,
        option(
            MEASURE,
            None,
            "With --corrected: estimates for these items alone, not for items like them.",
            "--these-items",
        ),
    ] = False,
    half_width: Annotated[
        float | None,
        option(
            MEASURE,
            "W",
            "With --corrected: rated items and people needed for an interval of this half-width.",
        ),
    ] = None,
    jury: Annotated[
        bool,
        option(
            MEASURE,
            None,
            "Instead, estimate how many independent judges those in --judges are worth.",
            "--jury",
        ),
    ] = False,
    plot: options.Plot = None,
) -> None:
    """Test whether a model may replace people; measure accuracy.

    --judges runs the alternative annotator test: each person is left out in turn, and
    the judge has to be about as close to the others as that person. --gold compares everyone
    with known labels; --corrected corrects a judge's scores.

    Examples
    --------
    iaa judge ratings.csv --judges gpt-4 --epsilon 0.1
    iaa judge ratings.csv --judges gpt-4 --corrected
    """
    if judges is None and gold is None:
        raise choices.WrongUsage(
            "give --judges with the names of the models, or --gold with a column of known labels"
        )
    names = choices.listed(judges, "--judges") or ()
    read = asked.reading.columns["annotators"] or names
    unread = [name for name in names if not names_like([name], read)[name]]
    if unread and not any(
        "*" in name for name in read
    ):  # a pattern's columns are known after reading
        raise choices.WrongUsage(
            f"--judges names {quoted(unread)}, but --annotators does not"
            f"{suggestion(unread[0], read)}"
        )
    usual = {"epsilon": None, "false_discovery_rate": 0.05, "min_items": 30, "score": None}
    usual |= {"margin": 0.1, "items": None}
    values = {
        "epsilon": choices.numbers_of(epsilon, "--epsilon"),
        "false_discovery_rate": false_discovery_rate,
        "min_items": min_items,
        "score": score,
        "margin": margin,
        "items": choices.whole_numbers_of(items, "--items"),
    }
    chosen = {name: value for name, value in values.items() if value != usual[name]}
    of_scores = {
        "people": choices.listed(people, "--people"),
        "scored": choices.listed(scored, "--scored"),
        "probability": probability,
        "these_items": these_items or None,
        "half_width": half_width,
    }
    of_scores = {name: value for name, value in of_scores.items() if value is not None}
    if corrected:
        others: dict[str, object] = {"jury": jury or None, "gold": gold}
        others |= {"coefficient": asked.coefficient, **chosen}
        others |= _unusual(asked.how, but=_OF_LABELS) | _unusual(asked.random, but=_OF_SCORES)
        others |= {} if replicates == IntervalOptions.replicates else {"replicates": replicates}
        choices.refuse_given(
            others,
            "it belongs to the replacement test or to gold labels: leave it out with --corrected",
        )
        if not names:
            raise choices.WrongUsage("give --judges with the names of the models to correct")
        call = Call("judged_scores", {"judges": names, **of_scores, **asked.options}, "Correcting")
        columns = [] if probability is None else [probability]
        run_functions(asked.reading, asked.output.also(plot), call, columns=columns, along="item")
        return
    choices.refuse_given(of_scores, "it changes nothing without --corrected")
    if not names:
        choices.refuse_given(
            {"coefficient": asked.coefficient, **_unusual(asked.how, but=_OF_LABELS), **chosen},
            "it changes nothing without --judges, which names judges among the annotators",
        )
    if jury and (len(names) < 2 or chosen or gold is not None):
        other = next(iter(chosen), "gold").replace("_", "-")
        raise typer.BadParameter(
            "name two judges or more with --judges"
            if len(names) < 2
            else f"--{other} has no effect with it: leave one of them out",
            param_hint="--jury",
        )
    chosen |= {"replicates": replicates}
    calls, columns = [], []
    if jury:
        of_jury = {"judges": names, "replicates": replicates, **asked.options}
        worth = Call("judge.jury", of_jury, "Comparing errors")
        run_functions(asked.reading, asked.output.also(plot), worth, along="item")
        return
    if names:
        calls.append(Call("judge", {"judges": names, **chosen, **asked.keywords}, "Comparing"))
    if gold is not None:
        columns.append(gold)
        of_gold = {"gold": gold, "replicates": replicates, **asked.options}
        calls.append(Call("judge.against_gold", of_gold, "Comparing with gold"))
    output = asked.output.also(plot)
    run_functions(asked.reading, output, *calls, columns=columns, along="item")


_OF_SCORES = ("sampling", "confidence")
"""Options for intervals that corrected scores take."""


_OF_LABELS = ("p", "level", "weights", "distance")
"""Options on labels, which a project file may set for all commands."""


def _unusual(group: LabelOptions | IntervalOptions, but: Sequence[str]) -> dict[str, object]:
    """Return the options of a group that differ from the defaults, except those in ``but``."""
    values = {field.name: (getattr(group, field.name), field.default) for field in fields(group)}
    return {
        name: value for name, (value, usual) in values.items() if value != usual and name not in but
    }
