"""The page of corrected scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import xarray as xr

from iaa_jax.analyses.judged_scores.declared import BY_JUDGE, FIGURES
from iaa_jax.analyses.judged_scores.scores import name_of
from iaa_jax.pages import Block, Column, Facts, Page, Remarks, Table, Text
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.pages.intervals import confidence, ends_of
from iaa_jax.pages.ratings import short_facts
from iaa_jax.wording import Note, load_notes

_MAIN = ("share", "mean")
"""Scores that describe people's own labels."""

_HEADED = ("judge_alone", "off", "weight")
"""Columns whose headings name the judge if there are several."""

_FEW_PEOPLE = 6
"""With fewer people than this, a note says that the intervals depend on few people."""


def page(result: xr.Dataset) -> Page:
    """Return the page of a result of `iaa_jax.judged_scores`."""
    main = np.isin(result["measure"].values.astype(str), _MAIN)
    blocks: list[Block] = [_facts(result), _table(result, np.flatnonzero(main), "shares")]
    scored = result["scored"].values.astype(str)
    for number, name in enumerate(dict.fromkeys(scored[~main].tolist())):
        blocks.append(_table(result, np.flatnonzero(scored == name), f"scores_{number + 1}", name))
    blocks.append(Remarks([*_remarks(result)]))
    answer = [*_answer(result.isel(figure=main))]
    return Page("Scores corrected by people", answer, blocks, results={"": result})


def _facts(result: xr.Dataset) -> Facts:
    attrs = result.attrs
    names = result["person"].values.tolist()
    code = "people_named" if attrs["people_named"] else "people_all"
    clusters: Text = ""
    if "clusters" in attrs:
        units = {"units": float(result["rated_units"]), "clusters": attrs["clusters"]}
        clusters = Note("in_clusters", units)
    numbers = {name: float(result[f"{name}_items"]) for name in ("rated", "judged")}
    about = {
        "people": Note(f"people_{attrs['of_people']}"),
        "items": Note(f"items_{attrs['of_items']}"),
    }
    judges = {*result["judge"].values.tolist()}
    scored = dict.fromkeys(name for name in result["scored"].values.astype(str).tolist() if name)
    others = [name for name in scored if name not in judges]
    labelled: Text = Note("labelled_by", {"names": others}) if others else ""
    rows: list[tuple[Text, Text]] = [
        ("People", Note(code, {"count": len(names), "names": names})),
        ("Rated", Note("rated_of", {**numbers, "labelled": labelled, "clusters": clusters})),
        ("About", Note("about", about)),
    ]
    return Facts([*short_facts(attrs).rows, *rows])


def _what(of: xr.Dataset) -> Note:
    return Note(f"{of['measure'].item()}_of", {"label": str(of["label"].item())})


def _ends(result: xr.Dataset, name: str) -> Text:
    ends = ends_of(result, name)
    return "" if np.isnan(ends).any() else Note("ends", {**confidence(result), "ends": ends})


def _answer(main: xr.Dataset) -> Iterator[Note]:
    rated = float(main["rated_items"])
    conclusion = str(main.attrs["conclusion"])
    known = main.isel(figure=np.flatnonzero(~np.isnan(main["corrected"].values)))
    if conclusion == "all_rated" or not known.sizes["figure"]:
        yield Note("all_rated" if conclusion == "all_rated" else "no_gain", {"rated": rated})
        return
    for name in known["judge"].values.tolist():
        of_judge = known.sel(judge=name)
        error = np.maximum(of_judge["off_standard_error"].values, 1e-12)
        of = of_judge.isel(figure=int(np.argmax(np.abs(of_judge["off"].values) / error)))
        low, high = ends_of(of, "off")
        values = {
            "name": name,
            "what": _what(of),
            "alone": float(of["judge_alone"]),
            "alone_ends": _ends(of, "judge_alone"),
            "corrected": float(of["corrected"]),
            "ends": _ends(of, "corrected"),
            "off": float(of["off"]),
            "off_ends": (low, high),
            "rated": rated,
        }
        yield Note("not_off" if low <= 0 <= high else "off", values)
    yield _worth(known, of, conclusion, rated)
    if "half_width" in main.attrs:
        measures = known["measure"].values
        for measure in dict.fromkeys(measures.tolist()):  # a mean has a unit of its own
            yield _needed(known.isel(figure=measures == measure))
    if main.attrs["of_people"] == "like_these":
        most = known.isel(figure=int(np.argmax(known["from_people"].values)))
        if (share := float(most["from_people"])) > 1 / 2:
            people = main.sizes["person"]
            yield Note("more_people", {"share": share, "what": _what(most), "people": people})


def _worth(known: xr.Dataset, answered: xr.Dataset, conclusion: str, rated: float) -> Note:
    best = known.isel(figure=int(np.argmax(known["saved"].values)))
    of = answered if 10 * float(answered["saved"]) >= rated else best
    ends = [ends_of(of, name) for name in ("corrected", "people_alone")]
    corrected, alone = (float(high - low) for low, high in ends)
    values = {"what": _what(of), "saved": round(float(of["saved"])), "rated": rated}
    by_people = known.attrs["of_people"] == "like_these" and float(of["from_people"]) > 1 / 2
    if conclusion != "worth" or not by_people:
        return Note(conclusion, values)
    return Note("worth_of_these", {**values, "narrower": max(0.0, 1 - corrected / alone)})


def _needed(known: xr.Dataset) -> Note:
    by = [known[name].values for name in ("items_needed", "people_needed")]
    most = known.isel(figure=int(np.lexsort(by)[-1]))
    needed, more = (float(most[name]) for name in ("items_needed", "people_needed"))
    attrs, rated = known.attrs, float(known["rated_items"])
    values = {name: attrs[name] for name in ("half_width", "people")} | {"what": _what(most)}
    values |= {"needed": needed, "more": more, "rated": rated}
    if np.isinf(needed):
        return Note("width_beyond", values | {"judged": float(known["judged_items"])})
    if more > attrs["people"]:
        return Note("width_by_people", values)
    return Note("width_reached" if needed <= rated else "width_by_items", values)


def _table(result: xr.Dataset, indices: np.ndarray, name: str, scored: str = "") -> Table:
    rows = result.isel(figure=indices)
    column = FigureColumns(FIGURES, rows)
    figure = column.key("figure", "Figure")
    if scored:  # the caption names whose labels these are
        short = [
            name_of(*parts)
            for parts in zip(*(rows[part].values for part in ("measure", "label")), strict=True)
        ]
        figure = replace(figure, values=short)
    columns = [figure, column("people_alone"), *column.ends("people_alone", spare=6)]
    further: list[Column] = []
    for at, judge in enumerate(rows["judge"].values.tolist()):
        by_judge = FigureColumns(BY_JUDGE, rows.isel(judge=at))
        own = [
            by_judge("judge_alone", spare=(2 + (at > 0)) * (rows.sizes["judge"] > 1)),
            *by_judge.ends("judge_alone", spare=7),
            *by_judge.with_ends("off", spare=4),
            by_judge("weight", spare=5),
        ]
        if rows.sizes["judge"] > 1:
            named = {name: Note(f"{name}_heading", {"name": judge}) for name in _HEADED}
            own = [
                replace(each, key=f"{each.key}_{judge}", heading=named.get(each.key, each.heading))
                for each in own
            ]
        columns += own[:-1]
        further.append(own[-1])
    columns += [*column.with_ends("corrected"), *further]
    saved = column("saved", spare=1)
    columns.append(replace(saved, values=np.round(np.asarray(saved.values))))
    if "half_width" in rows.attrs:
        columns += [column("items_needed"), column("people_needed")]
    columns = [each for each in columns if not _is_empty(each)]
    caption = Note("scores_of_caption" if scored else "shares_caption", {"name": scored})
    in_files = ("measure", "label", "scored", "code")
    return column.table(name, columns, "figure", caption, "figures", beside=in_files)


def _is_empty(column: Column) -> bool:
    values = np.asarray(column.values)
    return values.dtype.kind == "f" and bool(np.isnan(values).all())


def _remarks(result: xr.Dataset) -> Iterator[Note]:
    yield from load_notes(result.attrs["notes"])
    people = result.sizes["person"]
    if result.attrs["of_people"] == "like_these" and people < _FEW_PEOPLE:
        yield Note("few_people", {"people": people}, "caution")
    if result.attrs["conclusion"] != "all_rated":
        if not result.attrs["probability"]:
            yield Note("drawn_at_random")
        yield Note("tuned_on_rated")
        yield Note("how_corrected")


PAGES: dict[tuple[str, ...], Callable[..., Page]] = {("judged_scores",): page}
