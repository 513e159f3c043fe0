"""The two-point system in many digits from its linear core: a Bernoulli equation for a vector, by eigenvalues.

In lengths a of the representation and b of the decoder (along the target difference and across it), k^2 = dx2/(tau_h
tau_y), a^2 = dh2/(tau_y k^2) and |b|^2 = tau_y dy2/dh2, the state z = (a, b) satisfies z' = M z - k^2/4 |z|^2 z with a
constant symmetric M. No formula of ``theory`` is used.
"""

from __future__ import annotations

import mpmath

# w fades to 1e-290 and is a difference here.
DIGITS = 700


def state(t, dh2_0, dy2_0, w_0, tau_h, tau_y, dx2, target2):
    """dh2, dy2, w and the squared error |dy - v|^2 at time t; numbers of mpmath."""
    with mpmath.workdps(DIGITS):
        t, dh2_0, dy2_0, w_0, tau_h, tau_y, dx2, target2 = (
            mpmath.mpf(x) for x in (t, dh2_0, dy2_0, w_0, tau_h, tau_y, dx2, target2)
        )
        k2, size = dx2 / (tau_h * tau_y), mpmath.sqrt(target2)
        k = mpmath.sqrt(k2)
        a = mpmath.sqrt(dh2_0 / (tau_y * k2))
        along = (dy2_0 - w_0) / size / (k * a)
        across2 = dy2_0 / (k * a) ** 2 - along**2
        level = k2 * (a**2 - along**2 - across2) / 4
        core = mpmath.matrix([[level, k * size / 2], [k * size / 2, -level]])
        values, vectors = mpmath.eigsy(core)
        parts = vectors.T * mpmath.matrix([a, along])
        grown = vectors * mpmath.matrix([mpmath.exp(values[i] * t) * parts[i] for i in range(2)])
        area = sum(
            parts[i] ** 2 * mpmath.expm1(2 * values[i] * t) / (2 * values[i]) for i in range(2)
        )
        faded = mpmath.expm1(-2 * level * t) / (-2 * level) if level else t
        shrink2 = 1 + k2 / 2 * (area + across2 * faded)
        a2, b2 = grown[0] ** 2 / shrink2, grown[1] ** 2 / shrink2
        across2 *= mpmath.exp(-2 * level * t) / shrink2
        dy2 = k2 * a2 * (b2 + across2)
        dot = k * size * grown[0] * grown[1] / shrink2
        return tau_y * k2 * a2, dy2, dy2 - dot, dy2 - 2 * dot + target2
