"""Pictures of results on the user's axes: artists hold the numbers of the results."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import iaa_jax as iaa
from tests.overview.ratings import second, single

QUICK = {"interval": "normal", "replicates": 60}


def axes() -> Axes:
    return Figure().add_subplot()


def test_a_forest_has_each_estimate_and_interval() -> None:
    result = iaa.agreement(single(), interval="normal")
    ax = axes()
    assert iaa.plot(result, ax=ax) is ax
    points = np.concatenate([line.get_xdata() for line in ax.lines if line.get_marker() == "o"])
    np.testing.assert_allclose(sorted(points), sorted(result.estimate.values))
    ends = np.array([segment[:, 0] for segment in ax.collections[0].get_segments()])
    assert ends.min() == pytest.approx(float(result.ci_low.min()))
    assert ends.max() == pytest.approx(float(result.ci_high.max()))


def test_confusion_is_a_share_of_each_row() -> None:
    result = iaa.labels(single(), interval=None)
    ax = iaa.plot(result, ax=axes())
    values = np.asarray(ax.collections[0].get_array()).reshape(3, 3)
    np.testing.assert_allclose(values.sum(axis=1), 1)
    names = [label.get_text() for label in ax.get_yticklabels()]
    specific = result.specific_agreement.sel(label=names).values
    np.testing.assert_allclose(np.diag(values), specific)


def test_annotators_are_kappas_of_pairs() -> None:
    result = iaa.annotators(single(), **QUICK)
    ax = iaa.plot(result, ax=axes())
    names = [label.get_text() for label in ax.get_yticklabels()]
    drawn = np.ma.filled(ax.collections[0].get_array(), np.nan).reshape(3, 3)
    expected = result.pair_kappa.sel(annotator=names, annotator_2=names).values
    np.testing.assert_allclose(drawn, expected)


def test_bars_count_all_items() -> None:
    for function in (iaa.items, iaa.gold):
        result = function(single())
        ax = iaa.plot(result, ax=axes())
        heights = [bar.get_height() for bar in ax.patches]
        np.testing.assert_allclose(heights, result.bin_items.values)
        assert sum(heights) == result.sizes["item"]


def test_curves_are_those_of_the_results() -> None:
    curve = iaa.sweep(second(), p=5, **QUICK)
    ax = iaa.plot(curve, ax=axes())
    np.testing.assert_allclose(ax.lines[0].get_ydata(), curve.estimate.values)
    halves = single().assign_coords(batch=("item", np.arange(21) // 11))
    course = iaa.drift(halves, "batch", permutations=0, **QUICK)
    ax = iaa.plot(course, ax=axes())
    np.testing.assert_allclose(ax.lines[0].get_ydata(), course.estimate.values)
    plan = iaa.plan(single(), replicates=0, simulations=0)
    ax = iaa.plot(plan, ax=axes())
    widths = {tuple(column) for column in plan.half_width.values.T.tolist()}
    assert {tuple(line.get_ydata()) for line in ax.lines[:3]} <= widths


def test_a_report_has_all_of_them() -> None:
    page = iaa.report(single(), sections=["labels", "items"], interval=None)
    assert iaa.plot(page, "labels_confused", ax=axes()).collections
    with pytest.raises(iaa.IaaError, match="items_by_agreement"):
        iaa.plot(page, "curve", ax=axes())


def test_a_picture_of_another_result_is_refused() -> None:
    with pytest.raises(iaa.IaaError, match="no such picture"):
        iaa.plot(iaa.items(single()), "coefficients_drawn", ax=axes())


def test_each_has_a_figure_of_its_own_that_cuts_nothing() -> None:
    from matplotlib import pyplot, rcParams

    before, mine = dict(rcParams), pyplot.figure()
    theirs = [iaa.plot(each).figure for each in (iaa.agreement(single()), iaa.items(single()))]
    assert not mine.axes
    assert dict(rcParams) == before
    assert len({mine, *theirs}) == 3
    for figure in theirs:
        figure.canvas.draw()
        for ax in figure.axes:
            for each in (ax, *ax.child_axes):
                box = each.get_tightbbox()
                assert box.x0 >= 0
                assert box.x1 <= figure.bbox.width
        pyplot.close(figure)
    pyplot.close(mine)
    iaa.plot(iaa.items(single()), ax=axes())
    assert not pyplot.get_fignums()
