r"""Appendix B.3: Riemann tensor and Ricci scalar for any number of inputs, Eqs. (B.25) to (B.43).

Every display is summed as printed with its prefactor free. Letters: ``m`` minors, ``e`` antisymmetric symbol, ``a``
slopes squared, ``h`` slopes times bends, ``w`` weights. Three inputs: the tuples :math:`j_2 \cdots j_d` are pairs
``pq`` and ``rs``.
"""

from __future__ import annotations

from theory.core import Check, Finding, Step
from theory.papers.zavatoneveth2023.minor_sums import (
    ALL_SLOPES,
    ENDS,
    ENDS_J,
    HEAD,
    PAIRS,
    SLOPES,
    THREE,
    derivative_26,
    independent_mixed,
    independent_ricci,
    inverse_25,
    mixed,
    pair_minor,
    ricci,
    ricci_34,
    riemann_29,
    riemann_31,
    riemann_32,
    scalar_36,
    scalar_40,
    scalar_42,
    scalar_43,
    scalar_of_ricci,
    symmetrised,
)
from theory.papers.zavatoneveth2023.network import Network, close, random_network
from theory.papers.zavatoneveth2023.pair_sums import TWO, scalar, scalar_15, scalar_at_witness
from theory.papers.zavatoneveth2023.paper import entry
from theory.papers.zavatoneveth2023.threefold import threefold, witness_network

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
        steps=(Check("differences", lambda: derivative_26(witness_network(3)), "central differences"),),
    ),
    threefold(
        "(B.27) to (B.30)",
        "B.3",
        "The Riemann tensor, with the inverse expanded in antisymmetric symbols and minors.",
        rf"R_{{\mu\nu\alpha\beta}} = -\frac{{@}}{{n^{{d+1}} (d-1)! \det g}} {SLOPES} {ENDS} M_{{i j_2 \cdots j_d}} "
        rf"M_{{k j_2 \cdots j_d}} w_{{i\mu}} w_{{k\nu}} (w_{{i\alpha}} w_{{k\beta}} - w_{{i\beta}} w_{{k\alpha}})",
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
        consequence="Three times too large: the first line quotes Appendix A with its prefactor -3/4, and what follows "
        "inherits it.",
    ),
    threefold(
        "(B.31) and (B.32)",
        "B.3",
        "The Riemann tensor with one index up.",
        rf"R^\lambda_{{\nu\alpha\beta}} = -{HEAD}^2}} \phi'(z_{{j_2}})^2 \cdots \phi'(z_{{l_d}})^2 {ENDS} M_{{i j_2 "
        rf"\cdots j_d}} M_{{k j_2 \cdots j_d}} M_{{i l_2 \cdots l_d}} \epsilon^{{\lambda\nu_2\cdots\nu_d}} "
        rf"w_{{l_2\nu_2}} \cdots w_{{l_d\nu_d}} w_{{k\nu}} (w_{{i\alpha}} w_{{k\beta}} - w_{{i\beta}} w_{{k\alpha}})",
        riemann_32,
        mixed,
        independent_mixed,
        networks=THREE,
    ),
    threefold(
        "(B.33) and (B.34)",
        "B.3",
        "The Ricci tensor.",
        rf"R_{{\nu\beta}} = -{HEAD}^2}} \phi'(z_{{j_2}})^2 \cdots \phi'(z_{{l_d}})^2 {ENDS} M_{{i j_2 \cdots j_d}} "
        rf"M_{{k j_2 \cdots j_d}} M_{{i l_2 \cdots l_d}} w_{{k\nu}} (M_{{i l_2 \cdots l_d}} w_{{k\beta}} - "
        rf"w_{{i\beta}} M_{{k l_2 \cdots l_d}})",
        ricci_34,
        ricci,
        independent_ricci,
        networks=THREE,
    ),
    threefold(
        "(B.35) and (B.36)",
        "B.3",
        "The Ricci scalar as a contraction, and in minors.",
        rf"R = -{HEAD}^3}} {ENDS_J} {ALL_SLOPES} {PAIRS} (M_{{i l_2 \cdots l_d}}^2 M_{{j m_2 \cdots m_d}}^2 - M_{{i "
        rf"l_2 \cdots l_d}} M_{{j l_2 \cdots l_d}} M_{{i m_2 \cdots m_d}} M_{{j m_2 \cdots m_d}})",
        scalar_36,
        scalar,
        scalar_at_witness,
        networks=THREE,
        steps=(
            Check(
                "contraction of the Ricci tensor",
                lambda: all(scalar_of_ricci(random_network(seed, width, size)) for width, size, seed in THREE),
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
                "all tuples of four units on three inputs", lambda: symmetrised(random_network(2, 4, 3)), "expansion"
            ),
        ),
    ),
    threefold(
        "(B.40)",
        "B.3",
        "The Ricci scalar with the square inserted.",
        rf"R = -\frac{{@}}{{2 n^2 [n^{{d-1}} (d-1)! \det g]^3}} {ENDS_J} {ALL_SLOPES} {PAIRS} (M_{{i l_2 \cdots l_d}} "
        rf"M_{{j m_2 \cdots m_d}} - M_{{i m_2 \cdots m_d}} M_{{j l_2 \cdots l_d}})^2",
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
                pair_minor("i", "l") * pair_minor("j", "m") - pair_minor("i", "m") * pair_minor("j", "l"),
                pair_minor("i", "j") * pair_minor("l", "m"),
                because="expansion",
            ),
        ),
    ),
    threefold(
        "(B.42)",
        "B.3",
        "The Ricci scalar of two inputs from (B.40) and (B.41).",
        rf"R = -\frac{{@}}{{2 n^2 [n \det g]^3}} {ENDS_J} \phi'(z_k)^2 M_{{ik}} M_{{jk}} M_{{ij}}^2 \phi'(z_l)^2 "
        rf"\phi'(z_m)^2 M_{{lm}}^2",
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
