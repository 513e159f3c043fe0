r"""Infinitely wide networks: the NNGP and its metric, Eqs. (C.1) to (C.11), and the NTK and its metric, Appendix D."""

import itertools
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from papers.zavatoneveth2023.ledger import gaussian
from papers.zavatoneveth2023.ledger.gaussian import (
    NORMALS,
    Meanings,
    X,
    Y,
    along_x,
    entries,
    exactly,
    is_zero,
    mean,
)
from theory.core import Claim, Programs, chosen, deciding, is_close, stating

SIGMA, ZETA, XI = sp.Rational(4, 5), sp.Rational(1, 2), sp.Rational(13, 10)
PHI = gaussian.activation(gaussian.QUARTIC)
WEIGHTS, BIAS = SIGMA * sp.Matrix(NORMALS[:2]), ZETA * NORMALS[2]
NORM2 = sp.expand(X.dot(X))


def between(form: sp.Expr) -> Callable[[Any, Any], Any]:
    """A kernel of both inputs as a function."""
    return lambda one, other: form.subs(
        dict(zip((*X, *Y), (*one, *other), strict=True)), simultaneous=True
    )


def of_the_norm(form: sp.Expr) -> Callable[[Any], Any]:
    """A function of the squared norm, whose value at the input is known."""

    def value(argument: Any) -> sp.Expr:
        if not is_zero(argument - NORM2):
            raise ValueError(f"argument: got {argument}, needs the squared norm")
        return form

    return value


def metric_of(kernel: sp.Expr) -> sp.Matrix:
    """The metric of a kernel: its derivative in one coordinate of either input, where both are equal."""
    return sp.Matrix(
        2, 2, lambda i, k: sp.expand(gaussian.at_equal(sp.diff(kernel, X[i], Y[k]), Y, X))
    )


@cache
def nngp() -> sp.Expr:
    """The mean product of the activations of one unit."""
    return mean(sp.expand(PHI["phi0"](WEIGHTS.dot(X) + BIAS) * PHI["phi0"](WEIGHTS.dot(Y) + BIAS)))


@cache
def ntk() -> sp.Expr:
    """The mean product of the gradients of one unit's output in its read-out, weights and bias."""
    parameters = sp.symbols("v w1 w2 b", real=True)
    drawn = dict(zip(parameters, (XI * NORMALS[3], *WEIGHTS, BIAS), strict=True))
    output_x, output_y = (
        parameters[0] * PHI["phi0"](sp.Matrix(parameters[1:3]).dot(at) + parameters[3])
        for at in (X, Y)
    )
    products = [
        sp.diff(output_x, parameter) * sp.diff(output_y, parameter) for parameter in parameters
    ]
    return sp.Add(*(mean(sp.expand(product.subs(drawn))) for product in products))


def _cases(kernel: str, form: sp.Expr, metric: sp.Matrix, **others: Any) -> list[Meanings]:
    """Components of the metric of a kernel, at any two inputs."""
    shared = {
        **gaussian.OPERATORS, **PHI, "sigma": SIGMA, "zeta": ZETA, "xi": XI, "w_bold": WEIGHTS, "b": BIAS,
        "z": WEIGHTS.dot(X) + BIAS, "w1": entries(WEIGHTS), kernel: between(form), "g": entries(metric), **others,
    }  # fmt: skip
    return gaussian.of_components(shared, (1, 1), (1, 2))


@cache
def of_the_kernel() -> list[Meanings]:
    """Any two inputs and a quartic activation function: kernel, metric and Omega averaged, differentiated exactly."""
    omega = sp.log(SIGMA**2 * mean(sp.expand(PHI["phi1"](WEIGHTS.dot(X) + BIAS) ** 2)))
    functions = {"Omega_of": of_the_norm(omega), "Omega_slope": of_the_norm(along_x(NORM2, omega))}
    return _cases("kernel", nngp(), metric_of(nngp()), **functions)


@cache
def of_the_average() -> list[Meanings]:
    """Any two inputs and a quartic activation function: kernel and metric (C.1) averaged and differentiated exactly."""
    slope = PHI["phi1"](WEIGHTS.dot(X) + BIAS)
    metric = sp.Matrix(2, 2, lambda i, k: mean(sp.expand(slope**2 * WEIGHTS[i] * WEIGHTS[k])))
    return _cases("kernel", nngp(), metric)


@cache
def across() -> sp.Expr:
    """The eigenvalue of the metric of the NTK across the input."""
    turned = sp.Matrix([-X[1], X[0]])
    return sp.cancel((turned.T * metric_of(ntk()) * turned)[0] / NORM2)


@cache
def of_the_tangent_kernel() -> list[Meanings]:
    """Products of the gradients of one unit with a quartic activation function, averaged and differentiated exactly."""
    functions = {"psi": of_the_norm(across()), "psi_slope": of_the_norm(along_x(NORM2, across()))}
    return _cases("Theta", ntk(), metric_of(ntk()), **functions)


def of_two_units() -> list[Meanings]:
    """Two units on two inputs: the product of the gradients in all weights, biases and read-outs."""
    parameters = sp.symbols("w1:5 b1:3 v1:3", real=True)
    w, b, v = (sp.Matrix(2, 2, parameters[:4]), parameters[4:6], parameters[6:])

    def output(at: Any) -> sp.Expr:
        return sum(v[j] * PHI["phi0"](w.row(j).dot(at) + b[j]) for j in range(2)) / sp.sqrt(2)

    numbers = {
        symbol: sp.Rational(3 * index**2 - 7, 5 + index)
        for index, symbol in enumerate((*parameters, *X, *Y))
    }
    product = sum(
        sp.diff(output(X), parameter) * sp.diff(output(Y), parameter) for parameter in parameters
    ).subs(numbers)
    points = {
        "X": X.subs(numbers),
        "Y": Y.subs(numbers),
        "Theta_e": lambda *_: product,
        "n": sp.Integer(2),
    }
    rows = {
        "w_row": lambda j: w.row(int(j) - 1).subs(numbers),
        "b_row": entries(sp.Matrix(b).subs(numbers)),
    }
    return [
        {
            **gaussian.OPERATORS,
            **PHI,
            **points,
            **rows,
            "v_row": entries(sp.Matrix(v).subs(numbers)),
        }
    ]


def is_normal(claim: Claim, order: int) -> bool:
    """The first eight moments of the preactivation, averaged over weights and bias."""
    centre, spread = (
        gaussian.read(claim[name], of_the_average()[0]) for name in ("mean", "variance")
    )
    moment = mean(sp.expand((WEIGHTS.dot(X) + BIAS - centre) ** order))
    return is_zero(
        moment - (0 if order % 2 else spread ** (order // 2) * sp.factorial2(order - 1))
    )


ANGLE = sp.Symbol("angle", positive=True)
BEND = sp.sin(ANGLE) + (sp.pi - ANGLE) * sp.cos(ANGLE)
KINKED = {
    "ReLU": (BEND / (2 * sp.pi), sp.Rational(1, 2)),
    "absolute value": (2 * BEND / sp.pi - sp.cos(ANGLE), 1),
    "step": ((sp.pi - ANGLE) / (2 * sp.pi), 0),
}
"""Kernels of two inputs of unit length, weights of variance one and no biases, and mean squared slopes."""


def suffices(claim: Claim) -> bool:
    """Kernels in closed form: (C.4) holds for ReLU and the absolute value, and not for a step (no weak derivative)."""
    kept = chosen(
        claim, "sense", {"weak": ("ReLU", "absolute value"), "almost everywhere": tuple(KINKED)}
    )
    second = {
        name: 2 * (kernel.subs(ANGLE, 0) - kernel) / ANGLE**2
        for name, (kernel, _) in KINKED.items()
    }
    return all(sp.limit(second[name], ANGLE, 0, "+") == KINKED[name][1] for name in kept)


def _form_of_the_metric() -> str:
    """The coefficient of x x is not twice the derivative of that of the identity, as in Eq. (5)."""
    radial = ((X.T * metric_of(ntk()) * X)[0] / NORM2 - across()) / NORM2
    return "exactly" if is_zero(radial - 2 * along_x(NORM2, across())) else "not quite"


def deep_kernel(one: Any, other: Any) -> float:
    """The arc sine applied three times over, a network of three layers of error functions."""
    values = np.array([one @ one, other @ other, one @ other])
    for _ in range(3):
        first, second = 1.25 + values[:2]
        values = (
            2
            / np.pi
            * np.arcsin((values + 0.25) / np.array([first, second, np.sqrt(first * second)]))
        )
    return float(values[2])


def is_kept(quantity: str) -> bool:
    """Whether deep kernels, and the volume element of the NTK, stay when only the norm or the direction changes."""
    draw = np.random.default_rng(2)
    turn, _ = np.linalg.qr(draw.normal(size=(3, 3)))
    factor, matrix = {
        "norm": (2, 1.5 * np.eye(3)),
        "direction": (sp.Matrix([[3, -4], [4, 3]]) / 5, turn),
    }[quantity]
    determinant = metric_of(ntk()).det()
    pairs = itertools.combinations(draw.normal(size=(4, 3)), 2)
    agreed = {is_close(deep_kernel(a, b), deep_kernel(matrix @ a, matrix @ b)) for a, b in pairs}
    (stays,) = agreed | {is_zero(gaussian.at_equal(determinant, X, factor * X) - determinant)}
    return stays


def _quantity() -> str:
    (changed,) = (quantity for quantity in ("norm", "direction") if not is_kept(quantity))
    return changed


PROGRAMS: Programs = {
    "(C.2)": deciding(is_normal, cases=lambda: range(1, 9)),
    "(C.4)": exactly(of_the_average),
    "C weak differentiability": deciding(suffices),
    "(C.5) | (C.6) | (C.7) | (C.8) | (C.9) | (C.10)": exactly(of_the_kernel),
    "(D.2)": exactly(of_two_units),
    **dict.fromkeys(
        (f"(D.{number})" for number in (*range(3, 11), *range(12, 21))),
        exactly(of_the_tangent_kernel),
    ),
    "D special form": stating(form=_form_of_the_metric),
    "D and IV.B symmetry": stating(quantity=_quantity),
    "IV.B deep kernel": stating(
        share=lambda: "will share" if is_kept("direction") else "will not share"
    ),
}
