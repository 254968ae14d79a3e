"""Pictures of items, of pairs of annotators, and of confused labels."""

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
"""The column of spans that no other annotator's span matches."""


def agreement_histogram(result: xr.Dataset) -> Iterator[Picture]:
    """Draw a histogram of the items' agreement, if it varies."""
    if result.sizes.get("bin", 0) < 2:
        return
    attrs = result.attrs
    by_distance = "disagreement" in result
    drawn = result["bin_items"].values.sum()  # an empty document has no coefficient
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
    """Draw kappa, or for spans the coefficient, of each pair of annotators, ordered by likeness."""
    of_spans = kind_of(rows.attrs) is Kind.SPANS
    figure = "pair_agreement" if of_spans else "pair_kappa"
    if figure not in rows or not 3 <= rows.sizes["annotator_2"] <= MOST:
        return
    names = rows["annotator_2"].values
    if rows.sizes["annotator"] < len(names):
        return  # some of their pairs are not in the table
    in_order = names[np.argsort(rows["pair_place"].values)]
    values = rows[figure].sel(annotator=in_order, annotator_2=in_order).values
    if not np.isfinite(values).any():
        return
    used = str(rows.attrs["weights"])
    said: dict[str, object] = {
        "figure": heading(rows) if of_spans else "Kappa",
        "noun": f"{noun_of(rows.attrs, 'item')}s",
        "least": DOCUMENTS if of_spans else ANNOTATOR_RATINGS,
        "weights": "" if used in UNSAID else Note("weighted", {"weights": used}),
    }
    some = "lowest_pair_1" in rows.attrs
    for role in ("lowest", "highest") if some else ():
        pair = [rows.attrs[f"{role}_pair_{number}"] for number in (1, 2)]
        said |= {f"{role}_{letter}": name for letter, name in zip("ab", pair, strict=True)}
        said[role] = float(rows[figure].sel(annotator=pair[0], annotator_2=pair[1]))
    code = "picture_pairs" if some else "picture_pairs_of_few"
    if some:
        ends = np.nanmin(values), np.nanmax(values)
        few = (said["lowest"], said["highest"]) != ends
        said["enough"] = Note("picture_pairs_with_enough", said) if few else ""
        one = {said["lowest_a"], said["lowest_b"]} == {said["highest_a"], said["highest_b"]}
        code = "picture_one_pair" if one else code
    title = Note(code, said)
    subtitle = Note("picture_order_of_pairs")
    yield _matrix("pairs_of_annotators", title, subtitle, in_order, values)


def confusion_heatmap(result: xr.Dataset) -> Iterator[Picture]:
    """Draw which labels others gave if one annotator gave a label, ordered by likeness."""
    attrs = result.attrs
    if not attrs.get("confused_pairs") or kind_of(attrs) is Kind.SETS:
        return
    names = result["label_2"].values
    frequency = result["coincidences"].sum("label_2").sel(label=names).values
    shares = result["confusion"].sel(label=names).values
    often = np.sort(np.argsort(-frequency, kind="stable")[:MOST])
    chosen = often[np.argsort(result["label_place"].values[often])]
    some = len(chosen) < len(names)
    near = Note("picture_order_of_labels") if (np.diff(chosen) < 0).any() else ""
    of_spans = kind_of(attrs) is Kind.SPANS
    alone = result["unmatched"].values if of_spans else np.zeros(len(names))
    # if a label never has a partner, none has it as a partner
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
    given, other = np.unravel_index(np.nanargmax(others), others.shape)
    said: dict[str, object] = {
        "given": str(names[chosen[given]]),
        "other": str(names[chosen[other]]),
        "share": others[given, other],
        "of": "",
        "alone": float(alone[chosen[given]]),
    }
    if len(names) > 2:
        said["of"] = Note(
            f"picture_highest_share{'_of_frequent' if (usual != different).any() else ''}"
        )
    yield _matrix(
        "labels_confused",
        Note(code_for(attrs, "picture_confused"), said),
        Note(
            code_for(attrs, "picture_confused_shares"),
            {
                "some": Note("picture_of_some", {"labels": len(chosen)}) if some else "",
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
    "picture_items_by_agreement": "How many {noun} there are of each agreement",
    "picture_items_by_distance": "How many {noun} there are of each distance",
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
        "Annotators who agree with one another stand near each other; hatched: nothing to compare"
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
    "picture_order_of_labels": "; labels that are confused stand near each other",
    "picture_highest_share": ", the highest share between two labels",
    "picture_highest_share_of_frequent": ", the highest share between two frequent labels",
    "picture_of_some": " ({labels:count} most frequent labels)",
    "picture_other_label": "Another's label",
    "picture_one_label": "An annotator's label",
}
