r"""Kernels of Appendix F and their metrics, for any two features of two inputs."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Step
from theory.papers.zavatoneveth2023.network import close
from theory.papers.zavatoneveth2023.stein import metric_of, x, y

h = sp.symbols("h0:4", real=True)
m11, m12, m22 = sp.symbols("M11 M12 M22", real=True)
M = sp.Matrix([[m11, m12], [m12, m22]])
"""A symmetric matrix: M in (F.2), its root in (F.8)."""


def _mahalanobis(difference: sp.Matrix) -> sp.Expr:
    return (difference.T * M * difference)[0]


def _smooth(squared: sp.Expr) -> sp.Expr:
    """H near zero; its second and third derivatives do not reach the metric."""
    return sum(c * squared**k for k, c in enumerate(h))


translation_invariant = _smooth(_mahalanobis(sp.Matrix(x) - sp.Matrix(y)))


slopes = sp.Matrix(2, 2, sp.symbols("a11 a12 a21 a22", real=True))
"""Of the exponents of two features exp(a.x); functions are superpositions of such."""


def _features(at: sp.Matrix) -> sp.Matrix:
    return (slopes * at).applyfunc(sp.exp)


def _base_metric(at: sp.Matrix) -> sp.Matrix:
    """Of the base kernel: Jacobian transposed times Jacobian."""
    found = sp.diag(*_features(at)) * slopes
    return found.T * found


at_x, at_y = sp.Matrix(x), sp.Matrix(y)
transformed = metric_of(_features(M * at_x).dot(_features(M * at_x)), _features(M * at_x).dot(_features(M * at_y)))
base = _base_metric(M * at_x)

features = tuple(sp.Function(f"K{i}", real=True) for i in (1, 2))
q11, q12, q22 = sp.symbols("Q11 Q12 Q22", real=True)
Q = sp.Matrix([[q11, q12], [q12, q22]])
here, there = (sp.Matrix([f(*at) for f in features]) for at in (x, y))
jacobian = here.jacobian(sp.Matrix(x))
METRIC_FROM_KERNEL = Step(
    "two features", metric_of(here.dot(here), here.dot(there)), jacobian.T * jacobian, because="product rule"
)
"""Section II.A and Eq. (F.5)."""


def _data() -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(6)
    return draw.normal(size=(4, 3)), draw.normal(size=(4, 3))


def interpolates() -> bool:
    """Eq. (F.3) at the training points."""
    points, _ = _data()
    targets = np.random.default_rng(7).normal(size=4)
    gram = np.exp(-((points[:, None] - points[None]) ** 2).sum(-1))
    return close(targets @ np.linalg.solve(gram, gram), targets)


def _simon_matrices() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Data, both halves stacked, their Gram matrix, and Z of Eq. (F.14) for the linear kernel."""
    points, partners = _data()
    both = np.vstack([points, partners])
    gram = both @ both.T
    half = gram[:, :4] @ gram[4:, :] / (2 * len(points))
    return both, gram, half + half.T


def same_spectrum() -> bool:
    """Eq. (F.15) has the eigenvalues of the averaged outer product of positive pairs in feature space."""
    both, gram, z = _simon_matrices()
    values, vectors = np.linalg.eigh(gram)
    inverse_root = (vectors[:, -3:] / np.sqrt(values[-3:])) @ vectors[:, -3:].T
    points, partners = both[:4], both[4:]
    pairs = points.T @ partners / (2 * len(points))
    found = np.linalg.eigvalsh(inverse_root @ z @ inverse_root)
    expected = np.linalg.eigvalsh(pairs + pairs.T)
    nonzero = found[np.abs(found) > 1e-9]
    return close(nonzero, expected, 1e-8)
