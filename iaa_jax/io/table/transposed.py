"""Reader of tables with one row for each annotator and one column for each item."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import xarray as xr

from iaa_jax._errors import IaaError
from iaa_jax.data.assemble import cell_name
from iaa_jax.data.build import wide_ratings
from iaa_jax.data.factorize import Column
from iaa_jax.data.kept_columns import Belonging
from iaa_jax.data.labels import offenders
from iaa_jax.data.notices.similar import merged_columns
from iaa_jax.data.usual_names import ANNOTATOR, usual_name
from iaa_jax.io.base import Options, add_notes
from iaa_jax.io.table.cells import BLANK, missing_labels, with_plain_numbers
from iaa_jax.io.table.coded import item_names, text_column
from iaa_jax.io.table.columns import check_columns, other_columns
from iaa_jax.io.table.excluding import rules_of
from iaa_jax.io.table.kept import add_columns, kept_columns
from iaa_jax.io.table.named_columns import refuse_unnamed
from iaa_jax.io.table.opening import head
from iaa_jax.io.table.source import Source
from iaa_jax.io.table.tables import read_tables
from iaa_jax.wording import Note, named
from iaa_jax.wording.formats import counted


class TransposedTable:
    """A table with one row for each annotator and one column for each item."""

    name = "transposed"
    takes = ("annotator",)
    summary = "table, one row per annotator: one column for each item"
    known_by = "only `--format transposed`"
    example = "agree table.csv --format transposed"

    def can_open(self, sources: Sequence[Source], options: Options) -> bool:  # noqa: ARG002
        """Return False: the caller has to name the format."""
        return False

    def read(self, sources: Sequence[Source], options: Options) -> xr.Dataset:
        """Read the files as one table."""
        columns = head(sources[0]).names
        rater = options.annotator or usual_name(columns, ANNOTATOR) or columns[0]
        check_columns(sources[0], columns, [rater], named("annotator"))
        kept = kept_columns(sources[0], options, {"annotator": [rater]})
        of_rows = [rule.column for rule in rules_of(sources[0], columns)]
        items = other_columns(columns, [rater, *kept, *of_rows])
        if not items:
            raise IaaError(f"{sources[0]}: no column is left for items; keep fewer columns")
        wanted = [rater, *items]
        table = read_tables(sources, wanted, "the first file", options, kept)
        codes, raters = table.ids(rater, BLANK)
        refuse_unnamed(table, [rater], np.flatnonzero(codes < 0), "annotator")
        if len(raters) < len(codes):
            again = np.flatnonzero(np.bincount(codes)[codes] > 1)
            raise IaaError(
                f"{counted(again.size, 'row')} of annotators with several rows: "
                f"{offenders(again, table.where)}; each annotator needs one row"
            )
        missing = missing_labels(options.labels, options.missing)
        grid, distinct = table.grid(items, missing)
        flat: Column = (grid.T.ravel(), distinct)
        answers = merged_columns([flat], options.merge_labels, options.labels)
        (cells,), understood = with_plain_numbers(answers, options.labels)

        def where(position: int) -> str:
            item, row = divmod(position, len(raters))
            return f"{table.where(row)} ({cell_name(items[item], raters[row])})"

        codes_of_items, ids = item_names(text_column(items))
        if not np.array_equal(codes_of_items, np.arange(len(items))):
            raise IaaError(f"{sources[0]}: each item needs a column with a different name")
        ratings = wide_ratings(
            cells,
            ids,
            raters[codes],
            options.labels,
            where,
            parse=True,
        )
        rows = Belonging(annotators=np.arange(table.rows))
        ratings = add_columns(ratings, table, kept, lambda: rows)
        read_as = [
            Note("read_transposed"),
            Note("read_annotators_from", {"column": rater}),
            Note("read_items_in_columns", {"names": items[:10], "items": len(items)}),
            *table.trimmed(items, missing),
            *understood,
        ]
        return add_notes(ratings, read_as, table.notes)
