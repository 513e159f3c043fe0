"""Loops over arrays as machine code by numba, the optional extra ``fast``.

A room that has such loops keeps them in a module of their own, which imports numba and is imported only where a piece
of work is large enough and :func:`is_installed`. The size of the work decides, and nothing that was computed before, so
that the same call has the same bits. The ordinary way, by numpy or torch, computes the same within the same bounds.
"""

from functools import cache
from importlib import import_module


@cache
def is_installed() -> bool:
    """Return whether numba can be imported. The first call imports it, which takes about half a second.

    Returns:
        False if numba is missing, or if it refuses the numpy or the processor that it finds.

    >>> isinstance(is_installed(), bool)
    True
    """
    try:
        import_module("numba")
    # numba raises errors of several types where another package does not suit it
    except Exception:
        return False
    return True
