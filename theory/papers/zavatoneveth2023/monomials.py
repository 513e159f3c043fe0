r"""Volume element and curvature of monomials at infinite width, Eqs. (C.44) to (C.48)."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Given, equal, for_all
from theory.core.numbers.evaluation import evaluate
from theory.papers.zavatoneveth2023.index_notation import d
from theory.papers.zavatoneveth2023.letters import R, volume
from theory.papers.zavatoneveth2023.symbols import q, r, sigma, variance, zeta

NORMS = (1e-5, 1e-3, 0.03, 0.7, 2.0, 30.0)


def volume_45(slope2: sp.Expr) -> sp.Eq:
    """Eq. (C.45), of a given average squared slope."""
    return equal(volume, sp.sqrt(1 + 2 * (q - 1) * sigma**2 * r / variance) * (sigma**2 * slope2) ** (d / 2))


def scalar_46(number: int) -> sp.Eq:
    """Eq. (C.46)."""
    bracket = (d + 2) * zeta**2 + (d - 2) * (2 * q - 1) * sigma**2 * r
    above = (d - 1) * (q - 1) ** 2 * (2 * q - 1) * sigma**2 * r * bracket
    return equal(R, -number * (above / (q**2 * variance**q * ((2 * q - 1) * sigma**2 * r + zeta**2) ** 2)))


def scalar_48(number: sp.Expr) -> sp.Eq:
    """Eq. (C.48)."""
    return equal(R, -number * ((d - 1) * (d - 2) * (q - 1) ** 2 / (q**2 * (sigma**2 * r) ** q)))


CURVATURE = scalar_46(1).rhs
"""With the right prefactor; signs, zeros and slopes do not depend on it."""
VOLUME = volume_45(q**2 / (2 * q - 1) * variance ** (q - 1)).rhs


def along_the_norm(form: sp.Expr, degree: int, inputs: int, bias: float) -> np.ndarray:
    """Values of a form at increasing norms, [norm]."""
    at = {"q": degree, "d": inputs, "zeta": bias, "sigma": 1.1}
    return np.array([float(evaluate(form, {**at, "r": size})) for size in NORMS])


def always(
    form: sp.Expr,
    degrees: tuple[int, ...],
    inputs: tuple[int, ...],
    biases: tuple[float, ...],
    holds: Callable[[np.ndarray], bool],
    name: str,
) -> Check:
    """Whether the values of a form at increasing norms have a property for all degrees, dimensions and biases."""
    cases = tuple(itertools.product(degrees, inputs, biases))
    return Check(name, lambda: for_all(cases, lambda case: bool(holds(along_the_norm(form, *case)))), "a grid")


def rises(values: np.ndarray) -> bool:
    """Whether the values increase strictly."""
    return bool(np.all(np.diff(values) > 0))


def vanishes(values: np.ndarray) -> bool:
    """Whether all values are zero."""
    return bool(np.all(np.abs(values) < 1e-14))


def in_the_limit(claim_and_condition: Any) -> tuple[Check, ...]:
    """Whether R rises to its value at infinity from a limit at the origin, without biases, as IV.B says."""
    given = isinstance(claim_and_condition, Given)
    condition = claim_and_condition.condition if given else sp.true
    claim = claim_and_condition.statement if given else claim_and_condition
    cases = [{"d": inputs, "q": degree} for inputs in (1, 2, 3, 5) for degree in (1, 2, 3)]

    def holds(case: dict[str, int]) -> bool:
        values = along_the_norm(CURVATURE, case["q"], case["d"], 0.0)
        falls = bool(np.all(np.diff(values) <= 0)) and not vanishes(values)
        limit = sp.limit(scalar_48(sp.S.One).rhs.subs({**case, d: case["d"], q: case["q"], sigma: 1}), r, 0, "+")
        return limit == claim["limit"] and falls is (claim["change"] == "decreasing")

    allowed = [case for case in cases if bool(evaluate(condition, case))]
    return (Check("without biases", lambda: for_all(allowed, holds), "(C.48), prefactor 1"),)
