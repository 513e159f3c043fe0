"""The strength of one mode of a linear network with one hidden layer during gradient descent.

The map to learn has the singular value :math:`s` on this mode. If both layers multiply the mode by the same factor
:math:`a = b`, gradient descent on :math:`(s - ab)^2 / 2` makes :math:`u = ab` a logistic function of time.
"""

import sympy as sp

from theory.core import Argument, ClosedForm, Condition, Premise, Source, Status, Step

t = sp.Symbol("t", nonnegative=True)
s, u, u_0, tau = sp.symbols("s u u_0 tau", positive=True)
a, b = sp.symbols("a b", positive=True)

TIME = Argument(t, "time since the initial state", unit="time", sample=(0, 4))
TARGET = Argument(s, "singular value of the map to learn", sample=(1, 3))
INITIAL = Argument(u_0, "initial strength of the mode", sample=(0.01, 0.4))
TAU = Argument(tau, "time constant, one over the learning rate", unit="time", sample=(0.5, 2))
BALANCED = (
    "the inputs are white",
    "both layers are aligned with the mode and multiply it by the same factor",
)
SOURCES = (Source("saxe2014", "Section 1.2", "arXiv:1312.6120"),)

loss = (s - a * b) ** 2 / 2
rate = 2 * u * (s - u) / tau
strength = s / (1 + (s / u_0 - 1) * sp.exp(-2 * s * t / tau))
time_to_half = tau / (2 * s) * sp.log(s / u_0 - 1)

LOSS = Premise(
    "the loss of a mode, half the squared error of the product a b of both layers", loss
)

# with both layers put in at once sympy would take the slope in a for that in b
balanced = sp.Subs(-(b * sp.Derivative(loss, a) + a * sp.Derivative(loss, b)) / tau, b, a)
flow = sp.Subs(sp.UnevaluatedExpr(balanced), a, sp.sqrt(u))

mode_strength = ClosedForm(
    name="deep_linear.mode_strength",
    meaning="Strength of one mode of a linear network with one hidden layer at time t.",
    arguments=(TIME, TARGET, INITIAL, TAU),
    expression=strength,
    assumptions=BALANCED,
    steps=(
        descent := Step(
            "the product of balanced factors changes at this rate",
            flow,
            rate,
            uses=(LOSS, *BALANCED),
        ),
        Step(
            "the strength starts at u_0",
            sp.Subs(strength, t, 0),
            u_0,
            because="evaluation",
            uses=(),
        ),
        Step(
            "it then changes at it",
            sp.Derivative(strength, t),
            sp.Subs(rate, u, strength),
            "calculus",
            uses=(descent,),
        ),
    ),
    sources=SOURCES,
    status=Status.DERIVED,
)
HALF = Premise("a mode is half learned at half of its target strength", s / 2)
half_time = ClosedForm(
    name="deep_linear.half_time",
    meaning="Time at which one mode of a linear network with one hidden layer is half learned.",
    arguments=(TARGET, INITIAL, TAU),
    expression=time_to_half,
    assumptions=BALANCED,
    conditions=(
        Condition(s - 2 * u_0, "u_0 <= s/2: the mode starts below half of its final strength"),
    ),
    steps=(
        Step(
            "the strength is then s/2",
            sp.Subs(strength, t, time_to_half),
            s / 2,
            uses=(mode_strength, HALF),
        ),
    ),
    sources=SOURCES,
    status=Status.DERIVED,
)
