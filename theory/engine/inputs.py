"""Symbols of the inputs of a network, and the meaning of each: a pair of them, or one and its neighbourhood."""

import sympy as sp

from theory.core import Argument, Condition

xx, yy = sp.symbols("xx yy", nonnegative=True)
xy = sp.Symbol("xy", real=True)
d = sp.Symbol("d", integer=True, positive=True)
r = sp.Symbol("r", nonnegative=True)

XX = Argument(
    xx,
    "squared norm of the first input",
    unit="input^2",
    sample=(0.5, 2),
    example=1,
    latex=r"\|x\|^{2}",
)
YY = Argument(
    yy,
    "squared norm of the second input",
    unit="input^2",
    sample=(0.5, 2),
    example=1,
    latex=r"\|y\|^{2}",
)
XY = Argument(
    xy,
    "inner product of the inputs",
    unit="input^2",
    sample=(-0.4, 0.4),
    example=0.3,
    latex=r"x \cdot y",
)
CAUCHY_SCHWARZ = Condition(xx * yy - xy**2, "xy^2 <= xx * yy, by Cauchy and Schwarz")
D = Argument(d, "number of inputs", sample=(2, 8), example=2)
R = Argument(r, "squared norm of the input, |x|^2", unit="input^2", sample=(0.1, 3), example=1)
