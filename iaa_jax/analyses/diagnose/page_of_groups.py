"""The table of a coefficient in groups, and what the answer says of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import xarray as xr

from iaa_jax._types import Attributes
from iaa_jax.catalog import title_of
from iaa_jax.data.facts import noun_of
from iaa_jax.measure.agreement_by import doubts_of_extremes
from iaa_jax.measure.figures import BEHIND, FIGURES, OF_GROUPS
from iaa_jax.pages import Column, Table
from iaa_jax.pages.declared import FigureColumns
from iaa_jax.wording import Note
from iaa_jax.wording.formats import decimals_for


def equal(attrs: Attributes, name: str, which: str) -> Note | str:
    """That others have the same figure as the one that is named."""
    others = attrs.get(f"{name}_equal", 0)
    return Note(f"equal_{which}", {"equal": others}) if others else ""


def of_groups(groups: xr.Dataset) -> Iterator[Note]:
    """Where a coefficient is lowest and highest."""
    if "lowest_group" in groups.attrs:
        values = {str(name): value for name, value in groups.attrs.items()}
        values |= {name: equal(groups.attrs, name, "groups") for name in ("lowest", "highest")}
        title = title_of(str(groups["coefficient"].values[0]))
        yield Note("groups_differ", values | {"what": title} | doubts_of_extremes(groups.attrs))


def groups_table(groups: xr.Dataset) -> Table:
    """Coefficients by groups, a row each."""
    by, axis = str(groups.attrs["by"]), groups.attrs["axis"]
    names = groups["coefficient"].values.tolist()
    single = len(names) == 1
    rows = groups.stack(row=("group", "coefficient"), create_index=False)
    column = FigureColumns((*FIGURES, *OF_GROUPS), rows)
    decimals = decimals_for(rows["standard_error"].values)
    titles = [title_of(str(name)) for name in rows["coefficient"].values]
    items = f"{noun_of(groups.attrs, 'item')}s".capitalize()
    of_spans = groups.attrs["task"] == "spans"
    columns = [
        replace(column.key("group", Note("own_column", {"name": by})), brief="Group"),
        Column("title", "Coefficient", titles, "word", in_files=single),
        column("group_items", heading=items, spare=1),
        column("group_ratings", spare=2, in_files=of_spans),
        column("estimate", decimals=decimals),
        *column.ends("", decimals=decimals),
        column("standard_error", decimals=decimals, spare=3),
    ]
    values = {"by": by, "what": title_of(str(names[0])) if single else "Agreement"}
    values["items"] = items.lower()
    caption = Note(f"groups_of_{axis}s", values)
    return Table("groups", column.with_the_rest(columns, "row", BEHIND), caption, "groups")
