r"""Volume element of the metric that an infinitely wide layer induces on its inputs.

.. math:: \sqrt{\det g} = \sigma^d \omega^{(d-1)/2} \sqrt{\omega + 2 s\, \omega'}, \quad \omega(v) = E[\varphi'(z)^2],
    \quad v = s + \zeta^2, \quad s = \sigma^2 \|x\|^2

is the factor by which the layer magnifies volume at *x*. In many dimensions it overflows, and its logarithm does not,
so this module gives both. ``empirics.measure.log_volume_element`` measures it.
"""

import sympy as sp

from closedform.checks import MOST_LAYERS, integer
from closedform.subjects import load
from theory.activations import Activation
from theory.activations.naming import cached
from theory.core import Check, ClosedForm, Source, Status, Step, deferred
from theory.engine import rotational
from theory.gaussian.symbols import variance as v
from theory.geometry.metric import ACROSS, ALONG, metric_steps
from theory.geometry.profile import Profile, profile, require_metric
from theory.geometry.symbols import SIGMA, WIDE, ZETA, D, R, d, sigma, variance

LOGARITHM = ((d - 1) * sp.log(rotational.ACROSS) + sp.log(rotational.ALONG)) / 2


def determinant_step(general: sp.Expr) -> Step:
    """Step from the eigenvalues of any metric to the root of its determinant, or to the logarithm of that."""
    root = rotational.ROOT_STEP
    if general == rotational.ROOT:
        return root
    return Step("its logarithm", LOGARITHM, sp.log(rotational.ROOT), "of a product", uses=(root,))


def volume_step(general: sp.Expr) -> Step:
    """Step from the metric to the root of its determinant, or to the logarithm of that."""
    letters = (rotational.ACROSS, rotational.ALONG)
    return Step(
        "of the metric",
        general.xreplace(dict(zip(letters, (ACROSS, ALONG), strict=True))),
        sp.Subs(general, letters, (ACROSS, ALONG)),
        because="its eigenvalues",
        uses=(determinant_step(general), *metric_steps()),
    )


@cached(256)
def volume_element(act: Activation, depth: int = 1) -> ClosedForm:
    """Return ``sqrt(det g)`` of the NNGP metric, in d, r, sigma, zeta; in 1/input^d.

    In many dimensions its value is 0 where it underflows, and evaluation raises an error where it overflows; use
    ``log_volume_element`` there.

    Args:
        act: activation, such as ``theory.activations.ERF``.
        depth: number of hidden layers, at least 1; the metric is that of the last one. Default: 1.

    Raises:
        TypeError, ValueError: if the activation has a jump, so that the metric does not exist, or if the depth is not
            such an integer.

    Source: Zavatone-Veth et al. (2023), Eqs. (6) and (C.13).

    >>> from theory.activations import ERF
    >>> round(float(volume_element(ERF)(d=2, r=1, sigma=1, zeta=0.5)), 4)
    0.2228
    """
    if integer("depth", depth, 1, MOST_LAYERS) > 1:
        return load("theory.geometry.deep:deep_volume_element")(act, depth)
    act_profile = profile(act)
    if act_profile.stretch is None:
        expression = (
            (sigma**2 * act_profile.slope) ** ((d - 1) / 2) * sigma * sp.sqrt(act_profile.radial)
        )
    else:
        expression = (sigma**2 * act_profile.slope) ** (d / 2) * sp.sqrt(act_profile.stretch)
    meaning = f"Factor by which an infinitely wide {act.name} layer magnifies volume at an input."
    return _form(act, act_profile, "volume_element", meaning, expression, rotational.ROOT)


@cached(256)
def log_volume_element(act: Activation) -> ClosedForm:
    """Return the logarithm of ``sqrt(det g)``, which is finite in any dimension. Source: as ``volume_element``.

    Args:
        act: activation, such as ``theory.activations.ERF``.

    Returns:
        The closed form, of ``d``, ``r``, ``sigma`` and ``zeta``; dimensionless.

    Raises:
        ValueError: if the activation has a jump.

    >>> from theory.activations import ERF
    >>> round(float(log_volume_element(ERF)(d=784, r=1, sigma=1, zeta=0.5)), 2)
    -422.99
    """
    require_metric(act)
    act_profile = profile(act)
    expression = (
        (d - 1) * sp.log(sigma**2 * act_profile.slope) + sp.log(sigma**2 * act_profile.radial)
    ) / 2
    meaning = (
        f"Logarithm of the factor by which an infinitely wide {act.name} layer magnifies volume."
    )
    return _form(act, act_profile, "log_volume_element", meaning, expression, LOGARITHM)


def _form(
    act: Activation,
    act_profile: Profile,
    what: str,
    meaning: str,
    expression: sp.Expr,
    general: sp.Expr,
) -> ClosedForm:
    expression, assumed = expression.xreplace({v: variance}), (WIDE, act.definition)

    def derivation() -> tuple[Step | Check, ...]:
        step = volume_step(general)
        return act_profile.derivation(expression, step.left, what, step, assumed)

    return ClosedForm(
        name=f"geometry.{what}.{act.name}",
        meaning=meaning,
        arguments=(D, R, SIGMA, ZETA),
        expression=expression,
        status=Status.DERIVED,
        steps=deferred(derivation),
        sources=(Source("zavatoneveth2023", "Eqs. (6), (C.13)"),),
        assumptions=assumed,
    )
