r"""Appendix D: the metric of the shallow NTK, Eqs. (D.11) to (D.20), and its symmetry."""

from __future__ import annotations

import itertools

import numpy as np
import sympy as sp

from theory.core import Check, Claim, for_all, numerically
from theory.core.ledger.ledger import Programs
from theory.core.ledger.proving import is_close
from theory.core.numbers.evaluation import evaluate
from theory.papers.zavatoneveth2023.appendix_letters import (
    E,
    norm2,
    phi1,
    phi2,
    phi3,
    phi4,
    sigma,
    xi,
    z,
)
from theory.papers.zavatoneveth2023.tangent_averages import X, around_the_norm, at_the_point, coefficient, metric

psi, psi_slope, theta_xx, theta_yy_at_x = sp.symbols("psi psi_slope theta_xx theta_yy_at_x", real=True)
d_r = sp.Function("d_r")
mixed = phi1(z) * phi2(z)
first, second = phi2(z) ** 2 + phi1(z) * phi3(z), phi3(z) ** 2 + phi2(z) * phi4(z)
across = (sigma**2 + xi**2) * E(phi1(z) ** 2) + sigma**2 * xi**2 * E(phi2(z) ** 2) * (1 + norm2)
along = (sigma**2 + xi**2) * E(first) + sigma**2 * xi**2 * E(second) * (1 + norm2)
BY_QUADRATURE = numerically(at_the_point, "the kernel, differentiated by Cauchy's formula")


def has_the_special_form(claim: Claim) -> tuple[Check, ...]:
    """Whether the coefficient of x x is twice the derivative of that of the identity, as Eq. (5) says."""
    radial = (X @ metric() @ X / (X @ X) - coefficient()["psi"]) / (X @ X)
    form = "exactly" if is_close(radial, 2 * coefficient()["psi_slope"], 1e-6) else "not quite"
    return (Check("coefficients", lambda: claim["form"] == form, "the kernel, differentiated"),)


def differentiates(relation: sp.Eq) -> tuple[Check, ...]:
    """The left side is a derivative on a circle of the squared norm, the right side is taken at its centre."""

    def agrees() -> bool:
        left, right = evaluate(relation.lhs, around_the_norm()[0]), evaluate(relation.rhs, at_the_point()[0])
        return is_close(left, right)

    return (Check("as printed", agrees, "Cauchy's formula"),)


def _volume(point: np.ndarray) -> float:
    return float(np.sqrt(np.linalg.det(metric(tuple(point)))))


def _deep_kernel(one: np.ndarray, other: np.ndarray) -> float:
    """The arc sine applied three times over, a network of three layers of error functions."""
    here, there, crossed = one @ one, other @ other, one @ other
    for _ in range(3):
        spread = 1.25 + here, 1.25 + there
        here, there, crossed = (
            2 / np.pi * np.arcsin((value + 0.25) / np.sqrt(scale))
            for value, scale in ((here, spread[0] ** 2), (there, spread[1] ** 2), (crossed, spread[0] * spread[1]))
        )
    return float(crossed)


def depends_on(claim: Claim) -> tuple[Check, ...]:
    """Volume elements and deep kernels at turned and at longer inputs."""
    turned, longer = np.array([0.9, 0.6]), 1.5 * X
    changes = {"norm": longer, "direction": turned}
    other = {"norm": "direction", "direction": "norm"}[claim["quantity"]]
    draw = np.random.default_rng(2)
    turn, _ = np.linalg.qr(draw.normal(size=(3, 3)))
    change = {"norm": lambda point: 1.5 * point, "direction": lambda point: turn @ point}
    pairs = list(itertools.combinations(draw.normal(size=(4, 3)), 2))

    def is_kept(quantity: str, pair: tuple[np.ndarray, np.ndarray]) -> bool:
        return is_close(_deep_kernel(*pair), _deep_kernel(*map(change[quantity], pair)))

    return (
        Check("changed", lambda: not is_close(_volume(X), _volume(changes[claim["quantity"]]), 1e-6), "quadrature"),
        Check("kept", lambda: is_close(_volume(X), _volume(changes[other])), "quadrature"),
        Check("deep kernel changed", lambda: not any(is_kept(claim["quantity"], pair) for pair in pairs), "arc sines"),
        Check("deep kernel kept", lambda: for_all(pairs, lambda pair: is_kept(other, pair)), "arc sines"),
    )


PROGRAMS: Programs = {
    "(D.12)": BY_QUADRATURE,
    "(D.13)": BY_QUADRATURE,
    "(D.14)": BY_QUADRATURE,
    "(D.15)": numerically(
        lambda: [{**case, "mu": index} for case in at_the_point()[:1] for index in (1, 2)], "quadrature"
    ),
    "(D.16)": BY_QUADRATURE,
    "(D.17)": BY_QUADRATURE,
    "D special form": has_the_special_form,
    "(D.18)": differentiates,
    "(D.19)": BY_QUADRATURE,
    "(D.20)": BY_QUADRATURE,
    "D and IV.B symmetry": depends_on,
}
