"""Pictures of results on matplotlib's axes: the same as on pages and in reports.

Each function takes a result, or the page of several, and draws on ``ax``, or on the current axes.
They need matplotlib: ``pip install 'iaa_jax[plot]'``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from iaa_jax._errors import IaaError

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

    from iaa_jax.pages import Page

    Result: TypeAlias = xr.Dataset | Mapping[str, xr.Dataset] | Page

__all__ = ["annotators", "confusion", "drift", "forest", "gold", "items", "plan", "sweep"]


def forest(result: Result, ax: Axes | None = None) -> Axes:
    """Coefficients side by side, each with its interval: of `iaa_jax.agreement`, `iaa_jax.agree`.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> from matplotlib.figure import Figure
    >>> ratings = iaa.from_wide([["a", "a"]] * 12 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    >>> ax = iaa.plot.forest(iaa.agreement(ratings), ax=Figure().add_subplot())
    >>> [label.get_text() for label in ax.get_yticklabels()][:2]
    ["Krippendorff's alpha", 'Percent agreement']
    """
    return _draw(result, "coefficients_drawn", ax)


def confusion(result: Result, ax: Axes | None = None) -> Axes:
    """Which label others gave where an annotator gave one: of `iaa_jax.labels`."""
    return _draw(result, "labels_confused", ax)


def annotators(result: Result, ax: Axes | None = None) -> Axes:
    """Kappa of each pair of annotators, those who agree side by side: of `iaa_jax.annotators`."""
    return _draw(result, "pairs_of_annotators", ax)


def items(result: Result, ax: Axes | None = None) -> Axes:
    """How many items there are of each agreement: of `iaa_jax.items`."""
    return _draw(result, "items_by_agreement", ax)


def gold(result: Result, ax: Axes | None = None) -> Axes:
    """How many items there are of each certainty of the gold label: of `iaa_jax.gold`."""
    return _draw(result, "items_by_certainty", ax)


def sweep(result: Result, ax: Axes | None = None) -> Axes:
    """A coefficient over p, the share of the primary label: of `iaa_jax.sweep`."""
    return _draw(result, "curve", ax)


def drift(result: Result, ax: Axes | None = None) -> Axes:
    """A coefficient over times or batches: of `iaa_jax.drift`."""
    return _draw(result, "course", ax)


def plan(result: Result, ax: Axes | None = None) -> Axes:
    """How precise, or how powerful, more items and annotators would be: of `iaa_jax.plan`."""
    return _draw(result, "precision", ax)


def _draw(result: Result, id: str, ax: Axes | None) -> Axes:
    """The picture of this name on the page of a result, on axes."""
    from iaa_jax.analyses import page as page_of
    from iaa_jax.pages import Page
    from iaa_jax.pages.cells import Speaker
    from iaa_jax.pages.figures import check_matplotlib, draw
    from iaa_jax.wording.spelling import in_python

    check_matplotlib()
    page = result if isinstance(result, Page) else page_of(result)
    owners = (*page.sections.values(), page)  # whose words say what is in a picture
    found = ((owner, each) for owner in owners for each in owner.pictures if each.id == id)
    owner, picture = next(found, (page, None))
    if picture is None:
        others = ", ".join(sorted(each.id for each in page.pictures)) or "none"
        message = (
            "this result has no such picture: it may be that of another function, or have nothing "
            f"to draw (its pictures: {others})"
        )
        raise IaaError(message)
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.gca()
    draw(ax, picture, Speaker(owner, in_python), titled=False)
    return ax
