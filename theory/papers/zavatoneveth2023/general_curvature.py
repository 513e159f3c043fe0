r"""Appendix B.3: Riemann tensor and Ricci scalar for any number of inputs, Eqs. (B.25) to (B.43).

Every display is summed as printed with its prefactor free. Letters: ``m`` minors, ``e`` antisymmetric symbol, ``a`` slopes
squared, ``h`` slopes times bends, ``w`` weights. Three inputs: the tuples :math:`j_2 \cdots j_d` are pairs ``pq`` and ``rs``.
"""

from __future__ import annotations

import math

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.zavatoneveth2023.christoffel import Curvature, exact, slopes
from theory.papers.zavatoneveth2023.entry import entry
from theory.papers.zavatoneveth2023.explicit_metrics import BIASES, POINT, WEIGHTS, as_floats, erf_network
from theory.papers.zavatoneveth2023.network import Array, Network, close, levi_civita, random_network
from theory.papers.zavatoneveth2023.threefold import threefold, witness_network
from theory.papers.zavatoneveth2023.two_inputs import TWO, minor, scalar, scalar_15, scalar_at_witness

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


def _mixed(net: Network) -> Array:
    return _sum("lm,mnab->lnab", net.inverse, net.riemann())


def _ricci(net: Network) -> Array:
    return _sum("anab->nb", _mixed(net))


def _independent_mixed(found: Curvature) -> Array:
    metric, tensor = as_floats(found.metric), as_floats(found.riemann)
    return _sum("lm,mnab->lnab", np.linalg.inv(metric), tensor)


def _independent_ricci(found: Curvature) -> Array:
    return _sum("anab->nb", _independent_mixed(found))


def _symmetrised(net: Network) -> bool:
    """Eqs. (B.37) to (B.39), for all pairs of pairs."""
    m = net.minors
    square, product = m**2, _sum("ilk,jlk->ijlk", m, m)
    once = _sum("ilk,jmn->ijlkmn", square, square) - _sum("ijlk,ijmn->ijlkmn", product, product)
    both = once + _sum("imn,jlk->ijlkmn", square, square) - _sum("ijmn,ijlk->ijlkmn", product, product)
    crossed = _sum("ilk,jmn->ijlkmn", m, m) - _sum("imn,jlk->ijlkmn", m, m)
    return close(both, crossed**2)


def _scalar_of_ricci(net: Network) -> bool:
    return close(_sum("nb,nb->", net.inverse, _ricci(net)), scalar(net))


def _derivative_26(net: Network) -> bool:
    """Eq. (B.26) by central differences of the erf network of the witness."""
    return close(as_floats(slopes(erf_network(WEIGHTS, BIASES), exact(POINT))), net.slope_of_metric)


vectors = {name: sp.Matrix(1, 2, sp.symbols(f"{name}1:3", real=True)) for name in "ijlm"}


def _minor(one: str, other: str) -> sp.Expr:
    return sp.Matrix([vectors[one], vectors[other]]).det()


HEAD = r"\frac{@}{n^2 [n^{d-1} (d-1)! \det g]"
SLOPES = r"\phi'(z_{j_2})^2 \cdots \phi'(z_{j_d})^2"
ENDS = r"\phi'(z_i) \phi''(z_i) \phi'(z_k) \phi''(z_k)"
ENDS_J = r"\phi'(z_i) \phi''(z_i) \phi'(z_j) \phi''(z_j)"
PAIRS = r"M_{i k_2 \cdots k_d} M_{j k_2 \cdots k_d}"
ALL_SLOPES = r"\phi'(z_{k_2})^2 \cdots \phi'(z_{k_d})^2 \phi'(z_{l_2})^2 \cdots \phi'(z_{m_d})^2"

EQUATIONS = (
    entry(
        "(B.25)",
        "B.3",
        "The inverse of the metric with antisymmetric symbols.",
        Finding.CONFIRMED,
        "Summed as printed for three inputs.",
        printed=r"g^{\mu\nu} = \frac{1}{(d-1)! \det g} \epsilon^{\mu\mu_2\cdots\mu_d} \epsilon^{\nu\nu_2\cdots\nu_d} "
        r"g_{\mu_2\nu_2} \cdots g_{\mu_d\nu_d}",
        steps=(
            Check(
                "three inputs",
                lambda: all(
                    close(inverse_25(net), net.inverse) for net in (random_network(seed, 5, 3) for seed in (0, 1))
                ),
                "inversion by elimination",
            ),
        ),
    ),
    entry(
        "(B.26)",
        "B.3",
        "The derivative of the metric.",
        Finding.CONFIRMED,
        "Against differences of the metric of a network of error functions, in 100 digits.",
        printed=r"\partial_\alpha g_{\mu\nu} = \tfrac2n \phi'(z_j) \phi''(z_j) w_{j\alpha} w_{j\mu} w_{j\nu}",
        steps=(Check("differences", lambda: _derivative_26(witness_network(3)), "central differences"),),
    ),
    threefold(
        "(B.27) to (B.30)",
        "B.3",
        "The Riemann tensor, with the inverse expanded in antisymmetric symbols and minors.",
        rf"R_{{\mu\nu\alpha\beta}} = -\frac{{@}}{{n^{{d+1}} (d-1)! \det g}} {SLOPES} {ENDS} M_{{i j_2 \cdots j_d}} M_{{k j_2 "
        r"\cdots j_d} w_{i\mu} w_{k\nu} (w_{i\alpha} w_{k\beta} - w_{i\beta} w_{k\alpha})",
        riemann_31,
        Network.riemann,
        lambda found: found.riemann,
        networks=THREE,
        steps=(
            Check(
                "both antisymmetric symbols left",
                lambda: all(
                    close(riemann_29(net, 1), net.riemann()) for net in (random_network(s, 4, 3) for s in (0, 1))
                ),
                "random networks",
            ),
        ),
        consequence="The first line quotes Appendix A with its prefactor -3/4; all that follows inherits it.",
    ),
    threefold(
        "(B.31) and (B.32)",
        "B.3",
        "The Riemann tensor with one index up.",
        rf"R^\lambda_{{\nu\alpha\beta}} = -{HEAD}^2}} \phi'(z_{{j_2}})^2 \cdots \phi'(z_{{l_d}})^2 {ENDS} M_{{i j_2 \cdots "
        r"j_d} M_{k j_2 \cdots j_d} M_{i l_2 \cdots l_d} \epsilon^{\lambda\nu_2\cdots\nu_d} w_{l_2\nu_2} \cdots w_{l_d\nu_d} "
        r"w_{k\nu} (w_{i\alpha} w_{k\beta} - w_{i\beta} w_{k\alpha})",
        riemann_32,
        _mixed,
        _independent_mixed,
        networks=THREE,
    ),
    threefold(
        "(B.33) and (B.34)",
        "B.3",
        "The Ricci tensor.",
        rf"R_{{\nu\beta}} = -{HEAD}^2}} \phi'(z_{{j_2}})^2 \cdots \phi'(z_{{l_d}})^2 {ENDS} M_{{i j_2 \cdots j_d}} M_{{k j_2 "
        r"\cdots j_d} M_{i l_2 \cdots l_d} w_{k\nu} (M_{i l_2 \cdots l_d} w_{k\beta} - w_{i\beta} M_{k l_2 \cdots l_d})",
        ricci_34,
        _ricci,
        _independent_ricci,
        networks=THREE,
    ),
    threefold(
        "(B.35) and (B.36)",
        "B.3",
        "The Ricci scalar as a contraction, and in minors.",
        rf"R = -{HEAD}^3}} {ENDS_J} {ALL_SLOPES} {PAIRS} (M_{{i l_2 \cdots l_d}}^2 M_{{j m_2 \cdots m_d}}^2 - M_{{i l_2 \cdots "
        r"l_d} M_{j l_2 \cdots l_d} M_{i m_2 \cdots m_d} M_{j m_2 \cdots m_d})",
        scalar_36,
        scalar,
        scalar_at_witness,
        networks=THREE,
        steps=(
            Check(
                "contraction of the Ricci tensor",
                lambda: all(_scalar_of_ricci(random_network(seed, width, size)) for width, size, seed in THREE),
                "random networks",
            ),
        ),
    ),
    entry(
        "(B.37) to (B.39)",
        "B.3",
        "The round bracket symmetrised is a square.",
        Finding.CONFIRMED,
        "All pairs of units and pairs of tuples.",
        printed=r"(M_{il}^2 M_{jm}^2 - M_{il} M_{jl} M_{im} M_{jm}) + (l \leftrightarrow m) = (M_{il} M_{jm} - M_{im} "
        r"M_{jl})^2, \quad l = l_2 \cdots l_d, \; m = m_2 \cdots m_d",
        steps=(
            Check(
                "all tuples of four units on three inputs", lambda: _symmetrised(random_network(2, 4, 3)), "expansion"
            ),
        ),
    ),
    threefold(
        "(B.40)",
        "B.3",
        "The Ricci scalar with the square inserted.",
        rf"R = -\frac{{@}}{{2 n^2 [n^{{d-1}} (d-1)! \det g]^3}} {ENDS_J} {ALL_SLOPES} {PAIRS} (M_{{i l_2 \cdots l_d}} M_{{j "
        r"m_2 \cdots m_d} - M_{i m_2 \cdots m_d} M_{j l_2 \cdots l_d})^2",
        scalar_40,
        scalar,
        scalar_at_witness,
        networks=((4, 3, 2),),
    ),
    entry(
        "(B.41)",
        "B.3",
        "With two inputs the crossed minors are a product of two.",
        Finding.CONFIRMED,
        "Four vectors in the plane.",
        printed=r"M_{il} M_{jm} - M_{im} M_{jl} = M_{ij} M_{lm}",
        steps=(
            Step(
                "four vectors",
                _minor("i", "l") * _minor("j", "m") - _minor("i", "m") * _minor("j", "l"),
                _minor("i", "j") * _minor("l", "m"),
                because="expansion",
            ),
        ),
    ),
    threefold(
        "(B.42)",
        "B.3",
        "The Ricci scalar of two inputs from (B.40) and (B.41).",
        rf"R = -\frac{{@}}{{2 n^2 [n \det g]^3}} {ENDS_J} \phi'(z_k)^2 M_{{ik}} M_{{jk}} M_{{ij}}^2 \phi'(z_l)^2 \phi'(z_m)^2 "
        r"M_{lm}^2",
        scalar_42,
        scalar,
        scalar_at_witness,
        inputs=2,
        networks=TWO,
    ),
    threefold(
        "(B.43)",
        "B.3",
        "It recovers (B.15).",
        rf"R = -\frac{{@}}{{n^3 (\det g)^2}} {ENDS_J} \phi'(z_k)^2 M_{{ik}} M_{{jk}} M_{{ij}}^2",
        scalar_43,
        scalar,
        scalar_at_witness,
        inputs=2,
        networks=TWO,
        steps=(
            Check(
                "the same as (B.15)",
                lambda: all(
                    close(scalar_43(net, 1), scalar_15(net, 1))
                    for net in (random_network(seed, width, size) for width, size, seed in TWO)
                ),
                "random networks",
            ),
        ),
    ),
)
