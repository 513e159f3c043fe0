"""Lines that hold along gradient flows of explicit matrices: Eqs. (9), (15) to (25), (37) to (40) and (43)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from theory.core import numerically
from theory.core.ledger.ledger import Programs
from theory.core.ledger.proving import deciding, is_close
from theory.core.numbers.evaluation import evaluate
from theory.papers.vanrossem2024.explicit_matrices import random_weights
from theory.papers.vanrossem2024.flows import IN_EQ_21, along, in_eq_6, moment, moments, twice, wrong
from theory.papers.vanrossem2024.symbols import letters, printed

rate, rate_primed = letters("rate rate_primed")
same_targets = partial(moments, same_targets=True)


def affine_maps() -> Iterator[dict[str, Any]]:
    """Both points of affine maps, in the letters of Eq. (15)."""
    problem, (_, encoder, decoder) = random_weights(seed=5)
    middle_h, middle_y = np.array([[0.3], [-0.8]]), np.array([[1.0], [2.0], [-0.5]])
    inputs = problem.inputs[:, :, None]
    for at, other in (inputs, inputs[::-1]):
        step = encoder @ (at - other) / 2
        yield {"x_i": at, "x_other": other, "D_h": encoder, "D_y": decoder, "y_middle": middle_y,
               "h_i": middle_h + step, "h_other": middle_h - step, "y_out_i": middle_y + decoder @ step}  # fmt: skip


def is_the_gradient(relation: Any) -> bool:
    """Central differences of the quantity that is differentiated, in every entry of X; it is quadratic in each."""
    draw = np.random.default_rng(11)
    values = {symbol.name: draw.normal(size=symbol.shape) for symbol in sorted(relation.free_symbols, key=str)}
    found = np.empty((3, 2))
    for index in np.ndindex(found.shape):
        bump = np.zeros((3, 2))
        bump[index] = 0.5
        ahead, behind = (evaluate(relation.lhs.args[0], {**values, "X": values["X"] + s * bump}) for s in (1, -1))
        found[index] = np.sum(ahead - behind)
    return is_close(found, evaluate(relation.rhs, values))


def unprimed(side: Any) -> Any:
    """A side of Eq. (43) in the old variables, by the definitions of Eq. (42); the last of them is that of the time."""
    *variables, time = printed("(42)")
    old = side.xreplace({definition.lhs: definition.rhs for definition in variables})
    return old.replace(rate_primed, lambda quantity: rate(quantity) * letters("t") / time.rhs)


def at_random_weights() -> dict[str, Any]:
    """A moment of a flow along which dh turns."""
    return moment(*random_weights(seed=6), (1.0, 2.0, 3.0))


def case(number: int, **options: Any) -> Any:
    """A moment on the way, with the time constants of the corrected lines."""
    return list(moments(IN_EQ_21, **options))[number]


OF_EQ_6 = ("dh2, line 1", "dh2, line 2", "dy2, line 1", "dy2, line 2", "dy2, line 3", "dy2, line 4", "w, line 1")
OF_EQ_17 = ("dh2, line 3", "dh2, line 4", "dy2, line 5", "dy2, line 6", "w, line 2", "w, line 3")
SYSTEM = [f"({number}) {name}" for number in (7, 21) for name in ("dh2", "dy2", "w")]
PRIMED = twice(meaning=unprimed)

PROGRAMS: Programs = {
    **dict.fromkeys(("(15) y, second line", "(15) y, third line"), numerically(affine_maps, "affine maps")),
    **dict.fromkeys(("(16)", "(17) y_bar, second line", "(17) y_bar", "(17) D_h, second line"), in_eq_6),
    "(17) D_h": wrong("(17) D_h", at_random_weights, in_eq_6),
    "(17) D_y, second line": in_eq_6,
    "(17) D_y": wrong("(17) D_y", at_random_weights, in_eq_6),
    **dict.fromkeys(("A.1 first identity", "A.1 second identity"), deciding(is_the_gradient, "random matrices")),
    "(18)": along(tolerance=1e-8),
    **dict.fromkeys([f"(20) {line}" for line in OF_EQ_6], in_eq_6),
    **dict.fromkeys((*(f"(20) {line}" for line in OF_EQ_17), *SYSTEM, "(25) dh2", "(25) w"), twice()),
    **dict.fromkeys(("(9)", *(f"(22) line {number}" for number in range(1, 7)), "(24)"), in_eq_6),
    "(23)": twice(sides=lambda chain: (chain[0].lhs, chain[2].lhs)),
    "A.4 alignment": along(same_targets),
    **dict.fromkeys(("(37) dh2", "(37) dy2", "(38)"), twice(same_targets)),
    "(39)": wrong("(39)", partial(case, 2, same_targets=True), along(same_targets)),
    "(40)": wrong("(40)", partial(case, 2, same_targets=True), along(same_targets)),
    **dict.fromkeys(("(43) dh2", "(43) dy2"), PRIMED),
    "(43) w": wrong("(43) w", partial(case, 1), PRIMED.prove, meaning=unprimed),
}
