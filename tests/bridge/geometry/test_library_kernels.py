"""Kernels for scikit-learn and GPyTorch: their libraries' own tests, exact derivatives, one posterior from both."""

import numpy as np
import pytest
import sklearn.gaussian_process.tests.test_kernels as own
import sympy as sp
import torch
from sklearn.gaussian_process import GaussianProcessRegressor

from bridge.geometry.sklearn_kernel import NNGPKernel, TangentKernel
from bridge.geometry.wide_kernel import WideNetwork
from theory.geometry import kernel_matrix
from theory.geometry.kernel_recursion import Recursion

KERNELS = [
    NNGPKernel(),
    NNGPKernel("erf", depth=3, sigma=1.3, zeta=0.4),
    NNGPKernel("z*erf(z)", zeta=0.0, zeta_bounds="fixed"),
    TangentKernel("relu", depth=2, sigma=1.4, xi=0.7),
    2.0 * TangentKernel("erf", zeta=0.3) + NNGPKernel("gelu"),
]
OWN_TESTS = [
    own.test_kernel_gradient, own.test_kernel_theta, own.test_auto_vs_cross, own.test_kernel_diag,
    own.test_kernel_input_type, own.test_kernel_clone, own.test_kernel_clone_after_set_params,
    own.test_kernel_versus_pairwise, own.test_set_get_params, own.test_repr_kernels,
]  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize("test", OWN_TESTS, ids=lambda test: test.__name__)
def test_of_scikit_learn(test, kernel):
    if test is own.test_kernel_theta and kernel not in KERNELS[:2]:
        pytest.skip(
            "it is written for at most two hyper-parameters, none of them fixed; see the next test"
        )
    test(kernel)


@pytest.mark.parametrize("fixed", ["sigma", "zeta", "xi"])
def test_a_fixed_scale_is_left_out_of_the_gradient(fixed):
    free = ["sigma", "xi", "zeta"]
    _, whole = TangentKernel("relu", depth=2)(own.X, eval_gradient=True)
    kernel = TangentKernel("relu", depth=2, **{f"{fixed}_bounds": "fixed"})
    _, part = kernel(own.X, eval_gradient=True)
    assert np.array_equal(part, np.delete(whole, free.index(fixed), axis=2))
    assert np.array_equal(kernel.theta, np.delete(TangentKernel().theta, free.index(fixed)))


def test_derivatives_of_the_arcsine_kernel_are_those_of_its_formula(rng):
    """E[erf erf] = 2/pi arcsin(c / sqrt((1 + v)(1 + w))) for erf(z/sqrt 2), differentiated by sympy."""
    sigma, zeta, xx, yy, xy = sp.symbols("sigma zeta xx yy xy")
    c, v, w = (sigma**2 * product + zeta**2 for product in (xy, xx, yy))
    kernel = 2 / sp.pi * sp.asin(c / sp.sqrt((1 + v) * (1 + w)))
    x = rng.standard_normal((4, 3))
    products = [
        x @ x.T,
        np.broadcast_to((x**2).sum(1)[:, None], (4, 4)),
        np.broadcast_to((x**2).sum(1), (4, 4)),
    ]
    for scale in (sigma, zeta):
        formula = sp.lambdify((sigma, zeta, xy, xx, yy), scale * sp.diff(kernel, scale))
        found = WideNetwork("erf").derivative(str(scale), x, sigma=1.2, zeta=0.5)
        assert found == pytest.approx(formula(1.2, 0.5, *products), rel=1e-10)


@pytest.mark.parametrize("depth", [1, 5])
def test_derivatives_of_a_homogeneous_kernel_are_its_degree(rng, depth):
    """Without biases, the NNGP kernel of ReLU is proportional to sigma to the power of twice the depth."""
    x = rng.standard_normal((5, 3))
    scales = {"sigma": 1.3, "zeta": 0.0}
    network = WideNetwork("relu", depth)
    assert network.derivative("sigma", x, **scales) == pytest.approx(
        2 * depth * network.matrix(x, **scales), rel=1e-9
    )


def test_the_readout_scale_is_linear_in_its_square(rng):
    x, y = rng.standard_normal((3, 2)), rng.standard_normal((4, 2))
    network, scales = WideNetwork("tanh", 1, "ntk"), {"sigma": 1.1, "zeta": 0.2}
    difference = network.matrix(x, y, xi=2.0, **scales) - network.matrix(x, y, xi=1.0, **scales)
    assert network.derivative("xi", x, y, xi=1.0, **scales) == pytest.approx(
        2 * difference / 3, rel=1e-9
    )


@pytest.fixture
def diagonals(monkeypatch):
    """The number of inputs of each recursion of a diagonal."""
    sizes, original = [], Recursion.diagonal
    monkeypatch.setattr(
        Recursion, "diagonal", lambda self, x: (sizes.append(len(x)), original(self, x))[1]
    )
    return sizes


def test_a_diagonal_takes_one_recursion(rng, diagonals):
    """Counted, not timed; the deviations of scikit-learn need no more than that and the kernel with the data."""
    x, new = rng.standard_normal((12, 2)), rng.standard_normal((300, 2))
    kernel = NNGPKernel("erf", depth=3, zeta=0.3)
    exact = np.diag(kernel(new))
    diagonals.clear()
    assert np.array_equal(kernel.diag(new), exact)
    assert diagonals == [300]
    process = GaussianProcessRegressor(kernel, alpha=0.1, optimizer=None).fit(x, np.cos(x[:, 0]))
    diagonals.clear()
    process.predict(new, return_std=True)
    assert sorted(diagonals) == [12, 300, 300]


@pytest.mark.parametrize(("kind", "with_gradients"), [("nngp", 1 + 6 + 6), ("ntk", 1 + 6 + 6 + 2)])
def test_diagonals_of_gpytorch_take_one_recursion(
    gpytorch_kernel, rng, diagonals, kind, with_gradients
):
    """A derivative in sigma or zeta is a difference of sixth order, that in xi is one of two."""
    x = torch.as_tensor(rng.standard_normal((2, 40, 3)))
    kernel = gpytorch_kernel.WideNetworkKernel("erf", 2, kind, zeta=0.4)
    exact = kernel(x).to_dense()
    whole = torch.autograd.grad(exact.diagonal(dim1=-2, dim2=-1).sum(), kernel.raw_zeta)
    diagonals.clear()
    found = kernel(x, diag=True)
    assert torch.equal(found, exact.diagonal(dim1=-2, dim2=-1))
    assert diagonals == [40, 40]
    assert torch.autograd.grad(found.sum(), kernel.raw_zeta)[0].item() == pytest.approx(
        whole[0].item(), rel=1e-12
    )
    assert diagonals == [40, 40] * with_gradients


def test_a_diagonal_of_pairs(rng):
    """Where a column is not its row, the entry is that of the matrix."""
    x, y = rng.standard_normal((2, 5, 3))
    y[1:4] = x[1:4]
    network, scales = WideNetwork("relu", 2, "ntk"), {"sigma": 1.1, "zeta": 0.2}
    assert network.diagonal(x, y, **scales) == pytest.approx(
        np.diag(network.matrix(x, y, **scales)), rel=1e-13
    )
    assert np.array_equal(
        network.diagonal(x, y, **scales)[1:4], network.diagonal(x, **scales)[1:4]
    )
    with pytest.raises(
        ValueError, match=r"columns: got the shape \(1, 3\), needs that of rows, \(5, 3\)"
    ):
        network.diagonal(x, y[:1], **scales)


def test_maximum_likelihood_finds_a_maximum(rng):
    """The gradient of the likelihood that scikit-learn computes vanishes, and its value has risen."""
    x = rng.standard_normal((25, 2))
    y = np.sin(x[:, 0]) + 0.1 * rng.standard_normal(25)
    process = GaussianProcessRegressor(NNGPKernel("relu", depth=2, sigma=0.1), alpha=0.01).fit(
        x, y
    )
    value, gradient = process.log_marginal_likelihood(process.kernel_.theta, eval_gradient=True)
    inside = np.abs(process.kernel_.theta - process.kernel_.bounds.T).min(axis=0) > 1e-3
    assert value > process.log_marginal_likelihood(NNGPKernel(sigma=0.1).theta) + 1
    assert np.abs(gradient[inside]).max() < 1e-2 * abs(value)


@pytest.fixture
def gpytorch_kernel():
    pytest.importorskip("gpytorch", reason="needs the extra gpytorch")
    from bridge.geometry import gpytorch_kernel

    return gpytorch_kernel


@pytest.mark.parametrize("kind", ["nngp", "ntk"])
def test_gpytorch_has_the_kernel_of_the_theory_and_its_gradients(gpytorch_kernel, rng, kind):
    from theory.activations import ERF

    x, y = (torch.as_tensor(rng.standard_normal(shape)) for shape in ((5, 3), (4, 3)))
    kernel = gpytorch_kernel.WideNetworkKernel("erf", 2, kind, sigma=1.3, zeta=0.4)
    exact = kernel_matrix(ERF, x, y, depth=2, kind=kind, sigma=1.3, zeta=0.4)
    assert torch.allclose(kernel(x, y).to_dense(), exact, rtol=1e-12)
    assert torch.allclose(kernel(x, x, diag=True), kernel(x).to_dense().diagonal(), rtol=1e-12)
    assert torch.allclose(kernel(x[None].expand(2, 5, 3), y).to_dense()[1], exact, rtol=1e-12)
    weights = torch.as_tensor(rng.standard_normal(exact.shape))
    raw = [getattr(kernel, f"raw_{name}") for name in kernel.names]
    gradients = torch.autograd.grad((weights * kernel(x, y).to_dense()).sum(), raw)
    for parameter, gradient in zip(raw, gradients, strict=True):
        values = []
        for step in (1e-4, -1e-4):
            with torch.no_grad():
                parameter += step
                values.append((weights * kernel(x, y).to_dense()).sum().item())
                parameter -= step
        assert gradient.item() == pytest.approx((values[0] - values[1]) / 2e-4, rel=1e-5)


def test_both_libraries_predict_the_same(gpytorch_kernel, rng):
    import gpytorch

    x, new = rng.standard_normal((12, 2)), rng.standard_normal((5, 2))
    y = np.cos(x[:, 0])
    process = GaussianProcessRegressor(
        NNGPKernel("relu", depth=2, zeta=0.3), alpha=0.1, optimizer=None
    ).fit(x, y)

    class Model(gpytorch.models.ExactGP):
        def __init__(self):
            likelihood = gpytorch.likelihoods.GaussianLikelihood().double()
            likelihood.noise = 0.1
            super().__init__(torch.as_tensor(x), torch.as_tensor(y), likelihood)
            self.mean_module = gpytorch.means.ZeroMean()
            self.covar_module = gpytorch_kernel.WideNetworkKernel("relu", 2, zeta=0.3)

        def forward(self, points):
            return gpytorch.distributions.MultivariateNormal(
                self.mean_module(points), self.covar_module(points)
            )

    model = Model().double().eval()
    with torch.no_grad():
        found = model(torch.as_tensor(new))
    mean, deviation = process.predict(new, return_std=True)
    assert found.mean.numpy() == pytest.approx(mean, rel=1e-6)
    assert found.stddev.numpy() == pytest.approx(deviation, rel=1e-4)


def test_bad_input(gpytorch_kernel, rng):
    x = rng.standard_normal((3, 2))
    with pytest.raises(ValueError, match="Y: got inputs together with eval_gradient"):
        NNGPKernel()(x, x, eval_gradient=True)
    with pytest.raises(ValueError, match="zeta: got 0"):
        gpytorch_kernel.WideNetworkKernel(zeta=0)
    kernel = gpytorch_kernel.WideNetworkKernel()
    with pytest.raises(ValueError, match="require a gradient"):
        kernel(torch.as_tensor(x).requires_grad_(), torch.as_tensor(x)).to_dense()
