"""The names of all closed forms as parameters of tests, of which those that take long are slow tests."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest

import theory
from theory.core import ClosedForm
from theory.core.proof import certificates

NAMES = sorted(theory.catalogue())
# Formulas of two layers, of two inputs or of all weights, each of which takes a second to build and to translate.
# Shorter members of the same families are fast: `kernel_spread.relu_2`, `pair_covariance_xy_xy.relu_1`.
LONG = {
    "finite_width.kernel_spread.sin_2",
    "finite_width.pair_covariance_xx_xy.sin_2",
    "finite_width.pair_covariance_xx_yy.sin_1",
    "finite_width.pair_shift_xy.sin_2",
    "finite_width.tangent_shift.sin_2",
    "finite_width.tangent_spread.relu_3",
    "finite_width.tangent_spread.sin_2",
}


def first_of_its_family(name: str) -> bool:
    """Whether no other member that is listed shares the derivation of this one and comes before it."""
    family = [other for other in NAMES if other.startswith(f"{name.rpartition('.')[0]}.")]
    return name.count(".") == 1 or name == min(set(family) - LONG, default=name)


def cited() -> list[ClosedForm]:
    """The closed forms on which those of the catalogue rest and that it does not list itself."""
    return list(certificates.cited(theory.catalogue().values()))


MEMBERS = LONG | {name for name in NAMES if not first_of_its_family(name)}


def forms(slow: Collection[str] = LONG) -> list[Any]:
    """All names of the catalogue, of which the tests of those in ``slow`` are slow."""
    assert set(slow) <= set(NAMES), "a name of a slow form that is not in the catalogue"
    return [pytest.param(name, marks=[pytest.mark.slow] * (name in slow)) for name in NAMES]
