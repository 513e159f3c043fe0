r"""Appendix D: the shallow NTK and its second derivatives, Eqs. (D.1) to (D.10)."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import numerically
from theory.core.ledger.ledger import Programs
from theory.papers.zavatoneveth2023.appendix_letters import (
    phi1,
    phi2,
    z,
)
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


mixed = phi1(z) * phi2(z)

PROGRAMS: Programs = {
    "(D.2)": numerically(finite_network, "gradients of a network of five units"),
    "(D.3)": numerically(lambda: around_the_other(0), "mean product of gradients"),
    "(D.4)": numerically(lambda: around_the_point(2), "mean product of gradients, Cauchy's formula"),
    "(D.5)": numerically(lambda: around_the_point(1), "mean product of gradients, Cauchy's formula"),
    "(D.6)": numerically(at_the_point, "mean product of gradients, Cauchy's formula"),
    "(D.7)": numerically(lambda: around_the_other(2), "mean product of gradients, Cauchy's formula"),
    "(D.8)": numerically(lambda: around_the_other(1), "mean product of gradients, Cauchy's formula"),
    "(D.9)": numerically(lambda: around_the_other(0), "mean product of gradients, Cauchy's formula"),
    "(D.10)": numerically(at_the_point, "mean product of gradients, Cauchy's formula"),
}
