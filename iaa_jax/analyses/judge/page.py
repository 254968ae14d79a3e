"""The pages about judges, and about annotators against gold labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax.analyses.judge.declared import BY_EPSILON, BY_PERSON, JUDGES, PEOPLE
from iaa_jax.analyses.judge.page_of_gold import (
    answer_of_gold,
    answer_of_judges,
    blocks_of_gold,
    fact_of_gold,
    remarks_of_gold,
)
from iaa_jax.analyses.judge.page_of_jury import page_of_jury
from iaa_jax.analyses.judge.study import EPSILON
from iaa_jax.analyses.judge.testing import ENOUGH
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.measure.options.label_options import UNSAID
from iaa_jax.pages import Block, Column, Curve, Facts, Mark, Page, Picture, Remarks, Table, Text
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.generic import SHOWN
from iaa_jax.pages.intervals import confidence, drawn, ends_of, measured, title
from iaa_jax.pages.ratings import short_facts
from iaa_jax.wording import Note, as_list, load_notes
from iaa_jax.wording.undecided import UNDECIDED

_NAMED = 3
"""Maximum number of people that an answer names."""

_BESIDE_THE_VERDICT = ("models_among_people", "exact_only", "exact_only_of_names")
"""Codes of notes that stand next to the verdict, which depends on what they say."""

_HARDLY_ANY = 0.01
"""If the chance to pass is lower than this at all sizes, a sentence replaces the table of power."""


def page(judged: xr.Dataset | None, compared: xr.Dataset | None = None) -> Page:
    """Return the page of `iaa_jax.judge`, of `iaa_jax.judge.against_gold`, or of both."""
    blocks: list[Block] = [_facts(judged, compared)]
    answer, notes, judges = [], [], []
    results = {"judge": judged, "against_gold": compared}
    present = {name: result for name, result in results.items() if result is not None}
    if judged is not None:
        judges = judged["judge"].values.tolist()
        noted = load_notes(judged.attrs["notes"])
        beside = [note for note in noted if note.code in _BESIDE_THE_VERDICT]
        answer += [*_answer(judged), *beside]
        blocks += _blocks(judged)
        notes += [*_details(judged), *(note for note in noted if note not in beside)]
        notes += _remarks(judged)
    if compared is not None:
        answer += [*(answer_of_judges(compared, judges) if judges else answer_of_gold(compared))]
        blocks += blocks_of_gold(compared, judges)
        notes += [*remarks_of_gold(compared), *load_notes(compared.attrs["notes"])]
    notes += _next(judged, compared)
    blocks.append(Remarks([note for at, note in enumerate(notes) if note not in notes[:at]]))
    if judged is not None and judged.sizes["epsilon"] > 1:
        blocks.append(_picture(judged))
    heading = (
        "Annotators against gold labels" if judged is None else "Judges in the place of people"
    )
    shown = present if len(present) > 1 else {"": next(iter(present.values()))}
    return Page(heading, answer, blocks, results=shown)


def page_of_gold(result: xr.Dataset) -> Page:
    """Return the page of a result of `iaa_jax.judge.against_gold` alone."""
    return page(None, result)


def _blocks(result: xr.Dataset) -> list[Block]:
    blocks: list[Block] = [_judges(result)]
    if result.sizes["epsilon"] > 1:
        blocks.append(_grid(result))
    blocks += [_people(result, at) for at in range(result.sizes["judge"])]
    if result.attrs["replicates"] and result.sizes["size"]:
        blocks.append(_power(result))
    return blocks


def _facts(judged: xr.Dataset | None, compared: xr.Dataset | None) -> Facts:
    rows: list[tuple[Text, Text]] = []
    if judged is not None:
        names = judged["person"].values.tolist()
        people = Note("people_named", {"count": len(names), "names": names})
        rows = [("People", people), ("Agreement", measured(judged, UNSAID))]
    if compared is not None:
        rows.append(fact_of_gold(compared))
    read = compared if judged is None else judged
    assert read is not None
    return Facts([*short_facts(read.attrs).rows, *rows])


def _answer(result: xr.Dataset) -> Iterator[Note]:
    epsilon = float(result.attrs["epsilon"])
    for name in result["judge"].values.tolist():
        of_judge = result.sel(judge=name)
        at = of_judge.sel(epsilon=epsilon)
        tested = int(at["tested"].sum())
        beaten = at["person"].values[at["beaten"].values].tolist()
        few = 0 < len(beaten) <= _NAMED
        rate = [float(at.get(f"winning_rate_ci_{end}", np.nan)) for end in ("low", "high")]
        values = {
            "name": name,
            "epsilon": epsilon,
            "needed_in_common": Note(
                "clusters_in_common" if "sampling_cluster" in result.attrs else "items_in_common",
                {"fewest": int(result.attrs["min_items"])},
            ),
            "most": int(of_judge["units_compared"].max()),
            "wins": len(beaten),
            "whom": Note("wins_against", {"names": beaten}) if few else "",
            "ends": "" if np.isnan(rate).any() else Note("wins_ends", {"ends": rate}),
            "people": at.sizes["person"],
            "tested": tested,
            "needed": tested - tested // 2,
            "others": _untested(at),
            "agreement": _with_people(result, at),
            "constant": result.attrs["constant"],
            "instead": _instead(result),
            "chance": _chance(result, at),
        }
        conclusion = str(at["conclusion"].item())
        if conclusion == "passes" and _constant_passes(at):
            conclusion = "passes_as_constant"
        yield Note(f"judge_{conclusion}", values)


def _untested(at: xr.Dataset) -> Note | str:
    others = int((~at["tested"]).sum())
    return Note("others_untested", {"others": others}) if others else ""


def _constant_passes(at: xr.Dataset) -> bool:
    return float(at["constant_winning_rate"]) >= ENOUGH


def _instead(result: xr.Dataset) -> Note | str:
    """If even a judge with one rating for all items passes, name what tells more about judges."""
    unfit = "agreement" in result or kind_of(result.attrs) is Kind.SETS
    return "" if unfit else Note("see_gold")


def _chance(result: xr.Dataset, at: xr.Dataset) -> Note | str:
    """State how often a judge like this passes with as many items as these ratings, or more."""
    known = np.flatnonzero(~np.isnan(at["power"].values))
    if not known.size:
        return ""
    sizes, items = at["size"].values, float(result.attrs["pairable_items"])
    known = known[sizes[known] >= items] if (sizes[known] >= items).any() else known
    nearest = int(known[np.argmin(np.abs(np.log(sizes[known] / items)))])
    times = round(100 * float(at["power"][nearest]))
    often = Note("times_in_100" if times else "hardly_ever", {"times": times})
    return Note("chance_to_pass", {"size": int(at["size"][nearest]), "often": often})


def _with_people(result: xr.Dataset, at: xr.Dataset) -> Note | str:
    if "agreement" not in result or np.isnan(float(at["difference"])):
        return ""
    people = float(at["people_on_its_items"])
    values = {"agreement": float(at["agreement"]), "people": people}
    code = "with_people"
    if at["against_people"].item() == "worse":
        passes = at["conclusion"].item() == "passes" and not _constant_passes(at)
        code = "with_people_less" if passes else "with_people_less_too"
    return Note(code, {"title": title(result), **values})


def _details(result: xr.Dataset) -> Iterator[Note]:
    for name in result["judge"].values.tolist():
        of_judge = result.sel(judge=name)
        untested = of_judge["conclusion"].item() == "untested"
        if not untested and float(of_judge["least_epsilon"]) >= 1:
            yield Note("never_passes", {"name": name})
        if "agreement" in result and not np.isnan(float(of_judge["difference"])):
            yield _ceiling(result, of_judge)


def _next(judged: xr.Dataset | None, compared: xr.Dataset | None) -> Iterator[Note]:
    if judged is not None:
        reached = judged["conclusion"].values.tolist()
        code = "next_fails" if _worse_than_people(judged) else "next_not_worse"
        code = "next_passes" if "passes" in reached else code
        names = {"judges": as_list(judged["judge"].values.tolist())}
        corrected = "next_corrected_shares" if "passes" in reached else "next_corrected_worth"
        values = {"corrected": Note(corrected, names) if judged.attrs["judged_alone"] else ""}
        if "passes" in reached or "fails" in reached:
            yield Note(code, values)
    elif compared is not None and compared.attrs["conclusion"] != "nobody":
        yield Note("next_confused")


def _worse_than_people(result: xr.Dataset) -> bool:
    """Tell whether some failing judge may agree less with people than people with one another."""
    if "against_people" not in result:
        return True
    failing = result["against_people"].values[result["conclusion"].values == "fails"]
    return not np.isin(failing, ["better", "not_worse"]).all()


def _ceiling(result: xr.Dataset, of_judge: xr.Dataset) -> Note:
    ends, difference = ends_of(of_judge, "difference"), float(of_judge["difference"])
    values = {
        "name": str(of_judge["judge"].item()),
        "title": title(result),
        "difference": difference,
        "size": abs(difference),
        "ends": ends,
        "ends_of_size": sorted(map(abs, ends)),
        **confidence(result),
        "p": float(of_judge["not_worse_p_value"]),
        "tail": (1 - float(result.attrs["confidence"])) / 2,
        "margin": float(result.attrs["margin"]),
    }
    return Note(f"ceiling_{of_judge['against_people'].item() or 'plain'}", values)


def _judges(result: xr.Dataset) -> Table:
    rows = result.sel(epsilon=float(result.attrs["epsilon"]))
    values = {"title": title(result), "epsilon": float(result.attrs["epsilon"])}
    column = FigureColumns((*JUDGES, *BY_EPSILON), rows, **values)
    columns = [
        column.key("judge", "Judge"),
        *_wins(rows, [*column.with_ends("winning_rate")]),
        *column.with_ends("advantage_probability", spare=2),
        *column.with_ends("least_epsilon", spare=1),
    ]
    if "agreement" in result:
        for name in ("agreement", "people_on_its_items", "difference"):
            columns += column.with_ends(name, spare=5)
    return column.table(
        "judges", columns, "judge", Note("judges_caption"), beside=["pass_probability"]
    )


def _wins(rows: xr.Dataset, columns: Sequence[Column]) -> Iterator[Column]:
    share, *ends = columns
    beaten, tested = (rows[name].sum("person").values.tolist() for name in ("beaten", "tested"))
    cells = [
        Note("wins_cell", {"wins": wins, "tested": people})
        for wins, people in zip(beaten, tested, strict=True)
    ]
    yield replace(share, in_files=True)
    yield Column("wins", share.heading, cells, "word", in_words=True, meaning=share.meaning)
    yield from ends


def _grid(result: xr.Dataset) -> Table:
    columns = [Column("epsilon", "Epsilon", result["epsilon"].values, decimals=2)]
    for name in result["judge"].values.tolist():
        of_judge = result.sel(judge=name)
        column = FigureColumns(BY_EPSILON, of_judge)
        wins = column("winning_rate", heading=str(name))
        columns.append(replace(wins, key=f"winning_rate_{name}", meaning=None))
        if result.attrs["replicates"]:
            again = column("pass_probability", spare=1)
            columns.append(replace(again, key=f"passes_again_{name}"))
    requested = not np.array_equal(result["epsilon"].values, np.unique(EPSILON))
    column, caption = FigureColumns(BY_EPSILON, result), Note("grid_caption")
    noun = "values of epsilon"
    return column.table("grid", columns, "epsilon", caption, noun, in_files=not requested)


def _people(result: xr.Dataset, at: int) -> Table:
    rows = result.isel(judge=at).sel(epsilon=float(result.attrs["epsilon"]))
    name = str(rows["judge"].item())
    words = np.where(rows["beaten"].values, "beats", "does_not_beat")
    words = np.where(rows["tested"].values, words, "untested_cell")
    share = {"epsilon": float(result.attrs["epsilon"])}
    share["share"] = float(result.attrs["false_discovery_rate"])
    column = FigureColumns((*BY_PERSON, *PEOPLE), rows, title=title(result))
    columns = [
        column.key("person", "Left out"),
        column("items_compared", spare=2),
        column("advantage"),
        column("advantage_of_person"),
        column("p_value"),
        Column(
            "beaten",
            "Result",
            [Note(code) for code in words.tolist()],
            "text",
            in_words=True,
            meaning=Note("beaten_meaning", share),
            in_files=result.attrs["conclusion"] == UNDECIDED,
        ),
    ]
    if "agreement" in result:
        columns.append(column("agreement_of_person", spare=1))
    caption = Note("people_caption", {"judge": name})
    tested = np.flatnonzero(rows["tested"].values)[:SHOWN].tolist()
    shown = tested or SHOWN
    return column.table(f"people_{at + 1}", columns, "person", caption, "people", shown)


def _power(result: xr.Dataset) -> Table:
    epsilon = float(result.attrs["epsilon"])
    columns = [Column("size", "Items", result["size"].values, "count")]
    for name in result["judge"].values.tolist():
        of_judge = FigureColumns(BY_EPSILON, result.sel(judge=name, epsilon=epsilon))
        power = of_judge("power", heading=str(name))
        columns.append(replace(power, key=f"power_{name}"))
    values = {"epsilon": epsilon, "draws": int(result.attrs["power_draws"])}
    column, caption = FigureColumns(BY_EPSILON, result), Note("power_caption", values)
    unseen = _has_no_power(result)
    return column.table("power", columns, "size", caption, "sizes", in_files=unseen)


def _has_no_power(result: xr.Dataset) -> bool:
    """Tell whether judges hardly ever pass in simulated data sets, whatever their size."""
    power = result["power"].sel(epsilon=float(result.attrs["epsilon"])).values
    return bool(power.size and (power < _HARDLY_ANY).all())


def _remarks(result: xr.Dataset) -> Iterator[Note]:
    attrs = result.attrs
    if _has_no_power(result):
        sizes = [Note("size", {"items": size}) for size in result["size"].values.tolist()]
        last = Note("or_size", sizes.pop().values) if len(sizes) > 1 else ""
        values = {"epsilon": attrs["epsilon"], "draws": attrs["power_draws"]}
        values |= {"sizes": sizes, "last": last}
        yield Note("no_power", values)
    yield Note("epsilon_means")
    score = "ranks" if attrs["on_ranks"] else str(attrs["score"])
    if score == "match" and kind_of(attrs) is Kind.SETS:
        score = "shares"
    yield Note(f"judged_by_{score}")
    yield from drawn("judges_drawn", attrs)


def _picture(result: xr.Dataset) -> Picture:
    values = {"items": result.attrs["items"], "people": int(result.sizes["person"])}
    curves = [
        Curve(Note("judge_curve", {"name": name}), result["winning_rate"].sel(judge=name).values)
        for name in result["judge"].values.tolist()
    ]
    return Picture(
        "winning_rate",
        "points",
        Note("judge_picture"),
        Note("judge_picture_of", values),
        np.array([f"{value:g}" for value in result["epsilon"].values], dtype=object),
        Note("epsilon_axis"),
        curves,
        [],
        [Mark(Note("passing_line"), y=0.5)],
        y_label=Note("winning_axis"),
    )


PAGES: dict[tuple[str, ...], Callable[..., Page]] = {
    ("judge",): page,
    ("judge.against_gold",): page_of_gold,
    ("judge", "judge.against_gold"): page,
    ("judge.jury",): page_of_jury,
}
