"""The statistics of an item depend on that item alone, and on what all items have in common."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from iaa_jax import IaaError, kernels
from iaa_jax.catalog import CATALOG
from iaa_jax.catalog.model import Measure
from iaa_jax.kernels import percent
from iaa_jax.kernels.kernel import Kernel
from iaa_jax.kernels.law import check_statistics
from iaa_jax.kernels.sums import Fixed
from iaa_jax.kernels.weighing import Weighing
from tests.engine.test_studentized import DATA
from tests.kernels.cases import hard_mass, slots_of, soft_mass, with_gaps
from tests.taken import one_of

SHAPE = (14, 5, 3)


def measures() -> dict[str, Measure]:
    """Every way in which the catalogue computes a coefficient, by name."""
    found = {}
    for row in CATALOG.values():
        found[row.name] = row.measure
        for option, choices in row.variants.items():
            found |= {f"{row.name}/{option}={choice}": each for choice, each in choices.items()}
        found |= {f"{row.name}/{choices}": each for choices, each in row.combined.items()}
        for name, level in row.levels.items():
            found |= {f"{row.name}/{name}": level.over_labels}
            found |= {f"{row.name}/{name}_values": level.over_values}
    return {name: each for name, each in found.items() if isinstance(each.kernel, Kernel)}


MEASURES = measures()


def numbers(seed: int, shape: tuple[int, ...]) -> Any:
    """Skewed numbers, of which some items lie far from the others; 0 among them."""
    rng = np.random.default_rng(seed)
    value = np.exp(rng.normal(2, 1, (shape[0], 1)) + rng.normal(0, 0.5, shape[:2])).round(1)
    value[3] += 1000.0
    value[4, 0] = 0.0
    return with_gaps(rng, value[..., None], 0.2)[..., 0]


def data_of(measure: Measure, seed: int) -> Any:
    shape = (SHAPE[0], measure.annotators or SHAPE[1], SHAPE[2])
    if measure.takes_values:
        return numbers(seed, shape)
    if measure.label_sets:
        rng = np.random.default_rng(seed)
        return with_gaps(rng, (rng.random(shape) < 0.5).astype(float), 0.2)
    whole = measure.kernel.name.endswith("all_agree")
    return (hard_mass if whole or seed % 2 else soft_mass)(seed, shape)


@pytest.mark.parametrize("seed", one_of(2, [1, 2]))
@pytest.mark.parametrize("name", [name for name, each in MEASURES.items() if not each.compares])
def test_an_item_is_known_by_itself(name: str, seed: int) -> None:
    measure = MEASURES[name]
    data = data_of(measure, seed)
    weight = np.random.default_rng(seed).uniform(0.5, 2, data.shape[1])
    check_statistics(measure.kernel, data)
    check_statistics(measure.kernel, data, annotator_weight=weight)
    if measure.takes_slots:
        slots, annotator_of = slots_of(data)
        check_statistics(measure.kernel, slots, annotator_weight=weight, annotator_of=annotator_of)


COMPARED = {
    f"{kind}/{name}": problem
    for kind, problems in DATA.items()
    for name, problem in problems
    if problem.factored and problem.measure.compares
}


@pytest.mark.parametrize("name", COMPARED)
def test_a_document_is_known_by_itself(name: str) -> None:
    problem = COMPARED[name]
    check_statistics(
        problem.kernel,
        problem.data,
        annotator_of=problem.annotator_of,
        annotator_weight=problem.weight,
    )


FROM_ALL = [name for name, each in MEASURES.items() if each.takes_values]


@pytest.mark.parametrize("name", FROM_ALL)
def test_one_that_asks_the_rows_at_hand_is_refused(name: str) -> None:
    """As these kernels once did: counted from the middle of whatever they were given."""
    kernel = MEASURES[name].kernel
    assert isinstance(kernel, Kernel)
    assert kernel.common is not None

    def centred(value: Any, raters: Any, disagreement: Any) -> Any:
        return kernel.statistics(value, raters, disagreement, common=kernel.common(value, raters))

    with pytest.raises(IaaError, match=f"{kernel.name}: the statistic '.*' of item"):
        check_statistics(replace(kernel, statistics=centred, common=None), numbers(1, SHAPE))


def test_no_sum_over_pairs_is_refused() -> None:
    kernel = replace(kernels.krippendorff_alpha, by_pair=("disagreement",))
    with pytest.raises(IaaError, match="not a sum over the item's pairs"):
        check_statistics(kernel, hard_mass(1, SHAPE))


@pytest.mark.parametrize("kind", Weighing._fields)
@pytest.mark.parametrize("statistic", ["disagreement", "labels", "self_disagreement"])
def test_other_products_of_weights_are_refused(kind: str, statistic: str) -> None:
    """Each statistic of alpha, marked with each kind of product that it has not."""
    kernel = kernels.krippendorff_alpha
    marked = kernel.weighing
    assert marked is not None
    others = {
        name: tuple(n for n in names if n != statistic) for name, names in marked._asdict().items()
    }
    others[kind] = (*others[kind], statistic)
    changed = replace(kernel, weighing=Weighing(**others))
    if kind == marked.kind(statistic):
        check_statistics(changed, soft_mass(1, SHAPE))
        return
    with pytest.raises(IaaError, match="products of annotator weights"):
        check_statistics(changed, soft_mass(1, SHAPE))


@pytest.mark.parametrize("far", [-0.5, -0.3])
def test_labels_nearer_than_alike_are_weighed(far: float) -> None:
    """Disagreements that add up to nothing, or to rounding, leave the factors of items alone."""
    distance = np.array([[0, 1, far], [1, 0, -1 - far], [far, -1 - far, 0]])
    check_statistics(kernels.krippendorff_alpha, hard_mass(1, SHAPE), label_agreement=1 - distance)


def test_unmarked_labels_are_refused() -> None:
    kernel = kernels.krippendorff_alpha
    changed = replace(kernel, weighing=Weighing(products=("disagreement",)))
    with pytest.raises(IaaError, match=r"'labels' .* products of annotator weights"):
        check_statistics(changed, soft_mass(1, SHAPE))


def test_other_statistics_need_a_weighing_of_their_own() -> None:
    """The weighing of the original kernel is refused for other statistics."""
    weighing = percent.percent_agreement_of_ratings.weighing
    changed = replace(percent.percent_all_agree, weighing=weighing)
    with pytest.raises(IaaError, match="products of annotator weights"):
        check_statistics(changed, soft_mass(1, SHAPE))
    assert percent.percent_all_agree.weighing is None


def test_fixed_numbers_of_the_rows_at_hand_are_refused() -> None:
    kernel = kernels.conger_kappa

    def counting(mass: Any, raters: Any, disagreement: Any) -> Any:
        statistics = kernel.statistics(mass, raters, disagreement)
        first = statistics._fields[0]
        return statistics._replace(**{first: Fixed(np.array(len(mass)))})

    with pytest.raises(IaaError, match="fixed numbers"):
        check_statistics(
            replace(kernel, statistics=counting, by_pair=(), by_rating=()), hard_mass(1, SHAPE)
        )


def test_what_an_item_has_as_a_whole_is_not_about_who_rated() -> None:
    kernel = kernels.conger_kappa

    def first_alone(mass: Any, raters: Any, disagreement: Any) -> Any:
        statistics = kernel.statistics(mass, raters, disagreement)
        return statistics._replace(disagreement=np.isnan(mass[:, 0, 0]).astype(float))

    with pytest.raises(IaaError, match=r"'disagreement' of item .* who gave the"):
        check_statistics(replace(kernel, statistics=first_alone), hard_mass(1, SHAPE))


@pytest.mark.parametrize("name", [name for name, each in MEASURES.items() if not each.compares])
def test_a_kernel_declares_whether_its_statistics_weigh_annotators(name: str) -> None:
    """One that does so without need would be worked out again for each row of weights."""
    kernel, data = MEASURES[name].kernel, data_of(MEASURES[name], 1)
    if kernel.directly is not None:
        return  # always worked out from the ratings
    undeclared = replace(kernel, weighs_annotators=False)
    if not kernel.weighs_annotators:
        check_statistics(undeclared, data)
        return
    with pytest.raises(IaaError, match="depends on the annotator weights"):
        check_statistics(undeclared, data)
