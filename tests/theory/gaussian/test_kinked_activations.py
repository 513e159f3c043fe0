"""Tests of piecewise activations against quadrature on each piece by mpmath."""

from __future__ import annotations

import mpmath
import pytest
import sympy as sp

from theory import geometry
from theory.activations import from_expression, z

# name: (expression, kinks, slope written by hand)
PIECES = {
    "elu": (sp.Piecewise((z, z > 0), (sp.exp(z) - 1, True)), (0,), lambda u: 1 if u > 0 else mpmath.exp(u)),
    "hard_tanh": (sp.Max(-1, sp.Min(1, z)), (-1, 1), lambda u: int(abs(u) < 1)),
    "hard_swish": (
        z * sp.Max(0, sp.Min(6, z + 3)) / 6, (-3, 3), lambda u: int(u > 3) + int(abs(u) < 3) * (2 * u + 3) / 6
    ),
    "larger": (sp.Max(z, z**2), (0, 1), lambda u: 1 if 0 < u < 1 else 2 * u),
}  # fmt: skip
R, SIGMA, ZETA = 0.7, 1.1, 0.4
# The promise of integrals.
QUADRATURE = 1e-10


def planar(name: str) -> tuple[mpmath.mpf, mpmath.mpf]:
    """Volume element and curvature in three dimensions, with the density differentiated under the integral."""
    _, kinks, slope = PIECES[name]
    s, v = SIGMA**2 * R, SIGMA**2 * R + ZETA**2
    ends = [-mpmath.inf, *(kink / mpmath.sqrt(v) for kink in kinks), mpmath.inf]

    def mean(weight):
        return mpmath.quad(
            lambda u: slope(mpmath.sqrt(v) * u) ** 2 * weight(u) * mpmath.npdf(u), ends
        )

    omega = mean(lambda u: 1)
    first, second = (
        mean(lambda u: u**2 - 1) / (2 * v),
        mean(lambda u: u**4 - 6 * u**2 + 3) / (4 * v**2),
    )
    along = omega + 2 * s * first
    radial = (
        -2 * s * first * (omega * first - s * first**2 + s * omega * second) / (omega * along) ** 2
    )
    return SIGMA**3 * omega * mpmath.sqrt(along), 2 * (
        2 * radial - s * first**2 / (omega**2 * along)
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "name", [pytest.param(p, marks=[pytest.mark.slow] * (p == "hard_swish")) for p in PIECES]
)
def test_volume_and_curvature(name):
    expression, kinks, _ = PIECES[name]
    act = from_expression(expression, name=name)
    assert act.kinks == kinks
    volume, curvature = planar(name)
    assert geometry.volume_element(act)(3, R, SIGMA, ZETA) == pytest.approx(
        float(volume), rel=QUADRATURE
    )
    assert geometry.scalar_curvature(act)(3, R, SIGMA, ZETA) == pytest.approx(
        float(curvature), rel=10 * QUADRATURE
    )


def test_a_jump_between_pieces_is_refused():
    jumping = from_expression(sp.Piecewise((z + 1, z > 0), (sp.exp(z) - 1, True)), name="jumping")
    with pytest.raises(ValueError, match="jumps at 0"):
        geometry.volume_element(jumping)


@pytest.mark.parametrize("stepping", [sp.floor(z), z + sp.frac(z), sp.ceiling(sp.sin(z))])
def test_infinitely_many_kinks_are_refused(stepping):
    with pytest.raises(ValueError, match="finitely many kinks"):
        from_expression(stepping)


@pytest.mark.slow
def test_two_layers_of_hard_tanh():
    """The second moment has derivatives across the kinks too; by differences of a quadrature here."""
    act = from_expression(PIECES["hard_tanh"][0], name="hard_tanh")
    volume = geometry.deep_nngp(act, 2).volume_element(2, R, SIGMA, ZETA)

    def mean(function, v):
        return mpmath.quad(
            lambda u: function(mpmath.sqrt(v) * u) * mpmath.npdf(u),
            [-mpmath.inf, -1 / mpmath.sqrt(v), 1 / mpmath.sqrt(v), mpmath.inf],
        )

    def omega(v):
        return mean(lambda u: int(abs(u) < 1), v)

    def above(r):
        return SIGMA**2 * mean(lambda u: max(-1, min(1, u)) ** 2, SIGMA**2 * r + ZETA**2) + ZETA**2

    first, second = SIGMA**2 * R + ZETA**2, above(R)
    across, bend = SIGMA**2 * omega(first), 2 * mpmath.diff(omega, first) * SIGMA**4
    bend = (
        SIGMA**2 * omega(second) * bend
        + 2 * mpmath.diff(omega, second) * mpmath.diff(above, R) ** 2
    )
    across = SIGMA**2 * omega(second) * across
    # of the differences
    assert volume == pytest.approx(float(mpmath.sqrt(across * (across + R * bend))), rel=1e-8)
