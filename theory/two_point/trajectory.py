r"""Two-point trajectories as numbers: the complete solution of Eq. (7) over many times and parameters at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import sympy as sp
from numpy.typing import ArrayLike, NDArray

from theory.core.backends import load
from theory.core.backends.compiler import compile_expression
from theory.two_point import solution
from theory.two_point.symbols import CAUCHY_SCHWARZ, INITIAL_STATE, RATES_AND_DATA, TIME

ARGUMENTS = (TIME, *INITIAL_STATE, *RATES_AND_DATA)


@cache
def _solution() -> Callable[..., tuple[NDArray[np.float64], ...]]:
    """The three curves, compiled together so that they share their subexpressions."""
    curves = sp.Tuple(solution.representation_distance_at, solution.output_distance_at, solution.alignment_at)
    return compile_expression(curves, [argument.symbol for argument in ARGUMENTS], load("numpy"))
