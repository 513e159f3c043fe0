r"""The optimal singular value of a regularised linear Leaky ResNet, and the threshold at which a mode collapses.

A mode with target :math:`s^*` costs
:math:`(s^* - s_1)^2/N + \tfrac{\lambda}{2 \tilde L} (\tilde L + \log \tfrac{s_1}{s_0})^2`, the second term by
``linear_modes``. It is stationary where :math:`h(s_1) = s_1 (s^* - s_1) - \kappa (\tilde L + \log \tfrac{s_1}{s_0})`
vanishes, :math:`\kappa = \lambda N / 2 \tilde L`. There are one or three such points: *kept*, near the target;
*collapsed*, near the value :math:`s_0 e^{-\tilde L}` at zero weights; and the barrier between them. A kept point exists
only if :math:`\kappa < s^{*2}/8`. Where the costs of both are equal the optimum jumps; for deep nets that is at
:math:`\lambda \tilde L N = 2 s^{*2}`. Not in the paper.
"""

import itertools
import math
from dataclasses import dataclass

import sympy as sp
from scipy.optimize import brentq

from theory.core import ClosedForm, Condition, Premise, differentiated
from theory.core.formula.rounding import compensated, log_ratio
from theory.core.numbers.arguments import positive_number
from theory.leaky_resnet.linear_modes import (
    ASSUMPTIONS,
    geodesic_form,
    mode_weight_norm,
    weight_norm_expression,
)
from theory.leaky_resnet.symbols import (
    DEPTH,
    END,
    SAMPLES,
    START,
    TARGET,
    depth,
    end,
    samples,
    start,
    target,
)

strength = sp.Symbol("strength", positive=True)
cost = (target - end) ** 2 / samples + strength / (2 * depth) * weight_norm_expression
excess = compensated(depth + log_ratio(end, start))  # over what no weights give, where it vanishes
strength_expression = 2 * depth * end * (target - end) / (samples * excess)
barrier = sp.Symbol("barrier", positive=True)
kappa = strength * samples / (2 * depth)

MEAN = "the cost is the mean over samples of the squared error, summed over outputs"
COST = Premise(
    "the cost of a mode is its error, and strength/(2 depth) times the weights of its geodesic",
    cost,
)

STATIONARY = differentiated(
    "the derivative of the cost vanishes there",
    sp.S.Zero,
    COST,
    end,
    because="linear in the strength",
    at={strength: strength_expression},
    uses=(MEAN, mode_weight_norm()),
)


def mode_fit_strength() -> ClosedForm:
    """Return the strength of the regulariser at which a singular value is stationary, in representation^2."""
    return geodesic_form(
        name="leaky_resnet.mode_fit_strength",
        meaning="Strength of the regulariser at which a linear Leaky ResNet may choose a given singular value.",
        arguments=(START, END, TARGET, DEPTH, SAMPLES),
        expression=strength_expression,
        assumptions=(*ASSUMPTIONS, MEAN),
        conditions=(
            Condition(sp.Gt(excess, 0), "end > start exp(-depth), what no weights give"),
            Condition(sp.Gt(target, end), "end < target"),
        ),
        steps=(STATIONARY,),
    )


@dataclass(frozen=True)
class ModeFits:
    """Stationary singular values of a regularised mode, in units of the representation; None where there is none."""

    best: float  # the one with the lowest cost
    kept: float | None  # near the target
    barrier: float | None  # the maximum of the cost between kept and collapsed
    collapsed: float | None  # near s0 exp(-depth)
    costs: tuple[float, float]  # of kept and collapsed, infinite where the point does not exist

    @property
    def collapses(self) -> bool:
        """Return whether the optimum is the collapsed value."""
        return self.best == self.collapsed


def mode_fits(
    target: float, s0: float, depth: float, strength: float, samples: int = 1
) -> ModeFits:
    """Return all stationary points of a mode's regularised cost, and the optimal one.

    Args:
        target: singular value of the target, > 0.
        s0: singular value at p = 0, > 0.
        depth: effective depth, > 0, dimensionless.
        strength: lambda of the cost (1/N) ||f - A||^2 + lambda/(2 depth) int ||W||^2, > 0.
        samples: N of the first term, > 0.

    Raises:
        ArithmeticError: if start exp(-depth) underflows.

    >>> fits = mode_fits(target=2.5, s0=1, depth=3, strength=0.01)
    >>> round(float(fits.best), 4)
    2.4974
    """
    goal, first, effective = (
        positive_number("target", target),
        positive_number("s0", s0),
        positive_number("depth", depth),
    )
    lam, count = positive_number("strength", strength), positive_number("samples", samples)
    k = lam * count / (2 * effective)
    offset = effective - math.log(first)

    def h(log_s: float) -> float:
        s = math.exp(log_s)
        return s * (goal - s) - k * (offset + log_s)

    def value(s: float) -> float:
        return (goal - s) ** 2 / count + lam / (2 * effective) * (offset + math.log(s)) ** 2

    # h falls, rises, falls; it is positive at the value for zero weights and negative beyond the target.
    floor, ceiling = sorted((-offset, math.log(goal)))
    if floor < -700:
        raise ArithmeticError("s0 exp(-depth) underflows double precision")
    cuts = [floor]
    if goal**2 > 8 * k:
        far = (goal + math.sqrt(goal**2 - 8 * k)) / 4
        # k/2 is the product of both turning points
        cuts += [math.log(k / (2 * far)), math.log(far)]
    cuts = [*sorted(c for c in cuts if floor <= c <= ceiling), ceiling]
    roots = [
        (math.exp(brentq(h, low, high, xtol=1e-15, rtol=8.9e-16)), h(low) > 0)
        for low, high in itertools.pairwise(cuts)
        if h(low) * h(high) < 0
    ]
    if not roots:  # zero weights already give the target
        roots = [(goal, True)]
    minima = [s for s, falling in roots if falling]
    middle = next((s for s, falling in roots if not falling), None)
    # A single minimum counts as kept if its weights cost less than the error that they remove.
    far_enough = len(minima) == 2 or minima[0] > goal / 4
    kept = minima[-1] if far_enough else None
    collapsed = minima[0] if len(minima) == 2 or not far_enough else None
    costs = (
        value(kept) if kept is not None else math.inf,
        value(collapsed) if collapsed is not None else math.inf,
    )
    best = kept if costs[0] <= costs[1] else collapsed
    assert best is not None
    return ModeFits(best, kept, middle, collapsed, costs)
