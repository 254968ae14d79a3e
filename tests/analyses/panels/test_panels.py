"""Every panel, the best of each size, and Shapley shares."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import xarray as xr

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from iaa_jax.analyses.panels.subsets import all_panels, rows_of_size
from iaa_jax.engine.panels import PanelRows
from iaa_jax.measure.ratings.rated import Rated
from iaa_jax.measure.requests.resolver import Resolver
from iaa_jax.measure.requests.studies import with_identities
from tests.analyses.made import LABELS, random_rows, wide
from tests.noted import notes_of
from tests.oracles import krippendorff_alpha, single_labels
from tests.oracles.panels import shapley

NOTHING = {"replicates": 0}


def alpha(rows) -> float:
    return krippendorff_alpha(single_labels(rows), labels=LABELS).estimate


def made(items: int, annotators: int, right: list[float] | float, seed: int = 0) -> xr.Dataset:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    drawn = rng.integers(0, 3, (items, annotators))
    rows = np.where(rng.random((items, annotators)) < right, truth[:, None], drawn)
    return iaa.from_wide(np.array(list("xyz"))[rows])


@pytest.mark.parametrize(
    "coefficient",
    [
        *("krippendorff_alpha", "fleiss_kappa", "gwet_ac1", "percent_agreement"),
        *("conger_kappa", "davies_fleiss_kappa", "mean_pairwise_cohen_kappa", "augmented_kappa"),
    ],
)
def test_each_panel_has_the_figure_of_its_ratings_alone(coefficient: str) -> None:
    ratings = wide(random_rows(3))
    found = iaa.panels(ratings, coefficient, **NOTHING)
    for panel in range(found.sizes["panel"]):
        inside = ratings.isel(annotator=np.flatnonzero(found.members[panel].values))
        alone = iaa.agreement(inside, coefficient, interval=None).estimate.item()
        np.testing.assert_allclose(found.estimate[panel], alone, atol=1e-12)
    assert found.sizes["panel"] == 11
    np.testing.assert_array_equal(found.members.sum("annotator"), found.size_of_panel)


@pytest.mark.parametrize("coefficient", ["krippendorff_alpha", "fleiss_kappa", "gwet_ac1"])
def test_statistics_looked_up_are_those_of_the_ratings(coefficient: str) -> None:
    resolver = Resolver(Rated.of(wide(random_rows(11, annotators=5))))
    problem = with_identities(resolver, resolver.request(coefficient).problem)
    rng = np.random.default_rng(0)
    rows = rng.multinomial(40, problem.table.count / 40, size=7).astype(float)
    found, expected = (
        np.concatenate([*PanelRows(problem, exchangeable=looked_up).over(all_panels(5), rows)])
        for looked_up in (True, False)
    )
    assert found.shape == (26, 7)
    np.testing.assert_allclose(found, expected, atol=1e-12)


@pytest.mark.parametrize("level", ["ordinal", "interval", "ratio"])
def test_panels_at_a_level_of_measurement(level: str) -> None:
    rng = np.random.default_rng(4)
    ratings = iaa.from_values(rng.integers(1, 6, (30, 4)).astype(float))
    found = iaa.panels(ratings, level=level, **NOTHING)
    for panel in range(found.sizes["panel"]):
        inside = ratings.isel(annotator=np.flatnonzero(found.members[panel].values))
        alone = iaa.krippendorff_alpha(inside, level=level, interval=None).estimate.item()
        np.testing.assert_allclose(found.estimate[panel], alone, atol=1e-10)


def test_panels_of_label_sets_and_of_spans() -> None:
    rng = np.random.default_rng(5)
    sets = iaa.from_sets(
        [[[label for label in "xyz" if rng.random() < 0.5] for _ in range(3)] for _ in range(20)]
    )
    spans = iaa.from_spans(
        {
            f"d{number}": {
                who: [(place, place + 3, "x") for place in range(0, 40, 10) if rng.random() < 0.7]
                for who in ("ann", "bob", "cleo")
            }
            for number in range(12)
        }
    )
    for ratings, coefficient in ((sets, None), (sets, "am_agreement"), (spans, None)):
        found = iaa.panels(ratings, coefficient, **NOTHING)
        without = iaa.annotators(ratings, coefficient, interval=None).without
        np.testing.assert_allclose(found.without, without, atol=1e-12)


def test_panels_stand_by_size_in_the_order_of_annotators() -> None:
    panels = all_panels(4)
    expected = [set(c) for size in (2, 3, 4) for c in combinations(range(4), size)]
    assert [set(np.flatnonzero(row)) for row in panels] == expected
    assert [panels[rows].sum(axis=1).tolist() for rows in rows_of_size(4)] == [
        [2] * 6,
        [3] * 4,
        [4],
    ]


@pytest.mark.slow
@pytest.mark.parametrize("annotators", [2, 4, 5])
def test_shapley_shares_are_means_over_all_orders(annotators: int) -> None:
    rows = [row[:annotators] for row in random_rows(6, annotators=annotators)]
    found = iaa.panels(wide(rows), **NOTHING)
    np.testing.assert_allclose(found.shapley, shapley(rows, annotators, alpha), atol=1e-12)


def test_the_best_panel_leaves_out_who_guesses() -> None:
    found = iaa.panels(made(200, 5, [0.8, 0.8, 0.8, 0.8, 0.0]), replicates=200)
    assert (found.attrs["conclusion"], found.attrs["size"]) == ("better", 4)
    assert found.best_members.sel(size=4).values.tolist() == [1, 1, 1, 1, 0]
    assert float(found.lead_out_of_sample.sel(size=4)) > 0.1
    assert found["rank"].values.tolist()[4] == 1


def test_no_panel_of_half_of_the_annotators_is_advised() -> None:
    """Two agree best by far: panels of two and of three lead, and the larger one is reported."""
    found = iaa.panels(made(200, 4, [0.9, 0.9, 0.5, 0.5]), replicates=200)
    assert (found.gain_p_value[:2] < 0.05).all()
    assert float(found.gain[0]) > float(found.gain[1]) + 0.1
    assert found.attrs["size"] == found.attrs["best_size"] == 3
    picked, elsewhere = found.lead_in_sample.values[:-1], found.lead_out_of_sample.values[:-1]
    assert (picked > elsewhere).all()
    assert np.isnan(found.lead_in_sample.values[-1])


def test_panels_that_share_few_items_are_passed_over() -> None:
    """The last three are always right, but share only a few items with one another."""
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, (312, 1))
    codes = np.where(rng.random((312, 6)) < 0.7, truth, rng.integers(0, 3, (312, 6)))
    codes[:, 3:] = truth
    rows = np.array(list("abc"), dtype=object)[codes]
    for item in range(300):
        rows[item, 3:] = None
        rows[item, 3 + item % 3] = "abc"[truth[item, 0]]
    rows[300:, :3] = None
    found = iaa.panels(iaa.from_wide(rows.tolist()), replicates=60)
    rated = np.array([[value is not None for value in row] for row in rows])
    inside = found.members.values.astype(int)
    shared = (rated.astype(int) @ inside.T >= 2).sum(axis=0)
    assert found.items_of_panel.values.tolist() == shared.tolist()
    assert found.best_members.sel(size=3).values.tolist() != [0, 0, 0, 1, 1, 1]
    best = float(found.estimate[(inside == [0, 0, 0, 1, 1, 1]).all(axis=1)][0])
    assert best > float(found.best.sel(size=3))
    few = dict.fromkeys(range(2, 7), 0)
    for panel, items in zip(inside.astype(bool), shared, strict=True):
        size, each = panel.sum(), rated.sum(axis=0)[panel]
        most = shared[inside.sum(axis=1) == size].max()
        few[size] += items < most / 2 or each.min() < each.mean() / 2
    assert dict(zip(found["size"].values, found.passed_over.values, strict=True)) == few
    (note,) = [note for note in notes_of(found) if note.code == "panels_passed_over"]
    assert note.values == {"passed_over": sum(few.values()), "panels": 57}
    size = int(found.attrs["size"])
    chosen = [15, 20, 15, 6, 1][size - 2] - few[size]
    assert f"among {chosen} panels of {size}" in " ".join(str(iaa.page(found)).split())


def test_more_items_make_shares_surer() -> None:
    few, many = (iaa.panels(made(items, 4, 0.7), replicates=400) for items in (50, 800))
    ratio = (few.shapley_ci_high - few.shapley_ci_low) / (
        many.shapley_ci_high - many.shapley_ci_low
    )
    assert (np.abs(np.log(ratio / 4)) < 0.5).all()


def test_panels_without_common_items_count_nothing() -> None:
    rows = [["a", "a", None], ["b", "b", None], ["a", None, "a"], ["b", None, "b"]] * 5
    found = iaa.panels(iaa.from_wide(rows), replicates=60)
    assert found.undefined.values.tolist() == [1, 0]
    np.testing.assert_allclose(found.shapley, shapley(rows, 3, _plain), atol=1e-12)
    assert [note.code for note in notes_of(found)] == ["undefined_panels"]


def _plain(rows) -> float:
    return krippendorff_alpha(single_labels(rows), labels=["a", "b"]).estimate


def test_size_and_top_choose_panels() -> None:
    ratings = made(60, 5, 0.7)
    every = iaa.panels(ratings, **NOTHING)
    found = iaa.panels(ratings, size=3, top=4, **NOTHING)
    assert found.size_of_panel.values.tolist() == [3] * 4
    of_three = np.sort(every.estimate[every.size_of_panel == 3].values)[::-1]
    np.testing.assert_allclose(found.estimate, of_three[:4])
    assert found.attrs["size"] == 3
    assert iaa.panels(ratings, size=5, **NOTHING).attrs["conclusion"] == "everybody"


def test_clusters_are_drawn_and_parted_together() -> None:
    ratings = made(60, 3, 0.7).assign_coords(page=("item", np.arange(60) // 6))
    clustered = iaa.panels(ratings, replicates=100, sampling=iaa.Sampling(cluster="page"))
    single = iaa.panels(ratings, replicates=100)
    assert clustered.attrs["clusters"] == 10
    np.testing.assert_allclose(clustered.shapley, single.shapley)
    assert not np.allclose(clustered.lead_out_of_sample[:-1], single.lead_out_of_sample[:-1])


@pytest.mark.parametrize(
    ("ratings", "options", "words"),
    [
        (made(20, 17, 0.7), {}, r"keep_annotators \(iaa\.annotators"),
        (iaa.from_counts([[3, 0], [1, 2]], labels=["x", "y"]), {}, "do not say who rated"),
        (made(20, 3, 0.7), {"size": 4}, "size"),
        (made(20, 3, 0.7), {"size": 1}, "size"),
        (made(20, 3, 0.7), {"top": 0}, "top"),
        (made(20, 3, 0.7), {"replicates": 20}, "replicates"),
        (made(20, 3, 0.7), {"coefficient": "specific_agreement"}, "single figure"),
        (
            made(20, 3, 0.7),
            {"sampling": iaa.Sampling(annotators="random")},
            "not available here",
        ),
        (
            made(20, 3, 0.7),
            {"coefficient": lambda mass, item_weight=None: None},
            "leave annotators",
        ),
    ],
)
def test_what_does_not_fit_is_refused(ratings, options, words) -> None:
    with pytest.raises(IaaError, match=words):
        iaa.panels(ratings, **options)


def test_two_annotators_and_no_figure() -> None:
    assert iaa.panels(made(20, 2, 0.7)).attrs["conclusion"] == "two_annotators"
    assert iaa.panels(iaa.from_wide([["a"] * 3] * 9)).attrs["conclusion"] == "undefined"


def test_progress_reaches_its_end() -> None:
    seen: list[tuple[int, int]] = []
    iaa.panels(made(40, 4, 0.7), replicates=60, progress=lambda *at: seen.append(at))
    assert seen[-1] == (33, 33)


ALIKE = [[label] * 3 for label in "xy" * 9]


@pytest.mark.parametrize("replicates", [0, 200])
def test_referee_6_annotators_who_are_alike_tie(replicates: int) -> None:
    found = iaa.panels(iaa.from_wide(ALIKE), replicates=replicates)
    assert found.attrs["conclusion"] == "tied"
    said = str(iaa.page(found))
    assert "All panels tie: Krippendorff's alpha is 1.000 " in said
    assert "the first is named: 2." in " ".join(said.split())


def test_referee_1_a_tied_best_panel_is_said_on_the_page(ran, folder) -> None:
    lines = [f"{k},{x},{y},{z}" for k, (x, y, z) in enumerate(ALIKE)]
    (folder / "alike.csv").write_text("\n".join(["item,a,b,c", *lines]))
    done = ran("panels", "alike.csv")
    assert "All panels tie" in done.stdout
    assert "is closest to a spammer" not in done.stdout
    assert "All annotators are equally close to a spammer" in " ".join(done.stdout.split())


def test_the_best_panel_names_all_whom_it_leaves_out() -> None:
    found = iaa.panels(made(300, 6, [0.8] * 4 + [0.5, 0.3], seed=1), replicates=400)
    assert (found.attrs["size"], found.attrs["best_size"]) == (5, 4)
    answer = str(iaa.page(found)).partition("Coefficient")[0]
    assert "annotator 4 (without annotator 5 and annotator 6): " in " ".join(answer.split())
    alike = iaa.panels(made(300, 6, [0.8] * 5 + [0.3], seed=1), replicates=400)
    assert (alike.attrs["size"], alike.attrs["best_size"]) == (5, 5)
