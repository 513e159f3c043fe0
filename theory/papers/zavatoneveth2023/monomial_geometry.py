r"""Appendix C.2: volume element and curvature of monomials at infinite width, Eqs. (C.44) to (C.48)."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Finding, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.transition import programs_of
from theory.papers.zavatoneveth2023.index_notation import d
from theory.papers.zavatoneveth2023.infinite_values import MONOMIALS, WITHOUT_BIAS, infinite_witness, of_infinite
from theory.papers.zavatoneveth2023.letters import R
from theory.papers.zavatoneveth2023.monomials import (
    CURVATURE,
    VOLUME,
    always,
    in_the_limit,
    rises,
    scalar_46,
    scalar_48,
    vanishes,
)
from theory.papers.zavatoneveth2023.paper import PAPER
from theory.papers.zavatoneveth2023.symbols import q

CASES = "Degrees 2 to 4, two to four inputs, against "
numbers = numerically(of_infinite(MONOMIALS), "Gaussian integrals and the definition of curvature")


PROGRAMS: Programs = {
    "(C.44)": numbers,
    "(C.45)": numbers,
    **programs_of(
        (
            PAPER.entry(
                "(C.46)",
                "C.2",
                "The Ricci scalar of a monomial.",
                Finding.MISPRINT,
                CASES + "the curvature by definition, of a metric by Isserlis' theorem.",
                printed=scalar_46(3),
                corrected=scalar_46(1),
                prove=numbers,
                witness=infinite_witness(MONOMIALS[1], R),
                consequence="Three times too large, and with it the dashed line of Figure 1b and the curves of Figure C.1.",
                heirs=("(C.48)",),
            ),
        )
    ),
    "(C.47)": numerically(of_infinite(WITHOUT_BIAS), "Gaussian integrals"),
    "(C.48)": numerically(of_infinite(WITHOUT_BIAS[:3], 3), "three times the curvature from the definition"),
    "C.2 volume of monomials": lambda claim: (
        always(
            VOLUME if claim["change"] == "increasing" else 1 / VOLUME,
            tuple(int(claim["degree"]) + more for more in (1, 2, 5)),
            (1, 2, 3, 7),
            (0.0, 0.4, 1.3),
            rises,
            "rises",
        ),
        always(VOLUME, (int(claim["degree"]),), (1, 2, 3), (0.0, 0.4), lambda v: not rises(v), "not at the bound"),
    ),
    "C.2 flat monomials": lambda claim: (
        always(CURVATURE, (int(claim["degree"]),), (2, 3), (0.0, 0.4), vanishes, "degree"),
        always(CURVATURE, (2, 3), (int(claim["inputs"]),), (0.0, 0.4), vanishes, "inputs"),
    ),
    "C.2 monomials without biases": lambda claim: (
        always(CURVATURE, (2, 3), (int(claim["inputs"]),), (0.0,), vanishes, "flat"),
        always(CURVATURE, (2, 3), (int(claim["bound"]),), (0.0,), vanishes, "at the bound"),
        always(
            CURVATURE if claim["sign"] == "< 0" else -CURVATURE,
            (2, 3),
            tuple(int(claim["bound"]) + more for more in (1, 2, 5)),
            (0.0,),
            lambda values: bool(np.all(values < 0)),
            "sign",
        ),
        always(CURVATURE if claim["change"] == "decreasing" else -CURVATURE, (2, 3), (3, 4), (0.0,), rises, "its size"),
    ),
    "IV.B monomials, all biases": lambda claim: (
        always(VOLUME if claim["volume"] == "increasing" else 1 / VOLUME, (2, 3), (2, 3), (0.0, 0.4), rises, "volume"),
        always(
            CURVATURE if claim["sign"] == "non-positive" else -CURVATURE,
            (2, 3),
            (2, 3, 7),
            (0.0, 0.4),
            lambda values: bool(np.all(values <= 0)),
            "sign",
        ),
        always(
            CURVATURE,
            (2, 3),
            (2, 3, 7),
            (0.4,),
            lambda values: (rises(values) or rises(-values)) is (claim["shape"] == "monotonic"),
            "shape",
        ),
    ),
    "IV.B monomials": Program(
        in_the_limit,
        lambda: 1.0 if vanishes(np.array([scalar_48(sp.S.One).rhs.subs({d: 2, q: 2})], dtype=float)) else 0.0,
        value=lambda claim: float(1 / claim["limit"]) if claim["limit"] != 0 else 1.0,
    ),
}
