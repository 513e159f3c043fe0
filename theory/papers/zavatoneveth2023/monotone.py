r"""Sections IV.B and C.2: signs and trends of volume element and curvature at infinite width.

The forms are those that (C.27), (C.28), (C.45), (C.46) and (C.48) show as corrected; prefactors do not matter here.
"""

from __future__ import annotations

import itertools
from functools import cache, partial
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, for_all
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import allowed, chosen, stating, unconditional
from theory.core.numbers.evaluation import evaluate
from theory.papers.zavatoneveth2023.index_notation import Case
from theory.papers.zavatoneveth2023.symbols import letters, shown

d, q, sigma, zeta, X, norm = letters("d q sigma zeta X norm")
s, more = sp.symbols("s more", positive=True)
"""The variance sigma^2 |x|^2; d - 1."""
NORMS = (1e-5, 1e-3, 0.03, 0.7, 2.0, 30.0)
DEGREES, INPUTS, BIASES = range(1, 7), range(1, 8), (0.0, 0.4, 1.3)


def in_variance(form: sp.Expr) -> sp.Expr:
    """The form in the variance s instead of the norm."""
    return form.subs(norm(X), sp.sqrt(s) / sigma)


def trend(form: sp.Expr) -> str:
    """Whether a form rises or falls with the norm, for all d > 1 and all positive parameters."""
    slope = sp.factor(sp.simplify(sp.diff(in_variance(form), s)).subs(d, 1 + more))
    return "increasing" if slope.is_positive else "decreasing" if slope.is_negative else "neither"


def scalar_of_erf() -> sp.Expr:
    """The curvature of error functions."""
    return shown("(C.28)", "corrected").rhs


def _trend_for_erf() -> str:
    trends = {trend(scalar_of_erf()), trend(sp.log(shown("(C.27)", "inferred").rhs))}
    return trends.pop() if len(trends) == 1 else "different"


def _sign_far_away() -> str:
    falls = trend(scalar_of_erf()) == "decreasing"
    limit = sp.limit(in_variance(scalar_of_erf()).subs({d: 3, zeta: 1, sigma: 1}), s, sp.oo)
    return "negative" if falls and limit == -sp.oo else "positive"


def has_the_sign(statement: Any) -> tuple[Check, ...]:
    """For which dimensions the curvature of error functions has the sign of a claim, where its condition holds."""
    claim, form = unconditional(statement), scalar_of_erf()
    sign = chosen(claim, "sign", {"negative": -1, "positive": 1})
    names = ("d", "X", "sigma", "zeta")
    grid = itertools.product((1, 2, 3, 7), (0.0, 0.03, 0.8, 1.2, 5.5), (0.5, 1.3), (0.0, 0.8))
    cases = allowed(statement, [{**dict(zip(names, case, strict=True)), "norm": abs} for case in grid])

    def holds(case: Case) -> bool:
        return bool(sign * float(evaluate(form, case)) > 0) is bool(case["d"] > claim["bound"])

    return (Check("grid", lambda: for_all(cases, holds), "(C.28) as corrected"),)


def _sign_at_origin() -> float:
    at = {"d": 2, "X": 0.0, "sigma": 1.0, "zeta": 0.5, "norm": abs}
    return float(np.sign(evaluate(scalar_of_erf(), at)))


@cache
def along_the_norm(label: str, degree: int, inputs: int, bias: float) -> Any:
    """The form of an entry at increasing norms, for monomials: [norm]."""
    form = shown(label, "inferred" if label == "(C.45)" else "corrected").rhs
    at = {"q": degree, "d": inputs, "zeta": bias, "sigma": 1.1, "norm": np.sqrt}
    return np.array([float(evaluate(form, {**at, "X": size})) for size in NORMS])


def rises(values: Any) -> bool:
    """Whether the values increase strictly."""
    return bool(np.all(np.diff(values) > 0))


def vanishes(values: Any) -> bool:
    """Whether all values are zero."""
    return bool(np.all(np.abs(values) < 1e-14))


def volumes(degrees: Any = DEGREES) -> list[Any]:
    """Volume elements along the norm for these degrees and all inputs and biases."""
    return [along_the_norm("(C.45)", *case) for case in itertools.product(degrees, INPUTS, BIASES)]


def curvatures(degrees: Any = DEGREES, inputs: Any = INPUTS, biases: Any = BIASES) -> list[Any]:
    """Curvatures along the norm."""
    return [along_the_norm("(C.46)", *case) for case in itertools.product(degrees, inputs, biases)]


def _trend_of(rows: list[Any]) -> str:
    rising = [rises(row) for row in rows]
    return "increasing" if all(rising) else "decreasing" if all(rises(-row) for row in rows) else "neither"


def _sign_of(rows: list[Any], words: tuple[str, str]) -> str:
    return words[0] if all(np.all(row <= 0) for row in rows) else words[1]


def _flat(axis: str) -> int:
    """The one degree, or number of inputs, at which R vanishes whatever the other parameters are."""
    cases = {"degree": lambda one: curvatures((one,)), "inputs": lambda one: curvatures(inputs=(one,))}[axis]
    (found,) = (one for one in range(1, 7) if all(map(vanishes, cases(one))))
    return found


def _without_biases(inputs: int) -> list[Any]:
    return curvatures(range(2, 5), (inputs,), (0.0,))


def _last_flat() -> int:
    return max(inputs for inputs in INPUTS if all(map(vanishes, _without_biases(inputs))))


def _last_without_sign() -> int:
    return max(inputs for inputs in INPUTS if not all(np.all(row < 0) for row in _without_biases(inputs)))


def _monotonic() -> str:
    rows = curvatures((2, 3), (2, 3, 7), (0.4,))
    return "monotonic" if any(rises(row) or rises(-row) for row in rows) else "non-monotonic"


def in_the_limit(claim: Claim) -> tuple[Check, ...]:
    """Whether R, without biases, falls with the norm or not, from a limit at the origin, and where it is zero."""
    flat = int(claim["inputs"])
    falls = chosen(claim, "change", {"decreasing": True, "non-decreasing": False})
    form = shown("(C.48)", "inferred").rhs.subs({norm(X): sp.sqrt(s), sigma: 1})

    def diverges(case: tuple[int, int]) -> bool:
        row = along_the_norm("(C.46)", *case, 0.0)
        limit = sp.limit(form.subs({q: case[0], d: case[1]}), s, 0, "+")
        return bool(limit == claim["limit"]) and bool(np.all(np.diff(row) <= 0)) is falls

    cases = list(itertools.product((2, 3, 4), range(flat + 1, flat + 4)))
    return (
        Check("further inputs", lambda: for_all(cases, diverges), "(C.48)"),
        Check("R = 0", lambda: flat == _last_flat(), "(C.46)"),
    )


PROGRAMS: Programs = {
    "IV.B erf": stating({"change": _trend_for_erf}, "sign of the derivatives"),
    "C.2 monotone for erf": stating(
        {"change": lambda: trend(scalar_of_erf()), "sign": _sign_far_away}, "sign of the derivative"
    ),
    "C.2 sign for erf": Program(
        has_the_sign, _sign_at_origin, lambda claim: float(chosen(claim, "sign", {"negative": -1, "positive": 1}))
    ),
    "C.2 volume of monomials": stating(
        {
            "degree": lambda: max(q for q in DEGREES if not all(map(rises, volumes((q,))))),
            "change": lambda: _trend_of(volumes(range(2, 7))),
        },
        "a grid",
    ),
    "C.2 flat monomials": stating({name: partial(_flat, name) for name in ("degree", "inputs")}, "a grid"),
    "C.2 monomials without biases": stating(
        {
            "inputs": _last_flat,
            "bound": _last_without_sign,
            "sign": lambda: _sign_of(curvatures(range(2, 5), range(3, 6), (0.0,)), ("<", ">")),
            "change": lambda: _trend_of([-row for row in curvatures(range(2, 5), range(3, 6), (0.0,))]),
        },
        "a grid",
    ),
    "IV.B monomials, all biases": stating(
        {
            "volume": lambda: _trend_of(volumes(range(2, 7))),
            "sign": lambda: _sign_of(curvatures(), ("non-positive", "non-negative")),
            "shape": _monotonic,
        },
        "a grid",
    ),
    "IV.B monomials": in_the_limit,
}
