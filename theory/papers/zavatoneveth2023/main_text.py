r"""Sections IV to VI: what is left of them, Eq. (4) and the sentences that can be checked."""

from __future__ import annotations

import numpy as np

from theory.core import Check, Finding
from theory.papers.zavatoneveth2023.network import close, random_network
from theory.papers.zavatoneveth2023.pair_sums import TWO, scalar, scalar_15, scalar_at_witness
from theory.papers.zavatoneveth2023.paper import entry
from theory.papers.zavatoneveth2023.threefold import threefold


def _linear_networks_are_flat() -> bool:
    """A product of matrices has the same Jacobian everywhere; one unit more of curvature does not."""
    draw = np.random.default_rng(1)
    one, two = draw.normal(size=(5, 3)), draw.normal(size=(4, 5))
    points = draw.normal(size=(3, 3))
    step = 1e-3

    def jacobian(at: np.ndarray) -> np.ndarray:
        columns = [
            (two @ (one @ (at + step * axis)) - two @ (one @ (at - step * axis))) / (2 * step) for axis in np.eye(3)
        ]
        return np.stack(columns, axis=1)

    metrics = [jacobian(at).T @ jacobian(at) for at in points]
    return all(close(metric, metrics[0], 1e-9) for metric in metrics)


def _relu_is_flat_in_pieces() -> bool:
    """Slopes of ReLU are 0 or 1: the metric changes between regions, and not within one."""
    net = random_network(3, 6, 2)

    def metric(at: np.ndarray) -> np.ndarray:
        active = (net.weights @ at + net.bends > 0).astype(float)
        return np.einsum("j,jm,jn->mn", active, net.weights, net.weights) / 6

    here = metric(np.array([0.2, 0.1]))
    nearby, far = metric(np.array([0.2001, 0.1])), metric(np.array([-3.0, 2.0]))
    return close(here, nearby) and not close(here, far, 0.1)


EQUATIONS_IV_A = (
    threefold(
        "(4)",
        "IV.A",
        "The Ricci scalar of a network on two inputs.",
        r"(\det g)^2 R = -\frac{@}{n^3} M_{jk}^2 M_{ij} M_{ik} \phi'(z_i)^2 \phi'(z_j) \phi'(z_k) \phi''(z_j) "
        r"\phi''(z_k)",
        scalar_15,
        scalar,
        scalar_at_witness,
        inputs=2,
        networks=TWO,
        evidence="The same formula as (B.15), where the steps are; the curvature computed by definition, from all "
        "Christoffel symbols, sides with the corrected form.",
        consequence="The curvatures of Figures 1, G.2 and G.6 are three times too large. That R = 0 for two units "
        "stands.",
    ),
    entry(
        "IV.A two units",
        "IV.A",
        "Each triple of distinct units contributes, so two units give R = 0.",
        Finding.CONFIRMED,
        "Two units are a change of coordinates of the plane.",
        steps=(
            Check(
                "two units",
                lambda: all(scalar_15(random_network(seed, 2, 2), 1) == 0 for seed in range(5)),
                "no three distinct indices",
            ),
            Check("three units", lambda: abs(scalar(random_network(0, 3, 2))) > 1e-2, "random network"),
        ),
    ),
)

EQUATIONS_FIGURES = (
    entry(
        "IV.B and Figure 1",
        "IV.B",
        "Volume element and curvature of finite networks approach the results at infinite width.",
        Finding.OPEN,
        "A matter of measurement. Both curves of R carry the factor 3 of Appendix A, so they meet all the same.",
    ),
)

EQUATIONS_V = (
    entry(
        "V deep linear",
        "V",
        "Deep linear networks yield flat, constant metrics.",
        Finding.CONFIRMED,
        "Their Jacobian is the product of the weights.",
        steps=(Check("the same metric everywhere", _linear_networks_are_flat, "differences of the features"),),
    ),
    entry(
        "V and Figures 2 and 3",
        "V",
        "Training on a sinusoid and on MNIST expands areas near decision boundaries.",
        Finding.OPEN,
        "A matter of measurement.",
    ),
    entry(
        "V.B curvature of MNIST",
        "V.B",
        "The curvature is not estimated for MNIST, for its computational complexity and numerical sensitivity.",
        Finding.OPEN,
        "The scalar curvature needs none of the components by themselves: for symmetric derivatives it is a "
        "contraction, for any feature map the Gauss equation. A matter of measurement.",
    ),
    entry(
        "VI.A counts",
        "VI.A",
        "Images have 32 x 32 x 3 = 3072 pixels, the last hidden layer 512 units: a submersion.",
        Finding.CONFIRMED,
        "Counted.",
        steps=(Check("inputs and features", lambda: 32 * 32 * 3 == 3072 > 512, "arithmetic"),),
    ),
    entry(
        "VI.A and Figure 4",
        "VI.A",
        "Residual networks with GELU expand areas near decision boundaries of CIFAR-10.",
        Finding.OPEN,
        "A matter of measurement.",
    ),
    entry(
        "VI.B ReLU",
        "VI.B",
        "Networks of ReLU induce a flat metric in each region, with a magnification that varies between regions.",
        Finding.CONFIRMED,
        "Six units on two inputs.",
        steps=(Check("within and between regions", _relu_is_flat_in_pieces, "metric at three points"),),
    ),
    entry(
        "VI and Figures 5 and 6",
        "VI",
        "The same for ReLU, and for features trained without labels.",
        Finding.OPEN,
        "A matter of measurement.",
    ),
)
