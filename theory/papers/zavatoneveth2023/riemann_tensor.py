r"""Appendix A: the Riemann tensor of metrics with symmetric derivatives, Eqs. (A.1) to (A.19).

The factor 3 of the paper's curvatures enters here. With :math:`T_{\alpha\mu\nu} = \partial_\alpha g_{\mu\nu}`
symmetric, the derivatives of the Christoffel symbols contribute -1/2 and their products +1/4 to the same combination
of :math:`T g^{-1} T`. The sum is -1/4. With the sign of the products reversed it is -3/4, which is what (A.18) and
(B.27) print.
"""

from __future__ import annotations

import sympy as sp

from theory.core import Finding, equal
from theory.papers.zavatoneveth2023.geodesic_balls import spheres
from theory.papers.zavatoneveth2023.index_notation import alpha, as_printed, beta, lamda, mu, nu, rho
from theory.papers.zavatoneveth2023.letters import Gamma, R, Riemann, Riemann_up, dg, dg_up, g, g_up, gap
from theory.papers.zavatoneveth2023.network_values import curvature_witness, of_networks
from theory.papers.zavatoneveth2023.one_unit import average_is_linear, bend, mean, slope, weight
from theory.papers.zavatoneveth2023.paper import PAPER
from theory.papers.zavatoneveth2023.sign_of_products import parts

NETWORKS = "Random networks with two, three and four inputs. "
MISSING = "The displays (A.3) to (A.12) are missing from the text that was read. "
tensor = (mu, nu, alpha, beta)
definition = as_printed(of_networks(), "definition of curvature", tensor)


def riemann(number: int) -> sp.Eq:
    """The Riemann tensor that (A.18) contracts."""
    products = dg(alpha, mu, rho) * dg(beta, nu, lamda) - dg(beta, mu, rho) * dg(alpha, nu, lamda)
    return equal(Riemann(*tensor), -sp.Rational(number, 4) * g_up(rho, lamda) * products)


def scalar_18(number: int) -> sp.Eq:
    """Eq. (A.18)."""
    products = dg(alpha, mu, rho) * dg(beta, nu, lamda) - dg(beta, mu, rho) * dg(alpha, nu, lamda)
    return equal(R, -sp.Rational(number, 4) * g_up(mu, alpha) * g_up(nu, beta) * g_up(rho, lamda) * products)


def scalar_19(number: int) -> sp.Eq:
    """Eq. (A.19)."""
    products = dg_up(alpha, alpha, rho) * dg_up(beta, beta, lamda) - dg_up(beta, alpha, rho) * dg_up(alpha, beta, lamda)
    return equal(R, -sp.Rational(number, 4) * g(rho, lamda) * products)


EQUATIONS = (
    PAPER.entry(
        "(A.1)",
        "A",
        "The metric as an average over weights and biases of any distribution.",
        Finding.DEFINITION,
        "The metrics (2) and (C.1) are of this form.",
        printed=equal(g(mu, nu), mean(slope**2 * weight(mu) * weight(nu))),
    ),
    PAPER.entry(
        "(A.2)",
        "A",
        "Its derivatives are symmetric in all three indices.",
        Finding.CONFIRMED,
        "An average is linear, so one unit with symbolic weights and any activation function shows it; all indices.",
        printed=equal(dg(alpha, mu, nu), 2 * mean(slope * bend * weight(alpha) * weight(mu) * weight(nu))),
        prove=average_is_linear((alpha, mu, nu)),
    ),
    PAPER.entry(
        "(A.3) to (A.12), Christoffel symbols",
        "A",
        "The Christoffel symbols of the second kind reduce to half the derivative of the metric, one index raised.",
        Finding.ILLEGIBLE,
        MISSING + "This one is given by its sentence. " + NETWORKS + "Christoffel symbols from their definition.",
        printed=gap,
        inferred=equal(Gamma(alpha, mu, nu), g_up(alpha, rho) * dg(rho, mu, nu) / 2),
        prove=as_printed(of_networks(), "definition of Christoffel symbols", (alpha, mu, nu)),
    ),
    PAPER.entry(
        "(A.3) to (A.12), derivative of the inverse",
        "A",
        "The matrix calculus identity that is recalled.",
        Finding.ILLEGIBLE,
        MISSING + "This is the identity that the derivation needs. " + NETWORKS + "The inverse differentiated.",
        printed=gap,
        inferred=equal(dg_up(alpha, mu, nu), -g_up(mu, rho) * g_up(nu, lamda) * dg(alpha, rho, lamda)),
        prove=as_printed(of_networks(), "differences of the inverse", (alpha, mu, nu)),
    ),
    PAPER.entry(
        "(A.3) to (A.12), Riemann tensor",
        "A",
        "The Riemann tensor with all indices down, re-expressed by the symmetry of the derivatives.",
        Finding.ILLEGIBLE,
        MISSING + "What is inferred is what (A.18) contracts and (B.27) quotes, with their prefactor. "
        "It is three times the curvature from the definition.",
        printed=gap,
        inferred=riemann(3),
        prove=as_printed(of_networks(factor=3), "three times the curvature from the definition", tensor),
    ),
    PAPER.entry(
        "(A.13)",
        "A",
        "The tensor is antisymmetric in its last two indices.",
        Finding.CONFIRMED,
        NETWORKS + "A prefactor does not matter here.",
        printed=equal(Riemann(mu, nu, alpha, beta), -Riemann(mu, nu, beta, alpha)),
        prove=definition,
    ),
    PAPER.entry(
        "(A.14)",
        "A",
        "The tensor is antisymmetric in its first two indices.",
        Finding.CONFIRMED,
        NETWORKS + "A prefactor does not matter here.",
        printed=equal(Riemann(mu, nu, alpha, beta), -Riemann(nu, mu, alpha, beta)),
        prove=definition,
    ),
    PAPER.entry(
        "(A.15)",
        "A",
        "The tensor is symmetric under exchange of the pairs.",
        Finding.CONFIRMED,
        NETWORKS + "A prefactor does not matter here.",
        printed=equal(Riemann(mu, nu, alpha, beta), Riemann(alpha, beta, mu, nu)),
        prove=definition,
    ),
    PAPER.entry(
        "(A.16)",
        "A",
        "The first Bianchi identity.",
        Finding.CONFIRMED,
        NETWORKS + "With four inputs it says something new.",
        printed=equal(
            Riemann(mu, nu, alpha, beta) + Riemann(mu, alpha, beta, nu) + Riemann(mu, beta, nu, alpha), sp.S.Zero
        ),
        prove=as_printed(of_networks(), "definition of curvature", tensor, scale=1e-2),
    ),
    PAPER.entry(
        "(A.17)",
        "A",
        "The Ricci scalar is a contraction of the Riemann tensor.",
        Finding.CONFIRMED,
        "Unit spheres, whose curvature is positive by this convention, as in II.B geodesic balls.",
        printed=equal(R, g_up(beta, nu) * Riemann_up(alpha, nu, alpha, beta)),
        prove=as_printed(spheres, "volumes of geodesic balls"),
    ),
    PAPER.entry(
        "(A.18)",
        "A",
        "The Ricci scalar from the derivatives of the metric.",
        Finding.MISPRINT,
        NETWORKS + "The curvature computed by definition, from all Christoffel symbols in 100 digits, sides with the "
        "corrected form. Derivatives of Christoffel symbols contribute -1/2 and their products +1/4, together -1/4; "
        "with the sign of the products reversed it is the printed -3/4. A 2-sphere and diagonal metrics of two inputs "
        "do not show such a sign.",
        printed=scalar_18(3),
        corrected=scalar_18(1),
        prove=lambda scalar: (*parts(), *as_printed(of_networks(), "definition of curvature")(scalar)),
        witness=curvature_witness(R),
        consequence="Every curvature in the paper is three times too large: tensors and scalars of finite networks in "
        "Appendix B, those of infinite ones in Section IV.B and Appendix C, and the values in Figures 1, B.1, C.1, "
        "G.2 and G.6. Signs, zeros, monotonicity and thresholds, and all volume elements, are not affected.",
        heirs=(
            *("(7)", "(A.3) to (A.12), Riemann tensor", "(A.19)", "(B.10)", "(B.12)", "(B.13)", "(B.15)", "(B.27)"),
            *("(B.69)", "(B.70)", "(C.16)", "(C.23)", "(C.28)", "(C.46)", "(C.48)"),
        ),
    ),
    PAPER.entry(
        "(A.19)",
        "A",
        "The Ricci scalar from the derivatives of the inverse.",
        Finding.MISPRINT,
        NETWORKS + "The curvature computed by definition sides with the corrected form.",
        printed=scalar_19(3),
        corrected=scalar_19(1),
        prove=as_printed(of_networks(), "definition of curvature"),
        witness=curvature_witness(R),
        consequence="Three times too large, as (A.18).",
    ),
)
