"""The `Sampling` option: what is random in the ratings."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from iaa_jax._checks import check_choice, check_kind, is_number
from iaa_jax._errors import IaaError, OptionError
from iaa_jax.wording import named

if TYPE_CHECKING:
    from iaa_jax._types import Attributes
    from iaa_jax.engine.devices import Device


@dataclass(frozen=True)
class Sampling:
    """The sampling: which parts of the ratings another sample would draw anew.

    By default items are random, drawn one by one, and annotators are fixed, except for coefficients
    whose name says that annotators are random (icc2, icc2k).

    Parameters
    ----------
    cluster : str, optional
        A coordinate along ``item`` (document, thread, ...): whole clusters are drawn.
    annotators : {None, "fixed", "random"}
        "random" draws annotators too, so that the interval generalises to other annotators; with
        "fixed", it is about these annotators only. None means "fixed", except for coefficients
        whose name says that annotators are random.
    population : float, optional
        Number of items in the population that the items were sampled from: the larger the rated
        share of the population, the smaller the uncertainty.
    bayesian : bool
        Whether items get weights from a Dirichlet distribution (Rubin 1981), instead of being drawn
        with replacement. Replicates are then draws from the posterior of the coefficient.

    References
    ----------
    Rubin, D. B. (1981). The Bayesian bootstrap. Annals of Statistics 9(1).
    https://doi.org/10.1214/aos/1176345338
    Owen, A. B. (2007). The pigeonhole bootstrap. Annals of Applied Statistics 1(2).
    https://doi.org/10.1214/07-AOAS122
    Rao, J. N. K. and Wu, C. F. J. (1988). Resampling inference with complex survey data. Journal
    of the American Statistical Association 83(401).
    https://doi.org/10.1080/01621459.1988.10478591

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> ratings = iaa.from_wide([["a", "a"]] * 12 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    >>> ratings = ratings.assign_coords(document=("item", [k // 3 for k in range(25)]))
    >>> result = iaa.cohen_kappa(ratings, sampling=iaa.Sampling(cluster="document"))
    >>> [round(float(end), 3) for end in (result.ci_low, result.ci_high)]
    [-0.433, 0.972]
    """

    cluster: str | None = None
    annotators: str | None = None
    population: float | None = None
    bayesian: bool = False

    def __post_init__(self) -> None:
        check_choice("annotators", self.annotators, ("fixed", "random", None))
        check_kind("bayesian", self.bayesian, bool)
        if not (self.cluster is None or isinstance(self.cluster, str)):
            raise IaaError(
                f"{named('cluster')} must name a coordinate along items, not {self.cluster!r}"
            )
        if self.population is not None and not (is_number(self.population) and self.population > 0):
            raise OptionError(
                f"{named('population')} must be a number above 0, not {self.population!r}"
            )

    @property
    def draws_annotators(self) -> bool:
        """Whether annotators are drawn too."""
        return self.annotators == "random"

    @property
    def units(self) -> str:
        """The names of the random units."""
        units = "items" if self.cluster is None else "clusters"
        return f"{units} and annotators" if self.draws_annotators else units

    def record(self) -> dict[str, object]:
        """Return the settings that change the default draws, as attributes of a result."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            f"sampling_{name}": int(value) if isinstance(value, bool) else value
            for name, value in values.items()
            if value not in (None, False, "fixed")
        }


def sampling_from(attrs: Attributes) -> Sampling:
    """Return the sampling that the attributes of a result record."""
    names = [field.name for field in fields(Sampling)]
    values = {name: attrs[f"sampling_{name}"] for name in names if f"sampling_{name}" in attrs}
    return Sampling(**values | {"bayesian": bool(values.get("bayesian", False))})


def resampling_text(random: Sampling, device: Device | None) -> str:
    """Return a description of the draws, for the attributes of a result."""
    units = "items" if random.cluster is None else f"clusters of items by {random.cluster}"
    if random.draws_annotators:
        units += " and annotators"
    drawn = "Dirichlet weights" if random.bayesian else "multinomial"
    streams = "Philox streams of 64 replicates"
    if device == "gpu":
        streams = "a Threefry key for each replicate"
    text = f"{units}, {drawn}, {streams}"
    if random.population is not None:
        text += f", finite population of {random.population:g} items"
    return text
