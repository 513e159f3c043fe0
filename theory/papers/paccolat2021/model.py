r"""Sections 2.1 to 2.4: data, network, gradient flow, tangent kernel, the three temporal regimes; Eqs. (1) to (3)."""

from __future__ import annotations

import math

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from theory.compression import Stripes, attractors, neuron_flow
from theory.compression.fixed_points import Attractor
from theory.core import Check, Finding, Reading, Step
from theory.papers.paccolat2021.paper import entry

STRIPE = Stripes((-0.3, 1.18549233272))
margin = sp.Symbol("m", real=True)
w1, w2, b, beta, x1, x2, z1, z2, d = sp.symbols("w1 w2 b beta x1 x2 z1 z2 d", positive=True)
WEIGHTS = (w1, w2, b, beta)
relu = sp.sqrt(2)  # the slope of sigma where the neuron is active


def output(first: sp.Expr, second: sp.Expr) -> sp.Expr:
    """One active neuron of width one at a point of two coordinates."""
    return beta * relu * ((w1 * first + w2 * second) / sp.sqrt(d) + b)


def slope_of_hinge() -> Reading:
    """The derivative of max(0, 1 - m) at m = 0.3: printed, corrected, by a central difference."""
    difference = (max(0.0, 1 - 0.3 - 1e-4) - max(0.0, 1 - 0.3 + 1e-4)) / 2e-4
    return Reading(1.0, -1.0, difference, 1e-6)


def descent_carries_alpha() -> bool:
    """Minus the slope of max(0, 1 - y alpha f) in a weight at alpha = 2, against y times that of f: not the same."""
    at = {w1: 0.3, w2: 0.2, b: 0.1, beta: 0.5, x1: 0.4, x2: 0.1, d: 2}

    def loss(weight: float) -> float:
        return max(0.0, 1 - 2 * float(output(x1, x2).subs(at | {w1: weight})))

    descent = (loss(0.3 - 1e-4) - loss(0.3 + 1e-4)) / 2e-4
    printed = float(sp.diff(output(x1, x2), w1).subs(at))
    return abs(descent / printed - 2) < 1e-6


def path_from(attractor: Attractor, *times: float, ahead: float = 0.0, across: float = 0.0) -> NDArray[np.float64]:
    """States of a neuron in five dimensions that starts beside an attractor: ``[time, omega_1 ... omega_5 b beta]``.

    Args:
        attractor: of the stripe, with d = 5; the start is at ``|omega_1| = 1``, growing.
        times: the first is that of the start; per tau.
        ahead: by how much its intercept is larger than the attractor's.
        across: one of its perpendicular weights; the others are zero.
    """
    bias = -attractor.side * (attractor.position + ahead) / math.sqrt(5)
    size = math.sqrt(1 + attractor.position**2 / 5)
    beta = math.copysign(size, attractor.side * attractor.c_parallel)
    start = np.array([attractor.side, across, 0, 0, 0, bias, beta])
    return neuron_flow(STRIPE, 5).integrate(start, np.array(times))


def product_grows_twice_as_fast() -> bool:
    """A neuron on its attractor: growth rate of beta omega_1, which the predictor is made of, against 1/tau*."""
    attractor = next(each for each in attractors(STRIPE, 5) if each.side < 0)
    path = path_from(attractor, 0.0, 20.0, 22.0)
    rate = math.log((path[2, 0] * path[2, -1]) / (path[1, 0] * path[1, -1])) / 2
    return bool(abs(rate * attractor.growth_time - 2) < 1e-6)


EQUATIONS = (
    entry(
        "2.1 data",
        "2.1",
        "Standard Gaussian points; the label depends on d_parallel coordinates.",
        Finding.DEFINITION,
        "It introduces the data.",
    ),
    entry(
        "(1)",
        "2.2",
        "The network, with sigma(x) = sqrt(2) max(0, x); h = 10000 in the simulations.",
        Finding.DEFINITION,
        "It introduces the model.",
        printed=r"f(x) = \frac{1}{h} \sum_{n=1}^h \beta_n \sigma\left(\frac{\omega_n \cdot x}{\sqrt{d}} + b_n\right)",
    ),
    entry(
        "(2)",
        "2.2",
        "Gradient flow of a weight under the hinge loss on the predictor F = alpha (f - f_0).",
        Finding.CONDITIONAL,
        "Chain rule. The gradient of the loss carries a factor alpha that the printed flow does not.",
        printed=r"\dot{W} = \frac{1}{p} \sum_\mu \partial_W f(x^\mu) y^\mu l'[y^\mu F(x^\mu)]",
        condition="time is counted in units of 1/alpha and l' is minus the derivative of the loss",
        steps=(
            Step(
                "minus the gradient of max(0, 1 - y alpha f) below the margin, for the first weight",
                -sp.Derivative(1 - sp.Symbol("y") * sp.Symbol("alpha") * output(x1, x2), w1),
                sp.Symbol("y") * sp.Symbol("alpha") * sp.Derivative(output(x1, x2), w1),
                because="chain rule",
            ),
        ),
        counterexample=descent_carries_alpha,
        consequence="Times of the paper, t* among them, are those of a loss divided by alpha.",
    ),
    entry(
        "2.2 l'",
        "2.2",
        "The derivative of the hinge loss is the step function of 1 - x.",
        Finding.MISPRINT,
        "Central difference of max(0, 1 - x).",
        printed=r"l'(x) = \Theta(1 - x)",
        corrected=r"-l'(x) = \Theta(1 - x)",
        steps=(
            Step("slope below the margin", sp.Derivative(1 - margin, margin), -sp.S.One, because="differentiation"),
        ),
        printed_steps=(Step("slope below the margin, as printed", sp.Derivative(1 - margin, margin), sp.S.One),),
        witness={"x": 0.3},
        oracle=slope_of_hinge,
        consequence="With the sign as printed inside Eq. (2), and l' read as minus the derivative, the flow descends.",
    ),
    entry(
        "2.3 kernel",
        "2.3",
        "The tangent kernel.",
        Finding.DEFINITION,
        "It introduces the kernel.",
        printed=r"\Theta(x_1, x_2) = \partial_W f(x_1) \cdot \partial_W f(x_2)",
    ),
    entry(
        "(3)",
        "2.3",
        "Gradient flow in the space of functions.",
        Finding.CONFIRMED,
        "Chain rule, all weights of a neuron that is active at both points.",
        printed=r"\dot{f}(x) = \frac{1}{p} \sum_\mu \Theta(x, x^\mu) y^\mu l'[y^\mu F(x^\mu)]",
        steps=(
            Step(
                "gradients at two points, contracted",
                sum(sp.Derivative(output(x1, x2), w) * sp.Derivative(output(z1, z2), w) for w in WEIGHTS),
                2
                * (
                    beta**2 * ((x1 * z1 + x2 * z2) / d + 1)
                    + ((w1 * x1 + w2 * x2) / sp.sqrt(d) + b) * ((w1 * z1 + w2 * z2) / sp.sqrt(d) + b)
                ),
                because="f' = sum of d_W f W', and Eq. (2) for W'",
            ),
        ),
    ),
    entry(
        "2.3 frozen kernel",
        "2.3",
        "For alpha >> 1 the kernel stays as it is at initialisation.",
        Finding.ASSUMPTION,
        "A limit of training; measured by the scan of alpha (Figure 11).",
    ),
    entry(
        "2.4 z",
        "2.4",
        "The neuron vector is the point of the ReLU hyperplane closest to the origin.",
        Finding.CONFIRMED,
        "It lies on the hyperplane, and is a multiple of its normal.",
        printed=r"z = -\sqrt{d} b \omega/\|\omega\|^2",
        steps=(
            Step(
                "preactivation at z",
                (w1 * (-sp.sqrt(d) * b * w1) + w2 * (-sp.sqrt(d) * b * w2)) / (w1**2 + w2**2) / sp.sqrt(d) + b,
                sp.S.Zero,
                because="z is parallel to omega, the normal of the hyperplane",
            ),
        ),
    ),
    entry(
        "2.4 tau",
        "2.4",
        "The time constant tau is h sqrt(d)/2.",
        Finding.OPEN,
        "The text that was read has h sqrt(d)/2 here and h sqrt(d/2) in Section 3.2.1, which is the right one: see "
        "(5). Whether the first is the paper's or its extraction's cannot be told.",
        printed=r"\tau = h\sqrt{d}/2",
    ),
    entry(
        "2.4 predictor",
        "2.4",
        "The predictor grows as exp(t/tau) alpha, so that t* ~ tau log(1/alpha).",
        Finding.CONDITIONAL,
        "The predictor is a sum of products of two weights, each growing as exp(t/tau*).",
        printed=r"e^{t^*/\tau} \alpha \sim 1",
        condition="constant factors in the exponent do not count; with them t* = (tau*/2) log(1/alpha) + const",
        steps=(Check("beta omega_1 grows at twice the rate 1/tau*", product_grows_twice_as_fast, "integrated flow"),),
        counterexample=product_grows_twice_as_fast,
        consequence="The slope of t* against log(1/alpha) is tau*/2 of the fastest attractor.",
    ),
    entry(
        "2.4 lambda",
        "2.4",
        "The amplification factor of a neuron.",
        Finding.DEFINITION,
        "It introduces lambda.",
        printed=r"\lambda = \|\omega_\parallel\|/\|\omega_\perp\|",
    ),
    entry(
        "2.4 later regimes",
        "2.4",
        "After t* the amplification factor stays of the order of sqrt(p).",
        Finding.ASSUMPTION,
        "Stated as expected and measured; not derived.",
    ),
)
