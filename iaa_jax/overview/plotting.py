"""Pictures of results on matplotlib's axes, drawn as on pages and in reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from iaa_jax._errors import IaaError

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

    from iaa_jax.pages import Page

    Result: TypeAlias = xr.Dataset | Mapping[str, xr.Dataset] | Page


def plot(result: Result, picture: str | None = None, ax: Axes | None = None) -> Axes:
    """Draw a picture of a result on matplotlib's axes, as on its page.

    Parameters
    ----------
    result : xarray.Dataset, mapping of Datasets, or Page
        The result of a function that has pictures, such as `iaa_jax.agreement` (coefficients with
        their intervals), `iaa_jax.labels` (the labels that others gave, by the label of an
        annotator), `iaa_jax.annotators` (kappa of each pair), `iaa_jax.items` and `iaa_jax.gold`
        (items by agreement, or by certainty), `iaa_jax.compare`, `iaa_jax.drift` and
        `iaa_jax.plan`; or a page of several results, or a report.
    picture : str, optional
        The picture's name on the page; the first by default.
    ax : matplotlib Axes, optional
        Axes to draw on; by default a new figure of the right size, which `matplotlib.pyplot` shows.

    Returns
    -------
    Axes
        The axes, whose artists hold the numbers of the result.

    Raises
    ------
    IaaError
        If matplotlib is missing, or the page has no such picture.

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> from matplotlib.figure import Figure
    >>> ratings = iaa.from_wide([["a", "a"]] * 12 + [["a", "b"]] * 4 + [["b", "b"]] * 9)
    >>> ax = iaa.plot(iaa.agreement(ratings), ax=Figure().add_subplot())
    >>> [label.get_text() for label in ax.get_yticklabels()][:2]
    ["Krippendorff's alpha", 'Percent agreement']
    """
    from iaa_jax.analyses import page as page_of
    from iaa_jax.pages import Page
    from iaa_jax.pages.cells import Speaker
    from iaa_jax.pages.drawing import compose, draw, size_of
    from iaa_jax.wording.spelling import in_python

    page = result if isinstance(result, Page) else page_of(result)
    # a picture of a report is drawn with the templates of the section that it belongs to
    owners = (page, *page.sections.values())
    pictures = {drawn.id: (owner, drawn) for owner in owners for drawn in owner.pictures}
    name = next(iter(drawn.id for drawn in page.pictures), None) if picture is None else picture
    if name not in pictures:
        raise IaaError(
            "this result has no such picture: it may belong to another function, or have nothing "
            f"to draw (its pictures: {', '.join(sorted(pictures)) or 'none'})"
        )
    owner, drawn = pictures[name]
    speaker = Speaker(owner, in_python)
    if ax is None:
        from matplotlib import pyplot

        figure = pyplot.figure(figsize=size_of(drawn), layout="constrained")
        return compose(figure, drawn, speaker)
    draw(ax, drawn, speaker)
    return ax
