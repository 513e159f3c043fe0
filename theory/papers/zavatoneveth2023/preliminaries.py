r"""Sections I to III: metric, volume element, curvature, earlier kernels, Eq. (1)."""

from __future__ import annotations

import sympy as sp

from theory.core import Claim, Finding, Witness, Word, equal
from theory.papers.zavatoneveth2023.composed_layers import least_rank, rank_is_full
from theory.papers.zavatoneveth2023.geodesic_balls import spheres
from theory.papers.zavatoneveth2023.index_notation import alpha, as_printed, beta, d, mu, n, nu
from theory.papers.zavatoneveth2023.kernel_derivatives import from_features, second_x, second_y, translation_invariant
from theory.papers.zavatoneveth2023.letters import R, Riemann_up, g, g_up
from theory.papers.zavatoneveth2023.paper import PAPER
from theory.papers.zavatoneveth2023.pulled_back import has_the_dimension, has_the_rank, rank_of_jacobian
from theory.papers.zavatoneveth2023.riemann_symmetries import has_components

n_1, n_2 = sp.symbols("n_1 n_2", integer=True, positive=True)

EQUATIONS = (
    PAPER.entry(
        "Hypothesis 1",
        "I",
        "Trained classifiers magnify areas near decision boundaries.",
        Finding.ASSUMPTION,
        "A matter of measurement: the studies geometry-xor, geometry-sinusoid, geometry-mnist and geometry-resnet "
        "compare volume elements of trained networks with the distance to the boundary.",
    ),
    PAPER.entry(
        "II.A smooth",
        "II.A",
        "The feature map has at least three continuous derivatives and everywhere the rank min(d, n).",
        Finding.ASSUMPTION,
        "What the curvature needs.",
    ),
    PAPER.entry(
        "II.A submersed",
        "II.A",
        "",
        Finding.MISPRINT,
        "The rank of the Jacobian is the dimension of the image. Networks of one to four units on up to four inputs.",
        printed=Claim("If r < d, then M is a {dimension}-dimensional manifold.", {"dimension": d}),
        corrected=Claim("If r < d, then M is a {dimension}-dimensional manifold.", {"dimension": n}),
        prove=has_the_dimension,
        witness=Witness(
            {"d": 3, "n": 2}, lambda: rank_of_jacobian(2, 3), lambda claim: int(claim["dimension"].subs({d: 3, n: 2}))
        ),
        consequence="M is the image of the inputs. What has d dimensions, and carries the degenerate metric of Section "
        "II.A, is the space of inputs itself, for which M stands from there on.",
    ),
    PAPER.entry(
        "(1)",
        "II.A",
        "The Euclidean metric of the features, pulled back to the inputs.",
        Finding.DEFINITION,
        "The Jacobian's transpose times the Jacobian.",
        printed=r"g_{\mu\nu} = \partial_\mu \Phi_i \partial_\nu \Phi_i",
    ),
    PAPER.entry(
        "II.A kernel",
        "II.A",
        "The metric from the feature kernel.",
        Finding.CONFIRMED,
        "Any two features of two inputs; the sum over features is linear.",
        printed=equal(g(mu, nu), second_x(mu, nu) / 2 - second_y(mu, nu)),
        prove=from_features,
    ),
    PAPER.entry(
        "II.A degenerate",
        "II.A",
        "",
        Finding.CONFIRMED,
        "Widths one to five on three inputs, random weights and slopes.",
        printed=Claim(
            "If the rank r = min(d, n) is {relation} d, the pullback metric is {kind}.",
            {"relation": Word("less than", ("equal to",)), "kind": Word("degenerate", ("not degenerate",))},
        ),
        prove=has_the_rank,
    ),
    PAPER.entry(
        "II.B volume",
        "II.B",
        "The volume element is the root of the determinant; of a degenerate metric, that of the product of its "
        "non-zero eigenvalues.",
        Finding.DEFINITION,
        "Factor by which the features magnify volume.",
        printed=r"dV = \sqrt{\det g} \, d^d x",
    ),
    PAPER.entry(
        "II.B geodesic balls",
        "II.B",
        "The Ricci scalar measures by how much the volume of a small geodesic ball deviates from that of a flat one.",
        Finding.CONFIRMED,
        "The volume of a ball of radius e falls short by the fraction R e^2/(6(d+2)) of the flat one. Unit spheres of "
        "two and three dimensions: R from their balls, and the contraction of the Riemann tensor from its definition. "
        "A scalar three times as large would not fit.",
        printed=equal(R, g_up(beta, nu) * Riemann_up(alpha, nu, alpha, beta)),
        prove=as_printed(spheres, "volumes of geodesic balls"),
    ),
    PAPER.entry(
        "II.C features",
        "II.C",
        "Features of a shallow network, scaled by the root of the width.",
        Finding.DEFINITION,
        "The scale divides metrics by n; curvatures are multiplied by it.",
        printed=r"\Phi_j(\mathbf{x}) = n^{-1/2} \phi(\mathbf{w}_j \cdot \mathbf{x} + b_j)",
    ),
    PAPER.entry(
        "II.C deep",
        "II.C",
        "",
        Finding.CONDITIONAL,
        "Two layers of each width up to five on up to five inputs, each of full rank, in the worst position to each "
        "other.",
        printed=Claim(
            "These conditions extend directly to networks formed by composing shallow feature maps: the Jacobian is "
            "{rank}.",
            {"rank": Word("full-rank", ("of less than full rank",))},
        ),
        condition=sp.Ge((n_1 - d) * (n_2 - n_1), 0),
        prove=rank_is_full,
        witness=Witness(
            {"d": 2, "n_1": 1, "n_2": 2, "value": "rank of the Jacobian"},
            lambda: least_rank(2, 1, 2),
            value=lambda claim: 2 if claim["rank"] == "full-rank" else 1,
        ),
        consequence="A layer that is narrower than the one before and the one after makes the metric degenerate, and a "
        "layer that is wider than both can. Where the widths only grow or only fall, the rank is full.",
    ),
    PAPER.entry(
        "III conformal kernel",
        "III",
        "Amari and Wu's modified kernel.",
        Finding.DEFINITION,
        "A positive factor of each input.",
        printed=r"\tilde k(\mathbf{x}, \mathbf{y}) = h(\mathbf{x}) h(\mathbf{y}) k(\mathbf{x}, \mathbf{y}), \quad "
        r"h(\mathbf{x}) = \sum_{v \in SV(k)} e^{-\|\mathbf{x} - \mathbf{v}\|^2 / 2\tau^2}",
    ),
    PAPER.entry(
        "III translation-invariant",
        "III",
        "",
        Finding.CONFIRMED,
        "Any smooth function of the squared distance, on two inputs.",
        printed=Claim(
            "Translation-invariant kernels of the form k(x, y) = k(|x - y|^2) yield {kind} metrics.",
            {"kind": Word("flat, constant", ("varying",))},
        ),
        prove=translation_invariant,
    ),
    PAPER.entry(
        "III threshold-power law",
        "III",
        "The activation functions of arc-cosine kernels.",
        Finding.DEFINITION,
        "Earlier work that is cited.",
        printed=r"\phi(x) = \max\{0, x\}^q",
    ),
)

EQUATIONS_V_B = (
    PAPER.entry(
        "V.B components",
        "V.B",
        "",
        Finding.CONFIRMED,
        "Counted for one to four inputs: unknowns less the rank of the symmetries.",
        printed=Claim(
            "The Riemann tensor has {count} independent components.", {"count": d**2 * (d**2 - 1) / sp.Integer(12)}
        ),
        prove=has_components(lambda claim: [(size, claim["count"].subs(d, size)) for size in (1, 2, 3, 4)]),
    ),
)
