r"""Sums over units of a network on any number of inputs, as Appendix B.3 prints them.

Each has its prefactor free. Letters: ``m`` minors, ``e`` antisymmetric symbol, ``a`` slopes squared, ``h`` slopes times
bends, ``w`` weights. Three inputs: the tuples :math:`j_2 \cdots j_d` are pairs ``pq`` and ``rs``.
"""

from __future__ import annotations

import math

import numpy as np
import sympy as sp

from theory.papers.zavatoneveth2023.christoffel import Curvature, exact, slopes
from theory.papers.zavatoneveth2023.explicit_metrics import BIASES, POINT, WEIGHTS, as_floats, erf_network
from theory.papers.zavatoneveth2023.network import Array, Network, close, levi_civita
from theory.papers.zavatoneveth2023.pair_sums import scalar

THREE = ((4, 3, 2), (5, 3, 4))


def _sum(subscripts: str, *arrays: Array) -> Array:
    return np.asarray(np.einsum(subscripts, *arrays, optimize="greedy"))


def _scale(net: Network) -> float:
    """n^(d-1) (d-1)! det g."""
    return net.width ** (net.inputs - 1) * math.factorial(net.inputs - 1) * net.determinant


def _ends(net: Network) -> Array:
    return net.slopes * net.bends


def inverse_25(net: Network) -> Array:
    """Eq. (B.25), three inputs."""
    e, g = levi_civita(3), net.metric
    return _sum("mpq,nrs,pr,qs->mn", e, e, g, g) / (math.factorial(2) * net.determinant)


def riemann_29(net: Network, factor: float) -> Array:
    """Eqs. (B.28) and (B.29): the inverse expanded, both symbols left."""
    e, a, h, w = levi_civita(3), net.slopes**2, _ends(net), net.weights
    left = _sum("Rxy,px,qy,p,q->Rpq", e, w, w, a, a)
    right = _sum("Lxy,px,qy->Lpq", e, w, w)
    inverse = _sum("Rpq,Lpq->RL", left, right)
    half = _sum("RL,i,k,iR,im,ia,kL,kn,kb->mnab", inverse, h, h, w, w, w, w, w, w)
    return -factor / (net.width**2 * _scale(net)) * (half - half.swapaxes(2, 3))


def riemann_31(net: Network, factor: float) -> Array:
    """Eqs. (B.30) and (B.31): in minors."""
    m, a, h, w = net.minors, net.slopes**2, _ends(net), net.weights
    half = _sum("ipq,kpq,p,q,i,k,im,kn,ia,kb->mnab", m, m, a, a, h, h, w, w, w, w)
    return -factor / (net.width**2 * _scale(net)) * (half - half.swapaxes(2, 3))


def riemann_32(net: Network, factor: float) -> Array:
    """Eqs. (B.31) and (B.32): first index up."""
    m, a, h, w = net.minors, net.slopes**2, _ends(net), net.weights
    raised = _sum("irs,Lxy,rx,sy,r,s->iL", m, levi_civita(3), w, w, a, a)
    half = _sum("ipq,kpq,p,q,iL,i,k,kn,ia,kb->Lnab", m, m, a, a, raised, h, h, w, w, w)
    return -factor / (net.width**2 * _scale(net) ** 2) * (half - half.swapaxes(2, 3))


def ricci_34(net: Network, factor: float) -> Array:
    """Eqs. (B.33) and (B.34)."""
    m, a, h, w = net.minors, net.slopes**2, _ends(net), net.weights
    shared = _sum("ipq,kpq,p,q,i,k->ik", m, m, a, a, h, h)
    one = _sum("ik,irs,irs,r,s,kn,kb->nb", shared, m, m, a, a, w, w)
    other = _sum("ik,irs,krs,r,s,kn,ib->nb", shared, m, m, a, a, w, w)
    return -factor / (net.width**2 * _scale(net) ** 2) * (one - other)


def scalar_36(net: Network, factor: float) -> float:
    """Eqs. (B.35) and (B.36)."""
    m, a, h = net.minors, net.slopes**2, _ends(net)
    pairs = _sum("ipq,jpq,p,q->ij", m, m, a, a)
    shared = _sum("ij,i,j->ij", pairs, h, h)
    own = np.diag(pairs)
    bracket = np.outer(own, own) - pairs**2
    return float(-factor / (net.width**2 * _scale(net) ** 3) * np.sum(shared * bracket))


def scalar_40(net: Network, factor: float) -> float:
    """Eq. (B.40), symmetrised: all six units and pairs written out."""
    m, a, h = net.minors, net.slopes**2, _ends(net)
    pairs = _sum("ipq,jpq,p,q->ij", m, m, a, a)
    shared = _sum("ij,i,j->ij", pairs, h, h)
    crossed = _sum("ilk,jmn->ijlkmn", m, m) - _sum("imn,jlk->ijlkmn", m, m)
    weight = _sum("l,k,m,n->lkmn", a, a, a, a)
    value = _sum("ij,ijlkmn,ijlkmn,lkmn->", shared, crossed, crossed, weight)
    return float(-factor / (2 * net.width**2 * _scale(net) ** 3) * value)


def scalar_42(net: Network, factor: float) -> float:
    """Eq. (B.42), two inputs."""
    m, a, h = net.minors, net.slopes**2, _ends(net)
    value = _sum("ik,jk,ij,ij,i,j,k,lm,lm,l,m->", m, m, m, m, h, h, a, m, m, a, a)
    return float(-factor / (2 * net.width**2 * (net.width * net.determinant) ** 3) * value)


def scalar_43(net: Network, factor: float) -> float:
    """Eq. (B.43), two inputs."""
    m, a, h = net.minors, net.slopes**2, _ends(net)
    value = _sum("ik,jk,ij,ij,i,j,k->", m, m, m, m, h, h, a)
    return float(-factor / (net.width**3 * net.determinant**2) * value)


def mixed(net: Network) -> Array:
    """Riemann tensor with its first index up, Appendix A as corrected."""
    return _sum("lm,mnab->lnab", net.inverse, net.riemann())


def ricci(net: Network) -> Array:
    """Its contraction."""
    return _sum("anab->nb", mixed(net))


def independent_mixed(found: Curvature) -> Array:
    """The same from a curvature that was computed by definition."""
    metric, tensor = as_floats(found.metric), as_floats(found.riemann)
    return _sum("lm,mnab->lnab", np.asarray(np.linalg.inv(metric), dtype=np.float64), tensor)


def independent_ricci(found: Curvature) -> Array:
    """Its contraction."""
    return _sum("anab->nb", independent_mixed(found))


def symmetrised(net: Network) -> bool:
    """Eqs. (B.37) to (B.39), for all pairs of pairs."""
    m = net.minors
    square, product = m**2, _sum("ilk,jlk->ijlk", m, m)
    once = _sum("ilk,jmn->ijlkmn", square, square) - _sum("ijlk,ijmn->ijlkmn", product, product)
    both = once + _sum("imn,jlk->ijlkmn", square, square) - _sum("ijmn,ijlk->ijlkmn", product, product)
    crossed = _sum("ilk,jmn->ijlkmn", m, m) - _sum("imn,jlk->ijlkmn", m, m)
    return close(both, crossed**2)


def scalar_of_ricci(net: Network) -> bool:
    """Whether the contraction of the Ricci tensor is the scalar."""
    return close(_sum("nb,nb->", net.inverse, ricci(net)), scalar(net))


def derivative_26(net: Network) -> bool:
    """Eq. (B.26) by central differences of the erf network of the witness."""
    return close(as_floats(slopes(erf_network(WEIGHTS, BIASES), exact(POINT))), net.slope_of_metric)


vectors = {name: sp.Matrix(1, 2, sp.symbols(f"{name}1:3", real=True)) for name in "ijlm"}


def pair_minor(one: str, other: str) -> sp.Expr:
    """M_ij of four vectors in the plane."""
    return sp.Matrix([vectors[one], vectors[other]]).det()


HEAD = r"\frac{@}{n^2 [n^{d-1} (d-1)! \det g]"
SLOPES = r"\phi'(z_{j_2})^2 \cdots \phi'(z_{j_d})^2"
ENDS = r"\phi'(z_i) \phi''(z_i) \phi'(z_k) \phi''(z_k)"
ENDS_J = r"\phi'(z_i) \phi''(z_i) \phi'(z_j) \phi''(z_j)"
PAIRS = r"M_{i k_2 \cdots k_d} M_{j k_2 \cdots k_d}"
ALL_SLOPES = r"\phi'(z_{k_2})^2 \cdots \phi'(z_{k_d})^2 \phi'(z_{l_2})^2 \cdots \phi'(z_{m_d})^2"
