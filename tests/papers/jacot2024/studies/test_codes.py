"""Tests of what a code that surrounds the origin costs, by the theory, and of the study that follows it."""

from __future__ import annotations

import numpy as np
import pytest

from bridge.results import analyses
from empirics.experiments import leaky_resnet
from papers.jacot2024.quantities import MINIMAL_COST
from theory.leaky_resnet import cost_of_identity

CONFIG = leaky_resnet.Config(
    dimensions=(3, 1, 3), hidden=6, points=20, test_points=0, width=6, layers=5, depths=(2.0, 3.0), adam=40,
    polishing=10, seeds=2,
)  # fmt: skip


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize("scale", [0.01, 1.0, 30.0])
def test_the_cost_of_a_code_with_a_shift(rng, k, scale):
    """A = U z + m 1^T costs k + |m_perp|^2 / (1 + |m_perp|^2) with bias, where m_perp is outside the columns of U."""
    z = scale * rng.standard_normal((k, 40))
    inside = np.abs(z).max() + scale
    for outside in (0.0, scale):
        units = np.vstack([z + inside, np.full((1, 40), outside)])  # U is the first k unit vectors
        expected = k + outside**2 / (1 + outside**2)
        assert cost_of_identity(units, bias=True) == pytest.approx(expected, rel=1e-6)
        assert cost_of_identity(units, bias=False) == pytest.approx(k + (outside > 0), rel=1e-6)


def test_k_units_are_the_cheapest_and_simplices_cost_more(rng):
    """A signed code of k dimensions on k shifted units costs k, on k + 1 units around a simplex more than k."""
    k = 3
    z = rng.standard_normal((k, 60))
    corners = np.linalg.qr(np.hstack([np.ones((k + 1, 1)), rng.standard_normal((k + 1, k))])).Q[
        :, 1:
    ]
    around = corners @ z
    around -= around.min()
    assert cost_of_identity(z - z.min(), bias=True) == pytest.approx(k, rel=1e-9)
    mean_square = (k + 1) * (corners @ z).min() ** 2
    assert cost_of_identity(around, bias=True) == pytest.approx(
        k + mean_square / (1 + mean_square), rel=1e-6
    )
    assert cost_of_identity(around, bias=False) == pytest.approx(k + 1, rel=1e-6)


def test_the_study_compares_networks_with_bias(rng):
    traces = {
        name: leaky_resnet.run(CONFIG.changed(bias=bias, code=code), progress=False)
        for name, bias, code in (
            ("signed, with bias", True, "signed"),
            ("without", False, "nonnegative"),
        )
    }
    analysis = analyses.analyse("leaky-resnet-codes", traces)
    (compared,) = analysis.compared
    assert (compared.label, compared.quantity, compared.predicted) == (
        "signed, with bias, L̃ = 3",
        MINIMAL_COST,
        1,
    )
    costs = (
        traces["signed, with bias"]
        .stable_cost_of_identity.sel(depth=3.0)
        .isel(node=slice(None, -1))
        .min("node")
    )
    assert compared.value == pytest.approx(float(costs.mean()), rel=1e-5)
