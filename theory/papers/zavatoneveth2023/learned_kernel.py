r"""Values of the letters of Appendix F.2: a kernel that is learned from four pairs of points in the plane."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from theory.papers.zavatoneveth2023.kernel_values import INDICES, base_kernel
from theory.papers.zavatoneveth2023.unit_averages import Array, circles, derivative

PAIRS, KEPT, ANOTHER = 4, 3, 7
X, Y = np.array([0.5, -0.3]), np.array([-0.2, 0.6])


def root_inverse(matrix: Array) -> Array:
    """Pseudo-inverse of the root of a positive semidefinite matrix."""
    values, vectors = np.linalg.eigh(matrix)
    large = values > 1e-9 * values[-1]
    return (vectors[:, large] / np.sqrt(values[large])) @ vectors[:, large].T


@cache
def learned() -> dict[str, Any]:
    """Four pairs of points in the plane in three features; every matrix from its definition, for p pairs.

    Z is the feature matrix times the averaged outer product of pairs times its transpose; the eigenvalues kept are
    those of the whitened matrix.
    """
    draw = np.random.default_rng(6)
    points = draw.normal(size=(2 * PAIRS, 2))
    points[PAIRS:] = points[:PAIRS] + 0.3 * points[PAIRS:]
    phi = np.sin(points @ np.array([[0.8, 0.3, -0.5], [-0.4, 0.9, 0.6]]) + np.array([0.2, -0.4, 0.7]))
    crossed = phi[:PAIRS].T @ phi[PAIRS:] / (2 * PAIRS)
    gram = phi @ phi.T
    z, root = phi @ (crossed + crossed.T) @ phi.T, root_inverse(gram)
    values, vectors = np.linalg.eigh(root @ z @ root)
    top = np.argsort(values)[::-1]
    kept = [index for index in top[:KEPT] if values[index] > 1e-9]
    inverse = sum(np.outer(vectors[:, i], vectors[:, i]) / values[i] for i in kept)
    grams = {"K_XX": gram[:PAIRS, :PAIRS], "K_XX1": gram[:PAIRS, PAIRS:], "K_X1X": gram[PAIRS:, :PAIRS],
              "K_X1X1": gram[PAIRS:, PAIRS:]}  # fmt: skip
    parts = {f"Z_{i + 1}{k + 1}": z[i * PAIRS : (i + 1) * PAIRS, k * PAIRS : (k + 1) * PAIRS]
             for i, k in np.ndindex(2, 2)}  # fmt: skip
    return {**grams, **parts, "points": points, "Z": z, "K_tilde_root": root, "K_Gamma": root @ z @ root, "p": PAIRS,
            "n": ANOTHER, "K_kept_inverse": inverse, "Q": root @ inverse @ root}  # fmt: skip


def with_data(at: Array) -> Array:
    """Kernels of inputs [points, 2], which may be complex, with all data, [points, 2p]."""
    data = learned()["points"]
    return np.concatenate([base_kernel(at, np.zeros_like(at) + point) for point in data], axis=1)


def at_two_inputs() -> list[dict[str, Any]]:
    """The learned kernel of two inputs, from the eigenvalues that are kept."""
    one, other = with_data(X[None]).T, with_data(Y[None]).T
    root = learned()["K_tilde_root"]
    white = root @ one, root @ other
    return [{**learned(), "K_x": one, "K_y": other, "k_ss": (white[0].T @ learned()["K_kept_inverse"] @ white[1])}]


@cache
def derivatives() -> list[dict[str, Any]]:
    """The learned kernel on circles around an input, its metric from features, and the kernels' derivatives."""
    matrix = learned()["Q"]
    values, vectors = np.linalg.eigh(matrix)
    factor = vectors * np.sqrt(np.maximum(values, 0))
    slopes = [_slope(axis) for axis in (1, 2)]
    jacobian = np.concatenate(slopes, axis=1)
    metric = np.real((factor.T @ jacobian).T @ (factor.T @ jacobian))
    cases = []
    for mu, nu in INDICES:
        moved = with_data(circles(X, mu, nu))
        fixed = np.zeros_like(moved) + with_data(X[None])
        own, crossed = (np.einsum("pa,ab,pb->p", one, matrix, moved)[:, None] for one in (moved, fixed))
        cases.append({"Q": matrix, "K_mu": slopes[mu - 1], "K_nu": slopes[nu - 1], "g_ss": metric[mu - 1, nu - 1],
                      "hess_x": derivative, "hess_y_at_x": derivative, "k_ss_xx": own, "k_ss": crossed})  # fmt: skip
    return cases


def _slope(axis: int) -> Array:
    around = with_data(circles(X, axis))
    return np.array([[derivative(around[:, [index]])] for index in range(2 * PAIRS)])
