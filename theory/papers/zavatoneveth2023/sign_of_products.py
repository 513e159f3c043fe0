r"""Where the factor 3 of Appendix A comes from: the two parts of the Riemann tensor, and the sign between them.

Metrics with symmetric derivatives are Hessians, so this is Appendix A in general.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import sympy as sp

from theory.core import Check, Step
from theory.papers.zavatoneveth2023 import christoffel, explicit_metrics
from theory.papers.zavatoneveth2023.jets import component, derivatives, products, quadratic
from theory.papers.zavatoneveth2023.network import close

QUARTER = sp.Rational(1, 4)
AT = ("1.5", "0.7")


def _ratio_of_signs(metric: christoffel.Metric, point: Sequence[str]) -> float:
    """Scalar curvature with the products of Christoffel symbols reversed, per the right one."""
    return christoffel.scalar(metric, point, sign=-1) / christoffel.scalar(metric, point)


@cache
def reversed_sign_triples() -> bool:
    """Whether metrics with symmetric derivatives have three times their curvature with the sign reversed."""
    network = explicit_metrics.erf_network(explicit_metrics.WEIGHTS, explicit_metrics.BIASES)
    wide = explicit_metrics.infinite_erf("1", "0.5", 3)
    return all(
        close(_ratio_of_signs(metric, point), 3)
        for metric, point in (
            (explicit_metrics.log_gamma_hessian, AT),
            (network, explicit_metrics.POINT),
            (wide, explicit_metrics.POINT),
        )
    )


@cache
def some_surfaces_do_not_show_it() -> bool:
    """A 2-sphere has the right curvature with either sign; a 3-sphere, a paraboloid and a bent plane do not."""
    at2, at3 = ("0.3", "-0.7"), ("0.3", "-0.7", "0.4")
    blind = close(_ratio_of_signs(explicit_metrics.sphere, at2), 1) and close(
        _ratio_of_signs(explicit_metrics.polar, at2), 1
    )
    seeing = [_ratio_of_signs(explicit_metrics.sphere, at3), _ratio_of_signs(explicit_metrics.paraboloid, at2)]
    plane_ = [abs(christoffel.scalar(explicit_metrics.bent_plane, at2, sign=sign)) for sign in (1, -1)]
    return blind and not any(close(ratio, 1, 0.1) for ratio in seeing) and plane_[0] < 1e-30 and plane_[1] > 1


def parts() -> tuple[Step | Check, ...]:
    """Both parts of the Riemann tensor of two inputs, and what the sign between them does."""
    return (
        Step(
            "derivatives of Christoffel symbols",
            component(derivatives),
            -2 * QUARTER * component(quadratic),
            because="fourth derivatives of the potential cancel",
        ),
        Step(
            "products of Christoffel symbols",
            component(products),
            QUARTER * component(quadratic),
            because="half the derivative of the metric, one index raised",
        ),
        Check("reversing the products triples the curvature", reversed_sign_triples, "definition of curvature"),
        Check("some surfaces do not show the sign", some_surfaces_do_not_show_it, "definition of curvature"),
    )
