r"""Gaussian moments and the expansion of a determinant, from which the Bayesian volume correction is derived.

.. math:: \sqrt{\det(1 + \epsilon X)} = 1 + \tfrac\epsilon2 \operatorname{tr} X
    + \epsilon^2 \left( \tfrac18 (\operatorname{tr} X)^2 - \tfrac14 \operatorname{tr} X^2 \right) + \dots

The second-order term contributes at order 1/n, because the metric is a mean over n units and fluctuates by
:math:`n^{-1/2}`. For independent rank-one terms :math:`X = \frac1n \sum_a (u_a u_a^\top - 1)` with :math:`E[u u^\top] =
1`, :math:`n E(\operatorname{tr} X)^2 = E|u|^4 - d^2` and :math:`n E \operatorname{tr} X^2 = E|u|^4 - d`.
"""

from functools import lru_cache

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


TRACE = Step(
    "mean over W of the squared trace",
    sum(map(_over_rest, range(3))),
    _ALONG**4 / _RADIAL**2 + 2 * (d - 1) * _ALONG**2 / _RADIAL + (d - 1) * (d + 1),
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


_KERNEL, _TARGET = sp.symbols("K y", positive=True)
POSTERIOR = Premise(
    "the posterior is the prior times the density of the example y, its readout integrated out: Gaussian, its variance "
    "the kernel K of the finite network",
    -sp.log(_KERNEL) / 2 - _TARGET**2 / (2 * _KERNEL),
)


@lru_cache(maxsize=1)
def expansion_steps() -> tuple[Step, ...]:
    """Steps for the posterior weight, and for the determinant to second order in two and three dimensions."""
    k, epsilon = sp.Symbol("k", positive=True), sp.Symbol("epsilon", real=True)
    steps = [
        differentiated(
            "the posterior tilts the prior by (y^2/k - 1)/2 times the relative excess of K",
            (_TARGET**2 / k - 1) / 2 / k,
            POSTERIOR,
            _KERNEL,
            because="log-likelihood of one noiseless example to first order in K - k, which is of order n^(-1/2)",
            at={_KERNEL: k},
        )
    ]
    for size in (2, 3):
        x = sp.Matrix(
            size, size, lambda i, j: sp.Symbol(f"x_{min(i, j) + 1}{max(i, j) + 1}", real=True)
        )
        root = sp.sqrt((sp.eye(size) + epsilon * x).det())
        steps += [
            differentiated(
                f"root of a determinant to first order, {size} dimensions",
                x.trace() / 2,
                root,
                epsilon,
                because="Jacobi",
                at={epsilon: 0},
            ),
            differentiated(
                f"and twice the second order, {size} dimensions",
                x.trace() ** 2 / 4 - (x * x).trace() / 2,
                root,
                (epsilon, 2),
                because="Jacobi, twice",
                at={epsilon: 0},
            ),
        ]
    u = sp.symbols("u1:4", real=True)
    outer = sp.Matrix(u) * sp.Matrix([u])
    centred = outer - sp.eye(3)
    steps.append(
        Step(
            "squared trace and trace of the square, less their means, differ by d^2 - d",
            centred.trace() ** 2 - (centred * centred).trace(),
            6 - 4 * outer.trace(),
            because="|u|^4 cancels; as E|u|^2 = d, what remains has mean d - d^2 at d = 3",
            uses=(),
        )
    )
    return tuple(steps)
