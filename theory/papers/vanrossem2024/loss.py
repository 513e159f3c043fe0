r"""Sections 3.3 and A.2: the training loss from the three variables, Eqs. (9) and (22)."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.vanrossem2024.explicit_matrices import scalar_weights, unrotated_weights
from theory.papers.vanrossem2024.paper import entry
from theory.two_point.dynamics import dy, error, linearised_loss, mean_output, targets, v
from theory.two_point.loss import loss_at_state, offset
from theory.two_point.symbols import dy2, mean2_0, t, target2, tau_mean, w

form = loss_at_state()
first_term = mean2_0 * sp.exp(-t / tau_mean) ** 2 / 2
second_term = sp.Rational(1, 4) * (w + sp.Rational(1, 2) * (target2 - dy2))
printed = first_term + second_term

half = v / 2
decayed = offset * sp.exp(-t / tau_mean)
distances = tuple((mean_output - y).dot(mean_output - y) for y in targets)
w_vector = dy.dot(error)
WAITING = 0.75  # of the time to half the loss; by then dy has grown to 1 %


def _norm2(x: sp.Matrix) -> sp.Expr:
    return x.dot(x)


LINES = (
    Step(
        "second line",
        linearised_loss,
        (sum(distances) + dy.dot(mean_output - targets[1]) - dy.dot(mean_output - targets[0])) / 4 + _norm2(dy) / 8,
        because="expansion of the squares, averaged over the points",
    ),
    Step(
        "third line",
        linearised_loss,
        (sum(distances) - dy.dot(v) + _norm2(dy) / 2) / 4,
        because="the mean output cancels",
    ),
    Step("fourth line", linearised_loss, (sum(distances) + w_vector - _norm2(dy) / 2) / 4, because="definition of w"),
    Step(
        "fifth line",
        sum(distances).xreplace(dict(zip(mean_output, decayed + (targets[0] + targets[1]) / 2, strict=True))),
        _norm2(decayed + half) + _norm2(decayed - half),
        because="Eq. (18)",
    ),
    Step(
        "sixth line",
        _norm2(decayed + half) + _norm2(decayed - half),
        2 * _norm2(decayed) + _norm2(v) / 2,
        because="parallelogram law",
    ),
)


def _follows_explicit_matrices() -> bool:
    """Eq. (9) along a gradient flow of explicit matrices, with the three variables measured on it."""
    problem, weights = unrotated_weights(4)
    away = weights[0] - problem.targets.mean(axis=0)
    times = np.linspace(0, 3, 7)
    value = sp.lambdify((t, dy2, w, tau_mean, target2, mean2_0), printed, "math")
    for time, at in zip(times, problem.flow(weights, (0.9, 1.4, 0.7), times), strict=True):
        _, output_distance, alignment = problem.state(at)
        predicted = value(time, output_distance, alignment, 0.9, problem.target2, float(away @ away))
        if abs(predicted - problem.loss(at)) > 1e-8:
            return False
    return True


def _loss_waits() -> bool:
    """From small weights the loss stays within 5 % of its first value for three quarters of the time to half of it."""
    problem, weights = scalar_weights(1e-4, 1e-4, 1.0, 1.0)
    times = np.linspace(0, 60, 601)
    losses = np.array([problem.loss(at) for at in problem.flow(weights, (1.0, 0.5, 0.5), times)])
    half_time = times[np.argmax(losses < losses[0] / 2)]
    waiting = losses[times < WAITING * half_time]
    return bool(half_time > 10 and waiting.min() > 0.95 * losses[0] and losses[-1] < 1e-6)


EQUATIONS_3 = (
    entry(
        "(9)",
        "3.3",
        "The training loss from time, dy2 and w.",
        Finding.CONFIRMED,
        "Expanded for explicit matrices, and followed along their gradient flow. Its y(0) is the mean output at time "
        "0.",
        printed=printed,
        closed_form="two_point.loss",
        steps=(
            Step("as derived", printed, form.expression, because="rearrangement"),
            *form.steps,
            Check("along the gradient flow of explicit matrices", _follows_explicit_matrices, "integration"),
        ),
    ),
    entry(
        "3.3 first term",
        "3.3",
        "The first term decays exponentially, with the third time constant.",
        Finding.CONFIRMED,
        "Its logarithmic derivative is constant; the rate is twice 1/tau_mean.",
        steps=(Step("rate of decay", first_term.diff(t) / first_term, -2 / tau_mean, because="differentiation"),),
    ),
    entry(
        "3.3 plateau",
        "3.3",
        "The second term causes a plateau of the loss at small weights.",
        Finding.CONFIRMED,
        "Explicit matrices from weights 1e-4, mean output learned.",
        steps=(Check("the loss waits, then falls", _loss_waits, "integration"),),
    ),
)

EQUATIONS_A2 = (
    entry(
        "(22)",
        "A.2",
        "The loss in terms of the three variables, line by line.",
        Finding.CONFIRMED,
        "Every line, for explicit matrices.",
        closed_form="two_point.loss",
        printed=r"L = \frac{1}{4} \left(2 \|(y(0) - \tfrac{y_2+y_1}{2}) e^{-t/\tau_{\bar{y}}}\|^2 + w + \tfrac{1}{2} "
        r"(\|y_2-y_1\|^2 - \|dy\|^2)\right)",
        steps=(*LINES, Step("last line", printed, (4 * first_term + w + (target2 - dy2) / 2) / 4, because="Eq. (9)")),
    ),
)
