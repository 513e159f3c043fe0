r"""Appendix D: the shallow NTK and its second derivatives, Eqs. (D.1) to (D.10)."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Finding, equal, numerically
from theory.papers.zavatoneveth2023.appendix_letters import (
    E,
    entry,
    inner,
    j,
    mu,
    n,
    norm2,
    nu,
    phi0,
    phi1,
    phi2,
    phi3,
    w,
    x,
    xi,
    z,
)
from theory.papers.zavatoneveth2023.appendix_letters import delta as delta_mn
from theory.papers.zavatoneveth2023.tangent_averages import around_the_other, around_the_point, at_the_point
from theory.papers.zavatoneveth2023.unit_averages import ACTIVATION, circles, derivative

theta_e, theta, theta_xx, theta_yy, theta_yy_at_x, z_x, z_y = sp.symbols(
    "theta_e theta theta_xx theta_yy theta_yy_at_x z_x z_y", real=True
)
z_xj, z_yj, v, hess_x, hess_y, d_x, d_y = (
    sp.Function(name) for name in ("z_xj", "z_yj", "v", "hess_x", "hess_y", "d_x", "d_y")
)
WIDTH, INPUTS = 5, 3


@cache
def finite_network() -> list[dict[str, Any]]:
    """Five units on three inputs; the product of the gradients in all weights, biases and read-outs."""
    draw = np.random.default_rng(4)
    parameters, points = draw.normal(size=WIDTH * (INPUTS + 2)), draw.normal(size=(2, INPUTS))

    def output(flat: Any, at: Any) -> Any:
        units = flat.reshape(-1, WIDTH, INPUTS + 2)
        hidden = ACTIVATION["phi0"](units[..., :INPUTS] @ at + units[..., INPUTS])
        return np.sum(units[..., INPUTS + 1] * hidden, axis=1, keepdims=True) / np.sqrt(WIDTH)

    gradients = [
        [derivative(output(circles(parameters, axis + 1), at)) for axis in range(len(parameters))] for at in points
    ]
    units = parameters.reshape(WIDTH, INPUTS + 2)
    one, other = (units[:, :INPUTS] @ at + units[:, INPUTS] for at in points)
    return [
        {
            **ACTIVATION,
            "n": WIDTH,
            "theta_e": np.dot(gradients[0], gradients[1]),
            "inner": points[0] @ points[1],
            "z_xj": lambda unit: one[unit - 1],
            "z_yj": lambda unit: other[unit - 1],
            "v": lambda unit: units[unit - 1, INPUTS + 1],
        }
    ]


of_x = E(phi0(z) ** 2) + xi**2 * E(phi1(z) ** 2) * (1 + norm2)
of_both = E(phi0(z_x) * phi0(z_y)) + xi**2 * E(phi1(z_x) * phi1(z_y)) * (1 + inner)
mixed = phi1(z) * phi2(z)

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
        Finding.ILLEGIBLE,
        "The text that was read has lost the prefactors, primes and a part of the arguments. What is inferred is the "
        "product of the gradients in all weights, biases and read-outs, and its average is (D.3).",
        printed=r"\Theta_e(\mathbf{x}, \mathbf{y})",
        inferred=equal(
            theta_e,
            sp.Sum(phi0(z_xj(j)) * phi0(z_yj(j)), (j, 1, n)) / n
            + sp.Sum(v(j) ** 2 * phi1(z_xj(j)) * phi1(z_yj(j)), (j, 1, n)) * (1 + inner) / n,
        ),
        prove=numerically(finite_network, "gradients of a network of five units"),
    ),
    entry(
        "(D.3)",
        "D",
        "The NTK at infinite width.",
        Finding.CONFIRMED,
        "The average of the product of the gradients of one unit over read-out, weights and bias, by quadrature.",
        printed=equal(theta, of_both),
        prove=numerically(lambda: around_the_other(0), "mean product of gradients"),
    ),
    entry(
        "(D.4)",
        "D",
        "Second derivatives of the kernel of an input with itself: the kernel inserted.",
        Finding.ILLEGIBLE,
        "Averages and exponents are lost in the text that was read. The inferred form is (D.3) at equal inputs, from "
        "which (D.5), which is legible, follows.",
        printed=r"\frac{\partial^2}{\partial x_\mu \partial x_\nu} \Theta(\mathbf{x}, \mathbf{x}) = \ldots",
        inferred=equal(theta_xx, hess_x(of_x)),
        prove=numerically(lambda: around_the_point(2), "mean product of gradients, Cauchy's formula"),
    ),
    entry(
        "(D.5)",
        "D",
        "The same after the first derivative.",
        Finding.CONFIRMED,
        "Two inputs, an activation function without a symmetry; derivatives by Cauchy's formula.",
        printed=equal(
            theta_xx,
            d_x(2 * E(phi0(z) * phi1(z) * w(mu)) + 2 * xi**2 * E(mixed * w(mu)) * (1 + norm2)
                + 2 * xi**2 * E(phi1(z) ** 2) * x(mu)),
        ),
        prove=numerically(lambda: around_the_point(1), "mean product of gradients, Cauchy's formula"),
    ),
    entry(
        "(D.6)",
        "D",
        "The same after the second derivative.",
        Finding.CONFIRMED,
        "Two inputs, an activation function without a symmetry; derivatives by Cauchy's formula. The text that was "
        "read has lost single primes; their number follows from (D.5).",
        printed=equal(
            theta_xx,
            2 * E((phi1(z) ** 2 + phi0(z) * phi2(z)) * w(mu) * w(nu))
            + 2 * xi**2 * E((phi2(z) ** 2 + phi1(z) * phi3(z)) * w(mu) * w(nu)) * (1 + norm2)
            + 4 * xi**2 * E(mixed * w(mu)) * x(nu) + 4 * xi**2 * E(mixed * w(nu)) * x(mu)
            + 2 * xi**2 * E(phi1(z) ** 2) * delta_mn,
        ),
        prove=numerically(at_the_point, "mean product of gradients, Cauchy's formula"),
    ),
    entry(
        "(D.7)",
        "D",
        "Second derivatives in the second input: the kernel inserted.",
        Finding.ILLEGIBLE,
        "Greek letters and primes are lost in the text that was read. The inferred form is (D.3), from which (D.8), "
        "which is legible, follows.",
        printed=r"\frac{\partial^2}{\partial y_\mu \partial y_\nu} \Theta(\mathbf{x}, \mathbf{y}) = \ldots",
        inferred=equal(theta_yy, hess_y(of_both)),
        prove=numerically(lambda: around_the_other(2), "mean product of gradients, Cauchy's formula"),
    ),
    entry(
        "(D.8)",
        "D",
        "The same after the first derivative.",
        Finding.CONFIRMED,
        "Two different inputs; derivatives by Cauchy's formula.",
        printed=equal(
            theta_yy,
            d_y(E(phi0(z_x) * phi1(z_y) * w(mu)) + xi**2 * E(phi1(z_x) * phi2(z_y) * w(mu)) * (1 + inner)
                + xi**2 * E(phi1(z_x) * phi1(z_y)) * x(mu)),
        ),
        prove=numerically(lambda: around_the_other(1), "mean product of gradients, Cauchy's formula"),
    ),
    entry(
        "(D.9)",
        "D",
        "The same after the second derivative.",
        Finding.CONFIRMED,
        "Two different inputs; derivatives by Cauchy's formula.",
        printed=equal(
            theta_yy,
            E(phi0(z_x) * phi2(z_y) * w(mu) * w(nu))
            + xi**2 * E(phi1(z_x) * phi3(z_y) * w(mu) * w(nu)) * (1 + inner)
            + xi**2 * E(phi1(z_x) * phi2(z_y) * w(mu)) * x(nu) + xi**2 * E(phi1(z_x) * phi2(z_y) * w(nu)) * x(mu),
        ),
        prove=numerically(lambda: around_the_other(0), "mean product of gradients, Cauchy's formula"),
    ),
    entry(
        "(D.10)",
        "D",
        "The same at equal inputs.",
        Finding.ILLEGIBLE,
        "Most letters are lost in the text that was read. The inferred form is (D.9), which is legible, at equal "
        "inputs.",
        printed=r"\left[\frac{\partial^2}{\partial y_\mu \partial y_\nu} \Theta(\mathbf{x}, "
        r"\mathbf{y})\right]_{\mathbf{y} = \mathbf{x}} = \ldots",
        inferred=equal(
            theta_yy_at_x,
            E(phi0(z) * phi2(z) * w(mu) * w(nu)) + xi**2 * E(phi1(z) * phi3(z) * w(mu) * w(nu)) * (1 + norm2)
            + xi**2 * E(mixed * w(mu)) * x(nu) + xi**2 * E(mixed * w(nu)) * x(mu),
        ),
        prove=numerically(at_the_point, "mean product of gradients, Cauchy's formula"),
    ),
)  # fmt: skip
