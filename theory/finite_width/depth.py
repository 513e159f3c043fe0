r"""Fluctuations of a deep kernel, to first order in the inverse width: where the kernel rests, and where it falls.

Where a kernel rests at :math:`K_*`, its variance follows :math:`v' = s/n + \chi^2 v` with the same :math:`s =
C^2(m_4 - m_2^2)` and :math:`\chi = C m_2'` in every layer. It grows with the depth for :math:`\chi = 1` (ReLU at C =
2, where s = 5 K^2), approaches :math:`s/(n(1-\chi^2))` below, and grows exponentially above.

At the critical point of a smooth odd activation such as tanh, erf or sin, the kernel falls to 0 as
:math:`1/(\alpha L)`, with :math:`C m_2 = K - \alpha K^2 + \ldots`, and its relative variance approaches
:math:`2L/(3n)`, whatever the activation. Measured by ``empirics.experiments.finite_width``.
"""

from typing import Any

import sympy as sp

from theory.core import Argument, ClosedForm, Premise, Status, Step
from theory.engine import Recursion
from theory.engine.dense_chain import ORDER, S
from theory.engine.dense_chain import n as width
from theory.engine.levels import with_lemmas
from theory.engine.width import layer_lemma, m2, m2_slope, m4, nu, spread_and_shift
from theory.finite_width.symbols import DEPTH, WIDTH, L, n

chi, s = sp.symbols("chi s", positive=True)
v, rho, K, alpha = sp.symbols("v rho K alpha", positive=True)
beta, gamma = sp.symbols("beta gamma", real=True)

CHI = Argument(
    chi,
    "slope of the recursion of the kernel, C dm_2/dK",
    sample=(0.3, 1.5),
    example=1,
    latex=r"\chi",
)
NOISE = Argument(
    s, "n times the variance that a layer adds, C^2 (m_4 - m_2^2)", unit="input^4", sample=(0.1, 5)
)
RESTS = "the kernel rests: its mean and its moments are those of every layer"


def rule(variance: sp.Expr, added: sp.Expr, slope: sp.Expr) -> sp.Expr:
    """Return the variance of the kernel above a layer, by the rule of the engine.

    Args:
        variance: that below it.
        added: n times the variance that the layer adds, C^2 (m_4 - m_2^2).
        slope: derivative of the kernel above in that below.
    """
    values = {S: 1, width: n, m2: 0, m4: added, m2_slope: slope, nu: variance}
    return spread_and_shift()[0].subs(values, simultaneous=True)


RESTING = Premise("the variance of the kernel", v)
resting = Recursion(
    {v: rule(v, s, chi)}, {v: sp.S.Zero}, uses=(layer_lemma(), ORDER, RESTS)
).solve()
resting_variance = resting.quantity(RESTING, resting.curves[v].subs(resting.time, L), L).form(
    "finite_width.resting_variance",
    "Variance of a kernel that rests, above L layers, to first order in 1/n.",
    (WIDTH, DEPTH, CHI, NOISE),
    assumptions=(ORDER, RESTS),
)

CRITICAL = (
    "without biases, and with critical weights of a smooth odd activation, for which C m_2 = K - alpha K^2 + beta K^3 "
    "and C^2 m_4 = 3 K^2 + gamma K^3 with alpha > 0, up to higher orders"
)
DEEP = "the depth is large"
falling = K - alpha * K**2 + beta * K**3
added = 3 * K**2 + gamma * K**3 - falling**2
ratio_above = rule(rho * K**2, added, sp.Derivative(falling, K)) / falling**2
"""Variance of the kernel over its square above a layer, in terms of that below it."""
falls = Recursion({K: falling}, {K: sp.Symbol("x", positive=True)}).asymptotics()
_falling_steps: tuple[Any, ...] = falls.steps
(layer,) = falls.expression.free_symbols - {alpha}
far = falls.expression.xreplace({layer: L})
"""The kernel above many layers."""
critical = 2 * L / (3 * n)

_above, _next = sp.symbols("above next", positive=True)
ABOVE = Premise(
    "the ratio above a layer is its variance by the rule over its squared mean", ratio_above
)
DEEPER = Premise("one layer deeper", L + 1)
KEPT = Premise("what the rule gives differs from what the formula says there", _above - _next)
FAR = Step(
    "the kernel far down",
    far,
    sp.Subs(falls.expression, layer, L),
    "at depth L",
    uses=_falling_steps,
)
FORGETS = Step(
    "a deviation of the ratio falls with the depth, as 1/l^2",
    sp.Limit(L * sp.Subs(sp.Derivative(ratio_above, rho) - 1, K, far), L, sp.oo),
    -sp.Integer(2),
    because="the factor of a layer is 1 - 2/l",
    uses=(FAR, layer_lemma(), CRITICAL, ORDER),
)
KEEPS = Step(
    "the rule keeps the ratio to leading order",
    sp.Limit(
        sp.Subs(
            KEPT.expression,
            (_above, _next),
            (
                sp.Subs(ABOVE.expression, (rho, K), (critical, far)),
                sp.Subs(critical, L, DEEPER.expression),
            ),
        ),
        L,
        sp.oo,
    ),
    sp.S.Zero,
    because="the kernel at large depth",
    uses=(FAR, layer_lemma(), FORGETS, ABOVE, DEEPER, KEPT, CRITICAL, ORDER, DEEP),
)
critical_spread = ClosedForm(
    name="finite_width.critical_spread",
    meaning="Variance over square of a kernel at a critical point where it falls to 0, above many layers.",
    arguments=(WIDTH, DEPTH),
    expression=critical,
    status=Status.DERIVED,
    steps=with_lemmas((*_falling_steps, FAR, FORGETS, KEEPS)),
    assumptions=(ORDER, CRITICAL, DEEP),
)
