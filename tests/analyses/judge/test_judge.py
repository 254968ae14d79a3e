"""The alternative annotator test, and agreement of judges beside that of people."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import jax
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy import stats

import iaa_jax as iaa
from iaa_jax._errors import IaaError
from iaa_jax.kernels.judging import compare, leads, unit_sums
from tests.noted import codes_on, notes_of
from tests.oracles.judging import alternative_annotator_test, jaccard, match, nearness
from tests.program import advised

FAST = {"replicates": 0, "min_items": 5}


def table(rows, names) -> xr.Dataset:
    frame = pd.DataFrame(np.asarray(rows, dtype=object), columns=names)
    return iaa.from_wide(frame, labels=list("abc"))


def made(
    items: int = 80, people: int = 4, right: float = 0.8, seed: int = 0, missing: float = 0.2
) -> tuple[xr.Dataset, dict[str, dict]]:
    """People and two models around a truth, some ratings missing."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    names = [*(f"p{number}" for number in range(people)), "m1", "m2"]
    skill = np.array([right] * people + [right, 0.5])
    drawn = rng.integers(0, 3, (items, len(names)))
    codes = np.where(rng.random(drawn.shape) < skill, truth[:, None], drawn)
    rows = np.array(list("abc"), dtype=object)[codes]
    rows[rng.random(rows.shape) < missing] = None
    kept = [row for row in rows if sum(value is not None for value in row) > 1]
    ratings = table(kept, names)
    of = {name: {item: row[at] for item, row in enumerate(kept)} for at, name in enumerate(names)}
    return ratings, of


def people_of(of: dict[str, dict], judges: tuple[str, ...] = ("m1", "m2")) -> dict[str, dict]:
    return {name: ratings for name, ratings in of.items() if name not in judges}


def check_against_oracle(result, of, epsilon, score=match, fewest=5) -> None:
    for judge in result["judge"].values.tolist():
        at = result.sel(judge=judge, epsilon=epsilon)
        expected = alternative_annotator_test(
            people_of(of), of[judge], epsilon, fewest=fewest, score=score
        )
        assert float(at.winning_rate) == pytest.approx(expected.winning_rate, nan_ok=True)
        assert float(at.advantage_probability) == pytest.approx(expected.advantage, nan_ok=True)
        for person in at["person"].values.tolist():
            of_person = at.sel(person=person)
            assert bool(of_person.tested) == (person in expected.p_values)
            if person in expected.p_values:
                assert float(of_person.advantage) == pytest.approx(expected.advantages[person])
                assert float(of_person.p_value) == pytest.approx(
                    expected.p_values[person], abs=1e-12
                )
                assert bool(of_person.beaten) == expected.beaten[person]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.25])
def test_it_is_the_test_of_the_paper(seed, epsilon):
    ratings, of = made(seed=seed, missing=0.1 * seed)
    result = iaa.judge(ratings, ["m1", "m2"], epsilon=[0.0, 0.1, 0.25], **FAST)
    check_against_oracle(result, of, epsilon)


def test_numbers_are_compared_by_their_distance():
    rng = np.random.default_rng(3)
    truth = rng.normal(size=60)
    values = np.round(truth[:, None] + rng.normal(size=(60, 4)) * [0.3, 0.4, 0.5, 0.4], 1)
    values[rng.random(values.shape) < 0.1] = np.nan
    names = ["p0", "p1", "p2", "m1"]
    ratings = iaa.from_values(pd.DataFrame(values, columns=names))
    of = {
        name: {i: None if np.isnan(v) else v for i, v in enumerate(values[:, at])}
        for at, name in enumerate(names)
    }
    result = iaa.judge(ratings, "m1", epsilon=0.15, **FAST)
    assert result.attrs["score"] == "distance"
    check_against_oracle(result, of, 0.15, nearness)


def test_words_in_order_are_compared_by_their_ranks() -> None:
    ratings, of = made()
    ranks = {
        name: {item: label and 1 + "abc".index(label) for item, label in given.items()}
        for name, given in of.items()
    }
    result = iaa.judge(ratings, ["m1", "m2"], score="distance", epsilon=0.1, **FAST)
    check_against_oracle(result, ranks, 0.1, nearness)
    assert "judged_by_ranks" in codes_on(iaa.page(result))


def test_sets_are_compared_by_the_labels_in_common():
    rng = np.random.default_rng(5)
    labels = np.array(list("xyz"))
    names = ["p0", "p1", "p2", "m1"]
    cells = [[set(labels[rng.random(3) < 0.5].tolist()) for _ in names] for _ in range(50)]
    ratings = iaa.from_sets(pd.DataFrame(cells, columns=names), labels=list("xyz"))
    of = {name: {i: row[at] for i, row in enumerate(cells)} for at, name in enumerate(names)}
    result = iaa.judge(ratings, "m1", epsilon=0.2, **FAST)
    check_against_oracle(result, of, 0.2, jaccard)
    with pytest.raises(IaaError, match="leave it out, and ratings count by the labels that they"):
        iaa.judge(ratings, "m1", score="distance")


def test_patterns_with_counts_are_their_items():
    ratings, _ = made(items=200)
    usual = iaa.judge(ratings, ["m1", "m2"], **FAST)
    compressed = iaa.judge(iaa.data.compress(ratings), ["m1", "m2"], **FAST)
    np.testing.assert_allclose(usual.p_value, compressed.p_value, atol=1e-12)


def test_single_items_as_clusters_are_items():
    ratings, _ = made()
    each = np.array([f"c{number}" for number in range(ratings.sizes["item"])])
    clustered = ratings.assign_coords(doc=("item", each))
    usual = iaa.judge(ratings, ["m1", "m2"], **FAST)
    by_doc = iaa.judge(clustered, ["m1", "m2"], sampling=iaa.Sampling(cluster="doc"), **FAST)
    np.testing.assert_allclose(usual.p_value, by_doc.p_value, atol=1e-12)


def test_copies_in_a_cluster_add_no_evidence():
    ratings, _ = made(items=60, missing=0.0)
    doc = np.arange(ratings.sizes["item"])
    copies = xr.concat([ratings.assign_coords(doc=("item", doc))] * 3, "item", data_vars="minimal")
    copies = copies.assign_coords(item=np.arange(copies.sizes["item"]))
    copies.attrs = ratings.attrs
    by_doc = iaa.judge(copies, ["m1", "m2"], sampling=iaa.Sampling(cluster="doc"), **FAST)
    usual = iaa.judge(ratings, ["m1", "m2"], **FAST)
    np.testing.assert_allclose(usual.p_value, by_doc.p_value, atol=1e-9)


def test_the_least_epsilon_is_where_it_begins_to_pass():
    ratings, _ = made(items=150)
    result = iaa.judge(ratings, ["m1", "m2"], **FAST)
    for judge in ("m1", "m2"):
        least = float(result.least_epsilon.sel(judge=judge))
        assert 0 < least < 1
        again = iaa.judge(ratings, ["m1", "m2"], epsilon=[least, least - 1 / 2048], **FAST)
        assert again.passes.sel(judge=judge, epsilon=least).item()
        assert not again.passes.sel(judge=judge, epsilon=least - 1 / 2048).item()


def test_a_copy_of_the_majority_passes_and_noise_does_not():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 200)
    people = np.where(rng.random((200, 3)) < 0.75, truth[:, None], rng.integers(0, 3, (200, 3)))
    noise = rng.integers(0, 3, (200, 1))
    rows = np.array(list("abc"))[np.concatenate([people, truth[:, None], noise], axis=1)]
    ratings = table(rows, ["p0", "p1", "p2", "good", "noise"])
    result = iaa.judge(ratings, ["good", "noise"], replicates=200)
    assert result.conclusion.values.tolist() == ["passes", "fails"]
    assert result.attrs["conclusion"] == "some"
    assert iaa.page(result).answer[0].code == "judge_passes"
    assert float(result.difference.sel(judge="good")) > 0
    assert float(result.not_worse_p_value.sel(judge="good")) < 0.01
    assert float(result.not_worse_p_value.sel(judge="noise")) > 0.99


@pytest.mark.parametrize("kind", ["labels", "sets", "numbers", "clusters"])
def test_a_constant_judge_is_compared_too(kind) -> None:
    """Its winning rate is that of an annotator with one label, who passes where it is frequent."""
    rng = np.random.default_rng(3)
    label, other, read, said = {
        "sets": ({"x", "y"}, {"z"}, iaa.from_sets, "x + y"),
        "numbers": (2.0, 7.0, iaa.from_values, "2"),
    }.get(kind, ("x", "z", iaa.from_wide, "x"))
    rows = [[other if rng.random() < 0.05 else label for _ in range(4)] for _ in range(300)]
    frame = pd.DataFrame(rows, columns=["p0", "p1", "p2", "p3"])
    frame = frame.assign(copy=frame["p0"], same=[label] * 300)
    ratings = read(frame)
    ratings = ratings.assign_coords(topic=("item", np.arange(300) // 4))
    sampling = iaa.Sampling(cluster="topic" if kind == "clusters" else None)
    result = iaa.judge(ratings, ["copy", "same"], replicates=0, sampling=sampling)
    assert result.attrs["constant"] == said
    of_same = result.winning_rate.sel(judge="same")
    for judge in ("copy", "same"):
        xr.testing.assert_equal(
            result.constant_winning_rate.sel(judge=judge, drop=True), of_same.drop_vars("judge")
        )
    assert {note.code for note in iaa.page(result).answer} == {"judge_passes_as_constant"}


def test_agreement_by_pairs_is_the_mean_over_pairs():
    """Agreement among people on all items, and on the items that the judge rated."""
    _, of = made(missing=0.0)
    rows = [[labels[item] for labels in of.values()] for item in range(len(of["p0"]))]
    for row in rows[:30]:
        row[list(of).index("m1")] = None
    ratings = table(rows, list(of))
    result = iaa.judge(ratings, ["m1", "m2"], "mean_pairwise_cohen_kappa", **FAST)

    def kappa(first, second, rows=slice(None)):
        part = iaa.data.keep_annotators(ratings.isel(item=rows), [first, second])
        return float(iaa.cohen_kappa(part, interval=None).estimate)

    people = [f"p{number}" for number in range(4)]
    of_judge = np.mean([kappa(person, "m1") for person in people])
    assert float(result.agreement.sel(judge="m1")) == pytest.approx(of_judge)
    others = np.mean([kappa("p0", person) for person in people[1:]])
    assert float(result.agreement_of_person.sel(person="p0")) == pytest.approx(others)
    pairs = [kappa(a, b) for a, b in itertools.combinations(people, 2)]
    assert float(result.agreement_of_people) == pytest.approx(np.mean(pairs))
    assert float(result.people_on_its_items.sel(judge="m2")) == pytest.approx(np.mean(pairs))
    there = [kappa(a, b, slice(30, None)) for a, b in itertools.combinations(people, 2)]
    assert float(result.people_on_its_items.sel(judge="m1")) == pytest.approx(np.mean(there))
    difference = of_judge - np.mean(there)
    assert float(result.difference.sel(judge="m1")) == pytest.approx(difference)


def test_agreement_in_a_crowd_needs_pairs_with_items_in_common():
    """Means over pairs that share two or three items are too low; with a dozen they vary alike."""
    rng = np.random.default_rng(5)
    skill = np.append(np.linspace(0.6, 0.9, 12), 0.85)

    def sample(raters: int) -> xr.Dataset:
        truth, drawn = rng.integers(0, 3, 50), rng.integers(0, 3, (50, 13))
        codes = np.where(rng.random((50, 13)) < skill, truth[:, None], drawn)
        rows = np.array(list("abc"), dtype=object)[codes]
        rows[:, :12][rng.random((50, 12)).argsort(axis=1) >= raters] = None
        return table(rows, [*(f"p{number:02d}" for number in range(12)), "m"])

    rotating = iaa.judge(sample(3), "m", **FAST)
    assert "agreement" not in rotating
    assert "half of the pairs of annotators have 2 items or fewer" in " ".join(
        str(iaa.page(rotating)).split()
    )
    samples = [sample(7) for _ in range(30)]
    seen = [float(iaa.judge(ratings, "m", **FAST).difference[0]) for ratings in samples]
    result = iaa.judge(samples[0], "m", min_items=5, replicates=400, items=[])
    low, high = (float(result[f"difference_ci_{end}"][0]) for end in ("low", "high"))
    assert (high - low) / (2 * 1.96 * np.std(seen)) == pytest.approx(1, abs=0.35)
    assert result.conclusion.item() == "fails"
    assert result.against_people.item() == "better"
    notes = [note.code for block in iaa.page(result).blocks for note in getattr(block, "notes", ())]
    assert notes[-1] == "next_not_worse"


@pytest.mark.slow
def test_power_is_the_share_of_simulated_data_sets_that_pass():
    """Power estimated from a large sample holds in other samples of its population."""
    rng = np.random.default_rng(7)

    def sample(items: int) -> xr.Dataset:
        truth = rng.integers(0, 3, items)
        skill = np.array([0.7, 0.7, 0.7, 0.7])
        drawn = rng.integers(0, 3, (items, 4))
        rows = np.where(rng.random((items, 4)) < skill, truth[:, None], drawn)
        return table(np.array(list("abc"))[rows], ["p0", "p1", "p2", "m"])

    large = iaa.judge(sample(20_000), "m", items=[100], replicates=100)
    told = float(large.power.sel(judge="m", epsilon=0.1, size=100))
    passed = [
        bool(iaa.judge(sample(100), "m", epsilon=0.1, replicates=0).passes) for _ in range(200)
    ]
    assert 0.2 < told < 0.95
    error = math.sqrt(told * (1 - told) * (1 / 200 + 1 / 512))
    assert abs(np.mean(passed) - told) < 4 * error


@pytest.mark.slow
def test_intervals_hold_the_truth():
    """Advantage probabilities of a population, in 95 % of samples of it."""
    rng = np.random.default_rng(12)

    def sample(items: int) -> xr.Dataset:
        truth = rng.integers(0, 3, items)
        drawn = rng.integers(0, 3, (items, 4))
        rows = np.where(rng.random((items, 4)) < 0.7, truth[:, None], drawn)
        return table(np.array(list("abc"))[rows], ["p0", "p1", "p2", "m"])

    true = float(iaa.judge(sample(200_000), "m", replicates=0).advantage_probability.item())
    held, sets = 0, 250
    for _ in range(sets):
        result = iaa.judge(sample(120), "m", epsilon=0.1, items=[], replicates=300)
        low = float(result.advantage_probability_ci_low.item())
        held += low <= true <= float(result.advantage_probability_ci_high.item())
    assert 0.92 <= held / sets <= 0.99


@pytest.mark.slow
def test_no_false_winner_where_the_judge_is_worse_by_epsilon():
    """Judges exactly epsilon worse against all people pass in few of many data sets."""
    rng = np.random.default_rng(2)
    passed = 0
    for _ in range(200):
        truth = rng.integers(0, 2, 100)
        rows = np.repeat(truth[:, None], 4, axis=1)
        rows[:, 3] = np.where(rng.random(100) < 0.1, 1 - truth, truth)
        ratings = table(np.array(["a", "b"])[rows], ["p0", "p1", "p2", "m"])
        passed += bool(iaa.judge(ratings, "m", epsilon=0.1, replicates=0).passes)
    assert passed <= 18  # 5 %, and three standard errors


def test_the_kernels_run_compiled_and_mapped():
    rng = np.random.default_rng(0)
    between = rng.random((6, 4, 4)).round(1)
    between = (between + between.transpose(0, 2, 1)) / 2
    of_judges = rng.random((6, 2, 4)).round(1)
    of_judges[0, :, 1] = between[0, 1, :] = between[0, :, 1] = np.nan
    eager = leads(of_judges, between)
    with jax.enable_x64():
        np.testing.assert_allclose(jax.jit(leads)(of_judges, between), eager)
        mapped = jax.vmap(leads)(of_judges[None].repeat(3, 0), between[None].repeat(3, 0))
        np.testing.assert_allclose(mapped, np.stack([eager] * 3))
        sums = unit_sums(eager)
        weights = rng.integers(0, 3, (5, 6)).astype(float)
        every = compare(sums, weights)
        compiled = jax.jit(compare)(sums, weights)
        by_row = jax.vmap(compare, (None, 0))(sums, weights)
        for name in every._fields:
            np.testing.assert_allclose(getattr(compiled, name), getattr(every, name), atol=1e-12)
            np.testing.assert_allclose(getattr(by_row, name), getattr(every, name), atol=1e-12)


def test_what_cannot_be_judged_says_so():
    ratings, _ = made()
    with pytest.raises(IaaError, match="no annotator is called 'nobody'"):
        iaa.judge(ratings, "nobody")
    with pytest.raises(IaaError, match="two people or more"):
        iaa.judge(iaa.data.keep_annotators(ratings, ["p0", "m1"]), "m1")
    with pytest.raises(IaaError, match="nobody is named"):
        iaa.judge(ratings, [])
    with pytest.raises(IaaError, match="epsilon must be shares"):
        iaa.judge(ratings, "m1", epsilon=1.5)
    names = iaa.from_wide([["low", "mid", "low"]] * 9)
    with pytest.raises(IaaError, match="whose order was not declared"):
        iaa.judge(names, names.annotator.values[0], score="distance")
    ordered = iaa.judge(ratings, "m1", level="ordinal", **FAST)
    assert iaa.page(ordered).answer[-1].code == "exact_only"
    two = iaa.data.keep_annotators(ratings, ["p0", "p1", "m1"])
    assert notes_of(iaa.judge(two, "m1", **FAST), "two_people")


def test_repeated_ratings_of_a_judge_are_nobody_elses():
    rows = [(k, who, "ab"[k % 2]) for k in range(40) for who in ("ann", "bob", "gpt", "gpt")]
    frame = pd.DataFrame([*rows, (41, "gpt", "a")], columns=["item", "annotator", "label"])
    ratings = iaa.from_long(frame, duplicates="apart")
    result = iaa.judge(ratings, "gpt", **FAST)
    assert result.judge.values.tolist() == ["gpt", "gpt (2)"]
    assert result.person.values.tolist() == ["ann", "bob"]
    (too_few,) = notes_of(iaa.judged_scores(ratings, "gpt"), "too_few_people")
    assert too_few.values["names"] == ["ann", "bob"]
    twice = [*frame.values.tolist(), *([k, "ann", "a"] for k in range(40))]  # a person's, too
    ratings = iaa.from_long(pd.DataFrame(twice, columns=frame.columns), duplicates="apart")
    again = iaa.judge(ratings, "gpt", **FAST)
    xr.testing.assert_equal(again.advantage, result.advantage)
    assert "further_ratings_left_out" in codes_on(iaa.page(again))
    jury = iaa.judge.jury(ratings, ["gpt", "bob"], replicates=0)
    xr.testing.assert_equal(
        jury,
        iaa.judge.jury(iaa.from_long(frame[:-1], duplicates="first"), ["gpt", "bob"], replicates=0),
    )


def test_too_few_items_in_common_are_not_tested():
    ratings, _ = made(items=20)
    result = iaa.judge(ratings, "m1", replicates=200)
    assert result.attrs["conclusion"] == "untested"
    assert np.isnan(result.winning_rate).all()
    assert (result.power.sel(size=800, epsilon=0.3) > 0.5).all()
    assert notes_of(result, "people_untested")


def test_a_pass_against_few_of_the_people_is_no_verdict():
    """Two of six people share enough items with the judge; with one more, half of them do."""
    for tested, conclusion in ((2, "few_tested"), (3, "passes")):
        own, others = [None] * tested, [None] * (6 - tested)
        labels = [*"xy"] * 30
        rows = [[label] * tested + others + [label] for label in labels]
        rows += [own + [label] * (6 - tested) + [label] for label in labels[:20]]
        ratings = iaa.from_wide(rows).assign_coords(annotator=[*"abcdef", "m"])
        result = iaa.judge(ratings, "m", replicates=100)
        assert result.conclusion.values.tolist() == [conclusion]
        assert iaa.page(result).answer[0].code == f"judge_{conclusion}"
        (people,) = [table for table in iaa.page(result).tables if table.id == "people_1"]
        assert people.shown == [*range(tested)]  # the others are in files
        shared = [result.items_compared.values[0] * size / 80 >= 30 for size in result.size.values]
        enough = [2 * tested.sum() >= 6 for tested in shared]
        assert (~np.isnan(result.power[0, 0])).values.tolist() == enough


def test_clusters_too_few_for_a_test_have_a_page():
    """Sizes at which nothing could be tested have no power."""
    ratings, _ = made(items=60)
    ratings = ratings.assign_coords(topic=("item", np.arange(60) % 4))
    result = iaa.judge(ratings, "m1", replicates=100, sampling=iaa.Sampling(cluster="topic"))
    assert np.isnan(result.power.values).any()
    answer = " ".join(str(iaa.page(result)).split())
    assert "a person must share items of 30 clusters or more with it that others rated" in answer
    assert "the most that one shares is 4" in answer


def test_statistics_4_7_a_winning_rate_of_all_has_an_interval_with_width():
    """Three people of three, on every replicate: Beta(3.5, .5), by SciPy; none: the other end."""
    rows = [["a", "b", "a", "a", "b"], ["b", "b", "b", "b", "a"], ["a", "a", "b", "a", "b"]] * 30
    frame = pd.DataFrame(rows, columns=["p0", "p1", "p2", "good", "bad"])
    found = iaa.judge(iaa.from_wide(frame), ["good", "bad"], epsilon=0.1, replicates=80)
    at = found.isel(epsilon=0)
    assert at.winning_rate.values.tolist() == [1, 0]
    low = stats.beta(3.5, 0.5).ppf(0.025)
    assert at.winning_rate_ci_low.values == pytest.approx([low, 0])
    assert at.winning_rate_ci_high.values == pytest.approx([1, 1 - low])


def test_the_page_leaves_to_files_what_has_no_news() -> None:
    """The default grid is not on the page, nor is a power that is near 0 everywhere."""
    ratings = iaa.read("iaa_jax/demo/pandalm.csv")
    for given, shown in ({}, False), ({"epsilon": [0.3, 0.1]}, True):
        result = iaa.judge(ratings, "pandalm-7b", replicates=50, **given)
        page, of_first = iaa.page(result), result.power.sel(epsilon=result.attrs["epsilon"])
        tables = {table.id: table for table in page.tables}
        assert tables["grid"].in_files is not shown
        assert tables["power"].in_files == bool((of_first < 0.01).all())
        assert page.answer[0].values["needed"] == 2


def test_agreement_with_people_is_held_against_that_of_people() -> None:
    """A judge may pass, and agree with people less than they do: the answer says so."""
    ratings = iaa.read("iaa_jax/demo/pandalm.csv")
    result = iaa.judge(ratings, "pandalm-7b", epsilon=0.9, replicates=200)
    of_judge = result.sel(judge="pandalm-7b", epsilon=0.9)
    assert float(of_judge.difference_ci_high) < 0
    assert float(of_judge.not_worse_p_value) > 0.025
    assert of_judge.against_people.item() == "worse"
    assert of_judge.conclusion.item() == "passes"
    answer, asked = iaa.page(result).answer  # of whom one is called as a model
    assert asked.code == "models_among_people"
    assert answer.code == "judge_passes_as_constant"  # at such an epsilon everything passes
    assert answer.values["agreement"].code == "with_people_less_too"
    plain = iaa.page(iaa.judge(ratings, "pandalm-7b", replicates=0)).answer[0]
    assert plain.values["agreement"].code == "with_people"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [((), "--gold"), (("--judges", "pandalm-7b"), "'pandalm-7b', but --annotators does not")],
)
def test_judges_that_are_not_named_or_not_read_are_wrong_usage(request, arguments, said) -> None:
    file = Path("iaa_jax/demo/pandalm.csv").resolve()
    iaa = request.getfixturevalue("iaa")
    columns = ("--item", "item", "--annotators", "annotator1,annotator2,annotator3")
    done = iaa("judge", str(file), *columns, *arguments)
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.replace("│", " ").split())
    assert "Invalid value" not in done.stderr
    given = ("--annotators", "annotator*,pandalm*", "--judges", "pandalm-7b", "--replicates", "0")
    assert iaa("judge", str(file), "--item", "item", *given).exit_code == 0
    given = (*columns[:3], "annotator1,annotator2,annotator3,pandalm-7b", "--judges", "pandalm*")
    assert "pandalm-7b" in iaa("judge", str(file), *given, "--replicates", "0").stdout


def test_a_judge_by_a_word_of_its_column_is_asked_about(request, folder) -> None:
    iaa = request.getfixturevalue("iaa")
    (folder / "hate.csv").write_text("id,ann hate,bob hate,gpt hate\n1,a,b,a\n2,b,b,a\n")
    for read in ("ann hate,bob hate,gpt hate", "* hate"):
        said = iaa("judge", "hate.csv", "--annotators", read, "--judges", "gpt").stderr
        assert "did you mean 'gpt hate'?" in " ".join(said.replace("│", " ").split())


def test_what_it_advises_runs_and_correction_is_for_items_that_nobody_rated(request, folder):
    iaa = request.getfixturevalue("iaa")
    rows = [(k, who, 1 + k % 4) for k in range(40) for who in ("ann", "bob", "gpt")]
    frame = pd.DataFrame(rows, columns=["item", "annotator", "label"])
    frame.to_csv("rated.csv", index=False)
    pd.concat([frame, frame[-1:].assign(item=99)]).to_csv("more.csv", index=False)
    for file, commands in (("rated.csv", 1), ("more.csv", 2)):
        given = ("judge", file, "--judges", "gpt", "--level", "ordinal", "--score", "distance")
        found = advised(iaa(*given, "--replicates", "60").stdout)
        assert len(found) == commands
        for words in found:
            assert iaa(*words).exit_code == 0, words
