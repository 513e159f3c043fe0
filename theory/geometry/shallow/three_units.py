r"""The smallest network with curvature: three erf units with weights at 120 degrees on the unit circle and one bias.

.. math:: \det g = \frac{e^{-S}}{3\pi^2} \sum_a e^{z_a^2}, \qquad
    S = \sum_a z_a^2 = \tfrac32 \|x\|^2 + 3 b^2

and the curvature changes sign on the circle :math:`\|x\| = 2|b|`: positive inside, negative outside. A network of two
units is a change of coordinates, and hence flat. The paper's Eq. (B.70) is three times the curvature.
"""

from functools import cache

import sympy as sp

from theory.core import Argument, ClosedForm, Premise, Source, Status, Step, applied
from theory.geometry.shallow import derivation

x1, x2, bias = sp.symbols("x1 x2 bias", real=True)
ARGUMENTS = (
    Argument(x1, "first input", unit="input", sample=(-1.5, 1.5), latex="x_{1}"),
    Argument(x2, "second input", unit="input", sample=(-1.5, 1.5), latex="x_{2}"),
    Argument(bias, "bias of all three units", sample=(-1, 1), latex="b"),
)
WEIGHTS = sp.Matrix(
    [[1, 0], [-sp.Rational(1, 2), sp.sqrt(3) / 2], [-sp.Rational(1, 2), -sp.sqrt(3) / 2]]
)
"""Weights of the three units, [unit, input]: Eq. (B.65)."""
FEATURES = (
    "the features are erf(z_a/sqrt(2))/sqrt(3), with z_a = w_a.x + bias",
    "w_1 = (1, 0); all w_a are unit vectors",
)

_root = sp.Symbol("root", positive=True)
SQUARE = Premise("the squared volume element is the determinant of the metric", _root**2)
x = sp.Matrix([x1, x2])
preactivations = tuple(WEIGHTS * x + bias * sp.ones(3, 1))
slopes = tuple(sp.sqrt(2 / sp.pi) * sp.exp(-(z**2) / 2) for z in preactivations)
bends = tuple(-z * slope for z, slope in zip(preactivations, slopes, strict=True))

radius2 = x1**2 + x2**2
# exp(z_a^2 - S/2), with x_2^2 cancelled in two of the exponents: exp(z_a^2) and exp(S) overflow, and lose digits.
_exponents = (
    (x1**2 + 8 * bias * x1 - 2 * bias**2 - 3 * x2**2) / 4,
    *(s * sp.sqrt(3) * x2 * (2 * bias - x1) / 2 - (x1 + bias) ** 2 / 2 for s in (1, -1)),
)
_bumps = sum(map(sp.exp, _exponents))
_determinant = _bumps * sp.exp(-3 * (radius2 + 2 * bias**2) / 4) / (3 * sp.pi**2)
# -(z_b^2 + z_c^2), of the other two units, for each unit; the largest is taken out of the root, which would underflow.
_squares = [z**2 for z in preactivations]
_pairs = [-_squares[1] - _squares[2], -_squares[0] - _squares[2], -_squares[0] - _squares[1]]
_largest = sp.Max(*_pairs)
volume_expression = (
    sp.sqrt(sum(sp.exp(e - _largest) for e in _pairs))
    * sp.exp(_largest / 2)
    / (sp.sqrt(3) * sp.pi)
)
curvature_expression = 9 * sp.pi * (4 * bias**2 - radius2) / (4 * _bumps**2)


def _tensor(i: int, j: int, k: int) -> sp.Expr:
    """Return the derivative of g_ij in input k."""
    units = range(len(slopes))
    return sp.Rational(2, 3) * sum(
        slopes[a] * bends[a] * WEIGHTS[a, i] * WEIGHTS[a, j] * WEIGHTS[a, k] for a in units
    )


@cache
def three_unit_volume_element() -> ClosedForm:
    """Return the volume element of the network of three units, in 1/input^2. Source: Eq. (B.68).

    >>> round(float(three_unit_volume_element()(x1=0.5, x2=0, bias=0)), 4)
    0.2815
    """
    expansion = derivation.expansion(3, 2)
    squared = Step(
        "the squared volume element; the minors are all sqrt(3)/2 in size",
        derivation.sum_over_minors(WEIGHTS, slopes),
        _determinant,
        because="phi'(z)^2 = 2/pi exp(-z^2); a pair of units leaves the bump of the third out",
        uses=(expansion, *FEATURES),
    )
    return ClosedForm(
        name="geometry.three_unit_volume_element",
        meaning="Factor by which three erf units at 120 degrees magnify areas.",
        arguments=ARGUMENTS,
        expression=volume_expression,
        steps=(
            expansion,
            squared,
            applied(
                "the volume element is its root",
                _determinant,
                SQUARE,
                {_root: volume_expression},
                because="it is positive",
                uses=(squared,),
            ),
        ),
        sources=(Source("zavatoneveth2023", "Eqs. (B.65) to (B.68)"),),
        assumptions=FEATURES,
        status=Status.DERIVED,
    )


@cache
def three_unit_curvature() -> ClosedForm:
    """Return the scalar curvature of the network of three units, dimensionless: 1/3 of Eqs. (B.69) and (B.70).

    >>> round(float(three_unit_curvature()(x1=0.5, x2=0, bias=0)), 4)
    -0.2207
    """
    axes = range(2)
    metric, general = derivation.metric(WEIGHTS, slopes), derivation.weight_matrix(3, 2)
    letters = (*general, *derivation.slopes(3))
    its_metric = applied(
        "its metric",
        metric,
        derivation.METRIC,
        dict(zip(letters, (*WEIGHTS, *slopes), strict=True)),
        because="the weights and slopes of the three units",
        uses=FEATURES,
    )
    triples = [(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)]
    its_derivatives = Step(
        "and the derivatives of its metric",
        sp.Matrix([_tensor(*triple) for triple in triples]),
        sp.Matrix([sp.Derivative(metric[i, j], x[k]) for i, j, k in triples]),
        because="phi'' = -z phi'",
        uses=(its_metric,),
    )
    entries = {derivation.symmetric("g", i, j): metric[i, j] for i in axes for j in axes}
    entries |= {derivation.symmetric("T", *triple): _tensor(*triple) for triple in triples}
    return ClosedForm(
        name="geometry.three_unit_curvature",
        meaning="Scalar curvature of the metric of three erf units at 120 degrees.",
        arguments=ARGUMENTS,
        expression=curvature_expression,
        steps=(
            *derivation.STEPS,
            its_metric,
            its_derivatives,
            Step(
                "the network of three units",
                sp.Subs(derivation.GENERAL.right, tuple(entries), tuple(entries.values())),
                curvature_expression,
                because="the products of two pre-activations sum to ((3 b)^2 - S)/2",
                uses=(*derivation.STEPS, its_metric, its_derivatives),
            ),
        ),
        sources=(Source("zavatoneveth2023", "Eqs. (B.16), (B.65) to (B.70)"),),
        assumptions=FEATURES,
        status=Status.DERIVED,
    )
