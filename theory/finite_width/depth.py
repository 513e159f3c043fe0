r"""Fluctuations of a deep kernel that rests, to first order in the inverse width.

Where a kernel rests at :math:`K_*`, its variance follows :math:`v' = s/n + \chi^2 v` with the same :math:`s =
C^2(m_4 - m_2^2)` and :math:`\chi = C m_2'` in every layer. It grows with the depth for :math:`\chi = 1` (ReLU at C =
2, where s = 5 K^2), approaches :math:`s/(n(1-\chi^2))` below, and grows exponentially above. Measured by
``empirics.experiments.finite_width``.
"""

import sympy as sp

from theory.core import Argument, Premise, Step
from theory.core.formula.subexpressions import at_values
from theory.engine import Recursion
from theory.engine.dense_chain import ORDER, S
from theory.engine.dense_chain import n as width
from theory.engine.width import layer_lemma, m2, m2_slope, m4, nu, spread_and_shift
from theory.finite_width.symbols import DEPTH, WIDTH, L, n

chi, s = sp.symbols("chi s", positive=True)
v = sp.Symbol("v", positive=True)

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
# the rule of the engine with the weights in the moments
_values = {S: 1, width: n, m2: 0, m4: s, m2_slope: chi, nu: v}
_rule = spread_and_shift()[0]
ABOVE = Step(
    "variance of the kernel above a layer, where it rests",
    _rule.subs(_values, simultaneous=True),
    at_values(_rule, _values, map(sp.sympify, _values.values())),
    because="the rule of a layer, with the same weights and moments in all",
    uses=(layer_lemma(), ORDER, RESTS),
)

RESTING = Premise("the variance of the kernel", v)
resting = Recursion({v: ABOVE.left}, {v: sp.S.Zero}, uses=(ABOVE,)).solve()
resting_variance = resting.quantity(RESTING, resting.curves[v].subs(resting.time, L), L).form(
    "finite_width.resting_variance",
    "Variance of a kernel that rests, above L layers, to first order in 1/n.",
    (WIDTH, DEPTH, CHI, NOISE),
    assumptions=(ORDER, RESTS),
)
