"""The letters of the paper, what its ledger prints, and the three-variable system in numbers."""

from functools import cache
from typing import Any

import sympy as sp

from theory.core import Conditional, equal, letters_of, shown_statement

letters = letters_of(__package__)
norm, dh, dh_0, dh_inf, dy, dy_0, x_1, x_2, y_1, y_2, w = letters("norm dh dh_0 dh_inf dy dy_0 x_1 x_2 y_1 y_2 w")
SQUARES = {"dh2": dh, "dy2": dy, "dh2_0": dh_0, "dy2_0": dy_0, "dh2_inf": dh_inf,
           "dx2": x_2 - x_1, "target2": y_2 - y_1}  # fmt: skip
"""Names of squared lengths, for programs that need no vectors."""
_LENGTHS = {norm(vector): sp.sqrt(sp.Symbol(name, real=True)) for name, vector in SQUARES.items()}
CONSTANTS = ("tau_h", "tau_y", "dx2", "target2")


@cache
def printed(label: str) -> Any:
    """What an entry of the ledger shows."""
    return shown_statement(__package__, label)


def in_squares(statement: Any) -> Any:
    """A statement, or an expression, with the names of squared lengths in place of the norms."""
    if isinstance(statement, Conditional):
        return Conditional(in_squares(statement.statement), in_squares(statement.condition))
    if isinstance(statement, sp.Eq):
        return equal(in_squares(statement.lhs), in_squares(statement.rhs))
    return statement.xreplace(_LENGTHS)


def system() -> list[Any]:
    """The three lines of Eq. (7)."""
    return [printed(f"(7) {name}") for name in ("dh2", "dy2", "w")]


@cache
def _rates() -> Any:
    return sp.lambdify(("dh2", "dy2", "w", *CONSTANTS), [in_squares(line.rhs) for line in system()], "math")


def rates_at(
    state: Any, *, tau_h: float = 1.0, tau_y: float = 1.0, dx2: float = 1.0, target2: float = 1.0
) -> tuple[float, ...]:
    """The three right-hand sides of Eq. (7) at (dh2, dy2, w)."""
    return tuple(_rates()(*state, tau_h, tau_y, dx2, target2))
