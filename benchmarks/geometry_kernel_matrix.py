"""NNGP kernel matrices: closed forms against quadrature over the two pre-activations.

The quadrature is a tensor product of Gauss-Hermite rules, as one writes it when there is no closed form; its number of
nodes is doubled until doubling it changes the matrix by less than 1e-10, or it has 256 nodes. At kinks it does not get
there, which the last column shows.

    python benchmarks/geometry_kernel_matrix.py
"""

from __future__ import annotations

import time

import numpy as np
from scipy.special import erf

from theory import activations, geometry

INPUTS, DIMENSION = 60, 20
SIGMA, ZETA = 0.3, 0.5
WANTED, MOST_NODES = 1e-10, 256
FUNCTIONS = {
    "erf": (activations.ERF, lambda z: erf(z / np.sqrt(2))),
    "gelu": (activations.GELU, lambda z: z * (1 + erf(z / np.sqrt(2))) / 2),
    "sin": (activations.SIN, np.sin),
    "relu": (activations.RELU, lambda z: np.maximum(z, 0)),
}


def quadrature(function, xx, yy, xy, nodes):
    """``[inputs, inputs]`` by a tensor product of Gauss-Hermite rules."""
    u, weight = np.polynomial.hermite_e.hermegauss(nodes)
    weight = weight / weight.sum()
    x, y, c = SIGMA**2 * xx + ZETA**2, SIGMA**2 * yy + ZETA**2, SIGMA**2 * xy + ZETA**2
    rest = np.sqrt(np.maximum(y - c**2 / x, 0))
    total = np.zeros_like(xy)
    for here, share in zip(u, weight, strict=True):
        second = (c / np.sqrt(x) * here)[..., None] + rest[..., None] * u
        total += share * function(np.sqrt(x) * here) * (function(second) @ weight)
    return total


def settled(function, *products):
    """The matrix, and how many nodes it took."""
    nodes = 16
    before = quadrature(function, *products, nodes)
    while nodes < MOST_NODES:
        nodes *= 2
        matrix = quadrature(function, *products, nodes)
        if np.abs(matrix - before).max() < WANTED:
            break
        before = matrix
    return matrix, nodes


def main():
    """Print the table."""
    inputs = np.random.default_rng(0).normal(size=(INPUTS, DIMENSION))
    xy = inputs @ inputs.T
    squared = np.diag(xy)
    xx, yy = np.broadcast_to(squared[:, None], xy.shape), np.broadcast_to(squared, xy.shape)
    print(f"kernel matrix of {INPUTS} inputs")
    print(f"{'':8}{'closed form [ms]':>18}{'quadrature [ms]':>17}{'nodes':>7}{'ratio':>10}{'largest difference':>21}")
    for name, (act, function) in FUNCTIONS.items():
        form = geometry.nngp_kernel(act).function()
        form(xx, yy, xy, SIGMA, ZETA)  # compiles
        begin = time.perf_counter()
        matrix = form(xx, yy, xy, SIGMA, ZETA)
        middle = time.perf_counter()
        other, nodes = settled(function, xx, yy, xy)
        ours, theirs = middle - begin, time.perf_counter() - middle
        difference = np.abs(matrix - other).max()
        print(f"{name:8}{1e3 * ours:18.2f}{1e3 * theirs:17.0f}{nodes:7}{theirs / ours:10.0f}{difference:21.1e}")


if __name__ == "__main__":
    main()
