r"""The smallest network with curvature: three erf units with weights at 120 degrees on the unit circle and one bias.

.. math:: \det g = \frac{e^{-S}}{3\pi^2} \sum_a e^{z_a^2}, \qquad
    S = \sum_a z_a^2 = \tfrac32 \|x\|^2 + 3 b^2

and the curvature changes sign on the circle :math:`\|x\| = 2|b|`: positive inside, negative outside. A network of two
units is a change of coordinates, and hence flat. The paper's Eq. (B.70) is three times the curvature.
"""

from functools import cache

import sympy as sp

from theory.core import Argument, ClosedForm, Premise, Source, Status, Step, applied
from theory.core.proof.premises import with_lemmas
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
LETTERS = (*derivation.weight_matrix(3, 2), *derivation.slopes(3))
"""Letters of weights and slopes of three units."""
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


def _meant(unit: int, *indices: int) -> sp.Expr:
    """Return what a unit adds to the derivative of the metric, by the rule of all units."""
    z = sp.Symbol("z", real=True)
    slope = sp.sqrt(2 / sp.pi) * sp.exp(-(z**2) / 2)
    bend = sp.Subs(sp.Derivative(slope, z), z, preactivations[unit])
    values = (slopes[unit], bend, *(WEIGHTS[unit, index] for index in indices))
    return sp.Subs(derivation.UNIT_TENSOR, derivation.UNIT_LETTERS, values) / 3


@cache
def three_unit_volume_element() -> ClosedForm:
    """Return the volume element of the network of three units, in 1/input^2. Source: Eq. (B.68).

    >>> round(float(three_unit_volume_element()(x1=0.5, x2=0, bias=0)), 4)
    0.2815
    """
    expansion = derivation.expansion(3, 2)
    squared = Step(
        "the squared volume element; the minors are all sqrt(3)/2 in size",
        sp.Subs(expansion.right, LETTERS, (*WEIGHTS, *slopes)),
        _determinant,
        because="phi'(z)^2 = 2/pi exp(-z^2); a pair of units leaves the bump of the third out",
        uses=(expansion, *FEATURES),
    )
    last = applied(
        "the volume element is its root",
        _determinant,
        SQUARE,
        {_root: volume_expression},
        because="it is positive",
        uses=(squared,),
    )
    return ClosedForm(
        name="geometry.three_unit_volume_element",
        meaning="Factor by which three erf units at 120 degrees magnify areas.",
        arguments=ARGUMENTS,
        expression=volume_expression,
        steps=with_lemmas((last,)),
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
    metric = derivation.metric(WEIGHTS, slopes)
    its_metric = applied(
        "its metric",
        metric,
        derivation.METRIC,
        dict(zip(LETTERS, (*WEIGHTS, *slopes), strict=True)),
        because="the weights and slopes of the three units",
        uses=FEATURES,
    )
    triples = [(0, 0, 0), (0, 0, 1), (0, 1, 1), (1, 1, 1)]
    its_derivatives = Step(
        "and the derivatives of its metric",
        sp.Matrix([_tensor(*triple) for triple in triples]),
        sp.Matrix([sp.Add(*(_meant(unit, *triple) for unit in range(3))) for triple in triples]),
        because="phi'' = -z phi'",
        uses=(derivation.SYMMETRY,),
    )
    entries = {derivation.symmetric("g", i, j): metric[i, j] for i in axes for j in axes}
    entries |= {derivation.symmetric("T", *triple): _tensor(*triple) for triple in triples}
    last = Step(
        "the network of three units",
        sp.Subs(derivation.GENERAL.right, tuple(entries), tuple(entries.values())),
        curvature_expression,
        because="the products of two pre-activations sum to ((3 b)^2 - S)/2",
        uses=(derivation.GENERAL, its_metric, its_derivatives),
    )
    return ClosedForm(
        name="geometry.three_unit_curvature",
        meaning="Scalar curvature of the metric of three erf units at 120 degrees.",
        arguments=ARGUMENTS,
        expression=curvature_expression,
        steps=with_lemmas((last,)),
        sources=(Source("zavatoneveth2023", "Eqs. (B.16), (B.65) to (B.70)"),),
        assumptions=FEATURES,
        status=Status.DERIVED,
    )
