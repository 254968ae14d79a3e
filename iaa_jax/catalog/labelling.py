"""The catalogue of methods that make gold labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from iaa_jax.catalog.works import Sourced
from iaa_jax.kernels.labelling import (
    dawid_skene,
    expert_coder,
    glad,
    mace,
    sharpening,
    voting,
    zero_based_skill,
)
from iaa_jax.kernels.labelling.method import Method, Options


@dataclass(frozen=True)
class LabellingMethod(Sourced):
    """A method that makes gold labels from annotators' votes.

    Attributes
    ----------
    name, title, summary : str
        ``title`` is for headings; ``summary`` describes the method in a sentence or two.
    equation : str
        The probability of a label, given the votes.
    skill : str
        Definition of an annotator's skill, for a heading.
    method : Method
        Functions that compute its initial state and the next state.
    data : {"votes", "masses"}
        The data it uses. Votes are counts, so an annotator may have several on an item. Masses are
        ratings as distributions over the labels, one per annotator and item.
    modelled : bool
        Whether its probabilities come from a model with a likelihood.
    weighted : bool
        Whether votes are weighted by their annotator's skill; False for methods with a model.
    sets, anonymous : bool
        Whether it takes label sets, and whether it takes counts without annotators.
    strict : bool
        Whether a label needs more than half of the votes; if no label has that many, the label of
        the best annotator is chosen.
    options : NamedTuple
        Its numerical options with their defaults; () if it has none.
    skill_is_share : bool
        Whether skills lie between 0 and 1, as probabilities or shares of votes.
    steps : int
        Maximum number of steps.
    step_cost : float
        The time of a step, as a multiple of a Dawid-Skene step.
    further_steps : int
        A fit to resampled data is expected to take, on average, at most 1.5 times the steps of the
        fit to the original data, plus ``further_steps``. Few of 20 simulated crowds (of 60 to 900
        items) exceeded this bound.
    phrase : str
        Its name within a sentence, if that is not the title.
    sources : str
        The publications that define it, by keys of `works.bib`.
    """

    name: str
    title: str
    summary: str
    equation: str
    skill: str
    method: Method
    sources: str
    phrase: str = ""
    data: Literal["votes", "masses"] = "votes"
    modelled: bool = False
    weighted: bool = False
    sets: bool = False
    anonymous: bool = False
    strict: bool = False
    options: Options = ()
    skill_is_share: bool = True
    steps: int = 5000
    step_cost: float = 1.0
    further_steps: int = 0

    @property
    def in_words(self) -> str:
        """The name within a sentence, as in "by majority"."""
        return self.phrase or self.title

    @property
    def votes(self) -> bool:
        """Whether several votes of an annotator on an item count separately."""
        return self.data == "votes"


_EM = "P_it ~ pi_t prod_al c_atl^n_ial"

ROWS = (
    LabellingMethod(
        name="majority",
        title="Majority",
        phrase="majority",
        summary="Every vote counts the same.",
        equation="P_il = sum_a n_ial / n_i",
        skill="share of the annotator's votes for the gold label (fractional where tied)",
        method=voting.MAJORITY,
        sets=True,
        anonymous=True,
        sources="{artstein2008}",
    ),
    LabellingMethod(
        name="wawa",
        title="Wawa",
        summary="Votes are weighted by how often their annotator agrees with the majority.",
        equation="P_il = sum_a s_a n_ial / sum_al s_a n_ial, s_a = agreement with the majority",
        skill="agreement with the majority",
        method=voting.WAWA,
        weighted=True,
        sources="{appen} (worker agreement with aggregate)",
    ),
    LabellingMethod(
        name="expert_coder_index",
        title="Expert Coder Index",
        phrase="the Expert Coder Index",
        summary="The label with over half of the votes, or otherwise the label of the annotator "
        "who agrees most with the others.",
        equation="P_il = sum_a n_ial / n_i > 1/2, otherwise n_ial of the a with the highest index",
        skill="share of comparisons with others that agree",
        method=expert_coder.EXPERT_CODER,
        sources="{bhowmick2008}",
        data="masses",
        sets=True,
        strict=True,
    ),
    LabellingMethod(
        name="zero_based_skill",
        title="Zero-based skill",
        phrase="zero-based skill",
        summary="Votes are weighted by skill, which is learned in 100 steps from agreement with "
        "the weighted vote.",
        equation=(
            "P_il = sum_a s_a n_ial / sum_al s_a n_ial, s_a += rate (agreement with the vote - s_a)"
        ),
        skill="agreement with the weighted vote",
        method=zero_based_skill.ZERO_BASED_SKILL,
        options=zero_based_skill.LearningRate(),
        weighted=True,
        steps=100,
        sources="Crowd-Kit ({ustalov2024})",
    ),
    LabellingMethod(
        name="dawid_skene",
        title="Dawid and Skene",
        phrase="the model of Dawid and Skene",
        summary="Every annotator has a confusion matrix; EM estimates labels and matrices.",
        equation=_EM,
        skill="probability of the true label",
        method=dawid_skene.DAWID_SKENE,
        sources="{dawid1979}",
        further_steps=150,
        modelled=True,
    ),
    LabellingMethod(
        name="fast_dawid_skene",
        title="Fast Dawid and Skene",
        phrase="the fast model of Dawid and Skene",
        summary="Dawid and Skene with hard labels at every step, which converges sooner.",
        equation=f"{_EM}, with P set to 1 for the most probable label",
        skill="probability of the true label",
        method=dawid_skene.FAST_DAWID_SKENE,
        sources="{sinha2018}",
        further_steps=10,
        modelled=True,
    ),
    LabellingMethod(
        name="one_coin",
        title="One-coin Dawid and Skene",
        phrase="the one-coin model of Dawid and Skene",
        summary="Every annotator has one skill for all labels; EM estimates labels and skills.",
        equation=f"{_EM}, with c_att = s_a and the rest shared equally",
        skill="probability of the true label",
        method=dawid_skene.ONE_COIN,
        sources="{zhang2016}",
        further_steps=300,
        modelled=True,
    ),
    LabellingMethod(
        name="mace",
        title="MACE",
        summary="Annotators know the true label, or draw one from their spam distribution; "
        "variational Bayes estimates labels, competence and spam.",
        equation=f"{_EM}, with c_atl = theta_a [l = t] + (1 - theta_a) xi_al and uniform pi",
        skill="competence: probability of knowing the true label",
        method=mace.MACE,
        options=mace.MacePriors(),
        step_cost=2.0,
        further_steps=50,
        sources="{hovy2013}",
        modelled=True,
    ),
    LabellingMethod(
        name="glad",
        title="GLAD",
        summary="Annotators have an ability and items a difficulty; EM estimates them and labels.",
        equation="P_it ~ prod_a p_ia^n_iat ((1 - p_ia) / (L - 1))^(n_ia - n_iat), "
        "p_ia = 1 / (1 + exp(-alpha_a beta_i))",
        skill="ability alpha: log odds of being right on an item with beta = 1",
        skill_is_share=False,
        method=glad.GLAD,
        options=glad.GladPriors(),
        further_steps=50,
        step_cost=7.0,  # ratings are processed one by one, several times
        sources="{whitehill2009}",
        modelled=True,
    ),
    LabellingMethod(
        name="sharpen",
        title="Sharpening",
        phrase="sharpening",
        summary="Votes weighted by the annotator's kappa with the weighted ratings of the others.",
        equation="P_il = sum_a v_a m_ial / sum_a v_a, v_a = kappa with the others, weighted by v",
        skill="weight, 1 on average",
        skill_is_share=False,
        method=sharpening.SHARPENING,
        weighted=True,
        sources="after {rosenberg2004}",
        data="masses",
        steps=500,
    ),
)

TIES = ("first", "none", "median")
"""The gold label of a tied item: the first of the tied labels, none, or the one nearest to the
median of the votes."""

INDEXES = ("percent_agreement", "am_agreement")
"""Coefficients by which the Expert Coder Index of label sets can compare two annotators."""

STRICT, PARTIAL, BOUNDARY = "strict", "partial", "boundary"
SPAN_MATCHES = (STRICT, PARTIAL, BOUNDARY)
"""Conditions under which marked spans count as one candidate for gold: in this order, they have the
same boundaries and label, they overlap, or they have the same boundaries."""

METHODS: Mapping[str, LabellingMethod] = MappingProxyType({row.name: row for row in ROWS})
"""Every method by name, in the order in which methods are listed."""
