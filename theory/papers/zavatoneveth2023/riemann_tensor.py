r"""Appendix A: the Riemann tensor of metrics with symmetric derivatives, Eqs. (A.1) to (A.19).

The factor 3 of the paper's curvatures enters here. With :math:`T_{\alpha\mu\nu} = \partial_\alpha g_{\mu\nu}`
symmetric, the derivatives of the Christoffel symbols contribute -1/2 and their products +1/4 to the same combination
of :math:`T g^{-1} T`. The sum is -1/4. With the sign of the products reversed it is -3/4, which is what (A.18) and
(B.27) print.
"""

from __future__ import annotations

import sympy as sp

from theory.core import Finding, equal
from theory.core.ledger.ledger import Programs
from theory.core.ledger.transition import programs_of
from theory.papers.zavatoneveth2023.geodesic_balls import spheres
from theory.papers.zavatoneveth2023.index_notation import alpha, as_printed, beta, lamda, mu, nu, rho
from theory.papers.zavatoneveth2023.letters import R, Riemann, dg, dg_up, g, g_up
from theory.papers.zavatoneveth2023.network_values import curvature_witness, of_networks
from theory.papers.zavatoneveth2023.one_unit import average_is_linear
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


PROGRAMS: Programs = {
    "(A.2)": average_is_linear((alpha, mu, nu)),
    "(A.3) to (A.12), Christoffel symbols": as_printed(
        of_networks(), "definition of Christoffel symbols", (alpha, mu, nu)
    ),
    "(A.3) to (A.12), derivative of the inverse": as_printed(
        of_networks(), "differences of the inverse", (alpha, mu, nu)
    ),
    "(A.3) to (A.12), Riemann tensor": as_printed(
        of_networks(factor=3), "three times the curvature from the definition", tensor
    ),
    "(A.13)": definition,
    "(A.14)": definition,
    "(A.15)": definition,
    "(A.16)": as_printed(of_networks(), "definition of curvature", tensor, scale=1e-2),
    "(A.17)": as_printed(spheres, "volumes of geodesic balls"),
    **programs_of(
        (
            PAPER.entry(
                "(A.18)",
                "A",
                "The Ricci scalar from the derivatives of the metric.",
                Finding.MISPRINT,
                NETWORKS
                + "The curvature computed by definition, from all Christoffel symbols in 100 digits, sides with the "
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
                    *(
                        "(7)",
                        "(A.3) to (A.12), Riemann tensor",
                        "(A.19)",
                        "(B.10)",
                        "(B.12)",
                        "(B.13)",
                        "(B.15)",
                        "(B.27)",
                    ),
                    *("(B.69)", "(B.70)", "(C.16)", "(C.23)", "(C.28)", "(C.46)", "(C.48)"),
                ),
            ),
        )
    ),
    **programs_of(
        (
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
    ),
}
