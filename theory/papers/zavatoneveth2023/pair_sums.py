"""The curvature of networks on two inputs as a sum over triples of units, Eq. (B.15) with its prefactor free."""

from __future__ import annotations

import numpy as np

from theory.papers.zavatoneveth2023.network import Network, scalar_of


def scalar_15(net: Network, factor: float) -> float:
    """Eq. (B.15); 3 is printed, and 1 is right."""
    m, ends = net.minors, net.slopes * net.bends
    total = np.einsum("jk,jk,ij,ik,i,j,k->", m, m, m, m, net.slopes**2, ends, ends)
    return float(-factor * total / (net.width**3 * net.determinant**2))


def scalar(net: Network) -> float:
    """From Appendix A, as corrected."""
    return scalar_of(net.metric, net.riemann())
