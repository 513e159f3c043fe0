"""Rows of the table for ``theory`` and ``bridge``: curvature, kernel matrices, trajectories and fits."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

import geometry_deep_kernel_matrix as kernels
import numpy as np
import torch
import two_point_fit as fits
import two_point_trajectory as trajectories
from closed_forms import million_row
from scipy.optimize import least_squares
from side_by_side import Row

import bridge
from theory import activations, geometry, two_point

NOTES = {
    "erf": "Of 3 ms at depth 1, products of the inputs take 1.2 and the arcsine 0.7, as by hand. The limit of the "
    "processor for products is 1. Two loops over all take 0.3, the other half of the matrix 0.3, the search for "
    "equal and nearly parallel inputs, variances and factors 0.25, and the calls of 16 strips 0.2."
}
ROUNDED_ANGLE = 1e-6  # written by hand, the angle of an input with itself is the root of a rounding error, not 0
MANY = 20_000  # inputs of a large kernel matrix
NOISE = 0.1  # variance of the noise of a Gaussian process
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
            lambda w=weights, b=biases: geometry.shallow.scalar_curvature(
                w, b, GRID, activations.ERF
            ),
            {"by hand, seven moments": lambda w=weights, b=biases: curvature_by_hand(w, b, GRID)},
            goal=1,
            tolerance=1e-9,
            note="Every value has a proved bound on its error, with two moments more, and arguments are checked. Where "
            "the bound is too large, at 2 points for width 20 near a change of sign, moments are computed again in "
            "better coordinates. The rest are a hundred calls of numpy, which count in a small network.",
        )
    weights, biases = network(2000, 784)
    x = np.random.default_rng(0).normal(size=784)
    yield Row(
        "curvature, d = 784, width 2000, one point",
        lambda: geometry.shallow.scalar_curvature(weights, biases, x, activations.ERF),
        limit=0.25,
    )


def kernel_rows() -> Iterator[Row]:
    """Yield matrices of the NNGP kernel of ReLU and erf, and of the tangent kernel of ReLU."""
    X = np.random.default_rng(0).normal(size=(kernels.INPUTS, kernels.DIMENSION))
    options = {"sigma": kernels.SIGMA, "zeta": kernels.ZETA}
    for (name, kind), rivals in kernels.RIVALS.items():
        rivals, missing = dict(rivals), ()
        try:
            rivals["jax.jit"] = kernels.compiled(name, kind)
        except ImportError:
            missing = ("jax.jit",)
        act = activations.from_text(name)
        for depth in kernels.DEPTHS:
            yield Row(
                f"{kind.upper()} matrix of {name}, N = {len(X)}, depth {depth}",
                lambda act=act, depth=depth, kind=kind: geometry.kernel_matrix(
                    act, X, None, depth, kind, **options
                ),
                {
                    key: lambda rival=rival, depth=depth: rival(X, depth)
                    for key, rival in rivals.items()
                },
                goal=1.2,
                tolerance=ROUNDED_ANGLE if kind == "ntk" else 1e-9,
                missing=missing,
                note=NOTES.get(name, ""),
            )


def large_rows() -> Iterator[Row]:
    """Yield the NNGP kernel of ReLU for many inputs, also stored in float32, which the rival computes in, too."""
    strips = kernels.RIVALS["relu", "nngp"]["strips"]
    X = np.random.default_rng(0).normal(size=(MANY, kernels.DIMENSION))
    options = {"sigma": kernels.SIGMA, "zeta": kernels.ZETA}
    np.ones((MANY, MANY))  # memory that a machine hands out for the first time may take seconds
    for dtype in (np.float64, np.float32):
        yield Row(
            f"NNGP matrix of relu, N = {MANY}, depth 1, stored in {dtype.__name__}",
            lambda dtype=dtype: geometry.kernel_matrix("relu", X, dtype=dtype, **options),
            {f"strips, {dtype.__name__}": lambda dtype=dtype: strips(X.astype(dtype), 1)},
            goal=1.1,
            repeats=False,
            note="Ours is computed in float64 and rounded at last, since the angle of near inputs in float32 is a "
            "rounding error; the strips compute in float32." if dtype == np.float32 else "",
        )  # fmt: skip


def likelihood_by_hand(X, y):
    """Return the gradient of the log marginal likelihood in the logarithms of the scales of an erf kernel, by torch."""
    inputs, targets = torch.as_tensor(X), torch.as_tensor(y)
    logarithms = (
        torch.tensor([kernels.SIGMA, kernels.ZETA], dtype=torch.float64).log().requires_grad_()
    )
    weights, biases = (2 * logarithms).exp()
    root = (1 + weights * (inputs * inputs).sum(1) + biases).rsqrt()
    kernel = (
        2 / np.pi * torch.asin((weights * (inputs @ inputs.T) + biases) * (root[:, None] * root))
    )
    factor = torch.linalg.cholesky(kernel + NOISE * torch.eye(len(X), dtype=torch.float64))
    solved = torch.cholesky_solve(targets[:, None], factor)[:, 0]
    value = -targets @ solved / 2 - factor.diagonal().log().sum()
    return torch.autograd.grad(value, logarithms)[0].numpy()


def regression_rows() -> Iterator[Row]:
    """Yield the gradient of the marginal likelihood of a Gaussian process, as scikit-learn computes it."""
    from sklearn.gaussian_process import GaussianProcessRegressor

    from bridge.geometry.sklearn_kernel import NNGPKernel

    for count in (500, 1000):
        X = np.random.default_rng(0).normal(size=(count, 10))
        y = np.sin(X[:, 0])
        kernel = NNGPKernel("erf", sigma=kernels.SIGMA, zeta=kernels.ZETA)
        process = GaussianProcessRegressor(kernel, alpha=NOISE, optimizer=None).fit(X, y)
        theta = process.kernel_.theta
        yield Row(
            f"gradient of the marginal likelihood, erf kernel, N = {count}, by scikit-learn",
            lambda process=process, theta=theta: process.log_marginal_likelihood(
                theta, True, clone_kernel=False
            )[1],
            {"autograd of torch, by hand": lambda X=X, y=y: likelihood_by_hand(X, y)},
            goal=1,
            tolerance=1e-9,
        )


def diagonal_by_hand(X):
    """Return the kernel of an erf layer at each input and itself."""
    variances = kernels.SIGMA**2 * np.einsum("ni,ni->n", X, X) + kernels.ZETA**2
    return 2 / np.pi * np.arcsin(variances / (1 + variances))


def diagonal_rows() -> Iterator[Row]:
    """Yield the diagonal of a kernel, as scikit-learn asks for it."""
    from bridge.geometry.sklearn_kernel import NNGPKernel

    kernel = NNGPKernel("erf", sigma=kernels.SIGMA, zeta=kernels.ZETA)
    for count in (100, 1000, 10_000):
        X = np.random.default_rng(0).normal(size=(count, 10))
        yield Row(
            f"diagonal of an erf kernel, N = {count}, 100 times, by scikit-learn",
            lambda X=X: [kernel.diag(X) for _ in range(100)][-1],
            {"by hand": lambda X=X: [diagonal_by_hand(X) for _ in range(100)][-1]},
            goal=1,
            tolerance=1e-12,
            note="An arctangent with digits at large variances takes a root more than the arcsine; for few inputs, "
            "checks of inputs, variances and scales take as long as all of the alternative.",
        )


def trajectory_rows() -> Iterator[Row]:
    """Yield trajectories of the two-point theory, against the closed form by hand and against odeint."""
    peers = {"by hand": trajectories.by_hand, "odeint": trajectories.by_odeint}
    for length in trajectories.LENGTHS:
        t = np.arange(float(length))
        for name, goal in trajectories.EXPECTED.items():
            yield Row(
                f"two-point trajectory, {length} points, and {name}",
                lambda t=t: trajectories.closed_form(t),
                {name: lambda t=t, peer=peers[name]: peer(t)},
                goal=goal,
                tolerance=1e-6,
                note="Differences in twice the digits, provisions for degenerate states and checks are passes over the "
                "times that the formula by hand lacks.",
            )


def fit_rows() -> Iterator[Row]:
    """Yield the fit of two time constants to 6001 epochs, against least_squares on three kinds of curves."""
    data = (trajectories.DX2, trajectories.TARGET2)
    t = fits.EPOCHS
    clean = two_point.trajectory(
        t, *trajectories.INITIAL, trajectories.TAU_H, trajectories.TAU_Y, *data
    )
    noise = np.random.default_rng(0).normal(size=clean.shape)
    curves = clean + 0.01 * np.ptp(clean, axis=1)[:, None] * noise
    columns = dict(zip(("t", "dh2", "dy2", "w"), (t, *curves), strict=True))
    begin = np.log([t[-1] / 10, t[-1] / 100])

    def least(function):
        return np.exp(
            least_squares(
                lambda logs: (function(*np.exp(logs)) - curves).ravel(), begin, x_scale="jac"
            ).x
        )

    def ours():
        fit = bridge.two_point.fit(
            columns, initial=trajectories.INITIAL, dx2=data[0], target2=data[1]
        )
        return np.array([fit.tau_h, fit.tau_y])

    yield Row(
        "fit of two time constants, 6001 epochs",
        ours,
        {
            "least_squares, formula by hand": lambda: least(
                lambda h, y: trajectories.by_hand(t, h, y)
            ),
            "least_squares, our trajectory": lambda: least(
                lambda h, y: two_point.trajectory(t, *trajectories.INITIAL, h, y, *data)
            ),
            "least_squares, LSODA": lambda: fits.integrated_fit(curves, begin)[0],
        },
        limit=0.01,
        tolerance=1e-4,
        note="Before the search, ours compares the trace with the curves of a grid and 800 on other clocks, without "
        "which the fit of a late transition may end in another minimum; then it adds noise, errors and warnings.",
    )


def scaling_rows() -> Iterator[Row]:
    """Yield a scaling fit with an interval; lmfit's errors are those of the averages, without our coverage."""
    x = np.geomspace(100, 10_000, 8)
    samples = (3 * x**-0.5 + 0.05) * (1 + 0.02 * np.random.default_rng(0).normal(size=(10, 8)))
    peers, missing = {}, ("lmfit, covariance", "lmfit, conf_interval")
    if importlib.util.find_spec("lmfit"):
        import lmfit

        y, errors = samples.mean(axis=0), samples.std(axis=0, ddof=1) / np.sqrt(len(samples))
        model = lmfit.Model(lambda x, a, p, c: a * (x / x[0]) ** p + c)

        def covariance():
            return model.fit(y, x=x, weights=1 / errors, a=y[0], p=-0.5, c=0.0, scale_covar=False)

        peers = dict(
            zip(missing, (covariance, lambda: covariance().conf_interval(sigmas=[1])), strict=True)
        )
        missing = ()
    yield Row("scaling fit with interval, 10 seeds", lambda: bridge.scaling.fit(x, samples.T), peers, goal=1,
              missing=missing)  # fmt: skip


GROUPS = (curvature_rows, kernel_rows, large_rows, lambda: (million_row(),), regression_rows, diagonal_rows,
          trajectory_rows, fit_rows, scaling_rows)  # fmt: skip
