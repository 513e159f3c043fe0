r"""Gaussian moments and the expansion of a determinant, from which the Bayesian volume correction is derived.

.. math:: \sqrt{\det(1 + \epsilon X)} = 1 + \tfrac\epsilon2 \operatorname{tr} X
    + \epsilon^2 \left( \tfrac18 (\operatorname{tr} X)^2 - \tfrac14 \operatorname{tr} X^2 \right) + \dots

The second-order term contributes at order 1/n, because the metric is a mean over n units and fluctuates by
:math:`n^{-1/2}`. For independent rank-one terms :math:`X = \frac1n \sum_a (u_a u_a^\top - 1)` with :math:`E[u u^\top] =
1`, :math:`n E(\operatorname{tr} X)^2 = E|u|^4 - d^2` and :math:`n E \operatorname{tr} X^2 = E|u|^4 - d`.
"""

from collections.abc import Callable
from functools import cache

import sympy as sp

from theory.core import Premise, Step, differentiated
from theory.geometry.symbols import d

_ALONG, _RADIAL, _REST, _OTHERS = sp.symbols("u radial W others", positive=True)
UNIT = Premise(
    "weights w ~ N(0, I), u along the input and the squares of the others summing to W; the metric of a unit is "
    "phi'(w.x)^2 w w'; the trace of it over the mean metric is phi'^2 (u^2/radial + W)/unit",
    _ALONG**2 / _RADIAL + _REST,
)


def _over_rest(order: int) -> sp.Expr:
    """Return the term of the squared trace with this power of W, which is chi-squared with d - 1 of freedom."""
    moment = 2**order * sp.gamma((d - 1) / 2 + order) / sp.gamma((d - 1) / 2)
    squared = sp.Derivative(UNIT.expression**2, (_REST, order)) if order else UNIT.expression**2
    return moment * sp.Subs(squared, _REST, 0) / sp.factorial(order)


TRACE_LETTERS = (_RADIAL, *sp.symbols("fourth square one", positive=True))
_FOURTH, _SQUARE, _ONE = TRACE_LETTERS[1:]
SQUARED_TRACE = _FOURTH / _RADIAL**2 + 2 * (d - 1) * _SQUARE / _RADIAL + (d - 1) * (d + 1) * _ONE
"""The mean over W of the squared trace, linear in the powers u^4, u^2 and 1."""
TRACE = Step(
    "mean over W of the squared trace",
    sum(map(_over_rest, range(3))),
    sp.Subs(SQUARED_TRACE, TRACE_LETTERS[1:], (_ALONG**4, _ALONG**2, 1)),
    because="W is chi-squared with d - 1 degrees of freedom, and 0 in one dimension",
    where={d: 1 + _OTHERS},
    uses=(UNIT,),
)


def gaussian_power(power: int) -> sp.Expr:
    """Return ``E[u^power]`` of a standard Gaussian from the gamma integral."""
    if power % 2:
        return sp.S.Zero
    return sp.Integer(2) ** (power // 2) * sp.gamma(sp.Rational(power + 1, 2)) / sp.sqrt(sp.pi)


def overlap_moment(q: int, power: int, p2: sp.Expr) -> sp.Expr:
    """Return ``E[u_a^(2q) u^power]`` of standard Gaussians with squared correlation ``p2``, for even ``power``."""
    return sp.Add(
        *(
            sp.binomial(2 * q, 2 * k)
            * p2 ** (q - k)
            * (1 - p2) ** k
            * gaussian_power(2 * k)
            * gaussian_power(2 * q - 2 * k + power)
            for k in range(q + 1)
        )
    )


_IN, _ACROSS, _LAMBDA, _A, _K = sp.symbols("I_r I_t lambda a k", positive=True)
CHI_LETTERS = (_IN, _ACROSS, _LAMBDA, _A, _K)
CHI = Premise(
    "chi is E[phi(z_a)^2 tr]/k, tr the trace of the metric of a unit over the mean metric, of eigenvalues lambda and "
    "a; I_r and I_t are the means of phi(z_a)^2 phi'(z)^2 times u^2 and times the squares of the other weights, and "
    "k = E[phi(z_a)^2]",
    (_IN / _LAMBDA + _ACROSS / _A) / _K,
)


def moment_step(q: int, power: int, p2: sp.Expr) -> Step:
    """Step for ``overlap_moment``: u_a is p u and the root of 1 - p^2 times an independent Gaussian."""
    k = sp.Symbol("k", integer=True, nonnegative=True)

    def moment(of: sp.Expr) -> sp.Expr:
        return 2**of * sp.gamma(of + sp.Rational(1, 2)) / sp.sqrt(sp.pi)

    term = (
        sp.binomial(2 * q, 2 * k)
        * p2 ** (q - k)
        * (1 - p2) ** k
        * moment(k)
        * moment(q - k + sp.Integer(power) / 2)
    )
    return Step(
        f"E[u_a^{2 * q} u^{power}]",
        overlap_moment(q, power, p2),
        sp.Sum(term, (k, 0, q)),
        because="u_a is p u plus an independent Gaussian; even moments by the gamma integral",
        uses=(UNIT,),
    )


_KERNEL, K = sp.symbols("K k", positive=True)
ratio = sp.Symbol("target_ratio", nonnegative=True)
"""The squared target over k."""
POSTERIOR = Premise(
    "the posterior is the prior times the density of the example y, its readout integrated out: Gaussian, its variance "
    "the kernel K of the finite network",
    -sp.log(_KERNEL) / 2 - ratio * K / (2 * _KERNEL),
)


TILT = (ratio - 1) / 2 / K
"""The weight of the excess of the kernel in the posterior."""
_TRACE, _SQUARED, _OF_SQUARE = sp.symbols("trace squared_trace trace_of_square", real=True)
FIRST, TWICE_SECOND = _TRACE / 2, _SQUARED / 4 - _OF_SQUARE / 2
"""The root of a determinant to first order, and twice its second order, in traces."""
_GAP = d * (d - 1) - 2 * (d - 1) * _TRACE
MEAN_GAP = sp.Subs(_GAP, _TRACE, d)
"""The mean of what the squared trace exceeds the trace of the square by, for one unit."""


def first_order(trace: sp.Expr) -> sp.Expr:
    """Return the first order of the root of a determinant at a value of the trace."""
    return sp.Subs(FIRST, _TRACE, trace)


def twice_second_order(squared: sp.Expr, of_square: sp.Expr) -> sp.Expr:
    """Return twice the second order at values of the squared trace and of the trace of the square."""
    return sp.Subs(TWICE_SECOND, (_SQUARED, _OF_SQUARE), (squared, of_square))


TILT_STEP = differentiated(
    "the posterior tilts the prior by (y^2/k - 1)/2 times the relative excess of K",
    TILT,
    POSTERIOR,
    _KERNEL,
    because="log-likelihood of one noiseless example to first order in K - k, which is of order n^(-1/2)",
    at={_KERNEL: K},
)


def _root_steps(claim: str, order: int, value: Callable[[sp.Matrix], sp.Expr]) -> tuple[Step, ...]:
    """Steps for a derivative of the root of a determinant, in two and three dimensions."""
    epsilon, steps = sp.Symbol("epsilon", real=True), []
    for size in (2, 3):
        x = sp.Matrix(
            size, size, lambda i, j: sp.Symbol(f"x_{min(i, j) + 1}{max(i, j) + 1}", real=True)
        )
        root = sp.sqrt((sp.eye(size) + epsilon * x).det())
        name, by = f"{claim}, {size} dimensions", (epsilon, order)
        steps.append(differentiated(name, value(x), root, by, "Jacobi", at={epsilon: 0}))
    return tuple(steps)


@cache
def first_order_steps() -> tuple[Step, ...]:
    """Steps for the root of a determinant to first order."""
    claim = "root of a determinant to first order"
    return _root_steps(claim, 1, lambda x: first_order(x.trace()))


@cache
def second_order_steps() -> tuple[Step, ...]:
    """Steps for the root of a determinant to second order, and for the traces of one unit in it."""
    u = sp.symbols("u1:4", real=True)
    outer = sp.Matrix(u) * sp.Matrix([u])
    centred = outer - sp.eye(3)
    gap = Step(
        "the squared trace less the trace of the square, of the centred metric of a unit",
        centred.trace() ** 2 - (centred * centred).trace(),
        sp.Subs(_GAP, (d, _TRACE), (3, outer.trace())),
        because="|u|^4 cancels; the mean of what remains is that at E|u|^2 = d",
        uses=(),
    )

    def value(x: sp.Matrix) -> sp.Expr:
        return twice_second_order(x.trace() ** 2, (x * x).trace())

    return (*_root_steps("and twice the second order", 2, value), gap)
