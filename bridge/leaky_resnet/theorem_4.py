r"""Theorem 4 for trained networks: bounds on the distance of :math:`-2H/\tilde L` from the smallest cost of identity.

The bounds are those of ``theory.leaky_resnet.rank_bounds``, which hold for every γ > 0. Each layer combines
:math:`A_{\ell-1}`, :math:`B_\ell` and the measured velocity; with this choice the bounds hold in a critical network
without a discretisation error. A violation shows that the network is not critical, and its size shows by how much.

The bounds are weak if the slack :math:`\gamma \|B\|^2`, returned as ``slack``, is not small compared with 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.leaky_resnet.trace import after, before, layers_of, residual, steps

if TYPE_CHECKING:
    import xarray as xr

COLUMNS = ("hamiltonian", "stable_kinetic_energy", "stable_cost_of_identity", "gamma", "momentum_norm")
ROUNDING = 1e-9  # relative violation of a bound that float64 rounding may cause


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
        TypeError, ValueError: if ``trace`` is not a trace of Leaky ResNets, or a table lacks a column or a row, has a
            row twice or a number that is not finite.

    Source: Theorem 4 of the paper, in the form that holds (``theory.leaky_resnet.bounds``).

    >>> from empirics.experiments import leaky_resnet
    >>> config = leaky_resnet.Config(dimensions=(4, 2, 4), layers=4, points=8, width=4, seeds=1, adam=20, polishing=2)
    >>> rank_bounds(leaky_resnet.run(config, progress=False))["chain_holds"].shape
    (1, 1)
    """
    import xarray as xr

    from theory.leaky_resnet import chains

    trace = layers_of(trace, COLUMNS)
    rho = steps(trace)
    depth = trace["depth"]
    rate = (-2 / depth * trace["hamiltonian"]).drop_vars("layer", errors="ignore").transpose("depth", "seed", "layer")
    cost = before(trace["stable_cost_of_identity"])
    kinetic = trace["stable_kinetic_energy"].drop_vars("layer", errors="ignore")
    speed = ((2 * kinetic / depth) ** 0.5).transpose("depth", "seed", "layer")
    slack = before(trace["gamma"]) ** 0.5 * after(trace["momentum_norm"])
    shape = rate.shape
    lines = {name: np.full(shape, np.nan) for name in ("extra", "speed_lower", "speed_upper")}
    single = {name: np.full(shape[:2], np.nan) for name in ("gap", "lower", "upper", "length", "slack", "minimal_cost")}
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
    within = (lines["speed_lower"] - room <= speed.values) & (speed.values <= lines["speed_upper"] + room)
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
