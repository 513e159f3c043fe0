r"""Values of the letters of Eqs. (C.12) to (C.23): metric, derivatives and curvature of infinitely wide networks."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Witness
from theory.core.ledger.printed import relations, solved
from theory.core.ledger.proving import is_close
from theory.core.numbers.evaluation import evaluate
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.explicit_metrics import as_floats
from theory.papers.zavatoneveth2023.index_notation import alpha, beta, mu, nu, summed
from theory.papers.zavatoneveth2023.infinite_values import POINT, values
from theory.papers.zavatoneveth2023.letters import Riemann

NETWORKS = ((0, "1", "0.5", 2), (0, "0.8", "0.6", 3), (3, "0.8", "0.6", 3))
SEEN = NETWORKS[1]


@cache
def tensors(degree: int, sigma: str, zeta: str, inputs: int) -> Mapping[str, Any]:
    """Of one network: inverse metric, derivatives of the metric and Riemann tensor by definition."""
    metric = (
        explicit_metrics.infinite_monomial(degree, sigma, zeta, inputs)
        if degree
        else explicit_metrics.infinite_erf(sigma, zeta, inputs)
    )
    at = christoffel.exact(POINT[:inputs])
    known = values(degree, sigma, zeta, inputs)
    return {
        **known,
        "g_up": np.linalg.inv(known["g"]),
        "dg": as_floats(christoffel.slopes(metric, at)),
        "Riemann": as_floats(christoffel.curvature(metric, POINT[:inputs]).riemann),
    }


def networks() -> list[Mapping[str, Any]]:
    """Error functions on two and three inputs, a cubic monomial on three."""
    return [tensors(*network) for network in NETWORKS]


def stated_riemann(statement: Any) -> Any:
    """The Riemann tensor that a statement gives for the error function on three inputs."""
    (relation,) = relations(statement)
    free = (mu, nu, alpha, beta)
    return summed(solved(relation, Riemann(*free)), tensors(*SEEN), free)


RIEMANN = Witness(
    {"activation": "erf(z/sqrt 2)", "sigma": SEEN[1], "zeta": SEEN[2], "x": POINT[:3]},
    lambda: tensors(*SEEN)["Riemann"],
    stated_riemann,
)


def stated_scalar(statement: Any) -> float:
    """The Ricci scalar that a statement in index notation gives for the same network."""
    (relation,) = relations(statement)
    return float(summed(solved(relation, sp.Symbol("R", real=True)), tensors(*SEEN)))


SCALAR = Witness(RIEMANN.at, lambda: tensors(*SEEN)["R"], stated_scalar)


def has_the_eigenvalues(claim: Claim) -> tuple[Check, ...]:
    """Eigenvalues of the metric along the input and across it, and how often the latter occurs."""

    def agrees(case: Mapping[str, Any]) -> bool:
        along, across = (float(evaluate(claim[name], case)) for name in ("along", "across"))
        count = int(evaluate(claim["count"], case))
        direction = case["x"] / np.linalg.norm(case["x"])
        is_along = is_close(case["g"] @ direction, along * direction)
        expected = sorted([along, *[across] * count])
        found = np.linalg.eigvalsh(case["g"])
        return is_along and len(expected) == len(found) and is_close(found, expected)

    return (Check("eigenvalues", lambda: all(agrees(case) for case in networks()), "Gaussian integrals"),)
