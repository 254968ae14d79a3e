"""The coverage study: a small run against slow loops, and the committed tables."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import iaa_jax as iaa
from iaa_jax.measure.options.interval import OF_NO_KIND

FOLDER = Path(__file__).parents[1] / "benchmarks"


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER))


def design(**changes: Any) -> Any:
    from coverage_study.designs import Design

    asked = ("percent_agreement", "cohen_kappa")
    return replace(Design("test", 40, 2, 2, "skewed", 0.5, asked), **changes)


def test_probabilities_of_patterns() -> None:
    for gaps in ("", "random", "single"):
        probabilities_of_patterns(gaps)


def probabilities_of_patterns(gaps: str) -> None:
    from coverage_study import populations

    asked = design(annotators=3, labels=3, gaps=gaps)
    annotators = populations.fixed_annotators(asked)
    shift = populations.shift_of(asked)
    found = populations.population(asked, annotators.answers(shift, ordered=False))
    expected = {}
    logit = shift + annotators.offset
    prevalence = populations.prevalence_of(asked)
    for codes in product(range(-1, 3), repeat=3):
        total = 0.0
        for hard, truth in product((0, 1), range(3)):
            chance = 1.0
            given = 1.0
            for a, code in enumerate(codes):
                knows = 1 / (1 + np.exp(-(logit[a] - populations.HARDER * hard)))
                own = (1 - knows) * annotators.guess[a, code] + knows * (code == truth)
                if gaps == "random":
                    own = 0.8 * own if code >= 0 else 0.2
                given *= 1.0 if code < 0 and gaps != "random" else own
            if gaps == "single":
                rated = sum(code >= 0 for code in codes)
                given *= {1: 1 / 6, 3: 1 / 2}.get(rated, 0.0)
            elif not gaps:
                given *= min(codes) >= 0
            total += chance * (0.3 if hard else 0.7) * prevalence[truth] * given
        if max(codes) >= 0 and total > 0:
            expected[codes] = total
    whole = sum(expected.values())
    for codes, probability in zip(found.codes.tolist(), found.overall, strict=True):
        assert probability == pytest.approx(expected.get(tuple(codes), 0.0) / whole, abs=1e-12)


def test_counts_of_labels_have_the_probability_of_their_patterns() -> None:
    from coverage_study import populations

    known = design(annotators=3, labels=3)
    alike = replace(known, coefficients=("fleiss_kappa",))
    answers = populations.fixed_annotators(known).answers(populations.shift_of(known), False)
    apart, together = (populations.population(one, answers) for one in (known, alike))
    assert known.identified
    assert not alike.identified
    for codes, probability in zip(together.codes, together.overall, strict=True):
        same = [sorted(row) == sorted(codes) for row in apart.codes.tolist()]
        assert probability == pytest.approx(apart.overall[same].sum(), abs=1e-12)


def test_crowd_is_three_of_all() -> None:
    from coverage_study import populations

    asked = design(annotators=5, gaps="crowd", coefficients=("fleiss_kappa",))
    answers = populations.fixed_annotators(asked).answers(populations.shift_of(asked), False)
    found = populations.population(asked, answers)
    hard, prevalence = np.array([0.7, 0.3]), populations.prevalence_of(asked)
    trios = [trio for trio in product(range(5), repeat=3) if len(set(trio)) == 3]
    for codes, probability in zip(found.codes, found.overall, strict=True):
        total = 0.0
        for trio, order in product(trios, product(range(2), repeat=3)):
            if sorted(order) == sorted(codes):
                chance = np.prod([answers[:, :, a, c] for a, c in zip(trio, order, strict=True)], 0)
                total += hard @ chance @ prevalence / len(trios)
        assert probability == pytest.approx(total, abs=1e-12)


def test_truth_is_the_figure_of_very_many_items() -> None:
    from coverage_study import figures, populations

    asked = design(coefficients=("percent_agreement", "cohen_kappa", "krippendorff_alpha"))
    answers = populations.fixed_annotators(asked).answers(populations.shift_of(asked), False)
    found = populations.population(asked, answers)
    truth = figures.figures_on(asked.coefficients, found.codes, 2).truth(found.overall)
    table = np.zeros((2, 2))
    table[found.codes[:, 0], found.codes[:, 1]] = found.overall
    observed = np.trace(table)
    by_hand = [
        observed,
        1 - (1 - observed) / (1 - table.sum(1) @ table.sum(0)),
        1 - (1 - observed) / (1 - np.sum(((table.sum(1) + table.sum(0)) / 2) ** 2)),
    ]
    assert truth == pytest.approx(by_hand, abs=1e-8)
    assert truth[2] == pytest.approx(0.5, abs=1e-8)


def test_replicates_have_the_moments_of_multinomials() -> None:
    from coverage_study import drawing

    count = np.array([[6.0, 3.0, 1.0, 0.0], [2.0, 8.0, 0.0, 0.0]])
    for few in (count, 50 * count):
        drawn = drawing.replicates(few, 20_000, drawing.stream(1, "test"))
        assert np.all(drawn.sum(axis=2) == few.sum(axis=1)[:, None])
        share = few / few.sum(axis=1, keepdims=True)
        assert drawn.mean(axis=1) == pytest.approx(few, rel=0.03)
        assert drawn.var(axis=1) == pytest.approx(few * (1 - share), rel=0.05)
        smooth = drawing.dirichlet(few, 20_000, drawing.stream(2, "test"))
        assert smooth.mean(axis=1) == pytest.approx(few, rel=0.03)
        of_dirichlet = few * (1 - share) * few.sum(axis=1)[:, None] / (few.sum(axis=1)[:, None] + 1)
        assert smooth.var(axis=1) == pytest.approx(of_dirichlet, rel=0.05)


@pytest.fixture(scope="module")
def tiny() -> Any:
    """A small run with the outcome of each of its data sets."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(FOLDER))
        from coverage_study import cells

        settings = cells.Settings(data_sets=300, replicates=199, seed=5)
        return design(), settings, cells.simulated(design(), settings)


def test_each_data_set_has_one_outcome(tiny: Any) -> None:
    from coverage_study import cells, running

    asked, settings, (results, facts) = tiny
    frame = running.summarised(asked, settings, results, facts)
    together = frame.coverage + frame.below + frame.above + frame.no_interval
    assert together.to_numpy() == pytest.approx(1.0, abs=1e-4)
    assert len(frame) == 2 * len(cells.INTERVALS)
    assert np.all(facts.pairable == 40)
    assert np.all((facts.disagreeing <= facts.informative) & (facts.informative <= 40))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "drawn"),
    [({"document": 5}, "documents"), ({"annotators_are": "random"}, "items and annotators")],
)
def test_documents_and_annotators_are_drawn_too(changes: dict[str, Any], drawn: str) -> None:
    """Beside items, by an interval that is theirs; a wider one, of what varies more."""
    from coverage_study import cells

    asked = design(annotators=3, coefficients=("krippendorff_alpha",), **changes)
    results, _ = cells.simulated(asked, cells.Settings(data_sets=60, replicates=39, seed=2))
    width = {(one.drawn, one.interval): np.median(one.width) for one in results}
    assert width[drawn, "t"] > width["items", "t"]
    for one in results:
        assert np.isin(one.outcome, (cells.BELOW, cells.HELD, cells.ABOVE, cells.NONE)).all()
    assert (drawn, "auto") in width


def test_percent_agreement_is_a_binomial(tiny: Any) -> None:
    """Normal intervals of a share: the whole study of one figure again, by hand."""
    _, _, (results, facts) = tiny
    own = next(
        one for one in results if (one.coefficient, one.interval) == ("percent_agreement", "normal")
    )
    share = 1 - facts.disagreeing / 40
    assert own.estimate == pytest.approx(share)
    reach = 1.959963984540054 * np.sqrt(share * (1 - share) / 39)
    held = np.abs(share - own.truth) <= reach + 1e-9
    assert np.array_equal(own.outcome == 0, held)
    assert np.array_equal(own.outcome == -1, share + reach < own.truth - 1e-9)
    assert own.width == pytest.approx(2 * reach)


def asked_for(interval: str, form: Any) -> dict[str, Any]:
    """An interval of the study, as a user asks for it."""
    if interval == "auto":  # of figures that have no interval of their own kind
        return {"interval": "bca"}
    transform = "range" if form.on_unbounded_scale else None
    random = iaa.Sampling(bayesian=True) if interval == "bayesian" else None
    return {"interval": iaa.Interval(form.method, transform=transform), "sampling": random}


@pytest.mark.slow
def test_intervals_are_those_of_the_package() -> None:
    """Ends of two data sets, against a plain loop over the package's own functions.

    Replicates differ: an end from them must lie among those of several seeds, or near.
    """
    from coverage_study import cells, drawing, figures, populations, program

    from iaa_jax.engine.precision import scope

    asked = design()
    answers = populations.fixed_annotators(asked).answers(populations.shift_of(asked), False)
    codes = populations.population(asked, answers).codes
    counts = np.array([[20, 3, 5, 12], [17, 6, 3, 14]])
    found = figures.figures_on(asked.coefficients, codes, 2)
    data = drawing.compressed(counts, found.rows)
    draw, both = drawing.stream(3, "test"), (found.settings, found.figures)
    with scope("float64"):
        weights = drawing.replicates(data.count, 2000, draw)
        smooth = drawing.dirichlet(data.count, 2000, draw)
        again = program.on_replicates(weights, smooth, data.rows, *both)
        wholes = program.on_data_sets(data.count, data.rows, *both, (0.95,))
    ratings = [iaa.from_wide(np.repeat(codes, row, axis=0), labels=[0, 1]) for row in counts]
    for place, name in enumerate(found.names):
        whole = program.Whole(*(np.asarray(one) for one in wholes[place]))
        own = program.Replicated(*(np.asarray(one).T for one in again[place]))
        known = cells._Own("items", np.full(2, 39.0), np.full(2, 40.0), *found.of(place))
        for interval, _, ends in cells._ends(whole, own, known, (0.95,)):
            drawn = interval not in ("abc", "normal", "t", "normal, range", "t, range")
            how = asked_for(interval, cells.INTERVALS[interval])
            for number, one in enumerate(ratings):
                theirs = [
                    getattr(iaa, name)(one, **how, replicates=2000, seed=seed)
                    for seed in range(4 if drawn else 1)
                ]
                error = float(theirs[0].standard_error)
                assert whole.estimate[number] == pytest.approx(float(theirs[0].estimate), abs=1e-12)
                assert whole.standard_error[number] == pytest.approx(error, abs=1e-12)
                near = 0.2 * error if drawn else 1e-9
                for end in ("low", "high"):
                    values = [float(each[f"ci_{end}"]) for each in theirs]
                    at = float(getattr(ends, end)[number])
                    assert min(values) - near <= at <= max(values) + near, (name, interval, end)


@pytest.mark.slow
def test_run_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from coverage_study import cells, running

    table = tmp_path / "coverage.csv"
    settings = cells.Settings(data_sets=20, replicates=39, seed=1)
    first, second = design(items=40), design(items=50)
    running.run([first], settings, table, None)
    before = table.read_text(encoding="utf-8")
    simulated: list[str] = []

    def recorded(asked: Any, *rest: Any) -> Any:
        simulated.append(asked.name)
        return cells.simulated(asked, *rest)

    monkeypatch.setattr(running, "simulated", recorded)
    running.run([first, second], settings, table, None)
    assert simulated == [second.name]
    assert table.read_text(encoding="utf-8").startswith(before)


def test_rows_of_a_cell_take_the_place_of_those_before(tmp_path: Path) -> None:
    from coverage_study.tables import put

    table = tmp_path / "some.csv"
    lines = ["cell,interval,coverage,width", "b,bca,0.950,", "b,t,0.1,2.0", "a,t,0.90,nan"]
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    again = pd.DataFrame({"cell": ["b"], "interval": ["t"], "coverage": [0.2], "width": [np.nan]})
    put(table, again, ["cell", "interval"])
    lines[2] = "b,t,0.2,"
    assert table.read_text(encoding="utf-8").splitlines() == lines
    put(table, again.assign(cell="c"), ["cell", "interval"], ["cell", "interval"])
    assert table.read_text(encoding="utf-8").splitlines() == [
        *(lines[place] for place in (0, 3, 1, 2)),
        "c,t,0.2,",
    ]
    assert [path.name for path in tmp_path.iterdir()] == ["some.csv"]


def test_committed_summary_follows_from_the_committed_table() -> None:
    from coverage_study import summary

    table = FOLDER / "coverage.csv"
    assert summary.written(table) == (FOLDER / "coverage.md").read_text(encoding="utf-8")
    rule = json.loads((FOLDER / "coverage_rule.json").read_text(encoding="utf-8"))
    assert summary.rule_of(table) == rule


def test_committed_table_has_every_design() -> None:
    from coverage_study import tables
    from coverage_study.designs import DESIGNS

    frame = tables.read(FOLDER / "coverage.csv")
    assert set(frame.design) == {design.name for design in DESIGNS}
    assert frame.data_sets.min() >= 2000
    assert frame.replicates.min() >= 999


def test_recommendation_is_counted_from_the_table() -> None:
    """The share of designs that hold, and the region, by a plain loop over the file."""
    rule = json.loads((FOLDER / "coverage_rule.json").read_text(encoding="utf-8"))
    bounds = {one["fact"]: one["below"] for one in rule["poor"]}
    held: dict[str, list[bool]] = {}
    beyond: list[float] = []
    with (FOLDER / "coverage.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            if row["confidence"] != "0.95" or row["annotators_are"] == "random":
                continue
            if row["document"] != "0":
                continue
            coverage = float(row["coverage"])
            held.setdefault(row["interval"], []).append(abs(coverage - 0.95) <= 0.02 + 1e-9)
            inside = all(
                float(row[fact]) >= bounds[fact] for fact in ("disagreeing", "informative")
            )
            if row["interval"] == "auto" and inside:
                beyond.append(coverage)
    automatic = held.pop("auto")
    best = max(held, key=lambda name: sum(held[name]))
    assert best == rule["interval"] == OF_NO_KIND
    assert sum(automatic) >= sum(held[best])
    assert len(beyond) == rule["otherwise"]["designs"]
    assert min(beyond) == pytest.approx(rule["otherwise"]["lowest_coverage"], abs=6e-4)
    share = np.mean([abs(one - 0.95) <= 0.02 + 1e-9 for one in beyond])
    assert share == pytest.approx(rule["otherwise"]["designs_that_hold"], abs=6e-4)
    assert share >= 0.975


def test_facts_are_counted_by_hand() -> None:
    from coverage_study.cells import _facts

    codes = np.array([[0, 0, 0], [1, 1, 1], [0, 1, -1], [1, -1, -1], [1, 1, -1]])
    counts = np.array([[9, 1, 2, 3, 1], [2, 8, 0, 1, 1]])
    found = _facts(codes, counts, 2)
    assert found.pairable.tolist() == [13, 11]
    assert found.disagreeing.tolist() == [2, 0]
    assert found.rarest.tolist() == [7, 2]
    assert found.informative.tolist() == [4, 2]
    assert found.agreeing.tolist() == [2, 2]


@pytest.mark.slow
def test_gold_labels_of_the_study_are_what_bayes_says_of_them() -> None:
    """The posterior of a drawn data set by a loop, and a row of the table."""
    from coverage_study import labelling

    people = labelling.People("test", labelling.even([0.9, 0.7, 0.6], 2), 2)
    drawn = people.drawn(np.random.default_rng(0), 12)
    assert (drawn.ratings.primary.values >= 0).sum() == 24
    names = drawn.ratings.annotator.values
    for row, posterior in zip(drawn.ratings.primary.values, drawn.posterior, strict=True):
        likely = people.prior.copy()
        for name, label in zip(names, row, strict=True):
            if label >= 0:
                likely = likely * people.confusion[name, :, label]
        np.testing.assert_allclose(posterior, likely / likely.sum(), atol=1e-12)
    row = labelling.counted(labelling.Cell(people, 30), "one_coin", 2)
    assert row["data_sets"] == 2
    assert 0 <= float(str(row["posterior"])) <= 1
    frame = pd.read_csv(labelling.TABLE)
    cells = {cell.people.name for cell in labelling.CELLS}
    assert set(frame["cell"]) <= cells


def test_committed_pages_follow_from_the_committed_tables() -> None:
    from coverage_study import hostile_page, kinds_page

    for page, file in ((kinds_page, "coverage_kinds.md"), (hostile_page, "coverage_hostile.md")):
        assert page.written() == (FOLDER / file).read_text(encoding="utf-8")


def test_intervals_of_labels_in_numpy_are_those_of_the_public_functions() -> None:
    """Ends of 20,000 draws, within the error of both: what the hostile designs are measured by."""
    from coverage_study import hostile, hostile_study, twin

    asked = ("leaning .03 by 32", "4 labels, one knows", "two more where", "ten where", "until 3")
    for design in hostile.HOSTILE:
        if not any(name in design.title for name in asked):
            continue
        codes, _ = hostile_study.one_set(design, 0)
        figures = hostile_study.figures(design, by_ratings=twin.heavy(codes))
        ours = twin.ends(codes, figures, np.random.default_rng(0), 20_000)
        public = hostile_study.public(design, codes, replicates=20_000)
        for name, own in zip(design.figures, ours, strict=True):
            estimate, low, high, _ = public[name]
            assert own.estimate == pytest.approx(estimate, abs=1e-9)
            assert np.abs(own.now[:, 0] - [low, high]).max() < 0.03 * (high - low), (design, name)


def lines_of(heading: str) -> list[list[str]]:
    """The cells of the first table below a heading of the page of kinds."""
    page = (FOLDER / "coverage_kinds.md").read_text(encoding="utf-8")
    _, _, rest = page.partition(f"\n{heading}")
    table = "| ---" + rest.partition("\n| ---")[2].partition("\n\n")[0]
    return [line.strip("| ").split(" | ") for line in table.splitlines()[1:]]


def rows_of(name: str) -> list[dict[str, str]]:
    with (FOLDER / name).open(encoding="utf-8") as lines:
        return [*csv.DictReader(lines)]


def test_the_worst_designs_are_those_furthest_below_their_level() -> None:
    below = {
        (row["cell"], row["coefficient"]): float(row["coverage"]) - float(row["confidence"])
        for row in rows_of("coverage_kinds.csv")
        if (row["half"], row["interval"]) == ("judging", "auto")
    }
    named = [(cell, coefficient) for cell, coefficient, *_ in lines_of("### The 15 worst")]
    assert len(named) == 15
    assert max([below.pop(name) for name in named]) <= min(below.values()) + 1e-9


def test_cells_of_the_study_before_are_beside_its_own_figures() -> None:
    """Shares and extremes of both tables by a plain loop; cells are paired by what they are."""
    from coverage_study.designs import DESIGNS
    from coverage_study.kinds import of_design

    title = {design.name: of_design(design).title for design in DESIGNS}
    today, before = (
        {
            (row["cell"], row["coefficient"]): float(row["coverage"])
            for row in rows_of("coverage_kinds.csv")
            if (row["before"], row["interval"]) == ("1", "auto")
        },
        {
            (title[row["design"]], row["coefficient"], row["drawn"]): float(row["coverage"])
            for row in rows_of("coverage.csv")
            if (row["interval"], row["confidence"]) == ("auto", "0.95")
            and (
                row["drawn"] != "items"
                or (row["annotators_are"], row["document"]) == ("fixed", "0")
            )
        },
    )
    assert today.keys() <= {names[:2] for names in before}
    shown = {(drawn, name): row for drawn, name, *row in lines_of("## The cells of the study")}
    for drawn in ("documents", "items and annotators"):
        both = {names: found for names, found in before.items() if names[:2] in today}
        old = [found for names, found in both.items() if names[2] == drawn]
        new = [today[names[:2]] for names in both if names[2] == drawn]
        for name, found in (("auto, today", new), ("auto of coverage.md", old)):
            away = [abs(one - 0.95) for one in found]
            expected = [
                100 * np.mean([one <= 0.02 + 1e-9 for one in away]),
                100 * np.mean([one < 0.93 - 1e-9 for one in found]),
                100 * np.mean([one >= 0.93 - 1e-9 for one in found]),
                100 * np.mean(away),
                100 * min(found),
            ]
            designs, *rest = map(float, shown[drawn, name])
            assert designs == len(found)
            assert rest == pytest.approx(expected, abs=0.051)


def test_skills_of_the_page_are_counted_from_their_table() -> None:
    held: dict[str, dict[str, float]] = {}
    for row in rows_of("coverage_labelling.csv"):
        held.setdefault(row["method"], {})[row["cell"]] = float(row["skill"])
    shown = lines_of("## Skills of gold labels")
    assert {row[0] for row in shown} == held.keys()
    for method, designs, *shares, lowest, worst, _, _ in shown:
        own = held[method]
        assert designs.split()[0] == str(len(own))
        found = np.array([*own.values()])
        counted = (found >= 0.93 - 1e-9, np.abs(found - 0.95) <= 0.02 + 1e-9, found)
        expected = [*(100 * np.mean(each) for each in counted), 100 * own[worst]]
        assert [*map(float, shares), float(lowest)] == pytest.approx(expected, abs=0.051)
        assert own[worst] == min(found)


def test_the_half_that_judges_has_every_design() -> None:
    """Each cell has a row for each coefficient, and no cell is in both halves."""
    from coverage_study import kinds_page
    from coverage_study.kinds import CELLS

    assert len({cell.title for cell in CELLS}) == len(CELLS)
    frame = kinds_page.read()
    own = frame[(frame.interval == "auto") & (frame.half == "judging")]
    judges = [cell for cell in CELLS if cell.judges]
    asked = {(cell.title, name) for cell in judges for name in cell.coefficients}
    assert {*zip(own.cell, own.coefficient, strict=True)} == asked
    assert own.data_sets.min() >= 500
    chose = {*frame.cell[frame.half == "choosing"]}
    assert not chose & {cell.title for cell in judges}


@pytest.mark.parametrize(("family", "sets", "units"), [("documents", 1, 3000), ("random", 60, 200)])
def test_cells_of_the_study_before_have_its_truths(family: str, sets: int, units: int) -> None:
    """The coefficients of many documents, and on average over many groups of annotators."""
    from coverage_study.designs import DESIGNS
    from coverage_study.kinds import of_design

    asked = next(one for one in DESIGNS if one.family.startswith(family) and one.annotators < 10)
    cell = of_design(asked)
    stream = np.random.default_rng(3)
    drawn = [cell.draw(stream, units) for _ in range(sets)]
    found = [iaa.agreement(each, asked.coefficients, interval=None).estimate for each in drawn]
    assert np.mean(found, axis=0) == pytest.approx(cell.truths(), abs=0.03)
    if asked.document:
        assert (np.bincount(drawn[0].document.values) == asked.document).all()


@pytest.mark.parametrize(
    "kind", ["numbers", "unlike numbers", "annotators drawn", "unlike annotators"]
)
def test_intervals_of_numbers_by_formulas_are_those_of_the_public_functions(kind: str) -> None:
    from coverage_study import of_numbers
    from coverage_study.kinds import CELLS, FIXED

    cells = [cell for cell in CELLS if cell.kind == kind][::7]
    for seed, cell in enumerate(cells):
        ratings = cell.draw(np.random.default_rng(seed), cell.units)
        names, fixed = cell.coefficients, cell.options == {"sampling": FIXED}
        rows, doubts = of_numbers.measured(ratings["value"].values, names, fixed=fixed)
        found = iaa.agreement(ratings, names, **cell.options)
        wanted = np.stack([found[one] for one in ("estimate", "ci_low", "ci_high")], axis=1)
        np.testing.assert_allclose(rows, wanted, rtol=1e-7, err_msg=cell.title)
        assert doubts == found.doubt.values.tolist()


def test_what_the_page_on_intervals_says_of_the_study() -> None:
    """93 % or more for 95 % in nine of ten designs, and doubts seldom where intervals hold."""
    from coverage_study import kinds_page

    frame = kinds_page.read()
    judging = frame[(frame.interval == "auto") & (frame.half == "judging")]
    own = judging[judging.confidence == 0.95]
    assert own.enough.mean() >= 0.9
    assert own.doubted[own.enough].mean() <= 0.16
    assert ((own.coverage < own.confidence - 0.05) & (own.doubted < 0.5)).sum() <= 1
