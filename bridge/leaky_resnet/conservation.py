r"""Conservation of the Hamiltonian along the layers, and Theorem 4 for trained networks.

:math:`-2H/\tilde L`, which should be close to the rank of a bottleneck, is the cost of identity minus the kinetic part
:math:`\|\partial_p A\|^2/\tilde L^2`. Only critical networks conserve H, and with finitely many layers only up to
:math:`O(1/L)`. The bounds of Theorem 4 are those of ``theory.leaky_resnet.rank_bounds``, which hold for every γ > 0.
Each layer combines :math:`A_{\ell-1}`, :math:`B_\ell` and the measured velocity; with this choice they hold in a
critical network without a discretisation error, and a violation shows by how much a network is not critical. They are
weak if the slack :math:`\gamma \|B\|^2` is not small compared with 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.leaky_resnet.trace import after, before, deviation, layers_of, residual, steps

if TYPE_CHECKING:
    import xarray as xr

BOUNDED = (
    "hamiltonian",
    "stable_kinetic_energy",
    "stable_cost_of_identity",
    "gamma",
    "momentum_norm",
)
ROUNDING = 1e-9  # relative violation of a bound that float64 rounding may cause

COLUMNS = ("hamiltonian", "stable_hamiltonian", "stable_kinetic_energy", "stable_cost_of_identity")


def conservation(trace: Any) -> xr.Dataset:
    r"""Measure how constant H is along the layers of every network.

    Args:
        trace: trace of ``empirics.experiments.leaky_resnet``, or result of :func:`bridge.leaky_resnet.of_state`, or a
            table (DataFrame, mapping of columns, CSV file) with the columns ``depth``, ``layer`` (from 1), ``position``
            (p after the layer), ``hamiltonian``, ``stable_hamiltonian``, ``stable_kinetic_energy`` (of the layer),
            ``stable_cost_of_identity`` (before it) and, if they are known, ``seed`` and ``residual`` (of the network).

    Returns:
        Dataset ``[depth, seed]``, dimensionless: ``rank`` (median over layers of -2H/L̃), ``stable_rank`` (of the
        stable one), ``rank_low`` and ``rank_high`` (smallest and largest), ``variation`` (standard deviation along p),
        ``stable_variation`` (of the stable one), ``kinetic_variation`` and ``cost_variation`` (of its two parts, with
        K + γ), ``ratio`` (the larger of these two over ``variation``), ``kinetic_share`` (mean kinetic part over mean
        cost), ``residual``.

    Raises:
        TypeError, ValueError: if ``trace`` is not a trace of Leaky ResNets, or an incomplete table.

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
    kinetic, cost = (
        -scale * layers["stable_kinetic_energy"],
        before(trace["stable_cost_of_identity"]),
    )
    parts = {"kinetic_variation": deviation(kinetic, rho), "cost_variation": deviation(cost, rho)}
    variation = deviation(rank, rho)
    larger = np.maximum(parts["kinetic_variation"], parts["cost_variation"])
    return xr.Dataset(
        {
            "rank": rank.median("layer", skipna=False),
            "stable_rank": stable.median("layer", skipna=False),
            "rank_low": rank.min("layer", skipna=False),
            "rank_high": rank.max("layer", skipna=False),
            "variation": variation,
            "stable_variation": deviation(stable, rho),
            **parts,
            "ratio": larger / variation,
            "kinetic_share": (rho * kinetic).sum("layer", skipna=False)
            / (rho * cost).sum("layer", skipna=False),
            "residual": residual(trace),
        }
    )


def rank_bounds(trace: Any) -> xr.Dataset:
    r"""Evaluate both chains of Theorem 4 for every network.

    Args:
        trace: trace of ``empirics.experiments.leaky_resnet``, or result of :func:`bridge.leaky_resnet.of_state`, or a
            table (DataFrame, mapping of columns, CSV file) with the columns ``depth``, ``layer`` (from 1), ``position``
            (p after the layer), ``hamiltonian``, ``stable_kinetic_energy`` (of the layer), ``stable_cost_of_identity``,
            ``gamma`` (before it), ``momentum_norm`` (after it) and, if they are known, ``seed`` and ``residual`` (of
            the network).

    Returns:
        Dataset, dimensionless: ``[depth, seed]`` ``gap`` (largest over layers of -2H/L̃ minus the stable cost of
        identity) with its ``lower`` and ``upper`` bound; ``minimal_cost`` (smallest stable cost of identity),
        ``slack`` (the largest γ‖B‖²), ``length`` (mean speed), ``chain_holds``, ``speed_holds`` (fraction of layers
        whose speed lies within its bounds), ``residual``; ``[depth, seed, layer]`` ``position``, ``speed``,
        ``speed_lower``, ``speed_upper``, ``extra``.

    Raises:
        TypeError, ValueError: if ``trace`` is not a trace of Leaky ResNets, or an incomplete table.

    Source: Theorem 4 of the paper, in the form that holds (``theory.leaky_resnet.bounds``).

    >>> from empirics.experiments import leaky_resnet
    >>> config = leaky_resnet.Config(dimensions=(4, 2, 4), layers=4, points=8, width=4, seeds=1, adam=20, polishing=2)
    >>> rank_bounds(leaky_resnet.run(config, progress=False))["chain_holds"].shape
    (1, 1)
    """
    import xarray as xr

    from theory.leaky_resnet import chains

    trace = layers_of(trace, BOUNDED)
    rho = steps(trace)
    depth = trace["depth"]
    rate = (
        (-2 / depth * trace["hamiltonian"])
        .drop_vars("layer", errors="ignore")
        .transpose("depth", "seed", "layer")
    )
    cost = before(trace["stable_cost_of_identity"])
    kinetic = trace["stable_kinetic_energy"].drop_vars("layer", errors="ignore")
    speed = ((2 * kinetic / depth) ** 0.5).transpose("depth", "seed", "layer")
    slack = before(trace["gamma"]) ** 0.5 * after(trace["momentum_norm"])
    shape = rate.shape
    lines = {name: np.full(shape, np.nan) for name in ("extra", "speed_lower", "speed_upper")}
    single = {
        name: np.full(shape[:2], np.nan)
        for name in ("gap", "lower", "upper", "length", "slack", "minimal_cost")
    }
    for index in np.ndindex(*shape[:2]):
        taken = [np.asarray(array.values[index]) for array in (rate, cost, speed, slack, rho)]
        if not all(np.isfinite(array).all() for array in taken):
            continue  # a network that diverged
        chain = chains(taken[0], taken[1], taken[2], taken[3], taken[4] / taken[4].sum())
        for name, values in lines.items():
            values[index] = getattr(chain, name)
        for name in ("gap", "lower", "upper", "length"):
            single[name][index] = getattr(chain, name)
        single["slack"][index] = chain.upper
        single["minimal_cost"][index] = chain.cost.min()
    room = ROUNDING * np.abs(cost.values).max()
    holds = (single["lower"] - room <= single["gap"]) & (single["gap"] <= single["upper"] + room)
    within = (lines["speed_lower"] - room <= speed.values) & (
        speed.values <= lines["speed_upper"] + room
    )
    is_known = np.isfinite(single["gap"])
    layered = ("depth", "seed", "layer")
    return xr.Dataset(
        {
            **{name: (("depth", "seed"), values) for name, values in single.items()},
            "chain_holds": (("depth", "seed"), np.where(is_known, holds, np.nan)),
            "speed_holds": (("depth", "seed"), np.where(is_known, within.mean(-1), np.nan)),
            "residual": residual(trace),
            "position": (layered, (after(trace["position"]) - rho / 2).values),
            "speed": (layered, speed.values),
            **{name: (layered, values) for name, values in lines.items()},
        },
        {"depth": trace["depth"], "seed": trace["seed"]},
    )
