r"""The metric of Amari and Wu's conformally transformed kernel, :math:`\tilde k(x, y) = h(x) h(y) k(x, y)`.

The features :math:`\Phi` of k become :math:`h \Phi`, so that with :math:`\kappa(x) = k(x, x)`

.. math:: \tilde g = h^2 g + \kappa\, \nabla h \nabla h^\top
    + \tfrac12 h \left( \nabla h \nabla\kappa^\top + \nabla\kappa \nabla h^\top \right),
    \qquad \frac{\sqrt{\det\tilde g}}{\sqrt{\det g}} = h^d \sqrt{\left( 1 + \frac{C}{2h} \right)^2
    + \frac{P}{h^2} \left( \kappa - \frac S4 \right)},

where :math:`P = \|\nabla h\|^2`, :math:`S = \|\nabla\kappa\|^2` and :math:`C = \nabla h \cdot \nabla\kappa`; all three
inner products use the inverse of g. :math:`S \le 4\kappa`, because half of :math:`\nabla\kappa` is the projection of
:math:`\Phi` on the tangent space. For a translation-invariant kernel S and C vanish.
"""

from functools import cache

import sympy as sp

from theory.core import Argument, ClosedForm, Condition, Premise, Source, Status, Step, applied
from theory.core.formula.subexpressions import at_values
from theory.core.proof.premises import with_lemmas
from theory.geometry.symbols import D, d

h = sp.Symbol("scale", positive=True)
kappa = sp.Symbol("kernel", positive=True)
P, S = sp.symbols("scale_gradient2 kernel_gradient2", nonnegative=True)
C = sp.Symbol("gradient_product", real=True)

ARGUMENTS = (
    D,
    Argument(h, "scale factor h at the input", sample=(0.5, 2), latex="h"),
    Argument(kappa, "the kernel's value k(x, x)", sample=(1, 3), latex=r"\kappa"),
    Argument(
        P, "squared norm of the gradient of h in the metric of k", sample=(0.1, 1), latex="P"
    ),
    Argument(
        S, "squared norm of the gradient of k(x, x) in the metric of k", sample=(0.5, 3), latex="S"
    ),
    Argument(C, "product of both gradients in the metric of k", sample=(-0.2, 0.2), latex="C"),
)
CONDITIONS = (
    Condition(
        P * S - C**2,
        "gradient_product^2 <= scale_gradient2 * kernel_gradient2, by Cauchy and Schwarz",
    ),
    Condition(
        4 * kappa - S,
        "kernel_gradient2 <= 4 kernel: half the gradient is a projection of the features",
    ),
)
factor_expression = h**d * sp.sqrt((1 + C / (2 * h)) ** 2 + P / h**2 * (kappa - S / 4))

# Components of both gradients in an orthonormal frame whose first axis points along the gradient of h.
_P, _S2, _E = sp.symbols("p s_2 e", positive=True)
_SIGNED = sp.Symbol("s_1", real=True)

REGULAR = "the metric of k is not singular at the input"
_X = sp.symbols("x1 x2", real=True)
_VALUES, _SLOPE = (
    sp.Matrix(sp.symbols("Phi1:4", real=True)),
    sp.Matrix(sp.symbols("h_1 h_2", real=True)),
)
_JACOBIAN = sp.Matrix(3, 2, lambda i, j: sp.Symbol(f"J_{i + 1}{j + 1}", real=True))
# to first order
_FEATURES = h * (_VALUES + _JACOBIAN * sp.Matrix(_X)) + (_SLOPE.T * sp.Matrix(_X))[0] * _VALUES
FEATURES = Premise(
    "the kernel h(x) h(y) k(x, y) has the features h Phi, Phi those of k; the metric is that of their slopes",
    sp.Matrix(3, 2, lambda i, j: sp.Derivative(_FEATURES[i], _X[j])),
)


_ENTRY = sp.symbols("g_ij p_i p_j s_i s_j", real=True)
_OLD, _PI, _PJ, _SI, _SJ = _ENTRY
TRANSFORMED = h**2 * _OLD + kappa * _PI * _PJ + h / 2 * (_PI * _SJ + _PJ * _SI)
"""An entry of the new metric, from that of k and the components p of the slope of h and s of that of k(x, x)."""


def _chain_rule() -> Step:
    norm_slope, old = 2 * _JACOBIAN.T * _VALUES, _JACOBIAN.T * _JACOBIAN
    slopes = at_values(FEATURES.expression, _X, (0, 0))

    def entry(i: int, j: int) -> sp.Expr:
        values = (old[i, j], _SLOPE[i], _SLOPE[j], norm_slope[i], norm_slope[j])
        return sp.Subs(TRANSFORMED, (kappa, *_ENTRY), (_VALUES.dot(_VALUES), *values))

    return Step(
        "metric of the transformed kernel",
        sp.MatMul(sp.Transpose(slopes), slopes),
        sp.Matrix(2, 2, entry),
        because="the features are h Phi, here to first order; the gradient of k(x, x) is 2 J' Phi",
        uses=(FEATURES,),
    )


def transformed(dimension: int) -> sp.Matrix:
    """Return the new metric in a frame in which the metric of k is the identity and both gradients span two axes."""
    along, other = ([*part, *[0] * dimension] for part in ((_P, 0), (_SIGNED, _S2)))

    def entry(i: int, j: int) -> sp.Expr:
        values = (sp.KroneckerDelta(i, j), along[i], along[j], other[i], other[j])
        return sp.Subs(TRANSFORMED, _ENTRY, values)

    return sp.ImmutableMatrix(dimension, dimension, entry)


@cache
def conformal_volume_factor() -> ClosedForm:
    """Return the dimensionless factor by which h changes the volume element.

    Source: derived here; compare Amari & Wu (1999).

    >>> form = conformal_volume_factor()
    >>> form.name
    'geometry.conformal_volume_factor'
    """
    frame = {
        P: _P**2,
        S: _SIGNED**2 + _S2**2,
        C: _P * _SIGNED,
        kappa: (_SIGNED**2 + _S2**2) / 4 + _E,
    }
    block = sp.Determinant(transformed(2))
    plane = sp.Symbol("plane", positive=True)
    determinant = Premise(
        "the factor is the root of the determinant: that of the plane of the gradients, times h^2 for each other axis",
        h ** (d - 2) * sp.sqrt(plane),
    )
    chain = _chain_rule()
    more = tuple(
        Step(
            f"{n} dimensions have the determinant of the plane of the gradients, times h^{2 * (n - 2)}",
            sp.Determinant(transformed(n)),
            sp.Subs(h ** (2 * n - 4) * plane, plane, block),
            because="the gradients span at most a plane; across it the metric is h^2",
            uses=(chain, REGULAR),
        )
        for n in (3, 4)
    )
    last = applied(
        "volume factor",
        factor_expression,
        determinant,
        {plane: block},
        because="in an orthonormal frame",
        where=frame,
        uses=(chain, *more, REGULAR),
    )
    return ClosedForm(
        name="geometry.conformal_volume_factor",
        meaning="Factor by which scaling a kernel by h(x) h(y) changes the volume element.",
        arguments=ARGUMENTS,
        expression=factor_expression,
        conditions=CONDITIONS,
        assumptions=(REGULAR,),
        steps=with_lemmas((last,)),
        sources=(
            Source("zavatoneveth2023", "Section III; cites Amari & Wu (1999)", "arXiv:2301.11375"),
        ),
        status=Status.DERIVED,
    )
