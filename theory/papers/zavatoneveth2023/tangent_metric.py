r"""Appendix D: the metric of the shallow NTK, Eqs. (D.11) to (D.20), and its symmetry."""

from __future__ import annotations

import itertools

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Word, equal, for_all, numerically
from theory.core.ledger.proving import is_close
from theory.core.numbers.evaluation import evaluate
from theory.papers.zavatoneveth2023.appendix_letters import (
    E,
    delta,
    entry,
    g,
    mu,
    norm2,
    nu,
    phi1,
    phi2,
    phi3,
    phi4,
    sigma,
    w,
    x,
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
in_averages = (
    E(phi1(z) ** 2 * w(mu) * w(nu)) + xi**2 * E(phi2(z) ** 2 * w(mu) * w(nu)) * (1 + norm2)
    + xi**2 * E(mixed * w(mu)) * x(nu) + xi**2 * E(mixed * w(nu)) * x(mu) + xi**2 * E(phi1(z) ** 2) * delta
)  # fmt: skip
BY_QUADRATURE = numerically(at_the_point, "the kernel, differentiated by Cauchy's formula")
TWO_INPUTS = "Two inputs, an activation function without a symmetry; averages by quadrature, without Stein's lemma."


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


EQUATIONS = (
    entry(
        "(D.11)",
        "D",
        "The metric in second derivatives of the kernel.",
        Finding.DEFINITION,
        "As (C.4) and (F.5), which are confirmed for kernels with known features.",
        printed=equal(g, theta_xx / 2 - theta_yy_at_x),
    ),
    entry(
        "(D.12)",
        "D",
        "The metric in averages.",
        Finding.ILLEGIBLE,
        "Most letters are lost in the text that was read; (D.16), which is legible, says the same.",
        printed=r"g_{\mu\nu} = \ldots",
        inferred=equal(g, in_averages),
        prove=BY_QUADRATURE,
    ),
    entry(
        "(D.13)",
        "D",
        "Stein's lemma as for the NNGP.",
        Finding.CONFIRMED,
        TWO_INPUTS + " The text that was read has lost a prime of the third derivative, which (D.15) shows.",
        printed=equal(
            E(phi1(z) ** 2 * w(mu) * w(nu)),
            sigma**2 * E(phi1(z) ** 2) * delta + 2 * sigma**4 * E(first) * x(mu) * x(nu),
        ),
        prove=BY_QUADRATURE,
    ),
    entry(
        "(D.14)",
        "D",
        "The same for second derivatives.",
        Finding.CONFIRMED,
        TWO_INPUTS,
        printed=equal(
            E(phi2(z) ** 2 * w(mu) * w(nu)),
            sigma**2 * E(phi2(z) ** 2) * delta + 2 * sigma**4 * E(second) * x(mu) * x(nu),
        ),
        prove=BY_QUADRATURE,
    ),
    entry(
        "(D.15)",
        "D",
        "The same with one weight.",
        Finding.CONFIRMED,
        TWO_INPUTS,
        printed=equal(E(mixed * w(mu)), sigma**2 * E(first) * x(mu)),
        prove=numerically(lambda: [{**case, "mu": index} for case in at_the_point()[:1] for index in (1, 2)],
                          "quadrature"),
    ),
    entry(
        "(D.16)",
        "D",
        "The metric in averages, once more.",
        Finding.CONFIRMED,
        "Two inputs, an activation function without a symmetry.",
        printed=equal(g, in_averages),
        prove=BY_QUADRATURE,
    ),
    entry(
        "(D.17)",
        "D",
        "The metric as a multiple of the identity and one of the projection on x.",
        Finding.ILLEGIBLE,
        "The coefficient of the identity is lost in the text that was read; (D.20), which is legible, has it.",
        printed=r"g_{\mu\nu} = [\ldots] \delta_{\mu\nu} + 2\sigma^2 \{(\sigma^2 + \xi^2) \mathbb{E}[\phi''(z)^2 + "
        r"\phi'(z) \phi'''(z)] + \sigma^2\xi^2 \mathbb{E}[\phi'''(z)^2 + \phi''(z) \phi''''(z)] (1 + "
        r"\|\mathbf{x}\|^2)\} x_\mu x_\nu",
        inferred=equal(g, across * delta + 2 * sigma**2 * along * x(mu) * x(nu)),
        prove=BY_QUADRATURE,
    ),
    entry(
        "D special form",
        "D",
        "",
        Finding.CONFIRMED,
        "The coefficient of x x is not twice the derivative of that of the identity, so that the simplified Riemann "
        "tensor of Appendix A does not apply.",
        printed=Claim("This metric is {form} of the special form of the NNGP metric.",
                      {"form": Word("not quite", ("exactly",))}),
        prove=has_the_special_form,
    ),
    entry(
        "(D.18)",
        "D",
        "The derivative of the coefficient of the identity, by Price's theorem.",
        Finding.ILLEGIBLE,
        "Letters of the second line are lost in the text that was read. The inferred form is that with which (D.19), "
        "which is legible, follows from (D.17).",
        printed=r"\frac{d}{d\|\mathbf{x}\|^2} \left[(\sigma^2 + \xi^2) \mathbb{E}[\phi'(z)^2] + \sigma^2\xi^2 "
        r"\mathbb{E}[\phi''(z)^2] (1 + \|\mathbf{x}\|^2)\right] = \ldots",
        inferred=equal(d_r(across), sigma**2 * along + sigma**2 * xi**2 * E(phi2(z) ** 2)),
        prove=differentiates,
    ),
    entry(
        "(D.19)",
        "D",
        "The metric with that coefficient: not quite of the form of the NNGP's.",
        Finding.CONFIRMED,
        "Two inputs; psi is the eigenvalue of the metric across the input, differentiated by Cauchy's formula.",
        printed=equal(g, psi * delta + 2 * (psi_slope - sigma**2 * xi**2 * E(phi2(z) ** 2)) * x(mu) * x(nu)),
        prove=BY_QUADRATURE,
    ),
    entry(
        "(D.20)",
        "D",
        "The coefficient psi.",
        Finding.CONFIRMED,
        "The eigenvalue of the metric across the input, as (D.19) says; averages by quadrature.",
        printed=equal(psi, across),
        prove=BY_QUADRATURE,
    ),
    entry(
        "D and IV.B symmetry",
        "D",
        "",
        Finding.CONFIRMED,
        "Volume elements at a turned and at a longer input. A kernel of dot products is unchanged when both inputs are "
        "turned, and so is its metric: three layers of error functions as a case.",
        printed=Claim(
            "The volume element of the NTK depends on the input only through its {quantity}, and deep kernels share "
            "this symmetry.",
            {"quantity": Word("norm", ("direction",))},
        ),
        prove=depends_on,
    ),
)  # fmt: skip
