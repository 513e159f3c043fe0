r"""Comparison of small trained networks with geodesics from closed forms and direct solutions, and their order in 1/L.

No reference uses the network's weights. The closed form, for linear networks: ``theory.leaky_resnet.mode_fits`` gives
the squared weights of infinitely many layers from the targets alone; between the network's own end points, the straight
line in :math:`\log s` gives the path, and the discrete mode the weights, both exactly. For any network: the direct
solution with the same layer rule, up to the tolerance of the solver, and the one at midpoints, which is of second order
and replaces the continuum.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge import arguments
from bridge.plots.result import Result
from bridge.statistics.arrays import Array

if TYPE_CHECKING:
    import xarray as xr

NEEDED = (
    "weight_norm",
    "path",
    "action",
    "midpoint_action",
    "distance",
    "slope",
    "midpoint_slope",
    "residual",
)
TURNED = 1e-6  # relative asymmetry of the map from input to output above which the closed form does not apply
# eigenvalue of that map, relative to the largest one, below which the map is singular
SINGULAR = 1e-12
CRITICAL = 1e-6  # residual above which a small network has not converged
SETTLED = 1e-4  # residual below which an action, which errs by its square, has enough digits for an order


@dataclass(frozen=True, repr=False)
class Geodesics(Result):
    """The comparison of small networks with geodesics.

    Attributes:
        networks: Dataset ``[size, seed]``: ``weight_norm``, ``residual``; ``action_error`` (relative difference between
            the actions of the network and of the direct solution), ``distance`` (largest relative difference of their
            paths), ``slope`` (residual of the direct solution); for linear networks also ``path_error`` (largest
            relative difference from the closed form of the path between the network's own end points) and ``own_error``
            (relative difference of the squared weights from their discrete closed form), which are NaN for others.
        settled: whether the networks of a seed, and the direct solutions at midpoints if they are the reference, are
            critical at every number of layers, ``[seed]``. Orders and extrapolations are those of these seeds, and NaN
            without any.
        error: quantity that vanishes like 1/L, ``[size]``, mean over settled seeds: squared weights minus those of the
            continuum for linear networks, otherwise the action minus that at midpoints.
        orders: exponents p of ``error`` ~ 1/L^p between consecutive numbers of layers, ``[size - 1]``.
        continuum: squared weights of infinitely many layers from the targets alone; None for ReLU networks.
        extrapolated: the same quantity extrapolated from the networks to first order, with its error, the difference
            between the extrapolations from the two largest sizes and from the two before; None if ``continuum`` is
            None or there are fewer than three sizes.
    """

    networks: xr.Dataset = field(repr=False)
    settled: Array
    error: Array
    orders: Array
    continuum: float | None
    extrapolated: tuple[float, float] | None

    @property
    def order(self) -> tuple[float, float]:
        r"""Order of infinitely many layers and its error; the order between two sizes and NaN, if there are only two.

        An error :math:`L^{-p} (1 + b/L)` has between two sizes the order :math:`p - b\,\Delta(1/L)/\Delta(\log L)`. The
        line through the orders between the last sizes gives p; its error is its distance from that of the sizes before,
        or with three sizes from the last of the orders.
        """
        if self.orders.size < 2:
            return float(self.orders[-1]), np.nan
        sizes = self.networks["size"].values
        h = -np.diff(1 / sizes) / np.diff(np.log(sizes))
        limits = (self.orders[1:] * h[:-1] - self.orders[:-1] * h[1:]) / (h[:-1] - h[1:])
        before = limits[-2] if limits.size > 1 else self.orders[-1]
        return float(limits[-1]), float(abs(limits[-1] - before))


def geodesics(trace: xr.Dataset) -> Geodesics:
    """Compare the networks of a trace with closed forms and direct solutions.

    It needs a trace, since it compares whole paths, a matrix for every layer.

    Args:
        trace: trace of ``empirics.experiments.leaky_resnet.geodesics``.

    Raises:
        TypeError: if it is not a Dataset.
        ValueError: if it is the trace of another experiment, or has only one number of layers.

    >>> from empirics.experiments.leaky_resnet.geodesics import Config, run
    >>> config = Config(layers=(4, 5), adam=10, polishing=20, solving=30, seeds=1)
    >>> geodesics(run(config, progress=False)).orders.shape
    (1,)
    """
    import xarray as xr

    trace = arguments.dataset(
        trace, "the experiment leaky_resnet.geodesics", NEEDED, ("size", "seed")
    )
    trace = trace.transpose("size", "seed", ...).sortby("size")
    sizes = trace["size"].values
    if sizes.size < 2:
        raise ValueError(
            f"trace: has networks with {sizes.size} number of layers, needs at least two for an order"
        )
    depth, linear = float(trace.attrs["depth"]), bool(trace.attrs["linear"])
    norm = trace["weight_norm"]
    action = norm / (2 * depth)
    networks = xr.Dataset(
        {
            "weight_norm": norm,
            "residual": trace["residual"],
            "action_error": abs(action / trace["action"] - 1),
            "distance": trace["distance"],
            "slope": trace["slope"],
            "path_error": norm * np.nan,
            "own_error": norm * np.nan,
        }
    )
    continuum = _continuum(trace) if linear else None
    if linear:
        for size, layers in enumerate(sizes):
            for seed in range(trace.sizes["seed"]):
                path = trace["path"].values[size, seed, : layers + 1]
                networks["path_error"][size, seed], networks["own_error"][size, seed] = _closed(
                    path, depth, float(norm[size, seed])
                )
        assert continuum is not None
        off = norm - continuum
    else:
        off = action - trace["midpoint_action"]
    compared = ("residual",) if linear else ("residual", "midpoint_slope")
    settled = np.all(
        [trace[name].max("size", skipna=False).values <= SETTLED for name in compared], axis=0
    )
    error = np.abs(off.isel(seed=settled).mean("seed").values)
    with np.errstate(divide="ignore", invalid="ignore"):
        orders = -np.diff(np.log(error)) / np.diff(np.log(sizes))
    limit = None
    if continuum is not None and sizes.size > 2:
        mean = norm.isel(seed=settled).mean("seed").values
        ends = np.diff(sizes * mean) / np.diff(sizes)
        limit = (float(ends[-1]), float(abs(ends[-1] - ends[-2])))
    return Geodesics(networks, settled, error, np.asarray(orders), continuum, limit)


def _continuum(trace: xr.Dataset) -> float:
    """Return the squared weights of an optimal linear network with infinitely many layers, from the targets alone."""
    from theory.leaky_resnet import linear_geodesic, mode_fits

    config = arguments.attribute(trace, "config")
    depth, decay, points = (float(config[name]) for name in ("depth", "decay", "points"))
    start = np.sqrt(points)  # every singular value of the inputs, which are white
    total = 0.0
    for target in config["targets"]:
        best = mode_fits(start * target, start, depth, decay, int(points)).best
        total += float(linear_geodesic(start, best, depth, [1.0]).weight_norm)
    return total


def _closed(path: Array, depth: float, norm: float) -> tuple[float, float]:
    """Return relative errors of a path ``[node, unit, point]`` and its squared weights, against closed forms."""
    from theory.leaky_resnet import discrete_geodesic, symmetric_geodesic

    if not np.isfinite(path).all():
        return np.nan, np.nan
    layers = len(path) - 1
    whole: Any = path[-1] @ np.linalg.pinv(path[0])
    eigenvalues = np.linalg.eigvalsh((whole + whole.T) / 2)
    if (
        np.abs(whole - whole.T).max() > TURNED * np.abs(whole).max()
        or eigenvalues[0] <= SINGULAR * eigenvalues[-1]
    ):
        return np.nan, np.nan  # the path rotates, so the network is at another critical point
    exact = symmetric_geodesic(
        path[0], (whole + whole.T) / 2, depth, np.arange(layers + 1) / layers
    ).path
    squared = sum(float(discrete_geodesic(1.0, s, depth, layers).weight_norm) for s in eigenvalues)
    return float(np.abs(path - exact).max() / np.abs(exact).max()), abs(norm / squared - 1)
