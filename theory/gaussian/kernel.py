r""":math:`E[\varphi(z) \varphi(z')]` and :math:`E[\varphi'(z) \varphi'(z')]` over two Gaussian pre-activations.

The first is the kernel of an infinitely wide layer (the NNGP kernel); the tangent kernel also needs the second. Both
are closed forms where ``theory.gaussian.rules`` applies, and double integrals otherwise.
"""

from __future__ import annotations

import sympy as sp

from theory.activations import Activation, z
from theory.activations.cached import cached
from theory.activations.kinks import one_sided
from theory.core import ClosedForm, Status, Step, deferred
from theory.core.proof.premises import ends
from theory.gaussian.atoms import Atoms, derivative
from theory.gaussian.decomposition import atoms_of
from theory.gaussian.exponential_pairs import without_difference
from theory.gaussian.integrals import definition, gaussian_pair_mean
from theory.gaussian.price_steps import PAIR_STATE, derivatives_to_polynomials, kernel_steps
from theory.gaussian.rules import NotClosed, product_mean
from theory.gaussian.symbols import CAUCHY_SCHWARZ, PAIR, covariance, variance_x, variance_y

ASSUMPTION = "the two pre-activations are jointly Gaussian with mean zero"


@cached(256)
def kernel(act: Activation) -> ClosedForm:
    """Return ``E[phi(z) phi(z')]`` in variance_x, variance_y, covariance; dimensionless.

    Args:
        act: the activation; ``theory.activations`` has the usual ones.

    >>> from theory.activations import RELU
    >>> round(float(kernel(RELU)(variance_x=1, variance_y=1, covariance=0.5)), 4)
    0.3045
    """
    meaning = f"Expected product of {act.name} at two Gaussian pre-activations."
    return _form(f"gaussian.kernel.{act.name}", meaning, atoms_of(act.expression), act.expression, act.kinks)


@cached(256)
def slope_kernel(act: Activation) -> ClosedForm:
    """Return ``E[phi'(z) phi'(z')]`` in variance_x, variance_y, covariance; dimensionless.

    Raises:
        ValueError: if the activation has a jump, because its slope is then not square-integrable.

    >>> from theory.activations import RELU
    >>> round(float(slope_kernel(RELU)(variance_x=1, variance_y=1, covariance=0)), 4)
    0.25
    """
    require_continuous(act)
    atoms = atoms_of(act.expression)
    meaning = f"Expected product of the slopes of {act.name} at two Gaussian pre-activations."
    slopes = None if atoms is None else derivative(atoms)
    return _form(f"gaussian.slope_kernel.{act.name}", meaning, slopes, act.derivative(1), act.kinks)


def require_continuous(act: Activation) -> None:
    """Raise ValueError if the activation is discontinuous at one of its kinks."""
    ends = [-sp.oo, *act.kinks, sp.oo]
    for low, kink, high in zip(ends, ends[1:], ends[2:], strict=False):
        below, above = (one_sided(act.expression, z, side, kink) for side in ((low, kink), (kink, high)))
        if sp.simplify(below - above) != 0:
            raise ValueError(f"act: {act.name} jumps at {kink}, so its slope has no second moment")


def closed(atoms: Atoms | None) -> sp.Expr | None:
    """Return ``E[f(z) f(z')]`` by the rules, or None if they give no closed form."""
    if atoms is None:
        return None
    try:
        derivatives_to_polynomials(atoms)
        return product_mean(atoms, atoms, PAIR_STATE)
    except NotClosed:
        return None


def _steps(atoms: Atoms, expression: sp.Expr, found: sp.Expr) -> tuple[Step, ...]:
    """Return the derivation of ``found``, and the step to a formula without differences of exponentials if it had."""
    steps = kernel_steps(atoms, found)
    if expression == found:
        return steps
    because = "e^p - e^q = e^p (1 - e^(q-p))"
    return (*steps, Step("differences of exponentials", expression, found, because, uses=ends(steps)))


def _form(name: str, meaning: str, atoms: Atoms | None, function: sp.Expr, kinks: tuple[sp.Expr, ...]) -> ClosedForm:
    found = closed(atoms)
    if atoms is not None and found is not None:
        expression = without_difference(found)
        steps = deferred(lambda: _steps(atoms, expression, found))
    else:
        variances = variance_x, variance_y
        expression = gaussian_pair_mean(function, function, variances, covariance, (kinks, kinks))
        steps = deferred(lambda: (definition(expression, function, function, variances, covariance),))
    return ClosedForm(
        name=name,
        meaning=meaning,
        arguments=PAIR,
        expression=expression,
        status=Status.DERIVED,
        steps=steps,
        assumptions=(ASSUMPTION,),
        conditions=(CAUCHY_SCHWARZ,),
    )
