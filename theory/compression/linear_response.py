r"""Linear response of a neuron to the fluctuations of a finite training set, and the resulting amplification factor.

Near a fixed point the ratio :math:`v = \omega_\perp/\omega_1` (a vector) obeys, by Eqs. (5) and (7) and the quotient
rule,

.. math:: \dot v = \frac{\beta}{\tau\omega_1}\Bigl[\sqrt{D_\perp/p}\,N - J v\Bigr], \qquad
          J = C_1 \mp y(z)\varrho(z),

where the first part of *J* is the growth of :math:`\omega_1` and the second the drift of :math:`\omega_\perp` itself:
both are of the same order. It comes to rest at :math:`v^* = \sqrt{D_\perp/p}\,N/J`, hence

.. math:: \lambda^* = 1/\|v^*\| = A\sqrt p/\|N\|, \qquad A = |J|/\sqrt{D_\perp}.

For stripes *J* is the sum of the jumps of the label on the active side, each times the normal density there.

Conventions: the network is :math:`f = h^{-1}\sum_n \beta_n \sigma(\omega_n\cdot x/\sqrt d + b_n)` with
:math:`\sigma(x) = \sqrt 2 \max(0, x)`; time is in units of :math:`\tau = h\sqrt{d/2}`; a *position* on the informative
axis is measured towards the side on which the neuron is active, :math:`a = \pm z`.

Deviation from the paper: Eq. (7) has :math:`D_\perp` in place of its square root, which (C.3) has, and the paper does
not compute the prefactor. ``empirics.measure.amplification`` measures it.
"""

from dataclasses import replace
from functools import cache, partial

import sympy as sp

from theory.core import (
    Argument,
    ClosedForm,
    Condition,
    Premise,
    Source,
    Status,
    Step,
    applied,
    phi1,
)
from theory.core.formula.rounding import log1p
from theory.core.proof import theorems
from theory.engine import Flow

share_0, share_end, rate = sp.symbols("initial final rate", positive=True)
elapsed = sp.Symbol("t", nonnegative=True)
share = share_0 * sp.exp(-rate * elapsed) + share_end * rate * elapsed * phi1(-rate * elapsed)
switch = log1p(share_0 / share_end) / rate

a = sp.Symbol("position", real=True)
c_parallel = sp.Symbol("c_parallel", nonzero=True)
d = sp.Symbol("d", integer=True, positive=True)
p = sp.Symbol("p", positive=True)
POSITION = Argument(
    a, "place of the hyperplane, towards its active side", sample=(-2, 2), example=0.5, latex="a"
)
C_PARALLEL = Argument(
    c_parallel, "<y x_1> over the active side", sample=(0.1, 1), example=0.4, latex="C_1"
)
DIMENSION = Argument(d, "dimension of the data", sample=(2, 20), example=10)
POINTS = Argument(p, "number of training points", sample=(100, 10000), example=10000)

N = sp.Symbol("N", positive=True)  # norm of the fluctuations
v, c_1, y, density = sp.symbols("v C_1 y rho", real=True)
J = sp.Symbol("current", nonzero=True)
D = sp.Symbol("d_perp", positive=True)

fluctuation = sp.sqrt(D / p) * N
relative_rate = fluctuation + y * density * v - c_1 * v
rest = fluctuation / J

prefactor = sp.Abs(J) / sp.sqrt(D)
growth_expression = 1 / (sp.Abs(c_parallel) * sp.sqrt(1 + a**2 / d))

ASSUMPTIONS = (
    "the neuron has reached its attractor: before t*, p large",
    "data are standard Gaussian",
)
UNIT_OF_TIME = (
    "tau = h sqrt(d/2), the unit of time, with h hidden units and sigma(u) = sqrt(2) max(0, u)"
)
at_attractor = partial(ClosedForm, assumptions=ASSUMPTIONS, status=Status.DERIVED)
in_time = partial(ClosedForm, assumptions=(*ASSUMPTIONS, UNIT_OF_TIME), status=Status.DERIVED)


omega_1, beta = sp.symbols("omega_1 beta", positive=True)
growth = sp.Abs(c_parallel) * beta / omega_1
FLOW = Premise(
    "Eq. (5): the relative growth of omega_1 in the gradient flow of one neuron at its place",
    growth,
)
omega_perp, delay = sp.symbols("omega_perp delay", real=True)
RESPONSE = Premise(
    "Eqs. (5), (7): velocities of omega_1 and of omega_perp along the fluctuation, which also drifts; near the axis "
    "omega is omega_1",
    sp.Matrix([beta * c_1, beta * (fluctuation + y * density * omega_perp / omega_1)]),
)
RATIO = Premise("the amplification factor lambda is |omega_1|/|omega_perp|", 1 / sp.Abs(v))
A = sp.Symbol("amplification", positive=True)
PREFACTOR = Premise("A is what is left of lambda* = A sqrt(p)/|N|", A * sp.sqrt(p) / N)
velocity_1, velocity_perp = sp.symbols("velocity_1 velocity_perp", real=True)
QUOTIENT = Step(
    "velocity of v = omega_perp/omega_1",
    sp.Subs(
        sp.Derivative(
            (omega_perp + delay * velocity_perp) / (omega_1 + delay * velocity_1), delay
        ),
        (delay, velocity_1, velocity_perp),
        (0, *RESPONSE.expression),
    ),
    sp.Subs(beta / omega_1 * relative_rate, v, omega_perp / omega_1),
    because="quotient rule",
    uses=(RESPONSE, *ASSUMPTIONS),
)
TOWARDS = Step(
    "v moves towards its rest",
    beta / omega_1 * relative_rate,
    sp.Subs(rate * (share_end - v), (rate, share_end), (beta / omega_1 * J, rest)),
    because="J = C_1 - y rho",
    where={c_1: J + y * density},
    uses=(QUOTIENT,),
)


@cache
def amplification() -> ClosedForm:
    """Return the prefactor *A* of the saturated amplification factor, dimensionless.

    Source: derived here; Paccolat et al. (2021), Eq. (8), gives the scaling.

    >>> round(float(amplification()(current=0.4, d_perp=0.5)), 4)
    0.5657
    """
    return at_attractor(
        name="compression.amplification",
        meaning="Prefactor A of the amplification factor lambda* = A sqrt(p)/|N| of a neuron at its attractor.",
        arguments=(
            Argument(
                J,
                "C_1 minus label times normal density at the hyperplane",
                sample=(0.1, 1),
                latex="J",
            ),
            Argument(
                D, "probability that the neuron is active", sample=(0.05, 1), latex=r"D_\perp"
            ),
        ),
        expression=prefactor,
        steps=(
            QUOTIENT,
            TOWARDS,
            Step(
                "lambda = 1/|v| at rest is A sqrt(p)/|N|",
                sp.Subs(PREFACTOR.expression, A, prefactor),
                sp.Subs(RATIO.expression, v, rest),
                because="v stays where it is its rest",
                uses=(TOWARDS, RATIO, PREFACTOR, *ASSUMPTIONS),
            ),
        ),
        sources=(Source("paccolat2021", "Eqs. (7), (8), appendix C.3"),),
    )


bias = sp.Symbol("bias", real=True)
TIME = Premise("a time constant is the reciprocal of a relative rate of growth", 1 / rate)
CONSERVED = Premise(
    "beta^2 = omega^2 + b^2 once the constant of motion is outgrown", sp.sqrt(omega_1**2 + bias**2)
)
PLACE = Premise("b = -omega_1 z/sqrt(d), z the place of the hyperplane", -omega_1 * a / sp.sqrt(d))


@cache
def growth_time() -> ClosedForm:
    """Return the time constant of a neuron at its attractor, in units of tau. Source: Eq. (14).

    >>> sorted(argument.name for argument in growth_time().arguments)
    ['c_parallel', 'd', 'position']
    """
    return in_time(
        name="compression.growth_time",
        meaning="Time constant tau*/tau with which a neuron grows at its attractor.",
        arguments=(POSITION, C_PARALLEL, DIMENSION),
        expression=growth_expression,
        steps=(
            applied(
                "growth of omega_1 where beta^2 = omega^2 + b^2 and b = -omega_1 z/sqrt(d)",
                growth_expression,
                TIME,
                {
                    rate: sp.Subs(
                        growth, beta, sp.Subs(CONSERVED.expression, bias, PLACE.expression)
                    )
                },
                because="the constant of motion is of order one and is outgrown",
                uses=(FLOW, CONSERVED, PLACE, *ASSUMPTIONS, UNIT_OF_TIME),
            ),
        ),
        sources=(Source("paccolat2021", "Eq. (14)"),),
    )


s = sp.Symbol("s", real=True)
moment = 2**s * sp.gamma((d - 1) / 2 + s) / sp.gamma((d - 1) / 2)
FLUCTUATIONS = replace(theorems.CHI_SQUARE, expression=moment)
mean_log = sp.log(A) + (sp.log(p) - sp.log(2) - sp.polygamma(0, (d - 1) / 2)) / 2


@cache
def mean_log_amplification() -> ClosedForm:
    """Return the mean of log lambda* over training sets, dimensionless; the mean of lambda* is infinite for d = 2.

    Source: derived here.

    >>> form = mean_log_amplification()
    >>> round(float(form(amplification=1, p=10000, d=10)), 4)
    3.5642
    """
    prefactor_of = Argument(
        A, "prefactor of lambda*, see compression.amplification", sample=(0.1, 2)
    )
    total = applied(
        "E[|N|^0] = 1", sp.S.One, FLUCTUATIONS, {s: sp.S.Zero}, "the total probability"
    )
    log_square = sp.Symbol("log_square", real=True)
    split = sp.log(A**2 * p) / 2 - log_square / 2
    logarithm = Step(
        "logarithm of lambda*",
        sp.log(PREFACTOR.expression),
        sp.Subs(split, log_square, sp.log(N**2)),
        because="log lambda* is linear in log |N|^2",
        uses=(PREFACTOR, amplification()),
    )
    return at_attractor(
        name="compression.mean_log_amplification",
        meaning="Mean of log lambda* over training sets.",
        arguments=(prefactor_of, POINTS, DIMENSION),
        conditions=(Condition(d - 2, "d >= 2"),),
        expression=mean_log,
        steps=(
            total,
            logarithm,
            Step(
                "log(A sqrt(p)) minus the mean logarithm of the norm of d-1 unit Gaussians",
                sp.Subs(split, log_square, sp.Subs(sp.Derivative(moment, s), s, 0)),
                mean_log,
                because="E log X is the derivative of log E X^s at s = 0, and |N|^2 is chi-squared",
                uses=(total, logarithm, FLUCTUATIONS),
            ),
        ),
        sources=(Source("paccolat2021", "Eq. (8)"),),
    )


@cache
def perpendicular_share() -> ClosedForm:
    """Return the ratio omega_perp/omega_1 along the fluctuation as a function of time, dimensionless; derived here.

    >>> round(float(perpendicular_share()(t=5, initial=1, final=0.1, rate=0.5)), 4)
    0.1739
    """
    response = Flow(
        {v: rate * (share_end - v)}, elapsed, uses=(TOWARDS, *ASSUMPTIONS, UNIT_OF_TIME)
    )
    solution = response.solution({v: share}, starts={v: share_0}, ends={v: share_end})
    return solution[v].form(
        "compression.perpendicular_share",
        "Share omega_perp/omega_1 of a neuron at its attractor, on its way to 1/lambda*.",
        (
            Argument(elapsed, "time", unit="tau", sample=(0, 5)),
            Argument(share_0, "share at time 0", sample=(0.1, 1)),
            Argument(share_end, "share at the end, 1/lambda*", sample=(0.01, 0.1)),
            Argument(rate, "rate |J| sqrt(1 + z^2/d)", unit="1/tau", sample=(0.1, 1)),
        ),
        assumptions=(*ASSUMPTIONS, UNIT_OF_TIME),
        sources=(Source("paccolat2021", "section 3.2.1, below Eq. (7)"),),
    )


def crossover_time() -> ClosedForm:
    """Return the time at which fluctuations exceed the decaying initial ratio, in units of tau. Source: footnote 3."""
    remaining, made = (
        share_0 * sp.exp(-rate * elapsed),
        share_end * (1 - sp.exp(-rate * elapsed)),
    )
    first, second = sp.symbols("first second", real=True)
    parts = Step(
        "the share is what remains of the initial one and what fluctuations have made",
        share,
        sp.Subs(first + second, (first, second), (remaining, made)),
        because="the first is in proportion to the initial share, the second to the final one",
        uses=(perpendicular_share(),),
    )
    return in_time(
        name="compression.crossover_time",
        meaning="Time tau_perp from which the perpendicular weights are made by fluctuations.",
        arguments=tuple(
            argument for argument in perpendicular_share().arguments if argument.symbol != elapsed
        ),
        expression=switch,
        steps=(
            parts,
            Step(
                "both parts of the share are equal then",
                sp.Subs(remaining, elapsed, switch),
                sp.Subs(made, elapsed, switch),
                because="from then on the second is larger",
                uses=(parts,),
            ),
        ),
        sources=(Source("paccolat2021", "section 3.2.1, footnote 3"),),
    )
