r"""Appendix F: metrics of two kernel learning algorithms, Eqs. (F.1) to (F.21)."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.zavatoneveth2023.entry import entry
from theory.papers.zavatoneveth2023.network import close
from theory.papers.zavatoneveth2023.stein import AT_X, x, y

h = sp.symbols("h0:4", real=True)
m11, m12, m22 = sp.symbols("M11 M12 M22", real=True)
M = sp.Matrix([[m11, m12], [m12, m22]])
"""A symmetric matrix: M in (F.2), its root in (F.8)."""


def _mahalanobis(difference: sp.Matrix) -> sp.Expr:
    return (difference.T * M * difference)[0]


def _smooth(squared: sp.Expr) -> sp.Expr:
    """h near zero; its second and third derivatives do not reach the metric."""
    return sum(c * squared**k for k, c in enumerate(h))


translation_invariant = _smooth(_mahalanobis(sp.Matrix(x) - sp.Matrix(y)))


def metric_of(on_itself: sp.Expr, between: sp.Expr) -> sp.Matrix:
    """Eq. (F.5)."""
    return sp.hessian(on_itself, x) / 2 - sp.hessian(between, y).subs(AT_X, simultaneous=True)


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


def _data() -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(6)
    return draw.normal(size=(4, 3)), draw.normal(size=(4, 3))


def _interpolates() -> bool:
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


def _same_spectrum() -> bool:
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


EQUATIONS = (
    entry(
        "(F.1) and (F.2)",
        "F.1",
        "Kernels of the squared Mahalanobis distance.",
        Finding.DEFINITION,
        "M is symmetric and positive semidefinite.",
        printed=r"k_{\mathbf{M}}(\mathbf{x}, \mathbf{y}) = h(\|\mathbf{x} - \mathbf{y}\|_{\mathbf{M}}^2), \quad \|\mathbf{x} - "
        r"\mathbf{y}\|_{\mathbf{M}}^2 = (\mathbf{x} - \mathbf{y})^\top \mathbf{M} (\mathbf{x} - \mathbf{y})",
    ),
    entry(
        "(F.3)",
        "F.1",
        "The kernel machine.",
        Finding.DEFINITION,
        "It interpolates the data.",
        printed=r"f(\mathbf{x}) = \sum_{a,b} y_a (\mathbf{K}_{\mathbf{M}}^{-1})_{ab} k_{\mathbf{M}}(\mathbf{x}_b, \mathbf{x})",
        steps=(Check("interpolation", _interpolates, "random data, Gaussian kernel"),),
    ),
    entry(
        "(F.4)",
        "F.1",
        "The update of M.",
        Finding.DEFINITION,
        "The averaged outer product of gradients, symmetric and positive semidefinite.",
        printed=r"\mathbf{M} \leftarrow \frac1p \sum_{a=1}^p \nabla f(\mathbf{x}_a) \nabla f(\mathbf{x}_a)^\top",
    ),
    entry(
        "(F.5)",
        "F.1",
        "The metric of a kernel.",
        Finding.CONFIRMED,
        "For any two features of two inputs it is the pulled back Euclidean metric.",
        printed=r"g_{\mu\nu} = \frac12 \frac{\partial^2}{\partial x_\mu \partial x_\nu} k(\mathbf{x}, \mathbf{x}) - "
        r"\left[\frac{\partial^2}{\partial y_\mu \partial y_\nu} k(\mathbf{x}, \mathbf{y})\right]_{\mathbf{y}=\mathbf{x}}",
        steps=(
            Step(
                "two features",
                metric_of(here.dot(here), here.dot(there)),
                jacobian.T * jacobian,
                because="product rule",
            ),
        ),
    ),
    entry(
        "(F.6) and (F.7)",
        "F.1",
        "Such kernels induce a constant, flat metric.",
        Finding.CONFIRMED,
        "Two inputs, h to third order: its higher derivatives do not contribute.",
        printed=r"g_{\mu\nu} = -\left[\frac12 \frac{\partial^2}{\partial y_\mu \partial y_\nu} h[\ldots]\right] \cdot 2 = -2 h'(0) "
        r"M_{\mu\nu}",
        steps=(
            Step(
                "from the kernel",
                metric_of(
                    translation_invariant.subs(dict(zip(y, x, strict=True)), simultaneous=True), translation_invariant
                ),
                -2 * h[1] * M,
                because="differentiation at y = x",
            ),
        ),
    ),
    entry(
        "(F.8)",
        "F.1",
        "The extension to any kernel.",
        Finding.DEFINITION,
        "The base kernel after a linear map.",
        printed=r"k_{\mathbf{M}}(\mathbf{x}, \mathbf{y}) = k(\mathbf{M}^{1/2} \mathbf{x}, \mathbf{M}^{1/2} \mathbf{y})",
    ),
    entry(
        "(F.9) and (F.10)",
        "F.1",
        "Its metric.",
        Finding.CONFIRMED,
        "A base kernel of two exponential features, any symmetric matrix.",
        printed=r"(g_{\mathbf{M}})_{\mu\nu} = (\mathbf{M}^{1/2})_{\mu\rho} (\mathbf{M}^{1/2})_{\nu\lambda} g_{\rho\lambda}",
        steps=(Step("chain rule", transformed, M * base * M, because="chain rule"),),
    ),
    entry(
        "(F.11)",
        "F.1",
        "Its determinant: a rescaling and a change of coordinates.",
        Finding.CONFIRMED,
        "M below is the root; the volume element is rescaled by the root of det M.",
        printed=r"\det g_{\mathbf{M}} = (\det \mathbf{M}) \det g",
        steps=(
            Step(
                "product of determinants",
                transformed.det(),
                (M * M).det() * base.det(),
                because="(F.10)",
            ),
        ),
    ),
    entry(
        "(F.12) and (F.13)",
        "F.2",
        "The base kernel and its Gram matrix on both halves of the positive pairs.",
        Finding.DEFINITION,
        "Of size 2p.",
        printed=r"k(\mathbf{x}, \mathbf{y}), \quad \tilde{\mathbf{K}} = \begin{pmatrix} \mathbf{K}_{XX} & \mathbf{K}_{XX'} \\ "
        r"\mathbf{K}_{X'X} & \mathbf{K}_{X'X'} \end{pmatrix}",
    ),
    entry(
        "(F.14) to (F.16)",
        "F.2",
        "The matrix of positive pairs, whitened and cut to its top eigenvalues.",
        Finding.DEFINITION,
        "The blocks of (F.14) are not all legible in the text read. Read as below, the whitened matrix has the spectrum of the "
        "averaged outer product of positive pairs in feature space, as it should.",
        printed=r"\mathbf{Z} = \frac{1}{2p} \begin{pmatrix} \mathbf{K}_{XX} \mathbf{K}_{X'X} & \mathbf{K}_{XX} \mathbf{K}_{X'X'} \\ "
        r"\mathbf{K}_{X'X} \mathbf{K}_{X'X} & \mathbf{K}_{X'X} \mathbf{K}_{X'X'} \end{pmatrix} + (\text{transpose}), \quad "
        r"\mathbf{K}_\Gamma = \tilde{\mathbf{K}}^{-1/2} \mathbf{Z} \tilde{\mathbf{K}}^{-1/2}, \quad \mathbf{K}_\Gamma^{\leq d}",
        steps=(Check("spectrum, linear kernel", _same_spectrum, "random data"),),
    ),
    entry(
        "(F.17) to (F.19)",
        "F.2",
        "The modified kernel, a constant quadratic form in the kernels with the data.",
        Finding.DEFINITION,
        "Symmetric and positive semidefinite where the eigenvalues that are kept are positive.",
        printed=r"k_{ss}(\mathbf{x}, \mathbf{y}) = \begin{pmatrix} \mathbf{K}_{\mathbf{x}X} \\ \mathbf{K}_{\mathbf{x}X'} \end{pmatrix}^\top "
        r"\mathbf{Q} \begin{pmatrix} \mathbf{K}_{\mathbf{y}X} \\ \mathbf{K}_{\mathbf{y}X'} \end{pmatrix}, \quad \mathbf{Q} = "
        r"\tilde{\mathbf{K}}^{-1/2} (\mathbf{K}_\Gamma^{\leq d})^+ \tilde{\mathbf{K}}^{-1/2}",
    ),
    entry(
        "(F.20) and (F.21)",
        "F.2",
        "Its metric.",
        Finding.CONFIRMED,
        "Two kernels with data as any functions of two inputs, Q symmetric.",
        printed=r"(g_{ss})_{\mu\nu} = \begin{pmatrix} \partial_\mu \mathbf{K}_{\mathbf{x}X} \\ \partial_\mu "
        r"\mathbf{K}_{\mathbf{x}X'} \end{pmatrix}^\top \mathbf{Q} \begin{pmatrix} \partial_\nu \mathbf{K}_{\mathbf{x}X} \\ "
        r"\partial_\nu \mathbf{K}_{\mathbf{x}X'} \end{pmatrix}",
        steps=(
            Step(
                "product rule",
                metric_of((here.T * Q * here)[0], (here.T * Q * there)[0]),
                jacobian.T * Q * jacobian,
                because="product rule",
            ),
        ),
    ),
)
