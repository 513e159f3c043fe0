"""The metric that a wide network induces on its inputs, its volume element and its curvature."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import sympy as sp

from closedform import networks
from closedform.checks import instance
from theory.core import ClosedForm, Step
from theory.core.formula.cancelling import is_compensable
from theory.core.formula.rounding import compensated, watched
from theory.engine import rotational, rules
from theory.engine.inputs import D, R, d, r
from theory.engine.levels import Place, definitions_of, require_own_symbols
from theory.engine.metric_levels import Geometry, above


class Metric(NamedTuple):
    """The eigenvalues of the metric above a wide network, in 1/input^2, as closed forms of ``r`` and its symbols."""

    radial: ClosedForm
    """Along x, simple."""
    tangential: ClosedForm
    """Across x, (d - 1)-fold."""


def metric(net: networks.Network, name: str = "engine.metric") -> Metric:
    """Return the metric of the features above a wide network, by its two eigenvalues.

    Args:
        net: a network of dense layers, activations, norms, sums and products.
        name: dotted name, to which "radial" and "tangential" are added. Default: "engine.metric".

    Returns:
        Closed forms of ``r`` = |x|^2 and the symbols of the network; each level is a step.

    Raises:
        TypeError: if ``net`` is no network.
        ValueError: if its kernel is not a function of inner products, or an activation jumps.

    >>> from theory.engine import Act, Dense, metric
    >>> round(float(metric(Dense(1, "1/4") >> Act("erf")).tangential(r=1)), 4)
    0.3403
    """
    made = _of_input(net)
    whole = _metric(made)
    radial = (rotational.radial_step(whole),) if whole.b != 0 else ()
    return Metric(
        _form(
            f"{name}.radial",
            f"Radial eigenvalue of the metric above {net}.",
            made,
            whole.radial,
            net,
            radial,
        ),
        _form(
            f"{name}.tangential",
            f"Tangential eigenvalue of the metric above {net}.",
            made,
            whole.a,
            net,
        ),
    )


def volume(net: networks.Network, name: str = "engine.volume_element") -> ClosedForm:
    """Return the volume element ``sqrt(det g)`` above a wide network; in 1/input^d.

    Args:
        net, name: as for :func:`metric`, with the name "engine.volume_element".

    Returns:
        The closed form, of ``d``, ``r`` and the symbols of the network.

    Raises:
        TypeError, ValueError: as :func:`metric`.
        ValueError: if the features are the same along each ray from the origin, as above a norm without biases.

    >>> from theory.engine import Act, Dense, volume
    >>> round(float(volume(Dense(1, "1/4") >> Act("erf"))(d=2, r=1)), 4)
    0.2228
    """
    made = _of_input(net)
    whole = _metric(made)
    _require_radial(net, made, whole)
    result = whole.volume_element(d)
    letters, values = (rotational.ACROSS, rotational.ALONG), (whole.a, whole.radial)
    root = Step(
        "root of its determinant",
        result,
        sp.Subs(rotational.ROOT, letters, values),
        because="the eigenvalues a and a + r b",
        uses=(rotational.ROOT_STEP,),
    )
    return _form(name, f"Factor by which {net} magnifies volume.", made, result, net, (root,))


def curvature(net: networks.Network, name: str = "engine.scalar_curvature") -> ClosedForm:
    """Return the Ricci scalar of the metric above a wide network, dimensionless; spheres are positive.

    Args:
        net, name: as for :func:`metric`, with the name "engine.scalar_curvature".

    Returns:
        The closed form, of ``d``, ``r`` and the symbols of the network.

    Raises:
        TypeError, ValueError: as :func:`volume`.

    >>> from theory.engine import Act, Dense, curvature
    >>> round(float(curvature(Dense(1, "1/4") >> Act("erf"))(d=2, r=1)), 4)
    -2.239
    """
    made = _of_input(net)
    planes = _metric(made)
    _require_radial(net, made, planes)
    radial, tangential = map(_watched, (planes.radial_curvature, planes.tangential_curvature))
    result = (d - 1) * (2 * radial + (d - 2) * tangential)
    letters = (rotational.RADIAL_PLANE, rotational.TANGENTIAL_PLANE)
    both = Step(
        "sum over the planes",
        result,
        sp.Subs(rotational.SECTIONAL.expression, letters, (radial, tangential)),
        because="both kinds of planes",
        uses=(*rotational.curvature_steps(), rotational.SECTIONAL),
    )
    return _form(name, f"Ricci scalar of the metric above {net}.", made, result, net, (both,))


def _watched(plane: sp.Expr) -> sp.Expr:
    """Return a curvature whose numerator, a difference, is watched where its digits cancel."""
    over, under = sp.fraction(plane)
    return watched(over) / under


def _metric(made: Geometry) -> rotational.RotationalMetric:
    """Return the metric, whose radial eigenvalue is watched where its digits cancel."""
    _, _, _, a, a1, a2, b, b1 = made.jet
    whole = rotational.RotationalMetric(a, b, a1, a2, b1, r)
    return replace(whole, along=watched(whole.radial))


def _require_radial(
    net: networks.Network, made: Geometry, whole: rotational.RotationalMetric
) -> None:
    """Raise ValueError if the features are the same along each ray from the origin, as above a norm without biases."""
    has_norm = any(isinstance(part, networks.Norm) for part in networks.every(net))
    if has_norm and made.levels.formula(whole.radial).doit(integrals=False) == 0:
        raise ValueError(
            f"net: got {net}, whose features are the same along each ray from the origin, so that its volume element "
            "is 0 and there is no curvature; needs biases below its norm, or no norm"
        )


def _of_input(net: Any) -> Geometry:
    """Return the metric above a network on inputs, whose own metric is that of space."""
    instance("net", net, networks.Network, "a network")
    require_own_symbols(net, (D, R))
    if networks.needs_gaussian(net):
        raise ValueError(
            f"net: got {net} above inputs, which are not Gaussian, needs a Dense first"
        )
    jet = (r, 1, 0, 1, 0, 0, 0, 0)
    return above(net, Geometry(tuple(map(sp.sympify, jet))), Place())


def _form(
    name: str,
    meaning: str,
    made: Geometry,
    result: sp.Expr,
    net: networks.Network,
    rests: tuple[Step, ...] = (),
) -> ClosedForm:
    """Return the closed form of a function of the metric above all levels, in pairs of floats where these suffice."""
    formula = made.levels.formula(result)
    return made.levels.form(
        name,
        meaning,
        result,
        (D, R),
        (rules.WIDE, *definitions_of(net)),
        expression=compensated(formula) if is_compensable(formula) else formula,
        rests=rests,
    )
