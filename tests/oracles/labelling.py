"""Methods that make gold labels as slow, literal loops over votes, each after its paper.

A vote is (item, annotator, label), three numbers from 0; who gave an item the same label twice
stands there twice. Dawid, A. P. and Skene, A. M. (1979), JRSS C 28; Zhang, Y. et al. (2016), JMLR
17; Sinha, V. B. et al. (2018), arXiv 1803.02781; Hovy, D. et al. (2013), NAACL-HLT; Whitehill, J.
et al. (2009), NIPS.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scipy.special import digamma, gammaln

Vote = tuple[int, int, int]
Table = list[list[float]]

CLIP = 1e-10


@dataclass(frozen=True)
class Task:
    """Votes, and how many items, annotators and labels there are."""

    votes: list[Vote]
    items: int
    annotators: int
    labels: int

    def item_votes(self, item: int) -> list[tuple[int, int]]:
        return [(a, label) for i, a, label in self.votes if i == item]


def vote_shares(task: Task, weight: Sequence[float] | None = None) -> Table:
    """Shares of the votes; even ones where there is none, plain ones where none weighs."""
    shares = []
    for item in range(task.items):
        row = [0.0] * task.labels
        for annotator, label in task.item_votes(item):
            row[label] += 1.0 if weight is None else weight[annotator]
        if sum(row) == 0:
            plain = [
                sum(told == label for _, told in task.item_votes(item))
                for label in range(task.labels)
            ]
            row = [float(x) for x in plain] if sum(plain) else [1.0] * task.labels
        shares.append([x / sum(row) for x in row])
    return shares


def first_label(row: Sequence[float]) -> int:
    """The label with most, the first of those that are as good as tied."""
    return next(k for k, x in enumerate(row) if x >= max(row) - 1e-9)


def agreement(task: Task, gold: Sequence[int | None]) -> list[float]:
    """The share of each annotator's votes that are the gold label, NaN without any."""
    result = []
    for annotator in range(task.annotators):
        own = [(i, label) for i, a, label in task.votes if a == annotator and gold[i] is not None]
        hits = sum(label == gold[i] for i, label in own)
        result.append(hits / len(own) if own else math.nan)
    return result


def skills_by_control(task: Task, skills: list[float], known: dict[int, int] | None) -> list[float]:
    """Skill on control items where an annotator has any."""
    shown = agreement(task, [(known or {}).get(item) for item in range(task.items)])
    return [own if math.isnan(at) else at for own, at in zip(skills, shown, strict=True)]


def _counting(skills: Sequence[float]) -> list[float]:
    return [0.0 if math.isnan(skill) else skill for skill in skills]


def wawa(task: Task, known: dict[int, int] | None = None) -> tuple[Table, list[float]]:
    """A vote by agreement with the majority."""
    majority: list[int | None] = [first_label(row) for row in vote_shares(task)]
    skills = skills_by_control(task, agreement(task, majority), known)
    return vote_shares(task, _counting(skills)), skills


def zero_based_skill(
    task: Task, rounds: int = 100, known: dict[int, int] | None = None
) -> tuple[Table, list[float]]:
    """Rounds of a weighted vote and a step of skills; the step is halved every 20 rounds."""
    known = known or {}
    rate = 1.0
    skills = [1 / task.labels + 1e-5] * task.annotators
    skills = skills_by_control(task, skills, known)
    for number in range(1, rounds + 1):
        if number % 20 == 0:
            rate /= 2
        gold: list[int | None] = [first_label(row) for row in vote_shares(task, skills)]
        for item, label in known.items():
            gold[item] = label
        now = skills_by_control(task, agreement(task, gold), known)
        skills = [
            skill if math.isnan(at) else skill + rate * (at - skill)
            for skill, at in zip(skills, now, strict=True)
        ]
    voted = {a for _, a, _ in task.votes}
    shares = vote_shares(task, skills)
    return shares, [skill if a in voted else math.nan for a, skill in enumerate(skills)]


@dataclass
class Model:
    """The model's prior, confusion matrices and posterior."""

    posterior: Table
    prior: list[float]
    confusion: list[Table]
    log_likelihood: float = math.nan


def _clamp(posterior: Table, known: dict[int, int] | None) -> Table:
    rows = [list(row) for row in posterior]
    for item, label in (known or {}).items():
        rows[item] = [float(k == label) for k in range(len(rows[item]))]
    return rows


def _clip(row: Sequence[float]) -> list[float]:
    total = sum(row)
    shares = [max(x / total if total else 0.0, CLIP) for x in row]
    return [x / sum(shares) for x in shares]


def confusion_matrices(task: Task, posterior: Table) -> list[Table]:
    """Error rates of each annotator from expected counts."""
    counts = _expected(task, posterior)
    return [[_clip(row) for row in matrix] for matrix in counts]


def _expected(task: Task, posterior: Table) -> list[Table]:
    size = range(task.labels)
    counts = [[[0.0 for _ in size] for _ in size] for _ in range(task.annotators)]
    for item, annotator, label in task.votes:
        for true in size:
            counts[annotator][true][label] += posterior[item][true]
    return counts


def one_coin_matrices(task: Task, posterior: Table) -> list[Table]:
    """One probability of being right, the rest shared equally."""
    matrices = []
    others = max(task.labels - 1, 1)
    for annotator in range(task.annotators):
        own = [(item, label) for item, a, label in task.votes if a == annotator]
        right = sum(posterior[item][label] for item, label in own)
        skill = right / len(own) if own else 1 / task.labels
        rows = [
            [skill if true == label else (1 - skill) / others for label in range(task.labels)]
            for true in range(task.labels)
        ]
        matrices.append([_clip(row) for row in rows])
    return matrices


def maximise(task: Task, posterior: Table, matrices: Any = confusion_matrices) -> Model:
    """Prior and matrices from the posterior."""
    prior = [sum(row[k] for row in posterior) / task.items for k in range(task.labels)]
    return Model(posterior, prior, matrices(task, posterior))


def expect(task: Task, model: Model, known: dict[int, int] | None = None) -> tuple[Table, float]:
    """The posterior of labels, and the log likelihood."""
    posterior, likelihood = [], 0.0
    for item in range(task.items):
        logs = []
        for true in range(task.labels):
            log = math.log(max(model.prior[true], 1e-300))
            for annotator, label in task.item_votes(item):
                log += math.log(model.confusion[annotator][true][label])
            logs.append(log)
        if known and item in known:
            logs = [log if true == known[item] else -math.inf for true, log in enumerate(logs)]
        top = max(logs)
        total = sum(math.exp(log - top) for log in logs)
        posterior.append([math.exp(log - top) / total for log in logs])
        likelihood += top + math.log(total)
    return posterior, likelihood


def dawid_skene(
    task: Task,
    rounds: int,
    matrices: Any = confusion_matrices,
    *,
    hard: bool = False,
    known: dict[int, int] | None = None,
    start: Table | None = None,
) -> Model:
    """EM from the shares of the votes; ``hard`` takes the best label for certain."""

    def settled(posterior: Table) -> Table:
        if not hard:
            return posterior
        firsts = [first_label(row) for row in posterior]
        return [[float(k == first) for k in range(task.labels)] for first in firsts]

    first = _clamp(start or vote_shares(task), known)
    model = maximise(task, settled(first), matrices)
    for _ in range(rounds):
        posterior, likelihood = expect(task, model, known)
        model = maximise(task, settled(posterior), matrices)
        model.log_likelihood = likelihood
    return model


@dataclass
class Spammers:
    """The state of MACE: pseudo counts of competence and of spam."""

    posterior: Table
    knows: list[float]
    spams: list[float]
    spam_labels: Table
    bound: float = math.nan

    @property
    def competence(self) -> list[float]:
        return [k / (k + s) for k, s in zip(self.knows, self.spams, strict=True)]


def mace(
    task: Task,
    rounds: int,
    priors: tuple[float, float, float] = (0.5, 0.5, 10.0),
    known: dict[int, int] | None = None,
) -> Spammers:
    """Variational Bayes; the true label of an item, and of each vote whether it is spam."""
    labels = task.labels
    theta = [0.5] * task.annotators
    psi = [0.5] * task.annotators
    xi = [[1 / labels] * labels for _ in range(task.annotators)]
    posterior = _clamp(vote_shares(task), known)
    bound = math.nan
    knows: list[float] = []
    spams: list[float] = []
    spam_labels: Table = []
    for number in range(rounds + 1):
        if number:
            posterior, bound = [], 0.0
            for item in range(task.items):
                products = []
                for true in range(labels):
                    product = 1 / labels
                    for a, label in task.item_votes(item):
                        product *= theta[a] * (label == true) + psi[a] * xi[a][label]
                    products.append(product)
                if known and item in known:
                    products = [x if t == known[item] else 0.0 for t, x in enumerate(products)]
                posterior.append([x / sum(products) for x in products])
                bound += math.log(sum(products))
            for a in range(task.annotators):
                bound -= _dirichlet_divergence([knows[a], spams[a]], list(priors[:2]))
                bound -= _dirichlet_divergence(spam_labels[a], [priors[2]] * labels)
        knows = [priors[0]] * task.annotators
        spams = [priors[1]] * task.annotators
        spam_labels = [[priors[2]] * labels for _ in range(task.annotators)]
        for item, a, label in task.votes:
            for true in range(labels):
                knew = theta[a] * (label == true)
                spammed = psi[a] * xi[a][label]
                share = posterior[item][true] / (knew + spammed)
                knows[a] += share * knew
                spams[a] += share * spammed
                spam_labels[a][label] += share * spammed
        theta = [math.exp(digamma(k) - digamma(k + s)) for k, s in zip(knows, spams, strict=True)]
        psi = [math.exp(digamma(s) - digamma(k + s)) for k, s in zip(knows, spams, strict=True)]
        xi = [[math.exp(digamma(x) - digamma(sum(row))) for x in row] for row in spam_labels]
    return Spammers(posterior, knows, spams, spam_labels, bound)


def _dirichlet_divergence(posterior: list[float], prior: list[float]) -> float:
    value = gammaln(sum(posterior)) - gammaln(sum(prior))
    for q, p in zip(posterior, prior, strict=True):
        value += gammaln(p) - gammaln(q) + (q - p) * (digamma(q) - digamma(sum(posterior)))
    return float(value)


def glad_posterior(
    task: Task,
    ability: Sequence[float],
    log_ease: Sequence[float],
    known: dict[int, int] | None = None,
) -> tuple[Table, float]:
    """The posterior of labels, and the log likelihood with the densities of the priors."""
    posterior = []
    total = -sum((x - 1) ** 2 / 2 for x in ability) - sum((x - 1) ** 2 / 2 for x in log_ease)
    for item in range(task.items):
        products = []
        for true in range(task.labels):
            product = 1 / task.labels
            for annotator, label in task.item_votes(item):
                right = 1 / (1 + math.exp(-ability[annotator] * math.exp(log_ease[item])))
                others = max(task.labels - 1, 1)
                product *= right if label == true else (1 - right) / others
            products.append(product)
        if known and item in known:
            products = [x if true == known[item] else 0.0 for true, x in enumerate(products)]
        posterior.append([x / sum(products) for x in products])
        total += math.log(sum(products))
    return posterior, total
