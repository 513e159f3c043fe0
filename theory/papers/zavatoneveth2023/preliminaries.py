r"""Sections I to III: metric, volume element, curvature, earlier kernels, Eq. (1)."""

from __future__ import annotations

import itertools

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.zavatoneveth2023.kernel_metrics import METRIC_FROM_KERNEL
from theory.papers.zavatoneveth2023.network import random_network
from theory.papers.zavatoneveth2023.paper import entry

e = sp.Symbol("epsilon", positive=True)
# Geodesic balls of radius e in unit spheres, per flat ball: area in two, volume in three dimensions.
CAPS = {2: 2 * sp.pi * (1 - sp.cos(e)) / (sp.pi * e**2), 3: sp.pi * (2 * e - sp.sin(2 * e)) / (sp.pi * e**3 * 4 / 3)}


def independent_components(inputs: int) -> int:
    """Dimension of the space of tensors with the symmetries (A.13) to (A.16): unknowns less independent equations."""
    indices = list(itertools.product(range(inputs), repeat=4))
    place = {index: k for k, index in enumerate(indices)}
    rows = []

    def equation(*terms: tuple[tuple[int, ...], int]) -> None:
        row = np.zeros(len(indices))
        for index, sign in terms:
            row[place[index]] += sign
        rows.append(row)

    for m, k, a, b in indices:
        equation(((m, k, a, b), 1), ((m, k, b, a), 1))
        equation(((m, k, a, b), 1), ((k, m, a, b), 1))
        equation(((m, k, a, b), 1), ((a, b, m, k), -1))
        equation(((m, k, a, b), 1), ((m, a, b, k), 1), ((m, b, k, a), 1))
    return len(indices) - int(np.linalg.matrix_rank(np.array(rows)))


def _counted() -> bool:
    return all(independent_components(size) == size**2 * (size**2 - 1) // 12 for size in (1, 2, 3, 4))


def _degenerate_below_d() -> bool:
    """Fewer features than inputs."""
    return all(
        abs(random_network(seed, 2, 3).determinant) < 1e-12 and random_network(seed, 3, 3).determinant > 1e-9
        for seed in range(3)
    )


EQUATIONS = (
    entry(
        "Hypothesis 1",
        "I",
        "Trained classifiers magnify areas near decision boundaries.",
        Finding.ASSUMPTION,
        "A matter of measurement: volume elements of trained networks against the distance to the boundary.",
    ),
    entry(
        "(1)",
        "II.A",
        "The Euclidean metric of the features, pulled back to the inputs.",
        Finding.DEFINITION,
        "The Jacobian's transpose times the Jacobian.",
        printed=r"g_{\mu\nu} = \partial_\mu \Phi_i \partial_\nu \Phi_i",
    ),
    entry(
        "II.A kernel",
        "II.A",
        "The metric from the feature kernel.",
        Finding.CONFIRMED,
        "Any two features of two inputs; the sum over features is linear.",
        printed=r"g_{\mu\nu} = \frac12 \partial_{x_\mu} \partial_{x_\nu} k(\mathbf{x}, \mathbf{x}) - [\partial_{y_\mu} "
        r"\partial_{y_\nu} k(\mathbf{x}, \mathbf{y})]_{\mathbf{y}=\mathbf{x}}",
        steps=(METRIC_FROM_KERNEL,),
    ),
    entry(
        "II.A degenerate",
        "II.A",
        "With fewer features than inputs the metric is degenerate.",
        Finding.CONFIRMED,
        "Two and three units on three inputs.",
        steps=(Check("determinant", _degenerate_below_d, "random networks"),),
    ),
    entry(
        "II.B volume",
        "II.B",
        "The volume element is the root of the determinant; of a degenerate metric, that of the product of its "
        "non-zero eigenvalues.",
        Finding.DEFINITION,
        "Factor by which the features magnify volume.",
        printed=r"dV = \sqrt{\det g} \, d^d x",
    ),
    entry(
        "II.B geodesic balls",
        "II.B",
        "The Ricci scalar measures by how much the volume of a small geodesic ball deviates from that of a flat one.",
        Finding.CONFIRMED,
        "The fraction R e^2/(6(d+2)), with R = d(d-1) on unit spheres. A scalar three times as large would not fit it.",
        printed=r"R = g^{\beta\nu} R^\alpha_{\nu\alpha\beta}",
        steps=tuple(
            Step(
                f"unit sphere, d = {size}",
                sp.Limit((1 - cap) / e**2, e, 0),
                sp.Rational(size * (size - 1), 6 * (size + 2)),
                because="volume of a cap",
            )
            for size, cap in CAPS.items()
        ),
    ),
    entry(
        "II.C features",
        "II.C",
        "Features of a shallow network, scaled by the root of the width.",
        Finding.DEFINITION,
        "The scale divides metrics by n; curvatures are multiplied by it.",
        printed=r"\Phi_j(\mathbf{x}) = n^{-1/2} \phi(\mathbf{w}_j \cdot \mathbf{x} + b_j)",
    ),
    entry(
        "III conformal kernel",
        "III",
        "Amari and Wu's modified kernel.",
        Finding.DEFINITION,
        "A positive factor of each input.",
        printed=r"\tilde k(\mathbf{x}, \mathbf{y}) = h(\mathbf{x}) h(\mathbf{y}) k(\mathbf{x}, \mathbf{y}), \quad "
        r"h(\mathbf{x}) = \sum_{v \in SV(k)} e^{-\|\mathbf{x} - \mathbf{v}\|^2 / 2\tau^2}",
    ),
)

EQUATIONS_V_B = (
    entry(
        "V.B components",
        "V.B",
        "The Riemann tensor has d^2 (d^2 - 1)/12 independent components.",
        Finding.CONFIRMED,
        "Counted for one to four inputs: unknowns less the rank of the symmetries.",
        steps=(Check("counted", _counted, "rank of (A.13) to (A.16)"),),
    ),
)
