r"""Section 1.3: the least cross-entropy over all decoders, line by line."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.printed import solved
from theory.core.ledger.proving import is_close
from theory.core.numbers.evaluation import evaluate
from theory.papers.cheong2025.dirac import TABLE, in_letters, log, mean_ab
from theory.papers.cheong2025.finite_alphabets import bits
from theory.papers.cheong2025.notation import letters

infimum = letters("infimum")


f_ab = letters("f_ab")


loss = letters("loss")


CERTAIN = 1e-9  # smallest probability that decoders give


SEARCH = 1e-6  # relative error of a minimum that is searched for


@cache
def table() -> Mapping[str, Any]:
    """The letters of the proof of Theorem 1 for a table of probabilities, with both conditional ones."""
    first, second = np.broadcast_arrays(TABLE.sum(axis=1, keepdims=True), TABLE.sum(axis=0, keepdims=True))
    given_a = [row / row.sum() for row in TABLE]
    least = sum(row.sum() * bits(p) for row, p in zip(TABLE, given_a, strict=True)) * float(np.log(2))
    return {**in_letters(TABLE, first, second, TABLE), "p_a_b": TABLE / second, "conditional": least, "loss": least}


def minimised(inner: Any) -> Any:
    """The inner expression at the decoder f that minimises it: a number, or its value at each a."""
    from scipy.optimize import minimize
    from scipy.special import expit

    def at(logits: Any) -> Any:
        one = CERTAIN + (1 - 2 * CERTAIN) * expit(logits)
        return evaluate(inner, {**table(), "f_ab": np.stack([1 - one, one], axis=1)})

    best = minimize(lambda logits: float(np.sum(at(logits))), np.zeros(len(TABLE)), tol=1e-12)
    return at(best.x)


def value(side: Any) -> Any:
    """A printed side for the table; infima over all decoders are searched for numerically."""
    case = dict(table())

    def found(inner: Any) -> sp.Symbol:
        name = f"infimum {len(case)}"
        case[name] = minimised(inner)
        return sp.Symbol(name)

    return evaluate(side.replace(infimum, found), case)


def searched(statement: Any) -> tuple[Check, ...]:
    """Both sides for a table of probabilities."""
    return (
        Check(
            "a table", lambda: is_close(value(statement.lhs), value(statement.rhs), SEARCH, 1.0), "entropies of rows"
        ),
    )


NUMBERS = "A table of probabilities; decoders are searched for numerically, starting from chance."

PROGRAMS: Programs = {
    "1.3 variational form, first line": searched,
    "1.3 KL": searched,
    "1.3 variational form, second line": searched,
    "1.3 variational form, third line": searched,
    "1.3 variational form": searched,
    "1.3 predicting b given a": Program(
        searched,
        lambda: float(minimised(mean_ab(-log(f_ab)))),
        value=lambda statement: float(value(solved(statement, loss))),
        tolerance=SEARCH,
    ),
}
