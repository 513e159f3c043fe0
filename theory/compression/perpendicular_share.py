r"""The share of the perpendicular weights of a neuron on its way from the initial weights to :math:`1/\lambda^*`.

At the attractor, :math:`v = \omega_\perp/\omega_1` relaxes to its fixed point at a constant rate, in units of the
unit of time of the paper; see ``theory.compression.linear_response``.
"""

from __future__ import annotations

from functools import cache

import sympy as sp

from theory.compression.linear_response import ASSUMPTIONS, RESPONSE, UNIT_OF_TIME, amplification
from theory.core import Argument, ClosedForm, Source, Status, Step, phi1
from theory.core.formula.rounding import log1p

share_0, share_end, rate = sp.symbols("initial final rate", positive=True)
elapsed = sp.Symbol("t", nonnegative=True)
share = share_0 * sp.exp(-rate * elapsed) + share_end * rate * elapsed * phi1(-rate * elapsed)
switch = log1p(share_0 / share_end) / rate


@cache
def perpendicular_share() -> ClosedForm:
    """Return the ratio omega_perp/omega_1 along the fluctuation as a function of time, dimensionless; derived here.

    >>> round(float(perpendicular_share()(t=5, initial=1, final=0.1, rate=0.5)), 4)
    0.1739
    """
    return ClosedForm(
        name="compression.perpendicular_share",
        meaning="Share omega_perp/omega_1 of a neuron at its attractor, on its way to 1/lambda*.",
        arguments=(
            Argument(elapsed, "time", unit="tau", sample=(0, 5)),
            Argument(share_0, "share at time 0", sample=(0.1, 1)),
            Argument(share_end, "share at the end, 1/lambda*", sample=(0.01, 0.1)),
            Argument(rate, "rate |J| sqrt(1 + z^2/d)", unit="1/tau", sample=(0.1, 1)),
        ),
        expression=share,
        status=Status.DERIVED,
        steps=(
            Step(
                "it starts at the share of time 0",
                sp.Subs(share, elapsed, 0),
                share_0,
                because="initial condition",
                uses=(),
            ),
            Step(
                "relative rate of the linear response",
                sp.Derivative(share, elapsed),
                rate * (share_end - share),
                because="v' = (beta/(tau omega_1)) (sqrt(D/p) N - J v), and beta/omega_1 is constant on the attractor",
                uses=(RESPONSE, amplification(), *ASSUMPTIONS, UNIT_OF_TIME),
            ),
        ),
        sources=(Source("paccolat2021", "section 3.2.1, below Eq. (7)"),),
        assumptions=(*ASSUMPTIONS, UNIT_OF_TIME),
    )


def crossover_time() -> ClosedForm:
    """Return the time at which fluctuations exceed the decaying initial ratio, in units of tau. Source: footnote 3."""
    remaining = share_0 * sp.exp(-rate * elapsed)
    return ClosedForm(
        name="compression.crossover_time",
        meaning="Time tau_perp from which the perpendicular weights are made by fluctuations.",
        arguments=tuple(each for each in perpendicular_share().arguments if each.symbol != elapsed),
        expression=switch,
        status=Status.DERIVED,
        steps=(
            Step(
                "both parts of the share are equal then",
                sp.Subs(remaining, elapsed, switch),
                sp.Subs(share - remaining, elapsed, switch),
                because="the linear response is the sum of the two",
                uses=(perpendicular_share(),),
            ),
        ),
        sources=(Source("paccolat2021", "section 3.2.1, footnote 3"),),
        assumptions=(*ASSUMPTIONS, UNIT_OF_TIME),
    )
