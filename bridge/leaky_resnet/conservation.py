r"""Conservation of the Hamiltonian along the layers, and the variation of its two parts.

All quantities are dimensionless: :math:`-2H/\tilde L`, which should be close to the rank of a bottleneck, is the cost
of identity minus the kinetic part :math:`\|\partial_p A\|^2/\tilde L^2`. Only critical networks conserve H, and with
finitely many layers only up to :math:`O(1/L)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.leaky_resnet.trace import before, deviation, layers_of, residual, steps

if TYPE_CHECKING:
    import xarray as xr

COLUMNS = ("hamiltonian", "stable_hamiltonian", "stable_kinetic_energy", "stable_cost_of_identity")


def conservation(trace: Any) -> xr.Dataset:
    r"""Measure how constant H is along the layers of every network.

    Args:
        trace: trace of ``empirics.experiments.leaky_resnet``, or result of :func:`bridge.leaky_resnet.of_state`, or a
            table (DataFrame, mapping of columns, CSV file) with the columns ``depth``, ``layer`` (from 1), ``position``
            (p after the layer), ``hamiltonian``, ``stable_hamiltonian``, ``stable_kinetic_energy`` (of the layer),
            ``stable_cost_of_identity`` (before it) and, if they are known, ``seed`` and ``residual`` (of the network).

    Returns:
        Dataset ``[depth, seed]``, dimensionless: ``rank`` (median over layers of -2H/L̃), ``rank_low`` and
        ``rank_high`` (smallest and largest), ``variation`` (standard deviation of -2H/L̃ along p),
        ``stable_variation`` (of the stable one), ``kinetic_variation`` and ``cost_variation`` (of its two parts, with
        K + γ), ``ratio`` (the larger of these two over ``variation``), ``kinetic_share`` (mean kinetic part over mean
        cost), ``residual``.

    Raises:
        TypeError, ValueError: if ``trace`` is not a trace of Leaky ResNets, or a table lacks a column or a row, has a
            row twice or a number that is not finite.

    Source: Sections 1.5 and 2.1, Figures 1a and 1c.

    >>> from empirics.experiments import leaky_resnet
    >>> config = leaky_resnet.Config(dimensions=(4, 2, 4), layers=4, points=8, width=4, seeds=1, adam=20, polishing=2)
    >>> conservation(leaky_resnet.run(config, progress=False))["variation"].shape
    (1, 1)
    """
    import xarray as xr

    trace = layers_of(trace, COLUMNS)
    depth, rho = trace["depth"], steps(trace)
    scale = -2 / depth
    layers: dict[str, Any] = {
        name: trace[name].drop_vars("layer", errors="ignore")
        for name in ("hamiltonian", "stable_hamiltonian", "stable_kinetic_energy")
    }
    rank, stable = scale * layers["hamiltonian"], scale * layers["stable_hamiltonian"]
    kinetic, cost = -scale * layers["stable_kinetic_energy"], before(trace["stable_cost_of_identity"])
    parts = {"kinetic_variation": deviation(kinetic, rho), "cost_variation": deviation(cost, rho)}
    variation = deviation(rank, rho)
    larger = np.maximum(parts["kinetic_variation"], parts["cost_variation"])
    return xr.Dataset(
        {
            "rank": rank.median("layer", skipna=False),
            "rank_low": rank.min("layer", skipna=False),
            "rank_high": rank.max("layer", skipna=False),
            "variation": variation,
            "stable_variation": deviation(stable, rho),
            **parts,
            "ratio": larger / variation,
            "kinetic_share": (rho * kinetic).sum("layer", skipna=False) / (rho * cost).sum("layer", skipna=False),
            "residual": residual(trace),
        }
    )
