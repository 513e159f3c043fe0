"""Scalar curvature of erf networks at 1600 points of the plane: by this package, by the triple sum and by autodiff.

The triple sum is Eq. (B.15) of Zavatone-Veth et al. (2023) divided by 3, written in two ways. *Plainly*, as printed:
numpy forms the array of all n^3 triples, M_jk^2 M_ij M_ik phi'_i^2 phi'_j phi'_k phi''_j phi''_k, and sums it, one
point after the other; it is timed at a few points and scaled up. *By products*: the sum over i is a matrix product and
the rest is a sum over n^2 entries; there are still n^3 multiplications per point, but in BLAS. *Autodiff*
differentiates the metric with torch, twice in forward mode and in float64, and uses Brioschi's formula, batched.

    python benchmarks/geometry_shallow_curvature.py
"""

from __future__ import annotations

import time
from functools import partial

import numpy as np

from theory import activations
from theory.geometry import shallow

WIDTHS = (20, 100, 500)
# for the plain sum; a hundred times as many by products
POINTS_OF_THE_SUM = {20: 200, 100: 20, 500: 1}
GRID = np.stack(np.meshgrid(*[np.linspace(-1.5, 1.5, 40)] * 2), axis=-1).reshape(-1, 2)
EXPECTED = 100


def network(width):
    """Return weights ``[unit, 2]`` and biases ``[unit]`` with standard Gaussian entries."""
    rng = np.random.default_rng(width)
    return rng.normal(size=(width, 2)), rng.normal(size=width)


def parts(weights, biases, point):
    """Return minors ``[unit, unit]``, slopes and second derivatives ``[unit]``, and det g by Eq. (B.6)."""
    minors = np.outer(weights[:, 0], weights[:, 1]) - np.outer(weights[:, 1], weights[:, 0])
    z = weights @ point + biases
    slope = np.sqrt(2 / np.pi) * np.exp(-(z**2) / 2)
    determinant = (minors**2 * np.outer(slope**2, slope**2)).sum() / (2 * len(z) ** 2)
    return minors, slope, -z * slope, determinant


def plainly(weights, biases, x):
    """Return Eq. (B.15) / 3 at the points ``x`` ``[point, 2]``, with all triples at once."""
    curvatures = []
    for point in x:
        minors, slope, second_derivative, determinant = parts(weights, biases, point)
        terms = (
            minors[None, :, :] ** 2  # axes i, j, k
            * minors[:, :, None]
            * minors[:, None, :]
            * (slope**2)[:, None, None]
            * slope[None, :, None]
            * slope[None, None, :]
            * second_derivative[None, :, None]
            * second_derivative[None, None, :]
        )
        curvatures.append(-terms.sum() / (determinant**2 * len(slope) ** 3))
    return np.array(curvatures)


def by_products(weights, biases, x):
    """Return the same, with the sum over i as a matrix product."""
    curvatures = []
    for point in x:
        minors, slope, second_derivative, determinant = parts(weights, biases, point)
        inner = minors.T @ ((slope**2)[:, None] * minors)
        total = (
            minors**2 * inner * np.outer(slope * second_derivative, slope * second_derivative)
        ).sum()
        curvatures.append(-total / (determinant**2 * len(slope) ** 3))
    return np.array(curvatures)


def differentiated(weights, biases, x):
    """Return Brioschi's formula, with derivatives of the metric by automatic differentiation."""
    import torch

    w, b = (torch.tensor(v, dtype=torch.float64) for v in (weights, biases))

    def metric(point):
        slope = np.sqrt(2 / np.pi) * torch.exp(-((w @ point + b) ** 2) / 2)
        rows = slope[:, None] * w
        return rows.T @ rows / len(w)

    def curvature(point):
        g = metric(point)
        first = torch.func.jacfwd(metric)(point)
        second = torch.func.jacfwd(torch.func.jacfwd(metric))(point)
        e, f, h = g[0, 0], g[0, 1], g[1, 1]
        (e_u, e_v), (f_u, f_v), (h_u, h_v) = first[0, 0], first[0, 1], first[1, 1]
        entry = -second[0, 0, 1, 1] / 2 + second[0, 1, 0, 1] - second[1, 1, 0, 0] / 2
        first_determinant = _det(
            ((entry, e_u / 2, f_u - e_v / 2), (f_v - h_u / 2, e, f), (h_v / 2, f, h))
        )
        second_determinant = _det(((0 * e, e_v / 2, h_u / 2), (e_v / 2, e, f), (h_u / 2, f, h)))
        return 2 * (first_determinant - second_determinant) / (e * h - f * f) ** 2

    return torch.vmap(curvature, chunk_size=400)(torch.tensor(x)).numpy()


def _det(m):
    (a, b, c), (d, e, f), (g, h, i) = m
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def best_time(function, repeats):
    """Return the shortest of several runs in seconds, and the value."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        value = function()
        times.append(time.perf_counter() - begin)
    return min(times), value


def scaled(function, weights, biases, points):
    """Return the seconds for all points from a run on evenly spaced points, the values there, and the stride."""
    stride = len(GRID) // points
    seconds, values = best_time(partial(function, weights, biases, GRID[::stride]), 1)
    return seconds * stride, values, stride


def main():
    """Print the table."""
    print(
        f"scalar curvature, erf, d = 2, {len(GRID)} points: seconds; below, largest deviation from ours (relative)"
    )
    print(
        f"{'width':>6}{'ours':>12}{'plain sum':>12}{'products':>12}{'autodiff':>12}{'times ours':>24}"
    )
    for width in WIDTHS:
        weights, biases = network(width)
        ours = partial(shallow.scalar_curvature, weights, biases, GRID, activations.ERF)
        ours()  # compiles the activation
        seconds, value = best_time(ours, 5)
        few = POINTS_OF_THE_SUM[width]
        plain, plain_value, stride = scaled(plainly, weights, biases, few)
        product, product_value, product_stride = scaled(
            by_products, weights, biases, min(len(GRID), 100 * few)
        )
        auto, auto_value = best_time(partial(differentiated, weights, biases, GRID), 2)
        others = (plain, product, auto)
        ratios = ", ".join(f"{other_seconds / seconds:.0f}" for other_seconds in others)
        print(f"{width:6}{seconds:12.4f}{plain:12.2f}{product:12.3f}{auto:12.3f}{ratios:>24}")
        scale = np.abs(value).max()
        pairs = (
            (value[::stride], plain_value),
            (value[::product_stride], product_value),
            (value, auto_value),
        )
        print(" " * 18 + "".join(f"{np.abs(a - b).max() / scale:12.0e}" for a, b in pairs))
    print(f"expected: at least {EXPECTED} times the plain triple sum at width {WIDTHS[-1]}")
    rng = np.random.default_rng(0)
    weights, biases, x = (
        rng.normal(size=(2000, 784)) / 28,
        rng.normal(size=2000),
        rng.normal(size=784),
    )
    seconds, value = best_time(
        partial(shallow.scalar_curvature, weights, biases, x, activations.ERF), 3
    )
    print(f"d = 784, width 2000, one point: {seconds:.2f} s, R = {value:.6g}")


if __name__ == "__main__":
    main()
