"""Every constructor on every kind of structure: the right ratings, or a refusal that helps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax import IaaError
from tests.data.kinds import (
    BIG,
    CONTENTS,
    KINDS,
    NUMBERS,
    REFUSED,
    Columns,
    frame,
    objects,
    rows,
)

EXACT = 2**53


def name_of(cell: Any, cells: Sequence[Any]) -> Any:
    """The label of a cell among others: text where one is, or is too large for a float."""
    if isinstance(cell, bool):
        return str(cell)
    known = [other for other in cells if other is not None]
    if all(not isinstance(other, str | bool) and abs(other) < EXACT for other in known):
        return cell
    return str(cell)


def labels_of(columns: Columns) -> list[Any]:
    cells = [cell for column in columns.values() for cell in column]
    return sorted({name_of(cell, cells) for cell in cells if cell is not None})


def decoded(ratings: xr.Dataset) -> list[list[Any]]:
    labels = ratings["label"].values.tolist()
    codes = ratings["primary"].values.tolist()
    return [[None if code < 0 else labels[code] for code in row] for row in codes]


def expected(columns: Columns) -> list[list[Any]]:
    cells = [cell for column in columns.values() for cell in column]
    return [
        [None if cell is None else name_of(cell, cells) for cell in row] for row in rows(columns)
    ]


def agreeing_share(grid: Sequence[Sequence[Any]]) -> float:
    """Percent agreement, item by item, in loops."""
    shares = []
    for row in grid:
        known = [cell for cell in row if cell is not None]
        pairs = [(a, b) for k, a in enumerate(known) for b in known[k + 1 :]]
        if pairs:
            shares.append(sum(a == b for a, b in pairs) / len(pairs))
    return sum(shares) / len(shares)


def annotators_of(columns: Columns, named: bool) -> list[str]:
    return list(columns) if named else [f"annotator {k}" for k in range(1, len(columns) + 1)]


WIDE = [(kind, content) for kind in KINDS for content in KINDS[kind].holds]


@pytest.mark.parametrize(("kind", "content"), WIDE)
def test_tables_of_labels(kind: str, content: str) -> None:
    columns = CONTENTS[content]
    ratings = iaa.from_wide(KINDS[kind].make(columns))
    assert ratings["label"].values.tolist() == labels_of(columns)
    assert decoded(ratings) == expected(columns)
    assert ratings["annotator"].values.tolist() == annotators_of(columns, KINDS[kind].named)
    assert ratings["item"].values.tolist() == list(range(len(rows(columns))))
    assert ratings["item"].dtype == np.int64
    figure = iaa.percent_agreement(ratings, interval=None)
    assert float(figure["estimate"]) == pytest.approx(agreeing_share(expected(columns)), abs=1e-12)


def _are_floats(made: Any) -> bool:
    """Whether what holds the numbers has made floats of them already."""
    dtypes = getattr(made, "dtypes", None)
    kinds = [getattr(made, "dtype", None)] if dtypes is None else [*dtypes]
    return any("float" in str(kind).lower() for kind in kinds)


@pytest.mark.parametrize(
    ("kind", "content"), [case for case in WIDE if case[1] in (*NUMBERS, "codes", "full codes")]
)
def test_tables_of_numbers(kind: str, content: str) -> None:
    """Codes that floats do not hold are refused, where what holds them has not made them floats."""
    columns = CONTENTS[content]
    made = KINDS[kind].make(columns)
    if content not in NUMBERS and not _are_floats(made):
        with pytest.raises(iaa.IaaError, match="that floats cannot hold exactly"):
            iaa.from_values(made)
        return
    ratings = iaa.from_values(made)
    numbers = [[np.nan if cell is None else float(cell) for cell in row] for row in rows(columns)]
    np.testing.assert_array_equal(ratings["value"].values, numbers)
    assert ratings["annotator"].values.tolist() == annotators_of(columns, KINDS[kind].named)
    assert ratings["item"].values.tolist() == list(range(len(numbers)))


@pytest.mark.parametrize("make", [iaa.from_wide, iaa.from_values, iaa.from_sets])
@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_table_of_items_and_annotators(make: Callable[..., Any], kind: str) -> None:
    with pytest.raises(IaaError, match=REFUSED[kind].words):
        make(REFUSED[kind].make(CONTENTS["full"]))


SETS: Columns = {
    "ann": [[BIG], [BIG, BIG + 1], [], [BIG + 1]],
    "bob": [[BIG], [BIG + 1], None, [BIG]],
}
HOLD_LISTS = [
    "lists", "tuples", "rows one by one", "array of objects", "matrix of objects",
    "DataFrame of objects", "DataFrame as pandas makes it", "polars DataFrame", "pyarrow Table",
    "pyarrow RecordBatch", "pyarrow Table in pieces", "xarray DataArray",
    "xarray DataArray, turned", "xarray DataArray without names",
]  # fmt: skip


@pytest.mark.parametrize("kind", HOLD_LISTS)
def test_tables_of_sets(kind: str) -> None:
    ratings = iaa.from_sets(KINDS[kind].make(SETS))
    assert ratings["label"].values.tolist() == [str(BIG), str(BIG + 1)]
    wanted = [
        [[np.nan] * 2 if cell is None else [BIG in cell, BIG + 1 in cell] for cell in row]
        for row in rows(SETS)
    ]
    np.testing.assert_array_equal(ratings["mass"].values, wanted)
    assert ratings["annotator"].values.tolist() == annotators_of(SETS, KINDS[kind].named)


COUNTS: Columns = {str(BIG): [2, 0, 1], str(BIG + 1): [0, 2, 1], "9": [1, 1, 1]}
HOLD_COUNTS = [kind for kind in KINDS if "full" in KINDS[kind].holds]


@pytest.mark.parametrize("kind", HOLD_COUNTS)
def test_tables_of_counts(kind: str) -> None:
    named = KINDS[kind].named
    ratings = iaa.from_counts(KINDS[kind].make(COUNTS))
    assert ratings["label"].values.tolist() == (list(COUNTS) if named else [1, 2, 3])
    assert ratings["primary"].values.tolist() == [[0, 0, 2], [1, 1, 2], [0, 1, 2]]


@pytest.mark.parametrize("kind", HOLD_COUNTS)
def test_contingency_tables(kind: str) -> None:
    columns = {"yes": [5, 1], "no": [2, 4]}
    table = KINDS[kind].make(columns)
    if isinstance(table, pd.DataFrame):
        table.index = table.columns
    elif KINDS[kind].named:  # its rows have no names
        with pytest.raises(IaaError, match=r"frame\.index = frame\.columns"):
            iaa.from_contingency(table)
        return
    ratings = iaa.from_contingency(table)
    assert ratings["item_weight"].values.tolist() == [5.0, 2.0, 1.0, 4.0]
    if isinstance(table, pd.DataFrame):
        assert ratings["label"].values.tolist() == ["yes", "no"]


@pytest.mark.parametrize("make", [iaa.from_counts, iaa.from_contingency])
@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_table_of_counts(make: Callable[..., Any], kind: str) -> None:
    with pytest.raises(IaaError):
        make(REFUSED[kind].make(CONTENTS["full"]))


SHARES = [[[0.75, 0.25], [0.5, 0.5]], [[0.0, 1.0], [1.0, 0.0]]]
MASSES: dict[str, Callable[[], Any]] = {
    "lists": lambda: SHARES,
    "array": lambda: np.array(SHARES),
    "array of float32": lambda: np.array(SHARES, dtype=np.float32),
    "array of float16": lambda: np.array(SHARES, dtype=np.float16),
    "array of objects": lambda: np.array(SHARES, dtype=object),
    "list of arrays": lambda: list(np.array(SHARES)),
    "masked array": lambda: np.ma.array(SHARES, mask=False),
    "JAX": lambda: KINDS["JAX float32"].make({"a": [0.0]}).at[0, 0].get() * 0 + np.array(SHARES),
    "list of JAX arrays": lambda: [
        KINDS["JAX float32"].make({"a": [0.0]})[0, 0] + np.array(each) for each in SHARES
    ],
    "DataArray": lambda: xr.DataArray(np.array(SHARES), dims=("item", "annotator", "label")),
    "DataArray, turned": lambda: xr.DataArray(
        np.array(SHARES), dims=("item", "annotator", "label")
    ).transpose("label", "item", "annotator"),
}


@pytest.mark.parametrize("kind", MASSES)
def test_shares(kind: str) -> None:
    ratings = iaa.from_mass(MASSES[kind]())
    np.testing.assert_array_equal(ratings["mass"].values, SHARES)
    assert ratings["label"].values.tolist() == [1, 2]


@pytest.mark.parametrize(
    "kind", [*REFUSED, "DataFrame of objects", "polars DataFrame", "pyarrow Table"]
)
def test_what_is_no_mass(kind: str) -> None:
    make = REFUSED[kind].make if kind in REFUSED else KINDS[kind].make
    with pytest.raises(IaaError):
        iaa.from_mass(make(CONTENTS["full"]))


def long(columns: Columns) -> Columns:
    """The same, a row a rating; ids of items and annotators are as long as codes are."""
    grid = rows(columns)
    places = [(i, k) for i in range(len(grid)) for k in range(len(columns))]
    return {
        "item": [BIG + i for i, _ in places],
        "annotator": [BIG + k for _, k in places],
        "label": [grid[i][k] for i, k in places],
    }


def columns_of(make: Callable[[Columns], Any], holds: Sequence[str]) -> Callable[[Columns], Any]:
    """A frame whose column of labels alone is of this kind."""

    def made(columns: Columns) -> pd.DataFrame:
        labels = make({"label": columns["label"]})
        return frame({n: c for n, c in columns.items() if n != "label"}).astype("int64").assign(
            label=labels["label"]
        )  # fmt: skip

    return made


LONG: dict[str, tuple[Callable[[Columns], Any], Sequence[str]]] = {
    kind: (columns_of(each.make, each.holds), each.holds)
    for kind, each in KINDS.items()
    if kind.startswith("DataFrame") and "as pandas" not in kind and "several" not in kind
} | {
    "polars DataFrame": (KINDS["polars DataFrame"].make, tuple(CONTENTS)),
    "pyarrow Table": (KINDS["pyarrow Table"].make, tuple(CONTENTS)),
    "pyarrow RecordBatch": (KINDS["pyarrow RecordBatch"].make, tuple(CONTENTS)),
    "dict of lists": (dict, tuple(CONTENTS)),
    "dict of tuples": (lambda c: {n: tuple(v) for n, v in c.items()}, tuple(CONTENTS)),
    "dict of arrays": (
        lambda c: {n: objects({n: v})[:, 0] for n, v in c.items()}, tuple(CONTENTS)
    ),
    "dict of masked arrays": (
        lambda c: {n: KINDS["masked array"].make({n: v})[:, 0] for n, v in c.items()},
        tuple(CONTENTS),
    ),
    "dict of polars Series": (lambda c: dict(KINDS["polars DataFrame"].make(c).to_dict()),
                              tuple(CONTENTS)),
    "dict of Arrow arrays": (
        lambda c: dict(zip(c, KINDS["pyarrow Table"].make(c).columns, strict=True)),
        tuple(CONTENTS),
    ),
    "list of dicts": (lambda c: frame(c).to_dict("records"), tuple(CONTENTS)),
    "rows one by one": (lambda c: iter(frame(c).to_dict("records")), tuple(CONTENTS)),
    "structured array": (lambda c: frame(c).to_records(index=False), tuple(CONTENTS)),
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "content"), [(kind, content) for kind in LONG for content in LONG[kind][1]]
)
def test_rows_of_ratings(kind: str, content: str) -> None:
    columns = CONTENTS[content]
    ratings = iaa.from_long(LONG[kind][0](long(columns)))
    assert ratings["label"].values.tolist() == labels_of(columns)
    assert decoded(ratings) == expected(columns)
    objects_of_any_type = ("dict of arrays", "structured array")  # these are called by text
    named = str if kind in objects_of_any_type else int
    assert ratings["item"].values.tolist() == [named(BIG + i) for i in range(len(rows(columns)))]
    assert ratings["annotator"].values.tolist() == [named(BIG + k) for k in range(len(columns))]


@pytest.mark.parametrize("whose", ["Int64", "UInt64", "int64[pyarrow]", "uint64", "category"])
def test_columns_of_ids(whose: str) -> None:
    table = pd.DataFrame(long(CONTENTS["texts"]))
    typed = table.assign(
        **{name: pd.array(table[name], dtype=whose) for name in ("item", "annotator")}
    )
    assert iaa.from_long(typed).identical(iaa.from_long(table))


@pytest.mark.parametrize("kind", ["xarray Dataset", "SciPy csr_array", "polars LazyFrame"])
def test_what_holds_no_rows_of_ratings(kind: str) -> None:
    with pytest.raises(IaaError, match=REFUSED[kind].words):
        iaa.from_long(REFUSED[kind].make(CONTENTS["full"]))
    with pytest.raises(IaaError):
        iaa.from_spans(REFUSED[kind].make(CONTENTS["full"]))


@pytest.mark.parametrize("kind", ["lists", "array of int64", "xarray DataArray", "JAX int32"])
def test_tables_without_named_columns_hold_no_rows_of_ratings(kind: str) -> None:
    with pytest.raises(IaaError):
        iaa.from_long(KINDS[kind].make(CONTENTS["full"]))


SPANS: Columns = {
    "document": [BIG, BIG, BIG + 1, BIG + 1],
    "annotator": ["ann", "bob", "ann", "bob"],
    "start": [0, 0, 3, None],
    "end": [2, 2, 5, None],
    "label": [BIG, BIG + 1, BIG, None],
    "status": ["done", None, None, None],
}
SPAN_TABLES: dict[str, Callable[[Columns], Any]] = {
    "objects": frame,
    "nullable": lambda c: pd.DataFrame(
        {n: pd.array(v, dtype="string" if isinstance(v[0], str) else "Int64") for n, v in c.items()}
    ),
    "Arrow": lambda c: pa.table(dict(c)).to_pandas(types_mapper=pd.ArrowDtype),
    "polars": KINDS["polars DataFrame"].make,
    "pyarrow": KINDS["pyarrow Table"].make,
}


@pytest.mark.parametrize("kind", SPAN_TABLES)
def test_tables_of_spans(kind: str) -> None:
    spans = iaa.from_spans(SPAN_TABLES[kind](SPANS))
    named = str if kind == "objects" else int
    assert spans["document"].values.tolist() == [named(BIG), named(BIG + 1)]
    assert spans["annotator"].values.tolist() == ["ann", "bob"]
    assert spans["label"].values.tolist() == [str(BIG), str(BIG + 1)]
    assert spans["label_of"].values.tolist() == [0, 1, 0]
    assert spans["seen"].values.tolist() == [[True, True], [True, True]]


@pytest.mark.parametrize("dtype", ["Int64", "UInt64", "int64[pyarrow]", "int64"])
@pytest.mark.parametrize("whole", [False, True])
def test_partitions_of_ratings(dtype: str, whole: bool) -> None:
    dask_frame = pytest.importorskip("dask.dataframe")
    columns = CONTENTS["full codes" if dtype == "int64" else "codes"]
    table = pd.DataFrame(long(columns) | {"label": pd.array(long(columns)["label"], dtype=dtype)})
    parts = [each for _, each in table.groupby("item")] if whole else [table[::2], table[1::2]]
    frame = dask_frame.from_map(lambda part: part, parts)
    found = iaa.from_dask(frame, items_whole=whole)
    assert found["label"].values.tolist() == labels_of(columns)
    figure = iaa.percent_agreement(found, interval=None)
    assert float(figure["estimate"]) == pytest.approx(agreeing_share(expected(columns)), abs=1e-12)
