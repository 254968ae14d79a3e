"""Steps of the methods that make gold labels, on any array library; the loops are the engine's.

A method is a ``start`` and a ``step``: the first makes a state of votes, the second the next state,
until its ``change`` falls below a tolerance.
"""

from __future__ import annotations
