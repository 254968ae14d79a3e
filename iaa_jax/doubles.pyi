# Written by tools/generate.py from the catalogue and the rows of the analyses.
"""What secondary labels add: sweeps over p, classes of items, patterns."""

import xarray as xr

from iaa_jax.analyses.doubles.patterns import patterns as patterns

def item_curves(
    ratings: xr.Dataset,
    *,
    p: object = 51,
    cuts: tuple[float, ...] = (0.6,),
    min_common: int = 2,
) -> xr.Dataset:
    """Augmented kappa of each item over p, and how many items lie above a cut-off.

    ``K'_i(p) = (A_i(p) - E(p)) / (1 - E(p))``, with A_i the mean credit over the pairs of the
    item's ratings, and E the chance agreement of all ratings, since one item has none. E is that of
    `iaa_jax.augmented_kappa`, the mean over pairs of annotators; for ratings without annotators
    that of `iaa_jax.fleiss_kappa`. With two annotators, or without missing ratings, the mean over
    items is ``augmented_kappa(pool="components")``.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with secondary labels.
    p : int or sequence of float
        A number of points from 0.5 to 1, or the points: shares of the primary label.
    cuts : tuple of float
        Cut-offs; an item counts where its figure is larger.
    min_common : int
        Common items that a pair of annotators needs to enter the chance agreement.

    Returns
    -------
    xarray.Dataset
        Along ``item`` and ``p``: ``estimate`` K'_i and ``agreement`` A_i, NaN for items with fewer
        than two ratings; ``expected`` E along ``p``; ``items_above`` and ``share_above`` (of the
        items with two ratings) along ``cut`` and ``p``. The ``conclusion`` is "measured", or
        "undefined" where no item has a figure.

    Raises
    ------
    IaaError
        If no rating has a secondary label.

    References
    ----------
    Rosenberg, A. and Binkowski, E. (2004). Augmenting the kappa statistic to determine
    interannotator reliability for multiply labeled data points. HLT-NAACL 2004, section 6.
    https://doi.org/10.3115/1613984.1614004

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> columns = {"item": [1, 1, 2, 2, 3, 3], "annotator": ["x", "y"] * 3}
    >>> columns |= {"label": list("abbbcc"), "secondary": ["b", "a", None, "a", "a", "a"]}
    >>> ratings = iaa.from_long(columns, secondary="secondary")
    >>> iaa.doubles.item_curves(ratings, p=[0.5, 1.0]).estimate.round(3).values
    array([[ 0.217, -0.5  ],
           [ 0.217,  1.   ],
           [ 0.217,  1.   ]])
    """

def item_classes(
    ratings: xr.Dataset,
    *,
    tau: float = 0.05,
    high: float = 0.6,
    min_common: int = 2,
) -> xr.Dataset:
    """The four classes of items by how their agreement moves with p.

    With ``delta = K'_i(1) - K'_i(0.5)`` an item is constant where ``|delta| <= tau``, and then in
    class 1 (constant high) where ``K'_i(1) > high``, else in class 2 (constant low). Class 3
    (better at p = 1) has ``delta > tau``: the annotators agree on the primary label, but not on the
    use of the secondary one. Class 4 (better at p = 0.5) has ``delta < -tau``: the same labels with
    primary and secondary exchanged.

    The source gives no thresholds; its counts fit a cut-off at p = 1. Read literally, two identical
    doubles score 1 at p = 1 and 0.5 at p = 0.5, so that perfect agreement falls into class 3. The
    normalised reading scales ratings to unit length, where identical doubles score 1 at every p,
    and takes the chance agreement at p = 1 for both ends. Both are given, and ``moved`` marks the
    items whose class depends on it.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with secondary labels.
    tau, high : float
        Thresholds: the largest change that counts as constant, and the figure above which an item
        is high.
    min_common : int
        Common items that a pair of annotators needs to enter the chance agreement.

    Returns
    -------
    xarray.Dataset
        Along ``item``: ``at_half``, ``at_one``, ``delta`` and ``item_class`` (0 for items with
        fewer than two ratings), each along ``reading`` ("literal", "normalised") too, and
        ``moved``; ``count`` and ``share`` (of the items with two ratings) along ``reading`` and
        ``item_class_number``, whose names are ``class_name``. The ``conclusion`` is
        "readings_differ" or "readings_agree" (``moved_items`` counts items whose class differs
        between them), or "no_class" where no item has one.

    Raises
    ------
    IaaError
        If no rating has a secondary label, or a threshold is out of range.

    References
    ----------
    Rosenberg, A. and Binkowski, E. (2004), section 6. https://doi.org/10.3115/1613984.1614004

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> columns = {"item": [1, 1, 2, 2, 3, 3], "annotator": ["x", "y"] * 3}
    >>> columns |= {"label": list("abbbcc"), "secondary": ["b", "a", None, "a", "a", "a"]}
    >>> ratings = iaa.from_long(columns, secondary="secondary")
    >>> classes = iaa.doubles.item_classes(ratings)
    >>> classes.item_class.sel(reading="literal").values, classes.moved.values
    (array([4, 3, 3]), array([False, False,  True]))
    """

def labels(
    ratings: xr.Dataset,
    *,
    top: int = 10,
    p: object = (0.5, 1.0),
    tau: float = 0.05,
    high: float = 0.6,
    min_common: int = 2,
) -> xr.Dataset:
    """Label pairs that might be worth a category of their own.

    A pair is *promoted* by reading each double of its two labels, in either order, as a single
    label of its own. Ratings with one of the two labels alone then disagree with it, so that the
    gain may be negative.

    Parameters
    ----------
    ratings : xarray.Dataset
        Ratings with secondary labels.
    top : int
        How many of the most frequent pairs.
    p : int or sequence of float
        A number of points from 0.5 to 1, or the points: shares of the primary label.
    tau, high : float
        Thresholds of the classes: see `iaa_jax.doubles.item_classes`.
    min_common : int
        Common items that a pair of annotators needs to enter the chance agreement.

    Returns
    -------
    xarray.Dataset
        Along ``pair`` (named "a + b"), most frequent first: the labels ``first`` and ``second``;
        ``ratings``, how many doubles they make, with ``first_is_primary`` of them; their ``share``
        of all doubles; ``items`` with two ratings on which they occur, ``class_4_items`` of these
        (literal reading) and their share ``class_4_share``; and along ``p`` too the ``gain`` in
        augmented kappa if the pair is promoted (in Fleiss' kappa for ratings without annotators).
        The ``estimate`` before that is along ``p``. The ``conclusion`` is "gain" where one of the
        pairs gains at some p, else "no_gain"; ``pairs_used`` counts all pairs.

    Raises
    ------
    IaaError
        If no rating has a secondary label, or an option is out of range.

    References
    ----------
    Rosenberg, A. and Binkowski, E. (2004), footnote 2. https://doi.org/10.3115/1613984.1614004

    Examples
    --------
    >>> import iaa_jax as iaa
    >>> columns = {"item": [1, 1, 2, 2, 3, 3], "annotator": ["x", "y"] * 3}
    >>> columns |= {"label": list("abbbcc"), "secondary": ["b", "a", None, "a", "a", "a"]}
    >>> ratings = iaa.from_long(columns, secondary="secondary")
    >>> pairs = iaa.doubles.labels(ratings, p=[1.0])
    >>> pairs.ratings.to_series().to_dict(), pairs.gain.round(3).values.tolist()
    ({'a + b': 3.0, 'a + c': 2.0}, [[0.0], [0.0]])
    """
