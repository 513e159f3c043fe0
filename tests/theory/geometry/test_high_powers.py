"""Tests of all families of an activation with high powers, whose expectations are long polynomials or integrals."""

from __future__ import annotations

import pytest
import sympy as sp

from theory.core.facade.family import Family
from theory.geometry import families

ROUNDING = 1e-12  # of float64, times the power
OF_ACTIVATION = [
    name for name, family in vars(families).items()
    if isinstance(family, Family) and family.parameters[0].name == "activation"
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("text", ["z**500", "(z+1)**1000", "z**200*tanh(z)"])
@pytest.mark.parametrize("name", OF_ACTIVATION)
def test_families_of_very_high_powers_are_integrals(name, text):
    family = getattr(families, name)
    form = family(text, *((2,) if family.parameters[-1] is families.LAST_DEPTH else ()))
    assert form.expression.has(sp.Integral)
    assert form.name in str(form)


def test_the_volume_element_of_a_high_power_by_hand():
    """E[phi'^2] is q^2 (2q - 3)!! v^(q - 1), of which the metric is sigma^2 in the plane and its slope along x."""
    q, (d, r, sigma, zeta) = 64, (2, 0.7, 0.9, 0.3)
    v = sigma**2 * r + zeta**2
    square = q**2 * float(sp.factorial2(2 * q - 3)) * v ** (q - 1)
    across = sigma**2 * square
    along = across + 2 * sigma**4 * r * (q - 1) * square / v
    assert families.volume_element(f"z**{q}")(d, r, sigma, zeta) == pytest.approx(
        (across * along) ** 0.5, rel=ROUNDING
    )
