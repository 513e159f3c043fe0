"""Section 1.2: the range of integration and the scale of the outputs."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Reading, Step
from theory.leaky_resnet import symmetries as y
from theory.leaky_resnet.symbols import depth, position
from theory.papers.jacot2024.paper import entry

alpha, W, b, c, q = y.alpha, y.W, y.b, y.c, y.q


def path_rate(at: sp.Expr) -> sp.Expr:
    """The rate of the original path at a position."""
    return y.leaky_rate(depth, alpha(at), W(at), b(at))


def _stretched() -> Reading:
    """Weights 2p and leakage 1/2 stretched to [0, 3]: the velocity at q = 1.2, by differences of an integrated path."""
    leak, stretch, at, steps = 0.5, 3.0, 1.2, 20_000

    def rate(place: float, state: float) -> float:
        return (-leak + 2 * place / stretch) / stretch * state

    state, h, values = 1.0, stretch / steps, [1.0]
    for i in range(steps):
        place = i * h
        middle = state + h / 2 * rate(place, state)
        state += h * rate(place + h / 2, middle)
        values.append(state)
    index = round(at / h)
    independent = (values[index + 1] - values[index - 1]) / (2 * h)

    def velocity(place: float) -> float:  # of exp(p^2 - p/2)
        return (2 * place - leak) * float(np.exp(place**2 - leak * place)) / stretch

    return Reading(velocity(at / 2), velocity(at / stretch), independent, tolerance=1e-6)


unbiased = sp.Derivative(y.scaled, position)

EQUATIONS = (
    entry(
        "1.2 integration range",
        "1.2",
        "Weights and leakage divided by c stretch the path to [0, c].",
        Finding.MISPRINT,
        "The chain rule gives the velocity at q/c; a path integrated on the longer range agrees.",
        printed=r"\partial_q \alpha'_q(x) = \dots = \frac{1}{c} \partial_p \alpha_{q/2}(x)",
        corrected=r"\partial_q \alpha'_q(x) = \dots = \frac{1}{c} \partial_p \alpha_{q/c}(x)",
        steps=y.RANGE,
        printed_steps=(
            Step(
                "velocity at q/2",
                y.leaky_rate(depth / c, alpha(q / c), W(q / c) / c, b(q / c) / c),
                path_rate(q / 2) / c,
            ),
        ),
        witness={"c": 3, "q": 1.2, "leakage": 0.5, "weight": "2p"},
        oracle=_stretched,
        consequence="None beyond this line, which is right for c = 2; the definition before it has q/c.",
    ),
    entry(
        "1.2 parameter norm",
        "1.2",
        "Stretching divides the integrated squared weights by c, which lambda over the depth makes up for.",
        Finding.CONFIRMED,
        "Substitution q = c p, dq = c dp in the integral.",
        printed=r"\int_0^c \|W'_q\|^2 dq = \frac{1}{c} \int_0^1 \|W_p\|^2 dp",
        steps=(
            Step("integrand", c * (W(position) / c) ** 2, W(position) ** 2 / c, because="dq = c dp"),
            Step(
                "example, weights exp(p)",
                sp.Integral((sp.exp(q / 3) / 3) ** 2, (q, 0, 3)),
                sp.Integral(sp.exp(2 * q), (q, 0, 1)) / 3,
                because="both integrals done",
            ),
        ),
    ),
    entry(
        "1.2 unit leakage",
        "1.2",
        "A path on [0, c] with leakage 1 is one on [0, 1] with leakage c, up to a factor c in front of the weights.",
        Finding.CONFIRMED,
        "The same, the other way round.",
        steps=(
            Step(
                "rate",
                y.leaky_rate(c, y.before, c * y.weight, c * y.offset),
                c * y.leaky_rate(1, y.before, y.weight, y.offset),
                because="linear in leakage, weight and bias",
            ),
        ),
    ),
    entry(
        "1.2 no leakage",
        "1.2",
        "Without leakage the range has no effect on the effective depth.",
        Finding.CONFIRMED,
        "Zero over c is zero.",
        steps=(
            Step(
                "rate",
                y.leaky_rate(0, y.before, y.weight / c, y.offset / c),
                y.leaky_rate(0, y.before, y.weight, y.offset) / c,
                because="linear in weight and bias",
            ),
        ),
    ),
    entry(
        "1.2 output scaling",
        "1.2",
        "Without bias, leakage increased by c scales the path by exp(-c p), with the same weights.",
        Finding.CONFIRMED,
        "The activation is homogeneous. With bias the same holds if the bias is scaled along. With finitely many "
        "layers the weights must shrink, too, by the factor of the skip connection.",
        printed=r"\partial_p \alpha'_p(x) = -(\tilde{L}+c) \alpha'_p(x) + W_p \sigma(\alpha'_p(x)) = \partial_p "
        r"(e^{-cp} \alpha_p(x))",
        steps=(
            Step(
                "second expression",
                y.leaky_rate(depth + c, y.scaled, W(position), 0),
                sp.exp(-c * position) * (y.leaky_rate(depth, alpha(position), W(position), 0) - c * alpha(position)),
                because="the activation is homogeneous",
            ),
            Step(
                "third expression",
                sp.exp(-c * position) * (sp.Derivative(alpha(position), position) - c * alpha(position)),
                unbiased,
                because="product rule",
            ),
            *y.LEAKAGE,
        ),
    ),
    entry(
        "1.2 large outputs",
        "1.2",
        "A net without leakage and with large outputs is a leaky one with outputs scaled down by exp(-depth).",
        Finding.CONFIRMED,
        "The same with leakage 0 and c the depth. (No bias, as said before.)",
        steps=(
            Step(
                "rate",
                y.leaky_rate(depth, sp.exp(-depth * position) * y.before, W(position), 0),
                sp.exp(-depth * position) * (y.leaky_rate(0, y.before, W(position), 0) - depth * y.before),
                because="the activation is homogeneous",
            ),
            Check(
                "factor at the output",
                lambda: bool(y.scaled.subs({position: 1, c: depth}) == sp.exp(-depth) * alpha(1)),
                "substitution",
            ),
        ),
    ),
    entry(
        "1.2 cross-entropy",
        "1.2",
        "With losses that are minimised at infinite outputs the effective depth grows during training.",
        Finding.ASSUMPTION,
        "About training; rests on the works cited there.",
    ),
)
