"""JavaScript for the pages on closed forms: numbers that know their errors, and programs that compute with them.

A double has no room for the digits that a difference cancels, and a browser has nothing wider. A program therefore
computes with pairs of doubles and a bound of their error (``numbers.js``), like ``ClosedForm.evaluate`` with balls, so
that a page shows only digits that are certain. The bounds are rigorous except for integrals (``integral.js``).
"""

from bridge.explorer.arithmetic.program import functions, library, program

__all__ = ["functions", "library", "program"]
