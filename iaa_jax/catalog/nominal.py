"""Coefficients for items with one label per rating."""

from __future__ import annotations

from functools import partial

from iaa_jax import kernels
from iaa_jax.catalog import analytic, attainable_minimum
from iaa_jax.catalog.model import Coefficient, Level, Measure
from iaa_jax.kernels import Kernel, kappa, label_agreement, percent


def _exchangeable(kernel: Kernel) -> Measure:
    return Measure(kernel, observed_over="items")


def _pairwise(kernel: Kernel) -> Measure:
    return Measure(kernel, identified=True, by_pair=True)


_ALPHA = Measure(kernels.krippendorff_alpha, observed_over="ratings")
_PERCENT = _exchangeable(kernels.percent_agreement)
_SPECIFIC = Measure(kernels.specific_agreement, per_label=True, observed_over="pairs")
_SPECIFIC_OF_RATINGS = Measure(percent.specific_agreement_of_ratings, per_label=True)
_LIGHT = _pairwise(kernels.mean_pairwise_cohen_kappa)
_ONE_LABEL = "no item with two ratings; every rating on one label (0/0)"

ROWS = (
    Coefficient(
        name="percent_agreement",
        title="Percent agreement",
        short="Percent",
        weighted_title="Weighted agreement",
        summary="Share of agreeing pairs of ratings, the mean over items. Ignores chance.",
        equation="A = sum_i w_i (agree_i / pairs_i) / sum_i w_i, over pairable items",
        range="0 to 1",
        bounds=(0.0, 1.0),
        undefined="no item with two ratings",
        sources="{artstein2008}, section 2.2; {gwet2014}",
        example=0.7,
        beyond_chance=False,
        measure=_PERCENT,
        variants={
            "average": {
                "item_mean": _PERCENT,
                "rating_weighted": Measure(percent.percent_agreement_of_ratings),
                # equality of ratings is not a polynomial of their masses
                "all_agree": Measure(percent.percent_all_agree, polynomial=False),
            }
        },
        analytic=analytic.PERCENT,
    ),
    Coefficient(
        name="specific_agreement",
        title="Specific agreement",
        short="Specific",
        summary="Agreement on each label c: the share of an item's other ratings that are c too.",
        equation=(
            "P_c = sum_i w_i r_ic (r_ic - 1) / sum_i w_i r_ic (n_i - 1), for single labels; by "
            "ratings, an item's terms in both sums are divided by n_i - 1"
        ),
        range="0 to 1, one estimate per label",
        bounds=(0.0, 1.0),
        undefined="nobody used the label on an item with two ratings",
        sources="{cicchetti1990}; {uebersax1982}",
        example=(0.7273, 0.6667),
        beyond_chance=False,
        measure=_SPECIFIC,
        takes_weights=False,
        variants={
            "average": {"auto": _SPECIFIC, "pairs": _SPECIFIC, "ratings": _SPECIFIC_OF_RATINGS}
        },
        uneven={"average": "ratings"},
    ),
    Coefficient(
        name="cohen_kappa",
        title="Cohen's kappa",
        summary="Two annotators, each with label margins of their own, on their common items.",
        equation="1 - D_o / D_e, D_e = p_1' D p_2, margins on the common items",
        range="-1 to 1 (the lower end only if expected agreement is 1/2)",
        attainable_minimum=attainable_minimum.with_pair_mean,
        undefined="no common item; both annotators used only one and the same label (0/0)",
        sources="{cohen1960}; with weights {cohen1968}",
        example=0.4,
        measure=Measure(
            kernels.cohen_kappa,
            identified=True,
            annotators=2,
            takes_slots=False,
            observed_over="items",
        ),
        listed="two annotators",
        analytic=analytic.COHEN,
        null_error=analytic.COHEN_NULL,
    ),
    Coefficient(
        name="mean_pairwise_cohen_kappa",
        title="Mean pairwise kappa",
        summary="Light's kappa: the mean of Cohen's kappa over the pairs of annotators.",
        equation="mean over pairs a < b of kappa_ab, weighted v_a v_b",
        range="-1 to 1",
        attainable_minimum=attainable_minimum.with_pair_mean,
        undefined="no pair with enough common items; kappa 0/0 for every pair",
        sources="{light1971}",
        example=0.4,
        measure=_LIGHT,
        variants={
            "undefined_pairs": {
                "omit": _LIGHT,
                "zero": _pairwise(kappa.mean_pairwise_cohen_kappa_zero),
            }
        },
        pair_counts=kappa.pairs_counted,
        listed="more annotators",
    ),
    Coefficient(
        name="scott_pi",
        title="Scott's pi",
        summary="Two annotators, one label margin for both; for more it is Fleiss' kappa.",
        equation="1 - D_o / D_e, D_e = pi' D pi, pi_l = mean over rated items of r_il / n_i",
        range="-1 to 1; lower with single ratings",
        attainable_minimum=attainable_minimum.with_rated_margin,
        undefined=_ONE_LABEL,
        sources="{scott1955}",
        example=0.3939,
        measure=_exchangeable(kernels.scott_pi),
        listed="two annotators",
        analytic=analytic.FLEISS,
        null_error=analytic.FLEISS_NULL,
    ),
    Coefficient(
        name="fleiss_kappa",
        title="Fleiss' kappa",
        summary="Multi-pi: any number of annotators, one label margin (Siegel and Castellan).",
        equation="1 - D_o / D_e, D_e = pi' D pi, pi_l = mean over rated items of r_il / n_i",
        range="-1/(n - 1) to 1 for n ratings per item",
        attainable_minimum=attainable_minimum.with_rated_margin,
        undefined=_ONE_LABEL,
        sources="{fleiss1971}; {siegel1988}",
        example=0.3939,
        measure=_exchangeable(kernels.fleiss_kappa),
        listed="more annotators",
        analytic=analytic.FLEISS,
        null_error=analytic.FLEISS_NULL,
    ),
    Coefficient(
        name="conger_kappa",
        title="Conger's kappa",
        summary="Any number of annotators, each with label margins of their own.",
        equation="1 - D_o / D_e, D_e = mean over pairs a < b (v_a v_b) of p_a' D p_b, all ratings",
        range="-1/(k - 1) to 1 if k annotators rated the same items; lower with missing ratings",
        attainable_minimum=attainable_minimum.with_own_margins,
        undefined=_ONE_LABEL,
        sources="{conger1980}",
        example=0.4,
        measure=Measure(
            kernels.conger_kappa,
            identified=True,
            observed_over="items",
        ),
        analytic=analytic.CONGER,
    ),
    Coefficient(
        name="davies_fleiss_kappa",
        title="Davies and Fleiss' kappa",
        summary="Multi-kappa: agreement pooled over pairs, each on its common items.",
        equation="1 - mean D_o,ab / mean D_e,ab over pairs (v_a v_b), each on its common items",
        range="-1/(k - 1) to 1 if k annotators rated the same items, otherwise -1 to 1",
        attainable_minimum=attainable_minimum.with_pooled_pairs,
        undefined="no pair with enough common items; every rating on one label (0/0)",
        sources="{davies1982}",
        example=0.4,
        measure=_pairwise(kernels.davies_fleiss_kappa),
        pair_counts=partial(kappa.pairs_counted, leave_out=False),
        listed="more annotators",
    ),
    Coefficient(
        name="brennan_prediger",
        title="Brennan-Prediger",
        summary="Every label equally likely by chance (Bennett's S, Randolph's kappa, PABAK).",
        equation="(A - E) / (1 - E), E = sum(S) / L^2 for L labels: 1 / L when unweighted",
        range="-1/(L - 1) to 1 when unweighted",
        attainable_minimum=attainable_minimum.with_label_chance,
        undefined="no item with two ratings; only one label",
        sources="{brennan1981}; {bennett1954}; {randolph2005}",
        example=0.4,
        measure=_exchangeable(kernels.brennan_prediger),
        aliases=("bennett_s", "randolph_kappa", "pabak"),
        chance_from_labels_only=True,
        insensitive_to_rare_labels=True,
        analytic=analytic.BRENNAN_PREDIGER,
    ),
    Coefficient(
        name="gwet_ac1",
        title="Gwet's AC1",
        summary="Assumes chance agreement only on hard items; high if one label is rare.",
        equation="(A - E) / (1 - E), E = sum_l pi_l (1 - pi_l) / (L - 1)",
        range="-1/(L - 1) to 1",
        attainable_minimum=attainable_minimum.with_label_chance,
        undefined="no item with two ratings; only one label",
        sources="{gwet2008}",
        example=0.4059,
        measure=_exchangeable(kernels.gwet_ac1),
        takes_weights=False,
        weighted_form="gwet_ac2",
        insensitive_to_rare_labels=True,
        listed="unweighted",
        analytic=analytic.GWET,
    ),
    Coefficient(
        name="gwet_ac2",
        title="Gwet's AC2",
        summary="AC1 with weighted agreement between labels.",
        equation="(A - E) / (1 - E), E = sum(S) sum_l pi_l (1 - pi_l) / (L (L - 1))",
        range="below 0 to 1",
        attainable_minimum=attainable_minimum.with_label_chance,
        undefined="no item with two ratings; only one label",
        sources="{gwet2008}; with weights {gwet2014}, chapter 5",
        example=0.4059,
        measure=_exchangeable(kernels.gwet_ac2),
        listed="weighted",
        insensitive_to_rare_labels=True,
        analytic=analytic.GWET,
    ),
    Coefficient(
        name="krippendorff_alpha",
        title="Krippendorff's alpha",
        short="Alpha",
        summary="Any number of annotators, missing ratings; labels are names, ranks or numbers.",
        equation=(
            "1 - D_o / D_e, D_o = sum_i w_i n_i d_i / sum_i w_i n_i with d_i the mean distance of "
            "the item's pairs, D_e = the mean distance of all pairs of ratings of items with two "
            "or more, self-pairs left out"
        ),
        range="-1/(m - 1) to 1 if every item with two ratings has at least m",
        attainable_minimum=attainable_minimum.with_pairable_margin,
        self_pairs_left_out=True,
        undefined=_ONE_LABEL,
        sources="{krippendorff2004}, chapter 11; {hayes2007}",
        example=0.4,
        measure=_ALPHA,
        levels={
            "nominal": Level(
                _ALPHA,
                Measure(
                    kernels.krippendorff_alpha_nominal_values,
                    takes_values=True,
                    depends_on="order",
                ),
            ),
            "ordinal": Level(
                Measure(kernels.krippendorff_alpha_ordinal),
                Measure(
                    kernels.krippendorff_alpha_ordinal_values,
                    takes_values=True,
                    depends_on="order",
                ),
                weights="ordinal",
                needs_order=True,
            ),
            "interval": Level(
                _ALPHA,
                Measure(
                    kernels.krippendorff_alpha_interval,
                    takes_values=True,
                    depends_on="differences",
                ),
                distance=label_agreement.interval_distance,
                weights="quadratic",
                needs_numbers=True,
            ),
            "ratio": Level(
                _ALPHA,
                Measure(
                    kernels.krippendorff_alpha_ratio,
                    takes_values=True,
                    depends_on="ratios",
                ),
                distance=label_agreement.ratio_distance,
                weights="ratio",
                needs_numbers=True,
            ),
        },
        degree_in_p=4,
        analytic=analytic.ALPHA,
    ),
)
"""The coefficients in the order of lists and tables."""
