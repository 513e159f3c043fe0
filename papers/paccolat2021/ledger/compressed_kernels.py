"""Sections 3.1 and 5.1: networks and tangent kernels of compressed weights, and of compressed data; Eq. (10)."""

import math
from functools import cache
from typing import Any

import numpy as np
from scipy import special

from papers.paccolat2021.ledger.notation import ROUNDING, STRIPE, kernel, outputs
from theory.compression import attractors, tangent_kernel
from theory.core import Program, Programs, numerically, stating

LARGE = 1e4
"""Of the aligned weights in a network whose Lambda is large though one neuron is not aligned."""
APART = 0.7  # perpendicular weights of that neuron


def network(across: float) -> np.ndarray:
    """Three neurons along the first of three coordinates; the last has perpendicular weights and a large output."""
    return np.array(
        [[LARGE, 0, 0, 0.3, 0.2], [-LARGE, 0, 0, 0.5, -0.4], [1.0, across, -across, 0.2, LARGE]],
        dtype=float,
    )


def dependence(across: float) -> float:
    """Relative change of the output of the network by one step in a perpendicular coordinate."""
    here, there = outputs(network(across), np.array([[0.5, 0.0, 0.0], [0.5, 1.0, 0.0]]))
    return float(abs(there / here - 1))


def output(which: str = "most") -> str:
    """Three neurons, two of them large and aligned, and one small with a large output weight, or aligned as well."""
    return "loses" if dependence({"all": 0.0, "most": APART}[which]) < ROUNDING else "keeps"


@cache
def split_kernels() -> list[dict[str, Any]]:
    """Three neurons of large Lambda, one of them aligned or not; tangent kernels by differences."""
    rng, cases = np.random.default_rng(0), []
    for across in (0.0, 0.0, 0.0, APART, APART, APART):
        weights = network(across) / LARGE**0.5
        along, apart = rng.normal(size=2), rng.normal(size=(2, 2))
        first = kernel(weights, [np.array([at, 0, 0]) for at in along])
        lifted = kernel(weights, [np.array([at, 1, 0]) for at in along])
        whole = kernel(weights, [np.append(a, b) for a, b in zip(along, apart, strict=True)])
        parts = {"Theta_xz": whole, "Theta_1": first, "Theta_2": lifted - first}
        cases.append(
            {
                **parts,
                "omega_perp": across,
                "x_perp": apart[0],
                "z_perp": apart[1],
                "inner": np.dot,
            }
        )
    return cases


def compressed(factor: float) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Three neurons and two points, of which the weights or the points are divided by a factor across the axis."""
    rng, across = np.random.default_rng(3), np.array([1, factor, factor])
    weights, points = rng.normal(size=(3, 5)), rng.normal(size=(2, 3))
    weights[:, 3] = 3.0  # all are active
    thin = np.concatenate([weights[:, :3] / across, weights[:, 3:]], axis=1)
    return (thin, points), (weights, points / across)


def compressions(what: str = "the tangent kernel") -> str:
    """The same network with compressed weights, or on compressed data."""
    (thin, points), (weights, thinned) = compressed(50.0)
    if what == "the output":
        first, second = outputs(thin, points), outputs(weights, thinned)
    else:
        first, second = (np.array([kernel(*case)]) for case in compressed(50.0))
    return "similarly" if np.abs(first / second - 1).max() < ROUNDING else "differently"


def kernel_across(factor: float) -> float:
    """What the perpendicular weights contribute to the kernel, for compressed weights over compressed data."""
    first, second = (kernel(*case, slice(1, 3)) for case in compressed(factor))
    return first / second


def isotropic_where() -> str:
    """The initial kernel at three pairs of points with one distance, two of them off the sphere of the first; d = 5.

    On a sphere it depends on the distance alone, as on the inner product.
    """
    value, radius, gap = tangent_kernel().function("numpy"), 1.3, 0.8
    on_sphere = value(radius**2, radius**2, radius**2 - gap**2 / 2, 5)
    farther = value(4 * radius**2, 4 * radius**2, 4 * radius**2 - gap**2 / 2, 5)
    along_a_ray = value(radius**2, (radius + gap) ** 2, radius * (radius + gap), 5)
    same = np.ptp([on_sphere, farther, along_a_ray]) < ROUNDING
    return "in all of space" if same else "on the sphere"


@cache
def largest_projection(kind: str = "second kind") -> float:
    """Squared, of the labels on the first three eigenfunctions of a kind, for neurons on the attractors; d = 5."""
    along = special.ndtri((np.arange(400) + 0.5) / 400)
    across, masses = np.polynomial.hermite_e.hermegauss(6)
    masses = masses / masses.sum()
    features: list[Any] = []
    for point in attractors(STRIPE, 5):
        active = (point.side * (along - point.position) > 0).astype(float)
        output = math.sqrt(1 + point.position**2 / 5) * active
        of_first = [(along - point.position) * active, math.sqrt(5) * output, along * output]
        features += of_first if kind == "first kind" else [output]
    gram = np.transpose(features) @ np.array(features) / len(along)
    functions = math.sqrt(len(along)) * np.linalg.eigh(gram)[1][:, :-4:-1]
    labels = np.asarray(STRIPE(along), dtype=float)
    # of the factor across, 1 or u.x_perp; exactly zero for an odd one
    means = {"first kind": masses.sum(), "second kind": masses @ (across + across[::-1]) / 2}
    return float(np.max((means[kind] * labels @ functions / len(along)) ** 2))


def change_of_projection(kind: str = "second kind") -> str:
    """The largest projection after training, against the mean over harmonics of degree one before."""
    along = special.ndtri((np.arange(400) + 0.5) / 400)
    before = float(np.mean(STRIPE(along) * along)) ** 2 / 5
    return "increase" if largest_projection(kind) > before else "vanish"


def layer_of_the_second_term() -> str:
    """The tangent kernel by layers: which weights see the perpendicular coordinates."""
    weights, pair = network(0.0) / LARGE**0.5, np.array([[0.4, 0.7, 0.1], [0.9, -0.3, 0.5]])
    bare = pair * [1, 0, 0]
    moves = [
        abs(kernel(weights, pair, part) - kernel(weights, bare, part))
        for part in (slice(3), slice(3, 5))
    ]
    return "first" if moves[1] < ROUNDING * moves[0] else "second"


PROGRAMS: Programs = {
    "3.1 sphere": stating(where=isotropic_where),
    "3.1 acts similarly": Program(
        stating(how=compressions),
        kernel_across,
        value=lambda claim: 1.0,
        at={"factor": 50.0},
        tolerance=1e-6,
        quantity="contribution of the perpendicular weights to the kernel, compressed weights over compressed data",
    ),
    "5.1 top projections": Program(
        stating(change=change_of_projection),
        largest_projection,
        value=lambda claim: largest_projection("first kind"),
        at={"kind": "second kind"},
        quantity="largest squared projection of the labels on the first three eigenfunctions",
    ),
    "5.1 lost dependence": Program(
        stating(output=output),
        dependence,
        value=lambda claim: float(claim["output"] == "keeps"),
        at={"across": APART},
        quantity="relative change of the output by a step of one across; Lambda is larger than 10^4",
    ),
    "(10)": numerically(split_kernels, tolerance=1e-6, scale=1.0),
    "5.1 second term": stating(layer=layer_of_the_second_term),
}
