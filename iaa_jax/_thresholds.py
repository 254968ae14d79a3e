"""Sizes at which the code takes another way to the same figure.

None of them is a choice of statistics: figures do not depend on them (but for rounding), only
memory and speed do. Whoever adds a way to a figure adds its size here, and a low one to
`tests/routes`, so that small data take it there.
"""

from __future__ import annotations

# What is worked on at once

SUMMED_TOGETHER = 1 << 11
"""Patterns whose statistics stay in the processor's cache until they are summed."""

LAID_OUT_TOGETHER = 1 << 19
"""Cells (pattern, pair of slots, label) that are laid out at once."""

ROWS_TOGETHER = 1 << 19
"""Sums, or weights, of the rows that NumPy works out together."""

FORMULA_CELLS = 1 << 17
"""Sums that a formula of NumPy reads at once, as many as stay in the processor's cache."""

FIGURES_HELD = 1 << 25
"""Replicates of figures of annotators, one by one, that are held together (256 MB)."""

ON_THIS_THREAD = 1 << 18
"""Multiplications of a product up to which OpenBLAS uses no other thread."""

KERNEL_CELLS = 1 << 22
"""Cells of data that a coefficient without sums has under way at once."""

DEVICE_CELLS, DEVICE_ROWS = 1 << 28, 1024
"""The same of a device that draws by itself (2 GB), and rows of it at most."""

GRADIENTS_TOGETHER = 1024
"""Gradients of rows that are under way at once, at most."""

GRADIENT_CELLS = 1 << 22
"""Cells of those gradients."""

CURVATURE_CELLS = 1 << 20
"""Cells of directions that are under way at once."""

CURVATURES_TOGETHER = 1024
"""Directions that are under way at once, at most."""

TERMS_TOGETHER = 1 << 22
"""Numbers of items' statistics from which terms of groups of items are made at once."""

SWEEP_CELLS = 1 << 21
"""Cells of a sweep over p that are under way at once."""

SWEEP_KEPT = 1 << 24
"""Weights of all replicates beyond which a sweep draws them anew instead of keeping them."""

PANELS_TOGETHER = 1024
"""Panels that are handed to compiled code together."""

LOOKED_UP = 1 << 19
"""Statistics of panels that are looked up at once, as many as stay in the processor's cache."""

DRAWN_TOGETHER = 1 << 22
"""Cells of the rows of weights that are handed over together."""

DRAWN_HELD = 1 << 25
"""Cells of all blocks that threads may hold."""

DRAWN_BY_THREADS = 1 << 16
"""Weights, in blocks of replicates, that are enough work for a thread of their own."""

DRAWN_LONG = 1 << 28
"""Weights that take the host seconds to draw: from so many on a GPU that nobody asked for is named.
"""

DRAWN_NEAR = 1 << 15
"""Numbers that are worked on together, so that they stay in a processor's cache."""

SHUFFLED_TOGETHER = 1 << 17
"""Ratings of one annotator that change places together."""

FIT_CELLS = 1 << 24
"""Probabilities of rows (128 MB) that are held together."""

DEVICE_FIT_CELLS = 1 << 26
"""The same of a device (512 MB)."""

COUPLES_TOGETHER = 1 << 22
"""Couples of spans that may overlap (some 500 MB) that are listed together."""

COUPLES_IN_TURN = 1 << 16
"""Couples of which those are left out together whose spans have partners before one is taken."""

SETS_TOGETHER = 1 << 13
"""Label sets whose label pairs are laid out at once."""

SET_PAIRS_TOGETHER = 1 << 20
"""Cells (item, column, column) or (item, column, label) that are worked on at once."""

CODED_TOGETHER = 1 << 14
"""Rows of codes that are looked at together: a full table is known by its first rows."""

LABELS_TOGETHER = 1 << 15
"""Values of labels that are coded together."""

UNITED_TOGETHER = 8
"""Tallies that are united in one task."""

UNITED_ROWS = 1_000_000
"""Ratings, on average, of the items that are brought together in one partition."""

# Which way is taken: beside each what it saves of a whole call, in CPU seconds

NUMPY_CELLS = 1 << 23
"""Sums of all rows together up to which NumPy takes less time than compiling: the first
call of all coefficients on 300 items takes 13 times as long compiled."""

MANY_PATTERNS = 512
"""Patterns from which statistics are kept of their parts, where these are half as many at most: of
11,000 patterns an analytic interval of Conger's kappa takes 1.3 times as long without, of 240
replicates take 1.2 times as long with them."""

PART_KEYS = 1 << 24
"""Parts of all patterns (64 MB) beyond which patterns are not taken apart."""

SHUFFLED_PATTERNS = 1 << 13
"""Patterns that shuffled ratings may show, up to which the items that show each are counted: the
test of zero agreement of 300 items by 3 annotators takes 11 times as long without, of 5,000 items
230 times. They also bound what is held."""

PANEL_COUNTS = 1 << 17
"""Different counts of ratings up to which their statistics are worked out beforehand: the panels of
6 annotators with 100 items take 5 times as long without."""

PANEL_KEYS = 1 << 25
"""Keys of counts up to which a table (128 MB) finds them."""

ROWS_SHARING = 4
"""Rows for each distinct vector of annotator weights from which on they are grouped by it: 1,000
replicates over items and 5 annotators, from ratings, take 2.4 times as long one by one."""

SPANS_MET = 64
"""Spans, on average, that a span of two annotators overlaps up to which all of these are listed:
partial F1 of 500 spans that overlap 100 others and more takes 2.6 times as long from a list."""

SUMS_BY_PANEL, PANEL_SUMS = 128, 1 << 24
"""Sums by panel and pair of annotators for each cell (annotator, label) of an item, and of all
patterns (128 MB), up to which annotator weights are applied to them instead of to ratings: 500
replicates over items and 5 annotators take 1.9 times as long from ratings."""

FIT_LONG = 1 << 13
"""Items from which rows take less time on threads: 100 fits of majority votes on 300 items take 1.1
times as long on them."""

FIT_ONE_STEP = 600_000
"""Multiplications that the compiled loop makes in the time NumPy takes to begin a step: fits of
3,000 items by 8 annotators take 1.3 times as long if no row is brought to its end on NumPy, of 150
items 4 times if all are."""

LISTED_STEP = 15_000
"""Products that SciPy makes of listed votes in the time NumPy takes to begin a step: 100 replicates
of a model on 150 items by 3 annotators take 14 times as long listed."""

DENSE_STEP, DENSE_PRODUCTS = 1_500, 8
"""The same of one of many compiled rows of dense votes, which make so many products in the time; of
a crowd they need the memory of all cells (item, annotator, label)."""

FAR_APART = 256
"""Spreads of a set of numbers from which on, away from the middle of all, it has one of its own:
from there squares lose digits, which no time is worth."""

FEW_LABELS = 32
"""Labels up to which a product with a matrix is faster than sums along them: compiled replicates of
20 labels take 3 times as long by sums, estimates of 400 labels 1.6 times by the product."""

LONG_CROWD = 1 << 24
"""Sums of all replicates of a crowd from which on a first block shows whether they are wanted:
1,000 replicates of pairwise kappa of 3,000 annotators that nobody wants take 5 times as long."""

SET_CELLS = 1 << 25
"""Cells (pattern, annotator, label) of label sets (256 MB) beyond which they stand slot by slot."""

SET_TABLE_CELLS = 1 << 24
"""Cells (item, annotator, label) of a table of label sets (128 MB) beyond which it is held by its
distinct sets."""

FORM_ROWS = 1 << 6
"""Rows of weights from which a quadratic form of labels is one of patterns, where these are
no more: drift of 130 items with 250 label sets takes 2.2 times as long without."""

MANY_LABEL_PAIRS = 1 << 12
"""Label pairs from which label sets are compared with each other instead of summed by them: 100
replicates of A_m with 120 labels take 7.6 times as long summed."""

SETS_COMPARED = 1 << 13
"""Label sets up to which they are: a matrix of 512 MB."""

SLOT_COST = 8
"""What a sum by an index costs, in columns of a matrix product: who is told apart stands by slot
where that is cheaper. Conger's kappa takes 1.5 times as long by annotator where 3 of 40 rate an
item, and 1.2 times by slot where 5 of 5 do."""

MANY_ANNOTATORS = 100
"""Annotators from which ratings stand by slot, the k-th rating of the item, if few rate an item:
read and measured as a table, 20,000 items with 3 ratings each take 2 times as long of 120
annotators and 17 times of 1,000, and the table is nearly all empty."""

TIMES_PANEL = 4
"""As many times the largest panel as there must be annotators for that."""

SLOT_KEY_BITS = 62
"""Bits of a key of item and annotator up to which its place is packed beside it to be sorted, which
a whole number holds: unpacked, 900,000 shuffled rows of a crowd take 1.5 times as long to read."""

FEW_SLOTS = 16
"""Columns up to which rows are added up column by column, and their sums counted by comparisons:
without, alpha of 1,000,000 items takes 2.5 times as long of 2 columns, and 1.05 times of 15."""

COUNTED_KEYS = 1 << 22
"""Keys of patterns (32 MB) up to which they are counted in a table; larger ones are sorted, and so
alpha of 300,000 items by 3 annotators would take 4.8 times as long."""

KEY_BITS = 62
"""Bits of the key of a pattern that a whole number holds; longer rows are numbered part by part."""

EXACT_BITS = 53
"""Bits of a key up to which a product in floating point is exact: column by column in whole numbers
alpha of 1,000,000 items by 2 annotators takes 1.2 times as long."""
