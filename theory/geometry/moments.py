r"""Curvature of a wide layer through moments of the squared slope, for activations without closed form.

With :math:`m_k = E[\varphi'(z)^2 (z^2/v)^k]` and the density differentiated instead of the slope,

.. math:: \omega = m_0, \qquad \omega' = \frac{m_1 - m_0}{2 v}, \qquad \omega'' = \frac{m_2 - 6 m_1 + 3 m_0}{4 v^2}.

Where the pre-activations are large the slope of tanh is a narrow bump, and :math:`E[(\varphi'^2)'']` is a small
difference of large numbers, as are :math:`\omega + 2 s \omega'` and :math:`\omega \omega' - s \omega'^2 + s \omega
\omega''` of ``theory.geometry.curvature``. In the moments, with :math:`s = v - \zeta^2`, they are sums of terms of one
sign. At small variances it is the moments that cancel, and the derivatives of the slope are used.
"""

import sympy as sp

from theory.core import Premise, Step
from theory.core.formula.rounding import watched
from theory.core.formula.subexpressions import at_values
from theory.gaussian.integrals import xi
from theory.gaussian.moments import SLOPES, density_steps, m0, m1, m2
from theory.gaussian.symbols import variance as v
from theory.geometry.profile import Profile, s, w0, w1, w2
from theory.geometry.symbols import zeta

SMALL_VARIANCE = 1  # below it the derivatives of the slope are used

_change = watched(m1 - m0)
_radial = (zeta**2 * m0 + s * m1) / v  # omega + 2 s omega'
_bend = watched(
    m0 * m2 - m1**2 - 2 * m0 * m1 + zeta**2 / v * (m1**2 + 4 * m0 * m1 - 2 * m0**2 - m0 * m2)
) / (4 * v)
radial_moments = -s * _change * _bend / (v * m0**2 * _radial**2)
tangential_moments = -s * _change**2 / (4 * v**2 * m0**2 * _radial)


def moment_step(by_moments: sp.Expr, general: sp.Expr) -> Step:
    """Step from a sectional curvature in omega, omega' and omega'' to its form in the moments."""
    name = "radial" if general.has(w2) else "tangential"
    return Step(
        f"{name} planes by moments",
        sp.Subs(by_moments, s, v - zeta**2),
        at_values(general, (w0, w1, w2, s), (m0, *SLOPES, v - zeta**2)),
        because="omega' and omega'' from the density, s = v - zeta^2",
        uses=density_steps(2 if general.has(w2) else 1),
    )


def stated(profile: Profile) -> tuple[Premise, ...]:
    """Return the definitions of the moments of an activation whose squared slope is an integral."""
    return tuple(
        Premise(f"{moment} = E[phi'^2 (z^2/v)^{k}] over z = sqrt(v) xi", value)
        for k, (moment, value) in enumerate(moments_of(profile).items())
    )


def moments_of(profile: Profile) -> dict[sp.Symbol, sp.Expr]:
    """Return the three moments of an activation whose squared slope is an integral, as functions of the variance."""
    return {
        moment: profile.slope.replace(
            sp.Integral, lambda f, *limits, k=k: sp.Integral(xi ** (2 * k) * f, *limits)
        )
        for k, moment in enumerate((m0, m1, m2))
    }
