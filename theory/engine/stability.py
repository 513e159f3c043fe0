r"""The stability of a fixed point by the criterion of Routh and Hurwitz, without its eigenvalues.

All zeros of :math:`\lambda^n + c_1 \lambda^{n-1} + \dots + c_n` have negative real parts if and only if all leading
minors of the Hurwitz matrix, whose entry in row i and column j is :math:`c_{2j-i}`, are positive. Signs follow from the
assumptions on the symbols; a program compares the conclusion with eigenvalues at random points of the domain.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial

import numpy as np
import sympy as sp

from theory.core import Check, Step
from theory.core.algebra.signs import open_part, sign_of
from theory.core.formula.sampling import rational_point, satisfies

STABLE, UNSTABLE, SADDLE = "stable", "unstable", "unstable, a saddle"
_POINTS = 12
_TOLERANCE = 1e-12  # relative; below it a real part is rounding


def stability(coefficients: Sequence[sp.Expr], flat: int, positive: Collection[sp.Expr]) -> str:
    """Return the stability in words.

    Args:
        coefficients: c_0 = 1, c_1, ... of the characteristic polynomial, highest power first, [n + 1].
        flat: number of directions along which there are further fixed points; their rates are zero.
        positive: factors that are positive where the fixed point exists.

    Returns:
        "stable", "unstable", "unstable, a saddle", or a text that begins with UNDECIDED and says on what it depends.
        A family of fixed points is stable if all rates but those along it are negative.
    """
    # only minus the sum of the rates, their pairs and so on matter, without the zeros along the family
    across = list(coefficients[: len(coefficients) - flat])
    if len(across) == 1:
        return "UNDECIDED: every state nearby is a fixed point"
    signs = [sign_of(coefficient, positive) for coefficient in across]
    if -1 in signs:
        return SADDLE if len(across) == 3 and signs[-1] == -1 else UNSTABLE
    # with positive c_n, the last minor, which is c_n times the one before it, says nothing new
    tests = [*_hurwitz(across)[:-1], across[-1]]
    of_tests = [sign_of(test, positive) for test in tests]
    if all(sign == 1 for sign in of_tests):
        return STABLE
    if all(sign == 1 for sign in signs) and -1 in of_tests:
        return UNSTABLE
    if 0 in signs or 0 in of_tests:
        return "UNDECIDED: a rate has no real part, so that the linearised flow does not decide"
    parts = dict.fromkeys(
        open_part(test, positive) for test, sign in zip(tests, of_tests, strict=True) if sign != 1
    )
    conditions = " and ".join(f"{sp.sstr(part)} > 0" for part in parts)
    return f"UNDECIDED: stable if and only if {conditions}"


def _hurwitz(coefficients: Sequence[sp.Expr]) -> list[sp.Expr]:
    """Return the leading minors of the Hurwitz matrix."""
    degree = len(coefficients) - 1

    def entry(row: int, column: int) -> sp.Expr:
        index = 2 * (column + 1) - (row + 1)
        return coefficients[index] if 0 <= index <= degree else sp.S.Zero

    matrix = sp.Matrix(degree, degree, entry)
    return [
        sp.together(matrix[:size, :size].det(method="berkowitz")) for size in range(1, degree + 1)
    ]


def stability_check(
    verdict: str,
    jacobian: sp.ImmutableMatrix,
    flat: int,
    position: Mapping[sp.Symbol, sp.Expr],
    uses: tuple[Step | Check, ...],
) -> Check:
    """Return the statement of the stability, which a program compares with numerical eigenvalues.

    Args:
        verdict: STABLE, UNSTABLE or SADDLE.
        jacobian: derivatives of the velocities at the fixed point, [n, n].
        flat: as for :func:`stability`.
        position: value of each variable, which has to be in its domain.
        uses: steps on which it rests.
    """
    return Check(
        f"the fixed point is {verdict}",
        partial(_agrees, verdict != STABLE, jacobian, flat, sp.Dict(position)),
        because="signs of the Hurwitz minors, from the assumptions on the symbols; eigenvalues at random points agree",
        uses=uses,
    )


def _agrees(
    is_unstable: bool, jacobian: sp.ImmutableMatrix, flat: int, position: sp.Dict
) -> bool | None:
    """Return whether some eigenvalue has a positive real part at each point where the fixed point exists."""
    symbols = jacobian.free_symbols.union(*(value.free_symbols for value in position.values()))
    compared = 0
    for seed in range(_POINTS):
        point = rational_point(symbols, f"stability {seed}")
        at = {symbol: value.subs(point) for symbol, value in position.items()}
        if not all(satisfies(symbol, value) for symbol, value in at.items()):
            continue
        numbers = np.array(jacobian.subs(point).evalf(), dtype=complex)
        rates = np.linalg.eigvals(numbers)
        rates = rates[np.argsort(abs(rates))][flat:]
        scale = abs(rates).max()
        largest = rates.real.max()
        if abs(largest) <= _TOLERANCE * scale:
            continue
        if (largest > 0) != is_unstable:
            return False
        compared += 1
    return True if compared else None
