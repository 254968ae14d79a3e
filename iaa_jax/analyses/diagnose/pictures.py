"""Pictures of items by agreement, of pairs of annotators, and of confused labels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr

from iaa_jax._types import Floats, Values
from iaa_jax.analyses.diagnose.columns import heading, weighted
from iaa_jax.data.facts import code_for, noun_of
from iaa_jax.data.kind import Kind, kind_of
from iaa_jax.measure.options.label_options import UNSAID
from iaa_jax.measure.requests.floors import ANNOTATOR_RATINGS, DOCUMENTS
from iaa_jax.measure.shared.labels import frequent_from
from iaa_jax.pages import Curve, Picture
from iaa_jax.pages.heat_maps import MOST
from iaa_jax.pages.intervals import title
from iaa_jax.pages.pictures import bars_of
from iaa_jax.wording import Note

_ALONE = "no partner"
"""Heading of the column for spans without a match."""


def agreement_histogram(result: xr.Dataset) -> Iterator[Picture]:
    """Yield a histogram of the items' agreement, if it varies."""
    if result.sizes.get("bin", 0) < 2:
        return
    attrs = result.attrs
    by_distance = "disagreement" in result
    drawn = result["bin_items"].values.sum()  # empty documents are not in any bin
    values = {"agreed": drawn - attrs["disputed_items"], "pairable": drawn}
    what = "distance" if by_distance else "agreement"
    yield bars_of(
        result,
        "items_by_agreement",
        Note(code_for(attrs, "picture_items"), values),
        Note(f"picture_items_by_{what}", {"noun": f"{noun_of(attrs, 'item')}s"}),
        Note(
            code_for(attrs, f"picture_{what}_of_item{weighted(attrs) if not by_distance else ''}"),
            {"coefficient": title(result)},
        ),
        f"{noun_of(attrs, 'item')}s",
    )


def pair_heatmap(rows: xr.Dataset) -> Iterator[Picture]:
    """Yield a heat map of kappa (for spans, the coefficient) of each pair of annotators."""
    of_spans = kind_of(rows.attrs) is Kind.SPANS
    figure = "pair_agreement" if of_spans else "pair_kappa"
    if figure not in rows or not 3 <= rows.sizes["annotator_2"] <= MOST:
        return
    names = rows["annotator_2"].values
    if rows.sizes["annotator"] < len(names):
        return  # some pairs of annotators are not in the table
    in_order = names[np.argsort(rows["pair_place"].values)]
    values = rows[figure].sel(annotator=in_order, annotator_2=in_order).values
    if not np.isfinite(values).any():
        return
    used = str(rows.attrs["weights"])
    stated: dict[str, object] = {
        "figure": heading(rows) if of_spans else "Kappa",
        "noun": f"{noun_of(rows.attrs, 'item')}s",
        "least": DOCUMENTS if of_spans else ANNOTATOR_RATINGS,
        "weights": "" if used in UNSAID else Note("weighted", {"weights": used}),
    }
    has_extremes = "lowest_pair_1" in rows.attrs
    for role in ("lowest", "highest") if has_extremes else ():
        pair = [rows.attrs[f"{role}_pair_{number}"] for number in (1, 2)]
        stated |= {f"{role}_{letter}": name for letter, name in zip("ab", pair, strict=True)}
        stated[role] = float(rows[figure].sel(annotator=pair[0], annotator_2=pair[1]))
    code = "picture_pairs" if has_extremes else "picture_pairs_of_few"
    if has_extremes:
        ends = np.nanmin(values), np.nanmax(values)
        few = (stated["lowest"], stated["highest"]) != ends
        stated["enough"] = Note("picture_pairs_with_enough", stated) if few else ""
        lowest, highest = ({stated[f"{role}_{k}"] for k in "ab"} for role in ("lowest", "highest"))
        code = "picture_one_pair" if lowest == highest else code
    title = Note(code, stated)
    subtitle = Note("picture_order_of_pairs")
    yield _matrix("pairs_of_annotators", title, subtitle, in_order, values)


def confusion_heatmap(result: xr.Dataset) -> Iterator[Picture]:
    """Yield a heat map of the labels others gave, for each label that an annotator gave."""
    attrs = result.attrs
    if not attrs.get("confused_pairs") or kind_of(attrs) is Kind.SETS:
        return
    names = result["label_2"].values
    frequency = result["coincidences"].sum("label_2").sel(label=names).values
    shares = result["confusion"].sel(label=names).values
    often = np.sort(np.argsort(-frequency, kind="stable")[:MOST])
    chosen = often[np.argsort(result["label_place"].values[often])]
    is_limited = len(chosen) < len(names)
    near = Note("picture_order_of_labels") if (np.diff(chosen) < 0).any() else ""
    of_spans = kind_of(attrs) is Kind.SPANS
    alone = result["unmatched"].values if of_spans else np.zeros(len(names))
    shares = np.where(alone[:, None] == 1, 0.0, shares * (1 - alone[:, None]))
    drawn = shares[np.ix_(chosen, chosen)]
    different = ~np.eye(len(chosen), dtype=bool)  # the same label twice is no confusion
    frequent = frequency[chosen] >= frequent_from(frequency)
    usual = different & np.outer(frequent, frequent)
    if not (drawn[usual] > 0).any():
        usual = different
    others = np.where(usual, drawn, np.nan)
    if not (others > 0).any():
        return
    row, column = np.unravel_index(np.nanargmax(others), others.shape)
    stated: dict[str, object] = {
        "given": str(names[chosen[row]]),
        "other": str(names[chosen[column]]),
        "share": others[row, column],
        "of": "",
        "alone": float(alone[chosen[row]]),
    }
    if len(names) > 2:
        stated["of"] = Note(
            f"picture_highest_share{'_of_frequent' if (usual != different).any() else ''}"
        )
    yield _matrix(
        "labels_confused",
        Note(code_for(attrs, "picture_confused"), stated),
        Note(
            code_for(attrs, "picture_confused_shares"),
            {
                "some": Note("picture_of_some", {"labels": len(chosen)}) if is_limited else "",
                "near": near,
            },
        ),
        names[chosen],
        np.column_stack([drawn, alone[chosen]]) if of_spans else drawn,
        Note("picture_other_label"),
        Note("picture_one_label"),
        _ALONE if of_spans else "",
        in_percent=True,
    )


def _matrix(
    id: str,
    heading: Note,
    subtitle: Note,
    names: Values,
    values: Floats,
    x_label: Note | str = "",
    y_label: Note | str = "",
    aside: str = "",
    *,
    in_percent: bool = False,
) -> Picture:
    rows = [Curve("", row) for row in values]
    return Picture(
        id,
        "matrix",
        heading,
        subtitle,
        names,
        x_label,
        rows,
        y_label=y_label,
        aside=aside,
        in_percent=in_percent,
    )


WORDS = {
    "picture_items": "Annotators agree wholly on {agreed:count} of {pairable:count item}",
    "picture_items_of_spans": (
        "Annotators agree wholly in {agreed:count} of {pairable:count document} with spans"
    ),
    "picture_items_by_agreement": "Number of {noun} by agreement",
    "picture_items_by_distance": "Number of {noun} by distance",
    "picture_agreement_of_item": "Share of the item's pairs of ratings that agree",
    "picture_agreement_of_item_weighted": (
        "Mean agreement of the item's pairs of ratings, near misses counted in part"
    ),
    "picture_agreement_of_item_of_spans": "{coefficient} of the document alone",
    "picture_distance_of_item": "Mean squared difference of the item's pairs of ratings",
    "picture_pairs": (
        "{figure}{weights} of pairs{enough} goes from {lowest:estimate 2} ({lowest_a:name} and "
        "{lowest_b:name}) to {highest:estimate 2} ({highest_a:name} and {highest_b:name})"
    ),
    "picture_pairs_with_enough": " with {least:count} {noun} or more",
    "picture_one_pair": (
        "{figure}{weights} of {lowest_a:name} and {lowest_b:name} is {lowest:estimate 2}; other "
        "pairs share few {noun}"
    ),
    "picture_pairs_of_few": "{figure}{weights} of pairs, each on few {noun}",
    "picture_order_of_pairs": (
        "Annotators who agree with one another are next to each other; hatched: nothing to compare"
    ),
    "picture_confused": (
        "Where one annotator gave {given:quoted}, another gave {other:quoted} in {share:share} of "
        "cases{of}"
    ),
    "picture_confused_of_spans": (
        "{share:share} of spans with {given:quoted} have a partner with {other:quoted}{of}; "
        "{alone:share} have none"
    ),
    "picture_confused_shares": (
        "Where one annotator gave the label of the row, how often another gave the column's "
        "label{some}{near}; outlined: the same label"
    ),
    "picture_confused_shares_of_spans": (
        "Of spans with the label of the row, how many have a partner (a span of another annotator "
        "that overlaps) with the label of the column, and how many have none; rows add up to "
        "100 %{some}{near}; outlined: the same label"
    ),
    "picture_order_of_labels": "; labels that are confused are next to each other",
    "picture_highest_share": ", the highest share between two labels",
    "picture_highest_share_of_frequent": ", the highest share between two frequent labels",
    "picture_of_some": " ({labels:count} most frequent labels)",
    "picture_other_label": "Another's label",
    "picture_one_label": "An annotator's label",
}
