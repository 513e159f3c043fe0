r"""Appendix A.1, first half: the linearised loss and its gradient, Eqs. (15) to (18)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from theory.core import Check, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import is_close
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.explicit_matrices import random_weights
from theory.papers.vanrossem2024.flows import moment, moments
from theory.papers.vanrossem2024.time_constants import in_eq_6


def linear_network() -> Iterator[dict[str, Any]]:
    """Both points of affine maps, in the letters of Eq. (15)."""
    problem, (_, encoder, decoder) = random_weights(seed=5)
    middle_h, middle_y = np.array([[0.3], [-0.8]]), np.array([[1.0], [2.0], [-0.5]])
    for sign in (-1, 1):
        step = sign * problem.u[:, None]
        h, other = middle_h + encoder @ step / 2, middle_h - encoder @ step / 2
        out = middle_y + decoder @ (h - middle_h)
        yield {"h_i": h, "h_other": other, "y_out_i": out, "y_middle": middle_y, "D_h": encoder, "D_y": decoder,
               "u_i": step}  # fmt: skip


def is_the_gradient(relation: Any) -> tuple[Check, ...]:
    """Central differences of the quantity that is differentiated, in every entry of X; it is quadratic in each."""
    draw = np.random.default_rng(11)
    values = {name: draw.normal(size=shape) for name, shape in
              (("X", (3, 2)), ("C", (3, 3)), ("b", (2, 1)))}  # fmt: skip
    rows = next(symbol for symbol in relation.free_symbols if str(symbol) == "a").shape[0]
    values["a"] = draw.normal(size=(rows, 1))

    def agrees() -> bool:
        found = np.empty((3, 2))
        for index in np.ndindex(found.shape):
            sides = []
            for sign in (1, -1):
                moved = values["X"].copy()
                moved[index] += sign * 0.5
                sides.append(float(np.sum(evaluate(relation.lhs.args[0], {**values, "X": moved}))))
            found[index] = sides[0] - sides[1]
        return is_close(found, evaluate(relation.rhs, values))

    return (Check("central differences", agrees, "random matrices"),)


WEIGHTS = random_weights(seed=6)
TAUS = (1.0, 2.0, 3.0)


def velocity_at_witness(name: str) -> Any:
    """Velocity of D_h or D_y along the flow of Eq. (6): minus the gradient, by central differences of the loss."""
    return moment(*WEIGHTS, TAUS)[name]


def printed_velocity(relation: Any) -> Any:
    """The same by a printed line, whatever multiplies its left-hand side."""
    values = {**moment(*WEIGHTS, TAUS), "tau_h": TAUS[1], "tau_y": TAUS[2]}
    unit = evaluate(relation.lhs, {name: np.ones_like(values[name]) for name in ("D_h_dot", "D_y_dot")})
    return evaluate(relation.rhs, values) / unit


def _misprint(letter: str) -> Program:
    return Program(in_eq_6, partial(velocity_at_witness, letter), printed_velocity)


AFFINE = numerically(linear_network, "affine maps")

PROGRAMS: Programs = {
    **dict.fromkeys(("(15) y, second line", "(15) y, third line"), AFFINE),
    **dict.fromkeys(("(16)", "(17) y_bar, second line", "(17) y_bar", "(17) D_h, second line"), in_eq_6),
    "(17) D_h": _misprint("D_h_dot"),
    "(17) D_y, second line": in_eq_6,
    "(17) D_y": _misprint("D_y_dot"),
    **dict.fromkeys(("A.1 first identity", "A.1 second identity"), is_the_gradient),
    "(18)": numerically(moments, "flows of explicit matrices", tolerance=1e-8),
}
