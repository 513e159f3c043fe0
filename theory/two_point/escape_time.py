r"""How long the plateau lasts: the time to a fraction of the final distance.

From small weights nothing seems to happen for a while, then everything does. On the exact solution the squared distance has
reached the fraction *f* of its final value where a quadratic in :math:`X = (e^{2\mu t} - 1)/(2\mu)` vanishes, as long as the
predicted difference lies along the target difference (always so for a scalar output). As the initial weights vanish,
:math:`t \to \frac{1}{2g} \ln\bigl(\frac{f}{1 - f} \frac{4 g^3}{\eta (g + \nu)^2}\bigr)`, the logarithm of the initial weights.
"""

from __future__ import annotations

import sympy as sp

from theory.core import Argument, ClosedForm, Condition, Source, Status, Step
from theory.two_point import solution as s
from theory.two_point.symbols import (
    DH2_0,
    DX2,
    TARGET2,
    TAU_H,
    TAU_Y,
    dh2_0,
    dx2,
    dy2_0,
    fraction,
    t,
    target2,
    tau_h,
    tau_y,
    w_0,
)

dy_0 = sp.Symbol("dy_0", real=True)
FRACTION = Argument(fraction, "fraction of the final squared distance, below 1", sample=(0.4, 0.9))
DY_0 = Argument(dy_0, "initial predicted difference, signed along the target difference", unit="output", sample=(-0.05, 0.1))
SMALL_DH2_0 = Argument(dh2_0, DH2_0.meaning, unit=DH2_0.unit, sample=(0.01, 0.05))
ARGUMENTS = (FRACTION, SMALL_DH2_0, DY_0, TAU_H, TAU_Y, DX2, TARGET2)
SOURCE = Source("vanrossem2024", "Eq. (7), Section 3.2; not in the paper", "arXiv v2")
ALONG = {w_0: dy_0**2 - dy_0 * sp.sqrt(target2), dy2_0: dy_0**2}


def along(expression: sp.Expr) -> sp.Expr:
    """The same with the predicted difference along the target difference."""
    return expression.subs(s.dy2_along, dy2_0).subs(s.dy2_across, 0).xreplace(ALONG)


eta, rate = s.decoder_rate, along(s.escape_rate)
lambda_plus, mu = along(s.lambda_plus), along(s.mu)
ceiling = 2 * tau_y * lambda_plus
quadratic = (1 - fraction) * eta * rate**2
linear = 2 * eta * rate - fraction * lambda_plus * (2 * mu + eta + along(s.encoder_rate * dy2_0))
constant = eta - fraction * lambda_plus
root = sp.sqrt(linear**2 - 4 * quadratic * constant)
growth = (sp.Abs(linear) - linear) / (2 * quadratic) - 2 * constant / (sp.Abs(linear) + root)
time_to_fraction = sp.log(1 + 2 * mu * growth) / (2 * mu)

BELOW = Condition(fraction * ceiling - dh2_0, "dh2_0 is below the fraction of the final distance: it has not escaped yet")
PROPER = Condition(1 - fraction, "fraction < 1: the final distance itself is reached only after infinite time")
