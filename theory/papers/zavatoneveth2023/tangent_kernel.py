r"""Appendix D: the metric of the shallow NTK, Eqs. (D.1) to (D.20).

As in Appendix C, the identities are bilinear in the activation function, and are shown for two exponential features
:math:`e^{tz}`, :math:`e^{t_2 z}` with any exponents.
"""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.zavatoneveth2023.entry import entry, r, sigma, t
from theory.papers.zavatoneveth2023.network import close
from theory.papers.zavatoneveth2023.stein import AT_X, kernel, on_diagonal, t2, x, y

xi = sp.Symbol("xi", positive=True)
dot = sum(p * q for p, q in zip(x, y, strict=True))
norm2 = sum(p**2 for p in x)
both = t + t2
theta = kernel * (1 + xi**2 * t * t2 * (1 + dot))
"""Eq. (D.3)."""
theta_on_diagonal = on_diagonal * (1 + xi**2 * t * t2 * (1 + norm2))


def coefficient(first: int, second: int) -> sp.Expr:
    """E[phi^(first) phi^(second)] per E[phi phi], symmetrised."""
    return (t**first * t2**second + t**second * t2**first) / 2


@cache
def mean(first: int, second: int) -> sp.Expr:
    """E[phi^(first)(z) phi^(second)(z)]."""
    return coefficient(first, second) * on_diagonal


@cache
def weighted(first: int, second: int, i: int) -> sp.Expr:
    """The same with a weight."""
    return coefficient(first, second) * on_diagonal.diff(x[i]) / both


@cache
def twice(first: int, second: int, i: int, j: int) -> sp.Expr:
    """The same with two weights."""
    return coefficient(first, second) * on_diagonal.diff(x[i], x[j]) / both**2


def _delta(i: int, j: int) -> int:
    return int(i == j)


def _matrix(form: object) -> sp.Matrix:
    return sp.Matrix(2, 2, form)


def _diagonal_6(i: int, j: int) -> sp.Expr:
    """Eq. (D.6)."""
    return (
        2 * twice(1, 1, i, j)
        + 2 * twice(0, 2, i, j)
        + 2 * xi**2 * (twice(2, 2, i, j) + twice(1, 3, i, j)) * (1 + norm2)
        + 4 * xi**2 * weighted(1, 2, i) * x[j]
        + 4 * xi**2 * weighted(1, 2, j) * x[i]
        + 2 * xi**2 * mean(1, 1) * _delta(i, j)
    )


def _crossed_10(i: int, j: int) -> sp.Expr:
    """Eq. (D.10)."""
    return (
        twice(0, 2, i, j)
        + xi**2 * twice(1, 3, i, j) * (1 + norm2)
        + xi**2 * (weighted(1, 2, i) * x[j] + weighted(1, 2, j) * x[i])
    )


def _metric_12(i: int, j: int) -> sp.Expr:
    """Eq. (D.12)."""
    return (
        twice(1, 1, i, j)
        + xi**2 * twice(2, 2, i, j) * (1 + norm2)
        + xi**2 * (weighted(1, 2, i) * x[j] + weighted(1, 2, j) * x[i])
        + xi**2 * mean(1, 1) * _delta(i, j)
    )


def _metric_17(i: int, j: int) -> sp.Expr:
    """Eq. (D.17)."""
    tangential = (sigma**2 + xi**2) * mean(1, 1) + sigma**2 * xi**2 * mean(2, 2) * (1 + norm2)
    radial = (sigma**2 + xi**2) * (mean(2, 2) + mean(1, 3)) + sigma**2 * xi**2 * (mean(3, 3) + mean(2, 4)) * (1 + norm2)
    return tangential * _delta(i, j) + 2 * sigma**2 * radial * x[i] * x[j]


metric = sp.hessian(theta_on_diagonal, x) / 2 - sp.hessian(theta, y).subs(AT_X, simultaneous=True)
# On the norm alone, for (D.18) to (D.20).
RADIUS = {x[0]: sp.sqrt(r), x[1]: 0}
psi = (sigma**2 + xi**2) * mean(1, 1) + sigma**2 * xi**2 * mean(2, 2) * (1 + norm2)
psi_of_r = psi.subs(RADIUS)


def _metric_19(i: int, j: int) -> sp.Expr:
    """Eq. (D.19)."""
    slope = psi_of_r.diff(r).subs(r, norm2)
    return psi * _delta(i, j) + 2 * (slope - sigma**2 * xi**2 * mean(2, 2)) * x[i] * x[j]


def _stein(first: int, second: int, higher: tuple[tuple[int, int], ...]) -> Step:
    return Step(
        f"derivatives {first} and {second}",
        _matrix(lambda i, j: twice(first, second, i, j)),
        _matrix(
            lambda i, j: (
                sigma**2 * mean(first, second) * _delta(i, j)
                + 2 * sigma**4 * sum(mean(*pair) for pair in higher) * x[i] * x[j]
            )
        ),
        because="Stein's lemma, twice",
    )


def _empirical_kernel() -> bool:
    """Eq. (D.2): gradients of a network in all its parameters, by central differences, phi = sin."""
    draw = np.random.default_rng(4)
    width, inputs = 5, 3
    parameters = draw.normal(size=(width, inputs + 2))
    points = draw.normal(size=(2, inputs))

    def output(flat: np.ndarray, at: np.ndarray) -> float:
        w, b, v = flat[:, :inputs], flat[:, inputs], flat[:, inputs + 1]
        return float(v @ np.sin(w @ at + b)) / np.sqrt(width)

    def gradient(at: np.ndarray) -> np.ndarray:
        found = np.zeros_like(parameters)
        for index in np.ndindex(parameters.shape):
            step = np.zeros_like(parameters)
            step[index] = 1e-5
            found[index] = (output(parameters + step, at) - output(parameters - step, at)) / 2e-5
        return found

    w, b, v = parameters[:, :inputs], parameters[:, inputs], parameters[:, inputs + 1]
    one, other = (w @ at + b for at in points)
    printed = np.mean(np.sin(one) * np.sin(other) + v**2 * np.cos(one) * np.cos(other) * (1 + points[0] @ points[1]))
    return close(np.sum(gradient(points[0]) * gradient(points[1])), printed, 1e-8)


def _turning_both_inputs_changes_nothing() -> bool:
    """Any kernel that is a function of x.x, y.y and x.y: here the arc sine applied three times over."""

    def deep(one: np.ndarray, other: np.ndarray) -> float:
        here, there, across = one @ one, other @ other, one @ other
        for _ in range(3):
            spread = 1 + here + 0.25, 1 + there + 0.25
            here, there, across = (
                2 / np.pi * np.arcsin((value + 0.25) / np.sqrt(scale))
                for value, scale in (
                    (here, spread[0] ** 2),
                    (there, spread[1] ** 2),
                    (across, spread[0] * spread[1]),
                )
            )
        return float(across)

    draw = np.random.default_rng(2)
    turn, _ = np.linalg.qr(draw.normal(size=(3, 3)))
    pairs = itertools.combinations(draw.normal(size=(5, 3)), 2)
    return all(close(deep(one, other), deep(turn @ one, turn @ other)) for one, other in pairs)


EQUATIONS = (
    entry(
        "(D.1)",
        "D",
        "A shallow network with a linear read-out.",
        Finding.DEFINITION,
        "Scaled by the root of the width.",
        printed=r"f(\mathbf{x}) = \frac{1}{\sqrt n} \sum_{j=1}^n v_j \phi(\mathbf{w}_j \cdot \mathbf{x} + b_j)",
    ),
    entry(
        "(D.2)",
        "D",
        "Its empirical NTK.",
        Finding.CONFIRMED,
        "Gradients in all weights, biases and read-outs by differences.",
        printed=r"\Theta_e(\mathbf{x}, \mathbf{y}) = \frac1n \sum_{j=1}^n \phi(\mathbf{w}_j \cdot \mathbf{x} + b_j) "
        r"\phi(\mathbf{w}_j \cdot \mathbf{y} + b_j) + \frac1n \sum_{j=1}^n v_j^2 \phi'(\mathbf{w}_j \cdot \mathbf{x} + b_j) "
        r"\phi'(\mathbf{w}_j \cdot \mathbf{y} + b_j) (1 + \mathbf{x}\cdot\mathbf{y})",
        steps=(Check("gradients", _empirical_kernel, "central differences"),),
    ),
    entry(
        "(D.3)",
        "D",
        "The NTK at infinite width.",
        Finding.DEFINITION,
        "The average of (D.2), with read-outs of variance xi^2.",
        printed=r"\Theta(\mathbf{x}, \mathbf{y}) = \mathbb{E}[\phi(\mathbf{w}\cdot\mathbf{x} + b) \phi(\mathbf{w}\cdot\mathbf{y} + "
        r"b)] + \xi^2 \mathbb{E}[\phi'(\mathbf{w}\cdot\mathbf{x} + b) \phi'(\mathbf{w}\cdot\mathbf{y} + b)] (1 + "
        r"\mathbf{x}\cdot\mathbf{y})",
    ),
    entry(
        "(D.4) to (D.6)",
        "D",
        "Second derivatives of the kernel of an input with itself.",
        Finding.CONFIRMED,
        "Two exponential features, two inputs.",
        printed=r"\frac{\partial^2 \Theta(\mathbf{x}, \mathbf{x})}{\partial x_\mu \partial x_\nu} = 2 \mathbb{E}[\{\phi'(z)^2 + "
        r"\phi(z) \phi''(z)\} w_\mu w_\nu] + 2\xi^2 \mathbb{E}[\{\phi''(z)^2 + \phi'(z) \phi'''(z)\} w_\mu w_\nu] (1 + "
        r"\|\mathbf{x}\|^2) + 4\xi^2 \mathbb{E}[\phi'(z) \phi''(z) w_\mu] x_\nu + 4\xi^2 \mathbb{E}[\phi'(z) \phi''(z) w_\nu] "
        r"x_\mu + 2\xi^2 \mathbb{E}[\phi'(z)^2] \delta_{\mu\nu}",
        steps=(Step("differentiated", sp.hessian(theta_on_diagonal, x), _matrix(_diagonal_6), because="chain rule"),),
    ),
    entry(
        "(D.7) to (D.10)",
        "D",
        "Second derivatives in the second input.",
        Finding.CONFIRMED,
        "Two exponential features, two inputs.",
        printed=r"\left[\frac{\partial^2 \Theta(\mathbf{x}, \mathbf{y})}{\partial y_\mu \partial y_\nu}\right]_{\mathbf{y} = "
        r"\mathbf{x}} = \mathbb{E}[\phi(z) \phi''(z) w_\mu w_\nu] + \xi^2 \mathbb{E}[\phi'(z) \phi'''(z) w_\mu w_\nu] (1 + "
        r"\|\mathbf{x}\|^2) + \xi^2 \mathbb{E}[\phi'(z) \phi''(z) w_\mu] x_\nu + \xi^2 \mathbb{E}[\phi'(z) \phi''(z) w_\nu] "
        r"x_\mu",
        steps=(
            Step(
                "differentiated",
                sp.hessian(theta, y).subs(AT_X, simultaneous=True),
                _matrix(_crossed_10),
                because="chain rule",
            ),
        ),
    ),
    entry(
        "(D.11) and (D.12)",
        "D",
        "The metric.",
        Finding.CONFIRMED,
        "Half of (D.6) less (D.10).",
        printed=r"g_{\mu\nu} = \mathbb{E}[\phi'(z)^2 w_\mu w_\nu] + \xi^2 \mathbb{E}[\phi''(z)^2 w_\mu w_\nu] (1 + "
        r"\|\mathbf{x}\|^2) + \xi^2 \mathbb{E}[\phi'(z) \phi''(z) w_\mu] x_\nu + \xi^2 \mathbb{E}[\phi'(z) \phi''(z) w_\nu] "
        r"x_\mu + \xi^2 \mathbb{E}[\phi'(z)^2] \delta_{\mu\nu}",
        steps=(Step("from the kernel", metric, _matrix(_metric_12), because="(D.6) and (D.10)"),),
    ),
    entry(
        "(D.13)",
        "D",
        "Stein's lemma as for the NNGP.",
        Finding.CONFIRMED,
        "Two exponential features.",
        printed=r"\mathbb{E}[\phi'(z)^2 w_\mu w_\nu] = \sigma^2 \mathbb{E}[\phi'(z)^2] \delta_{\mu\nu} + 2\sigma^4 "
        r"\mathbb{E}[\phi''(z)^2 + \phi'(z) \phi'''(z)] x_\mu x_\nu",
        steps=(_stein(1, 1, ((2, 2), (1, 3))),),
    ),
    entry(
        "(D.14)",
        "D",
        "The same for second derivatives.",
        Finding.CONFIRMED,
        "Two exponential features.",
        printed=r"\mathbb{E}[\phi''(z)^2 w_\mu w_\nu] = \sigma^2 \mathbb{E}[\phi''(z)^2] \delta_{\mu\nu} + 2\sigma^4 "
        r"\mathbb{E}[\phi'''(z)^2 + \phi''(z) \phi''''(z)] x_\mu x_\nu",
        steps=(_stein(2, 2, ((3, 3), (2, 4))),),
    ),
    entry(
        "(D.15)",
        "D",
        "The same with one weight.",
        Finding.CONFIRMED,
        "Two exponential features.",
        printed=r"\mathbb{E}[\phi'(z) \phi''(z) w_\mu] = \sigma^2 \mathbb{E}[\phi''(z)^2 + \phi'(z) \phi'''(z)] x_\mu",
        steps=(
            Step(
                "one weight",
                sp.Matrix([weighted(1, 2, 0), weighted(1, 2, 1)]),
                sigma**2 * (mean(2, 2) + mean(1, 3)) * sp.Matrix(x),
                because="Stein's lemma",
            ),
        ),
    ),
    entry(
        "(D.16) and (D.17)",
        "D",
        "The metric as a multiple of the identity and one of the projection on x.",
        Finding.CONFIRMED,
        "(D.12) with (D.13) to (D.15).",
        printed=r"g_{\mu\nu} = [(\sigma^2 + \xi^2) \mathbb{E}[\phi'(z)^2] + \sigma^2\xi^2 \mathbb{E}[\phi''(z)^2] (1 + "
        r"\|\mathbf{x}\|^2)] \delta_{\mu\nu} + 2\sigma^2 \{(\sigma^2 + \xi^2) \mathbb{E}[\phi''(z)^2 + \phi'(z) \phi'''(z)] + "
        r"\sigma^2\xi^2 \mathbb{E}[\phi'''(z)^2 + \phi''(z) \phi''''(z)] (1 + \|\mathbf{x}\|^2)\} x_\mu x_\nu",
        steps=(Step("from the kernel", metric, _matrix(_metric_17), because="(D.13) to (D.15)"),),
    ),
    entry(
        "(D.18)",
        "D",
        "The derivative of the coefficient of the identity.",
        Finding.CONFIRMED,
        "Price's theorem.",
        printed=r"\frac{d\psi}{d\|\mathbf{x}\|^2} = \sigma^2 \{(\sigma^2 + \xi^2) \mathbb{E}[\phi''(z)^2 + \phi'(z) \phi'''(z)] + "
        r"\sigma^2\xi^2 \mathbb{E}[\phi'''(z)^2 + \phi''(z) \phi''''(z)] (1 + \|\mathbf{x}\|^2) + \xi^2 "
        r"\mathbb{E}[\phi''(z)^2]\}",
        steps=(
            Step(
                "differentiated",
                sp.Derivative(psi_of_r, r),
                (
                    sigma**2
                    * (
                        (sigma**2 + xi**2) * (mean(2, 2) + mean(1, 3))
                        + sigma**2 * xi**2 * (mean(3, 3) + mean(2, 4)) * (1 + norm2)
                        + xi**2 * mean(2, 2)
                    )
                ).subs(RADIUS),
                because="Price's theorem and the product rule",
            ),
        ),
    ),
    entry(
        "(D.19) and (D.20)",
        "D",
        "The metric with that coefficient: not quite of the form of the NNGP's.",
        Finding.CONFIRMED,
        "(D.17) with (D.18). Its derivatives are therefore not symmetric, and the simplified Riemann tensor of Appendix A does "
        "not apply to it.",
        printed=r"g_{\mu\nu} = \psi(\|\mathbf{x}\|^2) \delta_{\mu\nu} + 2 [\psi'(\|\mathbf{x}\|^2) - \sigma^2\xi^2 "
        r"\mathbb{E}[\phi''(z)^2]] x_\mu x_\nu, \quad \psi = (\sigma^2 + \xi^2) \mathbb{E}[\phi'(z)^2] + \sigma^2\xi^2 "
        r"\mathbb{E}[\phi''(z)^2] (1 + \|\mathbf{x}\|^2)",
        steps=(Step("from the kernel", metric, _matrix(_metric_19), because="(D.17) and (D.18)"),),
    ),
    entry(
        "D and IV.B symmetry",
        "D",
        "The volume element of the NTK depends on the norm only, and the deep NNGP shares this symmetry.",
        Finding.CONFIRMED,
        "A kernel of the three dot products is unchanged when both inputs are turned; so is its metric. Three layers of error "
        "functions as a case.",
        steps=(
            Check("turned inputs", _turning_both_inputs_changes_nothing, "composed arc sine kernels"),
            Step(
                "determinant with two inputs",
                _matrix(_metric_19).det(),
                psi * (psi + 2 * norm2 * (psi_of_r.diff(r).subs(r, norm2) - sigma**2 * xi**2 * mean(2, 2))),
                because="matrix determinant lemma; psi is a function of the norm",
            ),
        ),
    ),
)
