"""Sizes at which the code takes another way to the same figure.

None of them is a choice of statistics: figures do not depend on them (but for rounding), only
memory and speed do. Whoever adds a way to a figure adds its size here, and a low one to
`tests/routes`, so that small data take it there.
"""

from __future__ import annotations

# What is worked on at once

SUMMED_TOGETHER = 1 << 11
"""Patterns whose statistics stay in the processor's cache until they are summed."""

LAID_OUT_TOGETHER = 1 << 21
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

# Which way is taken

NUMPY_CELLS = 1 << 23
"""Sums of all rows together up to which NumPy takes less time than compiling."""

MANY_PATTERNS = 512
"""Patterns from which statistics are kept of their parts, where these are half as many at most."""

PART_KEYS = 1 << 24
"""Parts of all patterns (64 MB) beyond which patterns are not taken apart."""

SHUFFLED_PATTERNS = 1 << 13
"""Patterns that shuffled ratings may show, up to which the items that show each are counted."""

PANEL_COUNTS = 1 << 17
"""Different counts of ratings up to which their statistics are worked out beforehand."""

PANEL_KEYS = 1 << 25
"""Keys of counts up to which a table finds them."""

ROWS_SHARING = 4
"""Rows for each distinct vector of annotator weights from which on they are grouped by it."""

SPANS_MET = 64
"""Spans, on average, that a span of two annotators overlaps up to which all of these are listed."""

SUMS_BY_PANEL, PANEL_SUMS = 128, 1 << 24
"""Sums by panel and pair of annotators for each cell (annotator, label) of an item, and of all
patterns (128 MB), up to which annotator weights are applied to them instead of to ratings."""

FIT_LONG = 1 << 13
"""Items from which rows take less time on threads: arrays of fewer are worked out too quickly."""

FIT_ONE_STEP = 600_000
"""Multiplications that the compiled loop makes in the time NumPy takes to begin a step."""

LISTED_STEP = 15_000
"""Products that SciPy makes of listed votes in the time NumPy takes to begin a step."""

DENSE_STEP, DENSE_PRODUCTS = 1_500, 8
"""The same of one of many compiled rows of dense votes, which make so many products in the time."""

FAR_APART = 256
"""Spreads of a set of numbers from which on, away from the middle of all, it has one of its own."""

FEW_LABELS = 32
"""Labels up to which a product with a matrix is faster."""

LONG_CROWD = 1 << 24
"""Sums of all replicates of a crowd from which on a first block shows whether they are wanted."""

SET_CELLS = 1 << 25
"""Cells (pattern, annotator, label) of label sets beyond which they stand slot by slot."""

SET_TABLE_CELLS = 1 << 24
"""Cells (item, annotator, label) of a table of label sets (128 MB) beyond which it is held by its
distinct sets."""

MANY_LABEL_PAIRS = 1 << 12
"""Label pairs from which label sets are compared with each other instead of summed by them."""

SETS_COMPARED = 1 << 13
"""Label sets up to which they are: a matrix of 512 MB."""

SLOT_COST = 8
"""What a sum by an index costs, in columns of a matrix product: who is told apart stands by slot
where that is cheaper."""

MANY_ANNOTATORS = 100
"""Annotators from which ratings stand by slot, the k-th rating of the item, if few rate an item."""

TIMES_PANEL = 4
"""As many times the largest panel as there must be annotators for that."""

SLOT_KEY_BITS = 62
"""Bits of a key of item and annotator up to which its place is packed beside it to be sorted."""

FEW_SLOTS = 64
"""Columns up to which rows are added up column by column."""

COUNTED_KEYS = 1 << 22
"""Keys of patterns up to which they are counted in a table; larger ones are sorted."""

KEY_BITS = 62
"""Bits of the key of a pattern; longer rows are numbered part by part."""

EXACT_BITS = 53
"""Bits of a key up to which a product in floating point is exact."""
