"""Sizes at which the code switches to another way of computing the same figure.

None of them is a statistical choice: figures do not depend on them (but for rounding), only memory
and speed do. A new way of computing a figure adds its size here, and a low one to `tests/routes`,
so that small data use it there.
"""

from __future__ import annotations

# Sizes of blocks

SUMMED_TOGETHER = 1 << 11
"""Patterns whose statistics stay in the processor's cache until they are summed."""

LAID_OUT_TOGETHER = 1 << 19
"""Cells (pattern, pair of slots, label) per block."""

ROWS_TOGETHER = 1 << 19
"""Sums, or weights, of the rows that NumPy computes together."""

FORMULA_CELLS = 1 << 17
"""Sums that a NumPy formula reads at once, as many as stay in the processor's cache."""

FIGURES_HELD = 1 << 25
"""Replicates of annotators' figures, computed one by one, that are kept together (256 MB)."""

ON_THIS_THREAD = 1 << 18
"""Multiplications of a product up to which OpenBLAS uses a single thread."""

KERNEL_CELLS = 1 << 22
"""Cells of data per block, for a coefficient without sums."""

DEVICE_CELLS, DEVICE_ROWS = 1 << 28, 1024
"""Cells of such data per block on a device that draws by itself (2 GB), and most rows of it."""

GRADIENTS_TOGETHER = 1024
"""Most gradients of rows per block."""

GRADIENT_CELLS = 1 << 22
"""Most cells of those gradients per block."""

CURVATURE_CELLS = 1 << 20
"""Cells of directions per block."""

CURVATURES_TOGETHER = 1024
"""Most directions per block."""

TERMS_TOGETHER = 1 << 22
"""Numbers of items' statistics per block of terms of groups of items."""

SWEEP_CELLS = 1 << 21
"""Cells of a sweep over p per block."""

SWEEP_KEPT = 1 << 24
"""Weights of all replicates beyond which a sweep redraws them instead of keeping them."""

PANELS_TOGETHER = 1024
"""Panels passed to compiled code together."""

LOOKED_UP = 1 << 19
"""Statistics of panels that are looked up at once, as many as stay in the processor's cache."""

DRAWN_TOGETHER = 1 << 22
"""Cells per block of rows of weights."""

DRAWN_HELD = 1 << 25
"""Cells of all blocks that threads may hold."""

DRAWN_BY_THREADS = 1 << 16
"""Weights, in blocks of replicates, that are enough work for a thread."""

DRAWN_LONG = 1 << 28
"""Weights beyond which a GPU is mentioned that nobody asked for.

Drawing them takes the host seconds.
"""

DRAWN_NEAR = 1 << 15
"""Numbers per block, so that they stay in a processor's cache."""

SHUFFLED_TOGETHER = 1 << 17
"""Ratings of one annotator that are permuted together."""

FIT_CELLS = 1 << 24
"""Probabilities of rows (128 MB) that are kept together."""

DEVICE_FIT_CELLS = 1 << 26
"""Probabilities of rows (512 MB) that are kept together on a device."""

COUPLES_TOGETHER = 1 << 22
"""Pairs of spans that may overlap (some 500 MB) listed together."""

COUPLES_IN_TURN = 1 << 16
"""Pairs per block when spans are excluded whose partners are better matched with others."""

SETS_TOGETHER = 1 << 13
"""Label sets whose label pairs are expanded at once."""

SET_PAIRS_TOGETHER = 1 << 20
"""Cells (item, column, column) or (item, column, label) per block."""

CODED_TOGETHER = 1 << 14
"""Rows of codes per block: a full table is recognised by its first rows."""

LABELS_TOGETHER = 1 << 15
"""Label values that are coded together."""

UNITED_TOGETHER = 8
"""Tallies that are merged in one task."""

UNITED_ROWS = 1_000_000
"""Mean number of ratings of the items that are collected in one partition."""

# Choice of method: each with what it saves of a whole call, in CPU seconds

NUMPY_CELLS = 1 << 23
"""Sums of all rows up to which NumPy takes less time than compiling.

Compiled, the first call of all coefficients on 300 items takes 13 times as long.
"""

MANY_PATTERNS = 512
"""Patterns from which statistics are kept by parts, if there are at most half as many parts.

Without parts, an analytic interval of Conger's kappa on 11,000 patterns takes 1.3 times as long;
with them, 240 replicates take 1.2 times as long.
"""

PART_KEYS = 1 << 24
"""Parts of all patterns (64 MB) beyond which patterns are not split."""

SHUFFLED_PATTERNS = 1 << 13
"""Possible patterns of permuted ratings up to which the items of each are counted.

Without counts, the test of zero agreement takes 11 times as long on 300 items by 3 annotators, and
230 times as long on 5,000 items. The limit also bounds memory.
"""

PANEL_COUNTS = 1 << 17
"""Distinct counts of ratings up to which their statistics are computed beforehand.

Without that, the panels of 6 annotators with 100 items take 5 times as long.
"""

PANEL_KEYS = 1 << 25
"""Keys of counts up to which a table (128 MB) is used to find them."""

ROWS_SHARING = 4
"""Rows per distinct vector of annotator weights from which they are grouped by it.

From ratings, 1,000 replicates over items and 5 annotators take 2.4 times as long one by one.
"""

SPANS_MET = 64
"""Mean number of overlaps of a span up to which all overlapping pairs are listed.

Partial F1 of 500 spans that each overlap 100 others or more takes 2.6 times as long from a list.
"""

SUMS_BY_PANEL, PANEL_SUMS = 128, 1 << 24
"""Sums by panel and pair of annotators per cell up to which they replace ratings.

Annotator weights are then applied to the sums. The limit is per cell (annotator, label) of an item,
and over all patterns (128 MB). From ratings, 500 replicates over items and 5 annotators take 1.9
times as long.
"""

FIT_LONG = 1 << 13
"""Items from which rows take less time on threads.

On threads, 100 fits of majority votes on 300 items take 1.1 times as long.
"""

FIT_ONE_STEP = 600_000
"""Multiplications of the compiled loop in the time that NumPy takes to start a step.

Fits of 3,000 items by 8 annotators take 1.3 times as long if no row is finished by NumPy; on 150
items they take 4 times as long if all are.
"""

LISTED_STEP = 15_000
"""Products of listed votes by SciPy in the time that NumPy takes to start a step.

Listed, 100 replicates of a model on 150 items by 3 annotators take 14 times as long.
"""

DENSE_STEP, DENSE_PRODUCTS = 1_500, 8
"""Products of dense votes by a compiled row in the time that NumPy takes to start a step.

In a crowd they need the memory of all cells (item, annotator, label).
"""

FAR_APART = 256
"""Distance from the common centre, in spreads, from which a set of numbers gets its own.

Beyond it squares lose digits, whatever time that would save.
"""

FEW_LABELS = 32
"""Labels up to which a matrix product is faster than sums along them.

By sums, compiled replicates of 20 labels take 3 times as long; by the product, estimates of 400
labels take 1.6 times as long.
"""

LONG_CROWD = 1 << 24
"""Sums of a crowd's replicates from which a first block shows whether they are wanted.

Without it, 1,000 unwanted replicates of pairwise kappa of 3,000 annotators take 5 times as long.
"""

SET_CELLS = 1 << 25
"""Cells (pattern, annotator, label) of label sets (256 MB) beyond which they are kept by slot."""

SET_TABLE_CELLS = 1 << 24
"""Cells (item, annotator, label) of label sets (128 MB) beyond which distinct sets are kept."""

FORM_ROWS = 1 << 6
"""Rows of weights from which a quadratic form of labels becomes one of patterns.

That holds if patterns are no more than labels. Without it, drift of 130 items with 250 label sets
takes 2.2 times as long.
"""

MANY_LABEL_PAIRS = 1 << 12
"""Label pairs from which label sets are compared with each other, not summed by pair.

Summed, 100 replicates of A_m with 120 labels take 7.6 times as long.
"""

SETS_COMPARED = 1 << 13
"""Label sets up to which they are compared: a matrix of 512 MB."""

SLOT_COST = 8
"""Cost of an indexed sum, in columns of a matrix product.

Identified annotators are kept by slot where that is cheaper. Conger's kappa takes 1.5 times as long
by annotator where 3 of 40 rate an item, and 1.2 times by slot where 5 of 5 do.
"""

MANY_ANNOTATORS = 100
"""Annotators from which ratings are kept by slot (k-th rating of the item), if few rate an item.

Read and measured as a table, 20,000 items with 3 ratings each take 2 times as long with 120
annotators and 17 times with 1,000, and the table is nearly empty.
"""

TIMES_PANEL = 4
"""Required ratio of annotators to the largest panel for that."""

SLOT_KEY_BITS = 62
"""Bits of a key of item and annotator up to which its position is packed with it for sorting.

Both fit into an integer then. Unpacked, 900,000 shuffled rows of a crowd take 1.5 times as long to
read.
"""

FEW_SLOTS = 16
"""Columns up to which rows are added column by column, and their sums counted by comparison.

Without that, alpha of 1,000,000 items takes 2.5 times as long with 2 columns, and 1.05 times with
15.
"""

COUNTED_KEYS = 1 << 22
"""Keys of patterns (32 MB) up to which they are counted in a table; more are sorted.

Sorted, alpha of 300,000 items by 3 annotators takes 4.8 times as long.
"""

KEY_BITS = 62
"""Bits of a pattern's key that fit into an integer; longer rows are numbered in parts."""

EXACT_BITS = 53
"""Bits of a key up to which a floating-point product is exact.

Column by column in integers, alpha of 1,000,000 items by 2 annotators takes 1.2 times as long.
"""
