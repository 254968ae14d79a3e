"""Sizes of blocks, and sizes at which the code switches to another way of computing a result.

Except for rounding, results do not depend on these sizes; memory and speed do. Each size has a low
value in `tests/routes`, so that tests take both ways on small data.

A pattern is a distinct combination of ratings, with the number of items that have it. A kernel is
the function that computes a coefficient, in most cases from weighted sums over patterns, whose
summands are called statistics. A slot is an item's first, second, ... rating, whoever gave it. A
row of weights holds the weights of the patterns in one replicate. A panel is a set of annotators.
"""

from __future__ import annotations

# Approximate maximum sizes of the blocks into which large computations are split

SUMMED_TOGETHER = 1 << 11
"""Patterns per block when statistics are summed: few enough for the processor's cache."""

LAID_OUT_TOGETHER = 1 << 19
"""Cells (pattern, pair of slots, label) per block when pairs of ratings are compared."""

ROWS_TOGETHER = 1 << 19
"""Cells (replicate, sum or weight) that NumPy computes in one batch."""

FORMULA_CELLS = 1 << 17
"""Sums that a NumPy formula reads in one batch: few enough for the processor's cache."""

FIGURES_HELD = 1 << 25
"""Replicated values of all annotators that are kept in memory together (256 MB)."""

ON_THIS_THREAD = 1 << 18
"""Multiplications in each part of a matrix product: so few that OpenBLAS uses a single thread."""

KERNEL_CELLS = 1 << 22
"""Cells of data per block, if a kernel is not a function of sums over patterns."""

DEVICE_CELLS, DEVICE_ROWS = 1 << 28, 1024
"""Cells of data (2 GB) and rows of weights per block if a kernel runs on a GPU or TPU."""

GRADIENTS_TOGETHER = 1024
"""Maximum number of rows of weights per block whose gradients are computed."""

GRADIENT_CELLS = 1 << 22
"""Maximum number of cells of the gradients in a block."""

CURVATURE_CELLS = 1 << 20
"""Cells, per block, of the directions along which second derivatives are computed."""

CURVATURES_TOGETHER = 1024
"""Maximum number of directions of second derivatives per block."""

TERMS_TOGETHER = 1 << 22
"""Statistics of items per block, when `iaa_jax.watch` compares items in small groups."""

SWEEP_CELLS = 1 << 21
"""Cells (pattern, value of p) per block of a sweep over p, the share of a primary label."""

SWEEP_KEPT = 1 << 24
"""Maximum number of weights, in all replicates, that a sweep over p keeps instead of drawing anew.
"""

PANELS_TOGETHER = 1024
"""Panels that are passed to compiled code in a single call."""

LOOKED_UP = 1 << 19
"""Statistics of panels that are looked up in one batch: few enough for the processor's cache."""

DRAWN_TOGETHER = 1 << 22
"""Weights per block when rows of weights are drawn."""

DRAWN_HELD = 1 << 25
"""Weights that all threads together may hold."""

DRAWN_BY_THREADS = 1 << 16
"""Minimum number of weights that are worth a thread of their own."""

DRAWN_LONG = 1 << 28
"""Number of weights above which a message mentions an unused GPU.

Drawing so many weights takes the processor seconds.
"""

DRAWN_NEAR = 1 << 15
"""Random numbers that are drawn in one batch: few enough for the processor's cache."""

SHUFFLED_TOGETHER = 1 << 17
"""Ratings of one annotator that are permuted in one batch."""

FIT_CELLS = 1 << 24
"""Probabilities that are kept in memory together (128 MB) while models of labelling are fitted."""

DEVICE_FIT_CELLS = 1 << 26
"""Probabilities that a device keeps together (512 MB) while models of labelling are fitted."""

COUPLES_TOGETHER = 1 << 22
"""Pairs of spans that may overlap and are listed together (about 500 MB)."""

COUPLES_IN_TURN = 1 << 16
"""Pairs of spans per block of greedy matching, which leaves out the spans that are matched already.
"""

SETS_TOGETHER = 1 << 13
"""Label sets whose label pairs are listed in one batch."""

SET_PAIRS_TOGETHER = 1 << 20
"""Cells (item, column, column) or (item, column, label) per block when label sets are compared."""

CODED_TOGETHER = 1 << 14
"""Rows of codes per block; the first block often suffices to show that a table is not sparse."""

LABELS_TOGETHER = 1 << 15
"""Label values that are coded in one batch."""

UNITED_TOGETHER = 8
"""Tallies (counts of patterns in parts of the data) that are merged in one task."""

UNITED_ROWS = 1_000_000
"""Mean number of ratings per partition after the shuffle that groups ratings by item."""

# Choices between two ways; the texts below compare the CPU seconds of whole calls

NUMPY_CELLS = 1 << 23
"""Maximum number of sums, over all rows, for which NumPy is used instead of compiled code.

With compilation, the first call of all coefficients on 300 items takes 13 times as long.
"""

MANY_PATTERNS = 512
"""Minimum number of patterns that are split into parts, such as pairs of ratings.

Statistics are then kept for each part. Patterns are split only if there are at least twice as many
as distinct pairs of labels. Without parts, an analytic interval of Conger's kappa on 11,000
patterns takes 1.3 times as long; with parts, 240 replicates take 1.2 times as long.
"""

PART_KEYS = 1 << 24
"""Maximum number of cells (pattern, pair of annotators; 64 MB) for which patterns are split."""

SHUFFLED_PATTERNS = 1 << 13
"""Maximum number of possible patterns of permuted ratings for which items are counted by pattern.

Without counts, the test of zero agreement takes 11 times as long on 300 items by 3 annotators, and
230 times as long on 5,000 items. The limit also bounds memory.
"""

PANEL_COUNTS = 1 << 17
"""Maximum number of ways to rate an item for which a table has the statistics of each way.

A way is a number of annotators for each label. Without the table, all panels of 6
annotators on 100 items take 5 times as long.
"""

PANEL_KEYS = 1 << 25
"""Maximum number of possible keys for which a table of statistics (128 MB) has an entry per key.

A key is an integer that stands for the number of annotators who chose each label of an item.
"""

ROWS_SHARING = 4
"""Minimum mean number of rows with the same annotator weights for which such rows are grouped.

Without groups, 1,000 replicates over items and 5 annotators take 2.4 times as long.
"""

SPANS_MET = 64
"""Maximum mean number of spans that overlap a span, for which all overlapping pairs are listed.

With a list, partial F1 of 500 spans that each overlap 100 others or more takes 2.6 times as long.
"""

SUMS_BY_PANEL, PANEL_SUMS = 128, 1 << 24
"""Maximum numbers of sums by panel and pair of annotators for which these sums replace the ratings.

Annotators' weights are then applied to the sums. The first limit is the number of sums of a pattern
per cell (annotator, label); the second is the number for all patterns together (128 MB). Without
such sums, 500 replicates over items and 5 annotators take 1.9 times as long.
"""

FIT_LONG = 1 << 13
"""Minimum number of items for which fits run on several threads.

With threads, 100 fits of majority votes on 300 items take 1.1 times as long.
"""

FIT_ONE_STEP = 600_000
"""Overhead of a step of a fit by NumPy, as a number of multiplications of a compiled loop.

The loop computes several fits together. When few are left in it, NumPy finishes them. Fits of 3,000
items by 8 annotators take 1.3 times as long if NumPy finishes none of them; fits of 150 items take
4 times as long if NumPy finishes all of them.
"""

LISTED_STEP = 15_000
"""Overhead of a step of a fit over a sparse list of votes, as a number of products over the list.

With a list, 100 replicates of a model on 150 items by 3 annotators take 14 times as long.
"""

DENSE_STEP, DENSE_PRODUCTS = 1_500, 8
"""Overhead of a step of a fit over a dense table of votes, and relative speed of the table.

The first number is counted in products over a sparse list of votes. The second is the number of
products over the table that take as long as one over the list. The table has a cell for each item,
annotator and label.
"""

FAR_APART = 256
"""Distance from a common centre above which a set of numbers gets a centre of its own.

The unit of the distance is the spread of the set. At larger distances, squares of the differences
lose digits.
"""

FEW_LABELS = 32
"""Maximum number of labels for which a matrix product is faster than sums along the labels.

With sums, compiled replicates of 20 labels take 3 times as long; with the product, estimates of 400
labels take 1.6 times as long.
"""

LONG_CROWD = 1 << 24
"""Number of sums in all replicates above which a first block of replicates is computed alone.

This concerns data with many annotators. The block shows whether the others are needed. Without such
a block, 1,000 unneeded replicates of pairwise kappa of 3,000 annotators take 5 times as long.
"""

SET_CELLS = 1 << 25
"""Number of cells (pattern, annotator, label; 256 MB) above which label sets are kept by slot."""

SET_TABLE_CELLS = 1 << 24
"""Number of cells (item, annotator, label; 128 MB) above which only distinct sets are kept."""

FORM_ROWS = 1 << 6
"""Minimum number of rows of weights for which a quadratic form in labels becomes one in patterns.

There must be at most as many patterns as labels. With a form in labels, drift of 130 items with 250
label sets takes 2.2 times as long.
"""

MANY_LABEL_PAIRS = 1 << 12
"""Minimum number of label pairs for which label sets are compared instead of label pairs.

With label pairs, 100 replicates of A_m with 120 labels take 7.6 times as long.
"""

SETS_COMPARED = 1 << 13
"""Maximum number of label sets that are compared with each other: a matrix of 512 MB."""

SLOT_COST = 8
"""Cost of an indexed sum, in columns of a matrix product.

Ratings of identified annotators are kept by slot if that is cheaper than by annotator. If 3 of 40
annotators rate an item, Conger's kappa takes 1.5 times as long by annotator; if 5 of 5 do, it takes
1.2 times as long by slot.
"""

MANY_ANNOTATORS = 100
"""Minimum number of annotators for which ratings are kept by slot.

Few of the annotators must rate each item, as `TIMES_PANEL` states. As a table of items x
annotators, 20,000 items with 3 ratings each take 2 times as long with 120 annotators and 17 times
with 1,000.
"""

TIMES_PANEL = 4
"""Minimum ratio of annotators to the largest number of ratings of an item, for storage by slot."""

SLOT_KEY_BITS = 62
"""Maximum number of bits of an integer that holds a row's item and annotator, and its position.

Up to this size, these integers are sorted. With keys and positions apart, reading 900,000 shuffled
rows of a crowd takes 1.5 times as long.
"""

FEW_SLOTS = 16
"""Maximum number of columns for which the ratings in each row are counted column by column.

With NumPy's count along rows, alpha of 1,000,000 items takes 2.5 times as long with 2 columns, and
1.05 times as long with 15.
"""

COUNTED_KEYS = 1 << 22
"""Maximum number of possible keys of patterns that a table (32 MB) counts; others are sorted.

With sorting, alpha of 300,000 items by 3 annotators takes 4.8 times as long.
"""

KEY_BITS = 62
"""Maximum number of bits of a pattern's integer key; with more bits, it is coded in parts."""

EXACT_BITS = 53
"""Number of bits below which a floating-point product computes a key exactly.

With integers that are added column by column, alpha of 1,000,000 items by 2 annotators takes 1.2
times as long.
"""
