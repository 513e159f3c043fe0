"""NNGP kernel matrices: closed forms compared with quadrature over the two preactivations.

The quadrature is a tensor product of Gauss-Hermite rules, which needs no closed form. Its number of nodes is doubled
until the matrix changes by less than 1e-10, or up to 256 nodes. For activations with kinks it does not converge that
far, which the last column shows.

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
    """Return the kernel matrix ``[input, input]`` by a tensor product of Gauss-Hermite rules."""
    u, weight = np.polynomial.hermite_e.hermegauss(nodes)
    weight = weight / weight.sum()
    x, y, c = SIGMA**2 * xx + ZETA**2, SIGMA**2 * yy + ZETA**2, SIGMA**2 * xy + ZETA**2
    rest = np.sqrt(np.maximum(y - c**2 / x, 0))
    total = np.zeros_like(xy)
    for node, node_weight in zip(u, weight, strict=True):
        second = (c / np.sqrt(x) * node)[..., None] + rest[..., None] * u
        total += node_weight * function(np.sqrt(x) * node) * (function(second) @ weight)
    return total


def converged(function, *products):
    """Return the matrix and the number of nodes at which the quadrature stopped."""
    nodes = 16
    previous = quadrature(function, *products, nodes)
    while nodes < MOST_NODES:
        nodes *= 2
        matrix = quadrature(function, *products, nodes)
        if np.abs(matrix - previous).max() < WANTED:
            break
        previous = matrix
    return matrix, nodes


def main():
    """Print the table."""
    inputs = np.random.default_rng(0).normal(size=(INPUTS, DIMENSION))
    xy = inputs @ inputs.T
    squared = np.diag(xy)
    xx, yy = np.broadcast_to(squared[:, None], xy.shape), np.broadcast_to(squared, xy.shape)
    print(f"kernel matrix of {INPUTS} inputs")
    print(
        f"{'':8}{'closed form [ms]':>18}{'quadrature [ms]':>17}{'nodes':>7}{'ratio':>10}{'largest difference':>21}"
    )
    for name, (act, function) in FUNCTIONS.items():
        form = geometry.nngp_kernel(act).function()
        form(xx, yy, xy, SIGMA, ZETA)  # compiles
        begin = time.perf_counter()
        matrix = form(xx, yy, xy, SIGMA, ZETA)
        middle = time.perf_counter()
        other, nodes = converged(function, xx, yy, xy)
        ours, theirs = middle - begin, time.perf_counter() - middle
        difference = np.abs(matrix - other).max()
        print(
            f"{name:8}{1e3 * ours:18.2f}{1e3 * theirs:17.0f}{nodes:7}{theirs / ours:10.0f}{difference:21.1e}"
        )


if __name__ == "__main__":
    main()
