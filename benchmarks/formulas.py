"""Rows of the table for ``theory`` and ``bridge``: curvature, kernel matrices, trajectories and fits."""

from __future__ import annotations

from collections.abc import Iterator

import geometry_deep_kernel_matrix as kernels
import numpy as np
import two_point_trajectory as trajectories
from scipy.optimize import least_squares
from side_by_side import Row, growth

import bridge
import theory
from theory import activations, geometry, two_point

GRID = np.stack(np.meshgrid(*[np.linspace(-1.5, 1.5, 40)] * 2), axis=-1).reshape(-1, 2)


def curvature_by_hand(weights, biases, x):
    """Return the curvature of an erf network at ``x`` ``[point, 2]`` from seven moments."""
    z = x @ weights.T + biases
    slope = np.sqrt(2 / np.pi) * np.exp(-z * z / 2)
    square = slope * slope
    w, v = weights.T
    e, f, h = (square @ np.stack([w * w, w * v, v * v], 1) / len(w)).T
    thirds = np.stack([w * w * w, w * w * v, w * v * v, v * v * v], 1)
    t0, t1, t2, t3 = ((square * z) @ thirds * (-2 / len(w))).T
    numerator = e * (t1 * t3 - t2 * t2) - f * (t0 * t3 - t1 * t2) + h * (t0 * t2 - t1 * t1)
    return -numerator / (2 * (e * h - f * f) ** 2)


def network(width, d=2):
    """Return weights ``[unit, d]`` and biases ``[unit]`` of a random network."""
    rng = np.random.default_rng(width)
    return rng.normal(size=(width, d)) / np.sqrt(d / 2), rng.normal(size=width)


def curvature_rows() -> Iterator[Row]:
    """Yield curvatures in two dimensions and in many."""
    for width in (20, 100, 500):
        weights, biases = network(width)
        yield Row(
            f"curvature, d = 2, 1600 points, width {width}",
            lambda w=weights, b=biases: geometry.shallow.scalar_curvature(w, b, GRID, activations.ERF),
            {"by hand, seven moments": lambda w=weights, b=biases: curvature_by_hand(w, b, GRID)},
            goal=1,
            tolerance=1e-9,
        )
    weights, biases = network(2000, 784)
    x = np.random.default_rng(0).normal(size=784)
    yield Row(
        "curvature, d = 784, width 2000, one point",
        lambda: geometry.shallow.scalar_curvature(weights, biases, x, activations.ERF),
        limit=0.25,
    )


def kernel_rows() -> Iterator[Row]:
    """Yield deep NNGP matrices of ReLU."""
    X = np.random.default_rng(0).normal(size=(kernels.INPUTS, kernels.DIMENSION))
    options = {"sigma": kernels.SIGMA, "zeta": kernels.ZETA}
    for depth in kernels.DEPTHS:
        yield Row(
            f"NNGP matrix of ReLU, N = {len(X)}, depth {depth}",
            lambda depth=depth: geometry.kernel_matrix(activations.RELU, X, depth=depth, **options),
            {
                "numpy by hand": lambda depth=depth: kernels.relu(X, depth),
                "numpy by hand, in place": lambda depth=depth: kernels.relu_in_place(X, depth),
            },
            goal=1.2,
            tolerance=1e-9,
        )


def trajectory_rows() -> Iterator[Row]:
    """Yield trajectories of the two-point theory, against the closed form by hand and against odeint."""
    for length in trajectories.LENGTHS:
        t = np.arange(float(length))
        for name, peer in (("by hand", trajectories.by_hand), ("odeint", trajectories.by_odeint)):
            yield Row(
                f"two-point trajectory, {length} points",
                lambda t=t: trajectories.closed_form(t),
                {name: lambda t=t, peer=peer: peer(t)},
                goal=trajectories.EXPECTED[name],
                tolerance=1e-6,
            )


def fit_row() -> Row:
    """Return the fit of two time constants to 6001 epochs, against plain least_squares on the same curves."""
    data = (trajectories.DX2, trajectories.TARGET2)
    t = np.arange(6001.0)
    clean = two_point.trajectory(t, *trajectories.INITIAL, trajectories.TAU_H, trajectories.TAU_Y, *data)
    noise = np.random.default_rng(0).normal(size=clean.shape)
    curves = clean + 0.01 * np.ptp(clean, axis=1)[:, None] * noise
    columns = dict(zip(("t", "dh2", "dy2", "w"), (t, *curves), strict=True))

    def by_hand():
        start = np.log([t[-1] / 5, t[-1] / 100])
        taus = least_squares(
            lambda logs: (two_point.trajectory(t, *trajectories.INITIAL, *np.exp(logs), *data) - curves).ravel(),
            start,
            x_scale="jac",
        ).x
        return np.exp(taus)

    def ours():
        fit = bridge.two_point.fit(columns, initial=trajectories.INITIAL, dx2=data[0], target2=data[1])
        return np.array([fit.tau_h, fit.tau_y])

    return Row(
        "fit of two time constants, 6001 epochs",
        ours,
        {"least_squares on our trajectory": by_hand},
        goal=1.2,
        tolerance=1e-4,
    )


def scaling_row() -> Row:
    """Return a scaling fit with an interval, for which no peer gives the same coverage."""
    x = np.geomspace(100, 10_000, 8)
    y = 3 * x**-0.5 + 0.05
    samples = y * (1 + 0.02 * np.random.default_rng(0).normal(size=(10, 8)))
    return Row("scaling fit with interval, 10 seeds", lambda: bridge.scaling.fit(x, samples.T), limit=0.03)


def point_rows() -> Iterator[Row]:
    """Yield a thousand evaluations of one closed form at one point."""
    form = theory.catalogue()["two_point.final_distance"]
    values = (0.02, 0.001, 440.0, 66.0, 1.0, 0.5)
    function = form.function("numpy")

    def thousand(call):
        for _ in range(1000):
            call(*values)

    yield Row("one closed form at 1000 single points", lambda: thousand(function), limit=0.01)


def rows() -> Iterator[Row]:
    """Yield all rows."""
    yield from curvature_rows()
    yield from kernel_rows()
    yield from trajectory_rows()
    yield fit_row()
    yield scaling_row()
    yield from point_rows()


def growths() -> Iterator[dict]:
    """Yield growth with the size over two decades."""

    def curvature(width):
        weights, biases = network(width)
        return lambda: geometry.shallow.scalar_curvature(weights, biases, GRID, activations.ERF)

    def kernel(inputs):
        X = np.random.default_rng(0).normal(size=(inputs, kernels.DIMENSION))
        return lambda: geometry.kernel_matrix(activations.RELU, X, sigma=kernels.SIGMA, zeta=kernels.ZETA)

    def trajectory(length):
        t = np.linspace(0, 6000, length)
        return lambda: trajectories.closed_form(t)

    yield growth("curvature, d = 2, 1600 points", "width", (20, 60, 200, 600, 2000), curvature)
    yield growth("NNGP matrix of ReLU", "N", (30, 100, 300, 1000, 3000), kernel)
    yield growth("two-point trajectory", "points", (3000, 10_000, 30_000, 100_000, 300_000), trajectory)
