r"""Appendix C: the metric at infinite width from Gaussian integration by parts, Eqs. (C.1) to (C.11)."""

from __future__ import annotations

from theory.core import numerically
from theory.core.ledger.ledger import Programs
from theory.papers.zavatoneveth2023.appendix_letters import (
    phi1,
    phi2,
    phi3,
    z,
)
from theory.papers.zavatoneveth2023.wide_kernel import (
    around_the_point,
    at_the_point,
    differentiates,
    has_the_distribution,
    suffices,
)

bends = phi2(z) ** 2 + phi1(z) * phi3(z)
BY_QUADRATURE = numerically(at_the_point, "quadrature over weights and bias")

PROGRAMS: Programs = {
    "(C.2)": has_the_distribution,
    "(C.4)": numerically(around_the_point, "quadrature over weights and bias"),
    "C weak differentiability": suffices,
    "(C.5)": BY_QUADRATURE,
    "(C.6)": BY_QUADRATURE,
    "(C.7)": BY_QUADRATURE,
    "(C.8)": differentiates,
    "(C.9)": differentiates,
    "(C.10)": BY_QUADRATURE,
}
