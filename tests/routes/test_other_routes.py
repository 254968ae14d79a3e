"""Routes that only some kinds of ratings have: files, the command line, sweeps, labels, kernels."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax.catalog import CATALOG
from iaa_jax.engine import Prepared
from iaa_jax.engine.route import Route
from tests.program import folder, iaa as program_of
from tests.routes.conftest import AT_ONCE, EVERYTHING, lower
from tests.routes.kinds import KINDS, Floats, Made
from tests.routes.routes import Figure, own
from tests.routes.test_routes import (
    ALIKE,
    REPLICATES,
    ends_at_once,
    errors,
    made,
    plain,
    same,
)
from tests.taken import one_of

__all__ = ["folder", "program_of"]

FILES = ("few_labels", "with_gaps", "two_annotators", "crowd", "numbered_labels", "weighted_labels")


def written(ratings: Made, folder: Path, layout: str) -> list[str]:
    """The ratings as a file, and the options that read it."""
    labels = ",".join(map(str, ratings.ratings.label.values))
    options = ["--labels", labels]
    for name, value in ratings.options.items():
        options += [f"--{name}", str(value)]
    table = iaa.data.in_grid(ratings.ratings)
    names = np.append(np.asarray(table.label.values, dtype=object), "")
    frame = pd.DataFrame(
        names[table.primary.values], index=table.item.values, columns=table.annotator.values
    )
    if layout == "wide":
        frame.to_csv(folder / "wide.csv", index_label="item")
        return ["wide.csv", "--item", "item", *options]
    long = frame.rename_axis("item").reset_index().melt(id_vars="item", var_name="annotator")
    long = long[long["value"] != ""].sample(frac=1, random_state=5)
    columns = ["--item", "item", "--annotator", "annotator", "--label", "value"]
    if layout == "scan":
        for number in range(2):
            long[number::2].to_csv(folder / f"part{number}.csv", index=False)
        return ["--scan", "part*.csv", *columns, *options]
    long.to_csv(folder / "long.csv", index=False)
    return ["long.csv", *columns, *options]


@pytest.mark.parametrize("layout", ["wide", "long", "scan"])
@pytest.mark.parametrize("kind", one_of(4, FILES))
def test_command_line_and_json(
    kind: str, layout: str, sizes: str, folder: Path, iaa: Callable[..., object]
) -> None:
    names = [name for name in plain(kind) if name != "hubert_kappa"]  # needs items that all rated
    arguments = written(made(kind), folder, layout)
    done = iaa(
        *("agree", *arguments, "--coefficients", ",".join(names), "--json", "-"),
        *("--replicates", str(REPLICATES)),
    )
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)["coefficients"]
    parts = ("estimate", "observed", "expected", "standard_error", "ci_low", "ci_high")
    found = {
        name: Figure(*(np.nan if rows[name][part] is None else rows[name][part] for part in parts))
        for name in names
    }
    same(found, plain(kind))
    same(found, ends_at_once(kind, "auto"))


@pytest.mark.parametrize("kind", ["doubles"])
def test_sweeps(kind: str, sizes: str) -> None:
    ratings = made(kind)
    for name in plain(kind):
        at = [0.5, ratings.options["p"], 1.0]
        curve = iaa.sweep(ratings.ratings, name, p=at, interval=None)
        at_p = curve.sel(p=ratings.options["p"])
        np.testing.assert_allclose(at_p.estimate, plain(kind)[name].estimate, atol=ALIKE)


COMMANDS: Mapping[str, tuple[str, Callable[[xr.Dataset], xr.Dataset]]] = {
    "gold": ("few_labels", partial(iaa.gold, method="dawid_skene", replicates=REPLICATES)),
    "zero_agreement": ("with_gaps", partial(iaa.zero_agreement, permutations=39)),
    "panels": ("with_gaps", partial(iaa.panels, replicates=REPLICATES)),
    "compare": (
        "far_values",
        lambda whole: iaa.compare(
            *(whole.isel(item=some) for some in (slice(24), slice(24, None))),
            replicates=REPLICATES,
            permutations=59,
        ),
    ),
    "agreement": (
        "crowd",
        partial(iaa.agreement, coefficients="conger_kappa", interval="bca", replicates=70),
    ),
}
"""Commands with routes of their own; replicates of a crowd end after a first block."""


@pytest.mark.parametrize(
    ("command", "low"), [*((command, AT_ONCE) for command in COMMANDS), ("gold", ["FIT_ONE_STEP"])]
)
def test_commands(command: str, low: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """All sizes low, or one that the others keep from its way."""
    kind, run = COMMANDS[command]
    ratings = made(kind).ratings
    wanted = run(ratings)
    lower(monkeypatch, *low)
    found = run(ratings)
    for name in wanted.data_vars:
        if wanted[name].dtype.kind in "fiu":
            np.testing.assert_allclose(
                found[name], wanted[name], rtol=ALIKE, atol=ALIKE, err_msg=str(name)
            )


LABELS = ("few_labels", "with_gaps", "crowd", "unused_label", "shares", "sets", "weights")


@pytest.mark.parametrize("kind", one_of(2, LABELS))
def test_figures_of_labels(kind: str, sizes: str) -> None:
    """Specific agreement from the sums of the definition, by its function and among `labels`."""
    ratings = made(kind)
    mass = ratings.mass
    assert mass is not None
    weight = np.ones(len(mass)) if ratings.weight is None else ratings.weight
    given = np.nan_to_num(mass)
    rated = ~np.isnan(mass[..., 0])
    number, total = rated.sum(axis=1), given.sum(axis=1)
    agree = weight @ (total**2 - (given**2).sum(axis=1))
    possible = weight @ (number[:, None] * total - total)
    with np.errstate(invalid="ignore"):
        wanted = agree / possible
    listed = iaa.labels(ratings.ratings, replicates=REPLICATES)
    by_label = listed.specific_agreement.sel(label=ratings.ratings.label.values)
    np.testing.assert_allclose(by_label, wanted, atol=ALIKE)
    if kind != "sets":  # of which the function has a figure for each whole set
        found = iaa.specific_agreement(ratings.ratings, interval=None)
        np.testing.assert_allclose(found.estimate, wanted, atol=ALIKE)


LOOKED_AT = ("few_labels", "with_gaps", "two_annotators", "crowd", "unused_label", "shares", "sets")


@pytest.mark.parametrize("kind", one_of(3, LOOKED_AT))
def test_looks(kind: str, sizes: str) -> None:
    """The last look is at all ratings, however they are stored; ends do not depend on it either."""
    ratings = made(kind).ratings
    if "item_weight" in ratings.coords:
        ratings = ratings.drop_vars("item_weight")
    ratings = ratings.assign_coords(day=("item", np.arange(ratings.sizes["item"]) // 16))
    for name, figure in plain(kind).items():
        if CATALOG[name].per_label or np.isnan(figure.estimate):
            continue
        options = own(name, made(kind))
        options = {key: options[key] for key in options if key in ("weights", "level", "distance")}
        found = iaa.watch(ratings, name, order="day", bar=0.3, per_item=1, **options)
        assert float(found.estimate[-1]) == pytest.approx(figure.estimate, abs=ALIKE)
        assert float(found.standard_error[-1]) == pytest.approx(errors(kind)[name], rel=1e-5)
        other = iaa.data.in_grid if "slot" in ratings.sizes else iaa.data.in_slots
        stored = iaa.watch(other(ratings), name, order="day", bar=0.3, per_item=1, **options)
        for part in ("estimate", "ci_low", "ci_high", "e_value"):
            np.testing.assert_allclose(found[part], stored[part], rtol=1e-7, atol=ALIKE)


@pytest.mark.parametrize("kind", [*KINDS] if EVERYTHING else ["with_gaps", "far_values"])
def test_kernels_by_hand(kind: str) -> None:
    """Under jit and vmap, in a row of weights each: with all items, and without the first."""
    ratings = made(kind)
    with jax.enable_x64(True):
        for name in plain(kind):
            request = ratings.resolver().request(name)
            measure = request.problem.measure
            if measure.compares or not isinstance(measure.kernel, iaa.kernels.Kernel):
                continue
            data = ratings.value if measure.takes_values else ratings.mass
            if data is None or ratings.ratings.attrs["task"] == "multi_label":
                continue
            rows = (
                np.ones((2, len(data)))
                if ratings.weight is None
                else np.tile(ratings.weight, (2, 1))
            )
            rows[1, 0] = 0.0
            agreement = request.problem.label_agreement
            kernel = measure.kernel.for_data(data)  # as many sums as the range of numbers needs

            def estimate(row: jax.Array) -> jax.Array:
                return kernel(  # noqa: B023
                    jnp.asarray(data),  # noqa: B023
                    item_weight=row,
                    **({} if agreement is None else {"label_agreement": agreement}),  # noqa: B023
                ).estimate

            found = jax.jit(jax.vmap(estimate))(rows)
            wanted = [plain(kind)[name].estimate, float(ratings.plain(name, rows[1]).estimate)]
            np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=ALIKE, err_msg=name)


@pytest.mark.parametrize("kind", ["many_labels", "with_gaps", "distant_sets"])
def test_slopes_at_rows(kind: str, sizes: str) -> None:
    """Slopes of alpha, by differences of the plain kernel: of few patterns with many labels too."""
    ratings = made(kind)
    problem = ratings.resolver().request("krippendorff_alpha").problem
    rows = np.random.default_rng(4).uniform(0.1, 2, (3, len(problem.table.count)))
    rows[1, ::3] = 0.0
    (found,) = Route(Prepared([problem]), [problem.table], 3, slopes=True).slopes((rows,))
    step = 1e-5

    def plain_at(row: Floats) -> float:
        return float(
            problem.kernel(
                problem.data, item_weight=row, label_agreement=problem.label_agreement
            ).estimate
        )

    for row, estimate, slope in zip(rows, *found, strict=True):
        assert estimate == pytest.approx(plain_at(row), rel=1e-12)
        for pattern in range(0, len(row), 5):
            away = step * (np.arange(len(row)) == pattern)
            wanted = (plain_at(row + away) - plain_at(row - away)) / (2 * step)
            assert slope[pattern] == pytest.approx(wanted, abs=1e-8)
