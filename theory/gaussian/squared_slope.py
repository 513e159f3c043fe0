r""":math:`\omega(v) = E[\varphi'(z)^2]` for :math:`z \sim N(0, v)`, the mean squared slope of an activation.

The metric of an infinitely wide layer and its curvature follow from this function of the variance and its first two
derivatives.
"""

import itertools

import sympy as sp

from theory.activations import Activation, z
from theory.activations.kinks import branch
from theory.activations.naming import cached
from theory.core import ClosedForm, Premise, Status, Step, deferred, phi1
from theory.gaussian.atoms import derivative
from theory.gaussian.decomposition import atoms_of
from theory.gaussian.integrals import gaussian_mean, gaussian_mean_derivative, xi
from theory.gaussian.kernel_formula import require_continuous, slope_kernel_formula
from theory.gaussian.rules import State, product_mean
from theory.gaussian.symbols import MEAN, VARIANCE, covariance, variance, variance_x, variance_y

ASSUMPTION = "the pre-activation is Gaussian with mean zero"


@cached(256)
def squared_slope(act: Activation) -> ClosedForm:
    """Return ``E[phi'(z)^2]`` in ``variance``; dimensionless.

    Args:
        act: activation, such as ``theory.activations.ERF``.

    Returns:
        The closed form, of ``variance``.

    Raises:
        ValueError: if the activation has a jump, because its slope is then not square-integrable.

    >>> from theory.activations import ERF
    >>> squared_slope(ERF).expression
    2/(pi*sqrt(2*variance + 1))
    """
    require_continuous(act)
    atoms = atoms_of(act.expression)
    pair = None if atoms is None else slope_kernel_formula(act)
    if atoms is not None and pair is not None and not pair.expression.has(sp.Integral):
        slopes = derivative(atoms)
        expression = without_cancellation(
            product_mean(slopes, slopes, State(variance, variance, variance))
        )
        same = sp.Subs(
            pair.expression, (variance_x, variance_y, covariance), (variance, variance, variance)
        )
        steps = deferred(
            lambda: (
                Step(
                    "both pre-activations are the same",
                    expression,
                    same,
                    "z' = z",
                    uses=(pair, ASSUMPTION),
                ),
            )
        )
    else:
        expression = squared_slope_integral(act)
        steps = deferred(lambda: (_definition(act, expression),))
    return ClosedForm(
        name=f"gaussian.squared_slope.{act.name}",
        meaning=f"Expected squared slope of {act.name} at a Gaussian pre-activation.",
        arguments=(VARIANCE,),
        expression=expression,
        status=Status.DERIVED,
        steps=steps,
        assumptions=(ASSUMPTION,),
    )


def without_cancellation(expression: sp.Expr) -> sp.Expr:
    """Rewrite ``a - a exp(k v)`` as ``-a k v phi1(k v)``, which is accurate at small variance."""
    constant, rest = expression.as_independent(variance, as_Add=True)
    factor, decay = rest.as_independent(variance, as_Add=False)
    if isinstance(decay, sp.exp) and factor + constant == 0:
        return factor * decay.args[0] * phi1(decay.args[0])
    return expression


def squared_slope_integral(act: Activation, order: int = 0) -> sp.Expr:
    """Return the derivative of this order of ``E[phi'(z)^2]`` in the variance, by ``d/dv E[f] = E[f'']/2``."""
    square = act.derivative(1) ** 2
    if act.smooth:
        return gaussian_mean(
            Activation("square", square).derivative(2 * order) / 2**order, variance
        )
    return gaussian_mean_derivative(square, variance, act.kinks, order)


def _definition(act: Activation, expression: sp.Expr) -> Step:
    density = sp.exp(-(xi**2) / 2)
    ends = [end / sp.sqrt(variance) for end in (-sp.oo, *act.kinks, sp.oo)]
    slopes = [
        branch(act.derivative(1), z, piece)
        for piece in itertools.pairwise([-sp.oo, *act.kinks, sp.oo])
    ]
    pieces = sp.Add(
        *(
            sp.Integral(slope.subs(z, sp.sqrt(variance) * xi) ** 2 * density, (xi, low, high))
            for slope, low, high in zip(slopes, ends, ends[1:], strict=False)
            if slope != 0
        )
    )
    mean = Premise("z is a multiple of a standard Gaussian", pieces / sp.sqrt(2 * sp.pi))
    return Step(
        "E[phi'^2] over a standard Gaussian",
        expression,
        mean.expression,
        uses=(MEAN, mean, ASSUMPTION),
    )
