r"""Appendix A.1, first half: the linearised loss and its gradient, Eqs. (15) to (18)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Witness, equal, numerically
from theory.core.ledger.ledger import Programs
from theory.core.ledger.proving import is_close
from theory.core.ledger.transition import programs_of
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.explicit_matrices import random_weights
from theory.papers.vanrossem2024.flows import average, moment, moments, norm2
from theory.papers.vanrossem2024.paper import entry
from theory.papers.vanrossem2024.time_constants import in_eq_6
from theory.two_point.symbols import t, tau_h, tau_mean, tau_y

HALF = sp.Rational(1, 2)
D_h, D_y = sp.MatrixSymbol("D_h", 2, 2), sp.MatrixSymbol("D_y", 3, 2)
D_h_dot, D_y_dot = sp.MatrixSymbol("D_h_dot", 2, 2), sp.MatrixSymbol("D_y_dot", 3, 2)
u, u_i = (sp.MatrixSymbol(name, 2, 1) for name in ("u", "u_i"))
v, y_i, y_bar, mean_target = (sp.MatrixSymbol(name, 3, 1) for name in ("v", "y_i", "y_bar", "mean_target"))
y_out_i, y_middle = (sp.MatrixSymbol(name, 3, 1) for name in ("y_out_i", "y_middle"))
h_i, h_other = (sp.MatrixSymbol(name, 2, 1) for name in ("h_i", "h_other"))
X, C = sp.MatrixSymbol("X", 3, 2), sp.MatrixSymbol("C", 3, 3)
a, b, c = sp.MatrixSymbol("a", 3, 1), sp.MatrixSymbol("b", 2, 1), sp.MatrixSymbol("a", 2, 1)
gradient = sp.Function("gradient")
L, y_now, y_0, middle = sp.symbols("L y_bar y_bar_0 mean_target", real=True)
# Left-hand sides of lines whose right-hand side is an average, which sympy counts among the scalars.
Y_BAR_DOT, D_H_DOT, D_Y_DOT = sp.symbols("y_bar_dot D_h_dot D_y_dot", real=True)

average_h = average(HALF * D_y.T * D_y * D_h * u_i * u_i.T + D_y.T * (y_bar - y_i) * u_i.T)
average_y = average(HALF * D_y * D_h * u_i * (D_h * u_i).T + (y_bar - y_i) * (D_h * u_i).T)


def last_h(coefficient: sp.Rational) -> sp.Eq:
    """The last line for D_h with a given coefficient."""
    return equal(D_h_dot, -1 / tau_h * coefficient * D_y.T * (D_y * D_h * u - v) * u.T)


def last_y(coefficient: sp.Rational) -> sp.Eq:
    """The last line for D_y with a given coefficient."""
    return equal(D_y_dot, -1 / tau_y * coefficient * (D_y * D_h * u - v) * (D_h * u).T)


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


INHERITED = (
    *(f"({number}) {name}" for number in (7, 21) for name in ("dh2", "dy2", "w")),
    *(
        f"(20) {line}"
        for line in ("dh2, line 3", "dh2, line 4", "dy2, line 5", "dy2, line 6", "w, line 2", "w, line 3")
    ),
    *("(23)", "(25) dh2", "(25) w", "(29)", "(30)", "(31)", "(32)", "(33)", "(35)"),
    *("(37) dh2", "(37) dy2", "(38)", "(39)", "(40)", "(43) dh2", "(43) dy2", "(43) w"),
)
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


def _misprint(name: str, letter: str, line: Any) -> Any:
    return entry(
        f"(17) {name}",
        "A.1",
        f"The gradient flow of {name}, last line.",
        Finding.MISPRINT,
        "The line before it is right; averaged over the two points it has 1/4. Central differences of the loss side "
        "with 1/4.",
        printed=line(HALF),
        corrected=line(sp.Rational(1, 4)),
        prove=in_eq_6,
        witness=Witness(
            {"tau_h": TAUS[1], "tau_y": TAUS[2], "weights": "random_weights(6)"},
            partial(velocity_at_witness, letter),
            value=printed_velocity,
        ),
        consequence="Eqs. (7) and (20) to (48) follow from the printed last lines, so their tau_h and tau_y are twice "
        "those of Eq. (6). Shapes, fits and the final distance do not change.",
        heirs=INHERITED,
    )


def _line(label: str, statement: str, evidence: str, printed: Any, prove: Any = in_eq_6, **fields: Any) -> Any:
    return entry(label, "A.1", statement, Finding.CONFIRMED, evidence, printed=printed, prove=prove, **fields)


OPPOSITE = "It is opposite at the two points, so that its average is zero."

PROGRAMS: Programs = {
    **programs_of(
        (
            _line(
                "(15) y, second line",
                "The output of a point from the difference of the representations.",
                "Affine maps of explicit matrices, at both points.",
                equal(y_out_i, y_middle + HALF * D_y * (h_i - h_other)),
                numerically(linear_network, "affine maps"),
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "(15) y, third line",
                "The output of a point from the difference of the inputs.",
                "Affine maps of explicit matrices, at both points.",
                equal(y_out_i, y_middle + HALF * D_y * (D_h * u_i)),
                numerically(linear_network, "affine maps"),
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "(16)",
                "The mean squared loss in this approximation.",
                "The squared errors of both points of explicit matrices, written out.",
                equal(L, HALF * average(norm2(y_bar + HALF * D_y * (D_h * u_i) - y_i))),
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "(17) y_bar, second line",
                "The gradient flow of the mean output as an average.",
                "Central differences of the loss.",
                equal(Y_BAR_DOT, -1 / tau_mean * average(y_bar + HALF * D_y * (D_h * u_i) - y_i)),
                harmless=dict.fromkeys(
                    (
                        "printed: sign of (1/2)*D_y*D_h*u_i",
                        "printed: (1/2)*D_y*D_h*u_i twice",
                        "printed: 1/2 -> 3/2",
                    ),
                    OPPOSITE,
                ),
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "(17) y_bar",
                "The gradient flow of the mean output, last line.",
                "Central differences of the loss.",
                equal(sp.MatrixSymbol("y_bar_dot", 3, 1), -1 / tau_mean * (y_bar - mean_target)),
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "(17) D_h, second line",
                "The gradient flow of D_h as an average.",
                "Central differences of the loss.",
                equal(D_H_DOT, -1 / tau_h * HALF * average_h),
                harmless=dict.fromkeys(("printed: sign of y_bar", "printed: y_bar twice"), OPPOSITE),
            ),
        )
    ),
    **programs_of((_misprint("D_h", "D_h_dot", last_h),)),
    **programs_of(
        (
            _line(
                "(17) D_y, second line",
                "The gradient flow of D_y as an average.",
                "Central differences of the loss.",
                equal(D_Y_DOT, -1 / tau_y * HALF * average_y),
                harmless=dict.fromkeys(("printed: sign of y_bar", "printed: y_bar twice"), OPPOSITE),
            ),
        )
    ),
    **programs_of((_misprint("D_y", "D_y_dot", last_y),)),
    **programs_of(
        (
            _line(
                "A.1 first identity",
                "Derivative of a' X b.",
                "Central differences for random matrices that are not square.",
                equal(gradient(a.T * X * b), a * b.T),
                is_the_gradient,
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "A.1 second identity",
                "Derivative of a' X' C X a.",
                "Central differences for random matrices; C is not symmetric.",
                equal(gradient(c.T * X.T * C * X * c), (C + C.T) * X * c * c.T),
                is_the_gradient,
            ),
        )
    ),
    **programs_of(
        (
            _line(
                "(18)",
                "The mean output decays exponentially to the mean target.",
                "Flows of explicit matrices. Its y(0) is the mean output at time 0.",
                equal(y_now, middle + (y_0 - middle) * sp.exp(-t / tau_mean)),
                numerically(moments, "flows of explicit matrices", tolerance=1e-8),
            ),
        )
    ),
}
