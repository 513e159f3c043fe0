"""What can be tested of Leaky ResNets, at one effective depth, or over those of the configuration for exponents."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import xarray as xr

from bridge.leaky_resnet import geodesics
from bridge.leaky_resnet.trace import CONVERGED, residual
from bridge.validity.prediction import Pair, Prediction
from bridge.validity.recorded import PlannedMap
from empirics.experiments.leaky_resnet.studies import CRITICAL, LINEAR
from papers.jacot2024 import quantities as q
from papers.jacot2024.studies import depths, networks, propositions, ranks
from papers.jacot2024.studies.rows import HALF

LESS = float(np.log(10))  # "much less", in a logarithm
CLOSE = 1e-3  # smallest relevant relative distance of a path from its closed form
BASE = replace(CRITICAL["smoke"], polish="gauss_newton", seeds=4)


def of_network(values: Callable[[xr.Dataset], Pair]) -> Callable[[xr.Dataset], Pair]:
    """Return a comparison of a trace at its largest effective depth, from one of what the studies measure."""

    def of_trace(trace: xr.Dataset) -> Pair:
        measured = networks.measured(trace)
        return values(measured.sel(depth=measured["depth"].values.max()))

    return of_trace


def critical(values: xr.DataArray, measured: xr.Dataset) -> xr.DataArray:
    """Return values of the networks that are at a critical point, NaN for the others."""
    return values.where(residual(measured) <= CONVERGED)


def exponent(quantity: str) -> Callable[[xr.Dataset], Pair]:
    """Return the comparison of an exponent in L̃ with 0."""
    return lambda trace: (0.0, depths.growth_exponents(trace)[quantity])


def linear_path(trace: xr.Dataset) -> Pair:
    """Return 0, and the largest relative distance of a path from the closed form between its ends."""
    return 0.0, geodesics(trace).networks["path_error"].max("size", skipna=False).values


def linear_weights(trace: xr.Dataset) -> Pair:
    """Return the squared weights of infinitely many layers, and those with the most layers of the configuration."""
    paths = geodesics(trace)
    assert paths.continuum is not None
    return paths.continuum, paths.networks["weight_norm"].isel(size=-1).values


def with_depth(config: Any, depth: float) -> Any:
    """Return networks whose ``depths`` are this effective depth alone."""
    return config.changed(depths=(float(depth),))


def _about(
    name: str, sentence: str, values: Callable[[xr.Dataset], Pair], quantity: str, resolution: float = HALF,
    **fields: Any,
) -> Prediction:  # fmt: skip
    settings: dict[str, Any] = {
        "base": BASE,
        "is_relative": False,
        "axes": {"depth": with_depth},
    } | fields
    compare = settings.pop("compare", None) or of_network(values)
    return Prediction(
        f"leaky_resnet.{name}",
        sentence,
        compare,
        resolution=resolution,
        quantity=quantity,
        **settings,
    )


CONSERVATION = _about(
    "conservation", "H varies along the layers at least ten times less than the larger of its parts.",
    lambda data: (LESS, np.log(data["ratio"].values)), q.RATIO, LESS / 2, relation=">",
    entries=("jacot2024 2.1 varies less",),
)  # fmt: skip
UPPER_BOUND = _about(
    "upper_bound", "−2H/L̃ lies below the least cost of identity plus the slack of Theorem 4.",
    lambda data: (data["upper"].values, data["difference"].values), "", relation="<",
    entries=("jacot2024 Theorem 4, Hamiltonian, upper bound",),
)  # fmt: skip
LOWER_BOUND = _about(
    "lower_bound", "−2H/L̃ lies above the lower bound of Theorem 4.",
    lambda data: (data["lower"].values, data["difference"].values), "", relation=">",
)  # fmt: skip
CRITICAL_RANK = _about(
    "critical_rank", "−2H/L̃ of critical networks is the inner dimension k* of the teacher.",
    lambda data: (data.attrs["inner_rank"], critical(data["rank"], data).values), q.CRITICAL_RANK,
)  # fmt: skip
DIRECTIONS = _about(
    "directions", "The middle layer keeps k* directions.", lambda data: (0.0, data["excess"].values),
    q.DIRECTIONS_BEYOND,
)  # fmt: skip
NEGATIVE_SHARE = _about(
    "negative_share", "The bottleneck has no negative entries (Propositions 2 and 5).",
    lambda data: (0.0, data["negative_share"].values), q.NEGATIVE_SHARE, propositions.NEGATIVE,
)  # fmt: skip
GROWTH = _about(
    "growth", "Squared weights grow along the layers by twice L̃ times the integral of the squared bias.",
    lambda data: (propositions.FACTOR, critical(data["growth_factor"], data).values), q.CRITICAL_GROWTH,
    propositions.NEGATIVE, is_relative=True, base=replace(BASE, depths=(1.0,)),
)  # fmt: skip
COST_BEYOND = _about(
    "cost_beyond", "Without bias, the least cost of identity is that of a non-negative representation.",
    lambda data: (0.0, ranks.cost_beyond(data).values), q.COST_BEYOND, base=replace(BASE, bias=False),
)  # fmt: skip
LENGTH = Prediction(
    "leaky_resnet.length", "The path does not become longer with the effective depth.", exponent(q.LENGTH_EXPONENT),
    replace(BASE, depths=(2.0, 4.0)), HALF, False, quantity=q.LENGTH_EXPONENT,
)  # fmt: skip
MOMENTA = Prediction(
    "leaky_resnet.momenta", "The largest momentum does not grow with the effective depth.",
    exponent(q.MOMENTUM_NORM_EXPONENT), replace(BASE, depths=(2.0, 4.0)), HALF, False,
    quantity=q.MOMENTUM_NORM_EXPONENT,
)  # fmt: skip
LINEAR_PATH = Prediction(
    "leaky_resnet.linear_path", "Each mode of a linear network is a straight line in the logarithm.", linear_path,
    LINEAR["smoke"], CLOSE, False, forms=("leaky_resnet.mode_path",),
)  # fmt: skip
LINEAR_WEIGHTS = Prediction(
    "leaky_resnet.linear_weights", "A linear network has the squared weights of infinitely many layers.",
    linear_weights, LINEAR["smoke"], quantity=q.SQUARED_WEIGHTS, forms=("leaky_resnet.mode_weight_norm",),
)  # fmt: skip
OVER = {"depth": (0.5, 16.0), "layers": (4, 32)}
# A first plan, with 160 networks, left 56 % of the places undecided.
CONSERVED = PlannedMap("leaky-resnet-conservation", CONSERVATION, OVER, 320, first_seed=2000)
BOUNDED = PlannedMap("leaky-resnet-upper-bound", UPPER_BOUND, OVER, 80)
