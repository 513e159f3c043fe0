r"""Symbols of the two-point theory and their meaning.

A network learns to map two inputs, whose distance is :math:`\|x_2 - x_1\|`, to two target outputs, whose distance is
:math:`\|y_2 - y_1\|`. Encoder and decoder are linearised around the mean of the two points. Three numbers then describe
the state: the squared distance of the representations ``dh2``, the squared distance of the predicted outputs ``dy2``,
and the alignment ``w`` :math:`= \|dy\|^2 - dy \cdot (y_2 - y_1)`.

Conventions: all distances are squared. ``tau_h`` and ``tau_y`` are normalised as in Eq. (7) of the paper, where they
are twice their values in Eq. (6); see ``theory.two_point.dynamics``. The unit of time is that of the time constants;
the experiments use epochs.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import sympy as sp

from theory.core import Argument, ClosedForm, Condition, Status, Step
from theory.core.formula.rounding import compensated
from theory.core.numbers.backends import load
from theory.core.numbers.backends.source import compile_expression

t = sp.Symbol("t", nonnegative=True)
dh2, dh2_0 = sp.symbols("dh2 dh2_0", positive=True)
dy2, dy2_0 = sp.symbols("dy2 dy2_0", nonnegative=True)
w, w_0 = sp.symbols("w w_0", real=True)
tau_h, tau_y, tau_mean = sp.symbols("tau_h tau_y tau_mean", positive=True)
dx2 = sp.Symbol("dx2", positive=True)
target2, mean2_0 = sp.symbols("target2 mean2_0", nonnegative=True)
fraction = sp.Symbol("fraction", positive=True)

TIME = Argument(t, "time since the initial state", unit="time", sample=(0, 8), example=3)
DH2 = Argument(
    dh2,
    "squared distance of the two representations",
    unit="representation^2",
    sample=(0.1, 2),
    example=1,
    latex=r"\|dh\|^{2}",
)
DY2 = Argument(
    dy2,
    "squared distance of the two predicted outputs",
    unit="output^2",
    sample=(0.05, 2),
    example=0.5,
    latex=r"\|dy\|^{2}",
)
W = Argument(w, "alignment, |dy|^2 - dy.(y2 - y1)", unit="output^2", sample=(-1, 2), example=-0.2)
DH2_0, DY2_0, W_0 = (
    replace(now, symbol=symbol, meaning=f"initial {now.meaning}", example=example, latex=latex)
    for now, symbol, example, latex in (
        (DH2, dh2_0, 0.01, r"\|dh_{0}\|^{2}"), (DY2, dy2_0, 0.01, r"\|dy_{0}\|^{2}"), (W, w_0, 0, ""),
    )
)  # fmt: skip
TAU_H = Argument(
    tau_h, "time constant of the encoder, as in Eq. (7)", unit="time", sample=(0.5, 3), example=0.5
)
TAU_Y = Argument(
    tau_y, "time constant of the decoder, as in Eq. (7)", unit="time", sample=(0.5, 3), example=0.5
)
DX2 = Argument(
    dx2,
    "squared distance of the two inputs",
    unit="input^2",
    sample=(0.3, 2),
    example=1,
    latex=r"\|\Delta x\|^{2}",
)
TARGET2 = Argument(
    target2,
    "squared distance of the two target outputs",
    unit="output^2",
    sample=(0.2, 2),
    example=1,
    latex=r"\|\Delta y\|^{2}",
)

INITIAL_STATE = (DH2_0, DY2_0, W_0)
RATES_AND_DATA = (TAU_H, TAU_Y, DX2, TARGET2)
PARAMETERS = (*INITIAL_STATE, *RATES_AND_DATA)


# A few hundred units of double-precision rounding: several operations compute a state from the outputs of a network.
ROUNDING = 1e-13


def cauchy_schwarz(squared: sp.Symbol, alignment: sp.Symbol) -> Condition:
    """Return the Cauchy-Schwarz condition on dy.(y2 - y1), which is ``squared - alignment``; squared is |dy|^2."""
    # Large weights make the alignment close to ``squared``. The expanded form tolerates the rounding of the difference.
    return Condition(
        squared * target2 - squared**2 + 2 * squared * alignment - alignment**2,
        f"({squared} - {alignment})^2 <= {squared} * target2, by Cauchy and Schwarz: {squared} - {alignment} is the "
        "dot product of the predicted and the target difference",
        slack=ROUNDING,
    )


CAUCHY_SCHWARZ = cauchy_schwarz(dy2_0, w_0)

A_high = compensated(dh2_0 - tau_y / tau_h * dx2 * dy2_0 / dh2_0)
A_low_squared = tau_y / tau_h * dx2 * target2

LINEAR = "encoder and decoder are linear between the two points"
NO_ROTATION = "dh does not rotate (Eq. 19)"
ESCAPES = "the initial state is not one of those that converge to the saddle"
linear_form = partial(ClosedForm, assumptions=(LINEAR, NO_ROTATION), status=Status.DERIVED)


def by_sign(
    claim: str,
    left: sp.Expr,
    right: sp.Expr,
    because: str,
    family: Callable[[int], dict[sp.Symbol, sp.Expr]],
    uses: tuple[Any, ...],
    signs: tuple[int, ...] = (1, -1),
) -> tuple[Step, ...]:
    """Return a step for each sign of a quantity under a root; ``family`` gives data with rational roots.

    An identity of continuous functions at both signs holds at zero, too. A limit in time does not, and needs all three.
    """
    relations = {1: "> 0", 0: "= 0", -1: "< 0"}
    return tuple(
        Step(f"{claim} {relations[sign]}", left, right, because, family(sign), uses=uses)
        for sign in signs
    )


# The abbreviations of Eq. (11).
LETTERS = ((sp.Symbol("A_high"), A_high), (sp.Symbol("A_low", positive=True) ** 2, A_low_squared))


def compiled(expression: sp.Basic, *arguments: Argument) -> Callable[..., Any]:
    """Return an expression or a tuple of them as a function of numpy arrays, which checks nothing."""
    return compile_expression(expression, [a.symbol for a in arguments], load("numpy"))
