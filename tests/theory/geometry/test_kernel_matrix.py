"""Tests of kernel matrices of deep wide networks against quadrature, recursions written by hand and finite networks."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy.special import erf

from closedform import loops
from tests.marks import slow
from tests.oracles.gaussian_expectations import FUNCTIONS, pair_mean, single_mean
from tests.theory.closed_activations import CLOSED
from theory import activations, geometry
from theory.geometry import recursion_matrices

SIGMA, ZETA, XI = 0.7, 0.4, 1.3
SCALES = {"sigma": SIGMA, "zeta": ZETA}
ROUNDING = 1e-13  # of numbers of order one after a few layers
ORACLE = 1e-9  # of the composite quadrature
EVERY = (*CLOSED, activations.monomial(1))
STANDARD_ERRORS = 5  # one entry in a million is refused by chance
SLOPES = {
    "erf": lambda z: np.sqrt(2 / np.pi) * np.exp(-(z**2) / 2),
    "gelu": lambda z: (1 + erf(z / np.sqrt(2))) / 2 + z * np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi),
    "relu": lambda z: (z > 0).astype(float),
    "tanh": lambda z: 1 / np.cosh(z) ** 2,
}


@pytest.fixture(params=["numpy", "numba"])
def way(request, monkeypatch):
    """Compute all matrices by numpy, or those of textbook layers by loops, however small they are."""
    if request.param == "numba" and not loops.is_installed():
        pytest.skip("needs numba, the extra fast")
    monkeypatch.setattr(recursion_matrices, "FEWEST", 0 if request.param == "numba" else np.inf)
    return request.param


@pytest.fixture
def inputs(rng):
    return rng.normal(size=(7, 3))


def by_quadrature(name, x, y, depth):
    """Both kernels of two inputs after each layer, with every expectation by quadrature of functions written by hand.

    For each depth up to this one the kernel and the tangent kernel of the network that ends there: [depth, kind].
    """
    function, slope = FUNCTIONS[name], SLOPES[name]
    xx, yy, xy, tangent = x @ x, y @ y, x @ y, 1 + x @ y
    kernels = []
    for _ in range(depth):
        v, w, c = (SIGMA**2 * k + ZETA**2 for k in (xx, yy, xy))
        xx, yy = (single_mean(lambda z: function(z) ** 2, u) for u in (v, w))
        xy, slopes = pair_mean(function, function, v, w, c), pair_mean(slope, slope, v, w, c)
        kernels.append((xy, xy + XI**2 * slopes * tangent))
        tangent = xy + 1 + SIGMA**2 * slopes * tangent
    return kernels


@pytest.mark.parametrize("name", ["erf", *slow("gelu", "relu")])
def test_against_quadrature_layer_by_layer(name, inputs):
    act = activations.from_text(name)
    expected = np.empty((2, 2, 2, 2))
    for i, j in np.ndindex(2, 2):
        expected[i, j] = by_quadrature(name, inputs[i], inputs[3 + j], 2)
    for depth in (1, 2):
        for index, kind in enumerate(("nngp", "ntk")):
            matrix = geometry.kernel_matrix(
                act, inputs[:2], inputs[3:5], depth, kind, **SCALES, xi=XI
            )
            np.testing.assert_allclose(matrix, expected[:, :, depth - 1, index], rtol=ORACLE)


def test_an_activation_without_a_closed_form(inputs):
    _, expected = by_quadrature("tanh", *inputs[:2], 2)
    for kind, value in zip(("nngp", "ntk"), expected, strict=True):
        matrix = geometry.kernel_matrix(
            activations.TANH, inputs[:2], None, 2, kind, **SCALES, xi=XI
        )
        assert matrix[0, 1] == matrix[1, 0] == pytest.approx(value, rel=ORACLE)
        near = geometry.kernel_matrix(
            activations.TANH, inputs[:1], inputs[:1] * (1 + 1e-9), 2, kind, **SCALES, xi=XI
        )
        assert matrix[0, 0] == pytest.approx(near[0, 0], rel=1e-7)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("act", EVERY, ids=lambda act: act.name)
def test_one_layer_agrees_with_the_catalogue(act, inputs):
    xy = inputs @ inputs.T
    squared = np.diag(xy)
    products = squared[:, None], squared, xy
    kernel = geometry.nngp_kernel(act)(*products, SIGMA, ZETA)
    tangent = kernel + XI**2 * geometry.slope_kernel(act)(*products, SIGMA, ZETA) * (1 + xy)
    off_diagonal = ~np.eye(len(inputs), dtype=bool)
    for kind, expected in (("nngp", kernel), ("ntk", tangent)):
        matrix = geometry.kernel_matrix(act, inputs, kind=kind, **SCALES, xi=XI)
        scale = np.abs(expected).max()
        np.testing.assert_allclose(
            matrix[off_diagonal], expected[off_diagonal], atol=10 * ROUNDING * scale, rtol=0
        )
        # the catalogue's correlation rounds
        np.testing.assert_allclose(np.diag(matrix), np.diag(expected), rtol=1e-7)


def means_by_hand(name, v, w, c):
    """E[phi phi] and E[phi' phi'] of covariances: Williams (1997) of erf(z / sqrt 2), Cho and Saul (2009) of ReLU."""
    if name == "erf":
        both = (1 + v) * (1 + w)
        return 2 / np.pi * np.arcsin(c / np.sqrt(both)), 2 / np.pi / np.sqrt(both - c**2)
    norms = np.sqrt(v * w)
    angle = np.arccos(np.clip(c / norms, -1, 1))
    kernel = norms * (np.sin(angle) + (np.pi - angle) * np.cos(angle)) / (2 * np.pi)
    return kernel, (np.pi - angle) / (2 * np.pi)


def matrices_by_hand(name, X, Y, depth, sigma, zeta, xi, is_scaled=False):
    """Both kernels by the known recursions on whole matrices; scaled, the tangent kernel of Jacot et al. (2018)."""
    xx, yy, xy = (X**2).sum(1)[:, None], (Y**2).sum(1)[None], X @ Y.T
    tangent = sigma**2 * xy + zeta**2 if is_scaled else 1 + xy
    for level in range(1, depth + 1):
        v, w, c = (sigma**2 * kernel + zeta**2 for kernel in (xx, yy, xy))
        xx, yy = means_by_hand(name, v, v, v)[0], means_by_hand(name, w, w, w)[0]
        xy, slopes = means_by_hand(name, v, w, c)
        if level == depth:
            return xy, xi**2 * (
                slopes * tangent + xy
            ) if is_scaled else xi**2 * slopes * tangent + xy
        own = sigma**2 * xy + zeta**2 if is_scaled else xy + 1
        tangent = own + sigma**2 * slopes * tangent
    raise AssertionError


@pytest.mark.sampled(2)
@pytest.mark.parametrize("depth", [10, 2, 1])
@pytest.mark.parametrize("name", ["relu", "erf"])
def test_the_known_recursions_on_several_tiles(name, depth, rng):
    X = rng.normal(size=(233, 5))
    by_hand = matrices_by_hand(name, X, X, depth, SIGMA, ZETA, XI)
    for kind, expected in zip(("nngp", "ntk"), by_hand, strict=True):
        matrix = geometry.kernel_matrix(
            activations.from_text(name), X, None, depth, kind, **SCALES, xi=XI
        )
        # An angle near 0 or pi has half the digits of its cosine.
        np.testing.assert_allclose(
            matrix, expected, rtol=1e-7 if name == "relu" else 100 * ROUNDING
        )
        assert np.median(np.abs(matrix / expected - 1)) < ROUNDING
        assert (matrix == matrix.T).all()
        assert np.linalg.eigvalsh(matrix)[0] > -ROUNDING * np.trace(matrix)
        np.testing.assert_allclose(
            geometry.kernel_matrix(
                activations.from_text(name), X[:150], X[120:], depth, kind, **SCALES, xi=XI
            ),
            matrix[:150, 120:],
            rtol=100 * ROUNDING,
        )


def test_the_tangent_kernel_of_finite_networks(rng):
    width, networks = 600, 60
    X = rng.normal(size=(3, 4))
    samples = np.array([finite_tangent_kernel(X, width, rng) for _ in range(networks)])
    error = samples.std(0) / np.sqrt(networks)
    expected = geometry.kernel_matrix(activations.ERF, X, None, 2, "ntk", **SCALES, xi=XI)
    assert (
        np.abs(samples.mean(0) - expected) < STANDARD_ERRORS * error + np.abs(expected) / width
    ).all()
    assert (STANDARD_ERRORS * error < 0.1 * np.abs(expected) + 0.1).all()


def finite_tangent_kernel(X, width, rng):
    """Inner products of the gradients of one network with two hidden layers of erf(z / sqrt 2)."""
    W1, b1 = SIGMA * rng.normal(size=(width, X.shape[1])), ZETA * rng.normal(size=width)
    W2, b2 = SIGMA * rng.normal(size=(width, width)), ZETA * rng.normal(size=width)
    v = XI * rng.normal(size=width)
    z1 = X @ W1.T + b1
    h1 = erf(z1 / np.sqrt(2))
    z2 = h1 @ W2.T / np.sqrt(width) + b2
    h2 = erf(z2 / np.sqrt(2))
    back2 = v * SLOPES["erf"](z2) / np.sqrt(width)
    back1 = back2 @ W2 / np.sqrt(width) * SLOPES["erf"](z1)
    return (
        h2 @ h2.T / width
        + back2 @ back2.T * (1 + h1 @ h1.T / width)
        + back1 @ back1.T * (1 + X @ X.T)
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", ["nngp", "ntk"])
@pytest.mark.parametrize("act", EVERY, ids=lambda act: act.name)
def test_equal_opposite_parallel_and_zero_inputs(act, kind):
    x = np.array([0.3, -1.1, 0.7])
    X = np.array([x, x, -x, 2 * x, 0 * x, -0.0 * x])
    for zeta in (0, 0.3):
        matrix = geometry.kernel_matrix(act, X, None, 2, kind, sigma=0.5, zeta=zeta)
        assert (matrix == matrix.T).all()
        assert matrix[0, 1] == matrix[0, 0] == matrix[1, 1]
        assert matrix[4, 5] == matrix[4, 4] == matrix[5, 5]
        # correlations are +-1, see above
        assert np.linalg.eigvalsh(matrix)[0] > -1e-7 * np.trace(matrix)
    bare = geometry.kernel_matrix(act, X, X[4:], sigma=0.5)[:, 0]
    assert np.allclose(
        bare, act.function()(0.0) * mean(act, 0.25 * (X**2).sum(1)), rtol=1e-9, atol=1e-12
    )


def mean(act, variances):
    """E[phi(z)] by Gauss-Legendre on both sides of 0."""
    nodes, weights = np.polynomial.legendre.leggauss(80)
    u = np.concatenate([6 * (nodes - 1), 6 * (nodes + 1)])
    density = np.exp(-(u**2) / 2) / np.sqrt(2 * np.pi) * 6 * np.tile(weights, 2)
    return (act.function()(np.sqrt(variances)[:, None] * u) * density).sum(1)


def test_the_second_moments_of_equal_inputs_are_exact():
    X = np.array([[1e4, 1.0], [1e-4, 1.0]])
    v = 0.25 * (X**2).sum(1) + 0.01
    # Of the correlation v / (1 + v) = 1 - 4e-8 only half the digits would be left in the slopes of erf.
    tangent = geometry.kernel_matrix(activations.ERF, X, kind="ntk", sigma=0.5, zeta=0.1)
    kernel = 2 / np.pi * np.arctan2(v, np.sqrt(1 + 2 * v))
    expected = kernel + 2 / np.pi / np.sqrt(1 + 2 * v) * (1 + (X**2).sum(1))
    np.testing.assert_allclose(np.diag(tangent), expected, rtol=ROUNDING)
    relu = geometry.kernel_matrix(activations.RELU, X, kind="ntk", sigma=0.5, zeta=0.1)
    np.testing.assert_allclose(np.diag(relu), v / 2 + (1 + (X**2).sum(1)) / 2, rtol=ROUNDING)


def test_kinds_of_input(torch, rng):
    X = rng.normal(size=(6, 1))
    expected = geometry.kernel_matrix(activations.GELU, X)
    result = geometry.kernel_matrix(activations.GELU, torch.tensor(X))
    assert isinstance(result, torch.Tensor)
    assert result.dtype == torch.float64
    np.testing.assert_allclose(result.numpy(), expected, rtol=ROUNDING)
    assert geometry.kernel_matrix(activations.GELU, torch.tensor(X).float()).dtype == torch.float64
    np.testing.assert_allclose(
        geometry.kernel_matrix(activations.GELU, X, torch.tensor(X)), expected, rtol=ROUNDING
    )
    whole = np.array([[1, 2], [0, 3]])
    np.testing.assert_array_equal(
        geometry.kernel_matrix(activations.RELU, whole),
        geometry.kernel_matrix(activations.RELU, whole.astype(float)),
    )
    assert geometry.kernel_matrix(activations.hermite(0), X, X[:2]).tolist() == [[1.0, 1.0]] * 6
    before = X.copy()
    geometry.kernel_matrix(activations.RELU, X, kind="ntk", depth=2)
    np.testing.assert_array_equal(X, before)


@pytest.mark.parametrize(
    "act",
    [activations.GELU, *slow(activations.SOFTPLUS)],
    ids=lambda act: act.name,
)
def test_single_precision_is_the_rounded_matrix_and_an_array_is_written_in_place(act, rng):
    X = rng.normal(size=(140, 3))  # more than a tile
    for other in (None, X[:70]):
        matrix = geometry.kernel_matrix(act, X, other)
        single = geometry.kernel_matrix(act, X, other, dtype="float32")
        assert single.dtype == np.float32
        assert np.array_equal(single, matrix.astype(np.float32))
        for whole in (matrix, single):
            place = np.full((len(whole), 2 * whole.shape[1]), np.nan, whole.dtype)
            assert geometry.kernel_matrix(act, X, other, out=(every := place[:, ::2])) is every
            assert np.array_equal(every, whole)
            assert np.isnan(place[:, 1::2]).all()


@pytest.mark.parametrize(("name", "depth"), [("relu", 8), *slow(("gelu", 4))])
def test_memory_beside_the_matrix_is_bounded(name, depth, way, rng):
    X = rng.normal(size=(1600, 4))
    geometry.kernel_matrix(name, X[:10], kind="ntk", depth=depth)
    tracemalloc.start()
    matrix = geometry.kernel_matrix(name, X, kind="ntk", depth=depth)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.5 * matrix.nbytes


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", ["nngp", "ntk"])
@pytest.mark.parametrize("act", [*EVERY, activations.TANH], ids=lambda act: act.name)
def test_the_diagonal_without_the_matrix_has_the_same_bits(act, kind, rng):
    few = act == activations.TANH  # an integral for each entry of the matrix
    X = np.concatenate([rng.normal(size=(2 if few else 99, 3)), [[0, 0, 0]]])
    for depth, zeta in (
        ((1, ZETA),) if few or act.name in ("exp", "monomial_3") else ((1, 0), (3, ZETA))
    ):
        options = {"depth": depth, "kind": kind, "sigma": SIGMA, "zeta": zeta, "xi": XI}
        diagonal = geometry.kernel_diagonal(act, X, **options)
        assert diagonal.shape == (len(X),)
        assert np.array_equal(diagonal, np.diag(geometry.kernel_matrix(act, X, **options)))


def test_the_slope_of_a_kink_at_an_input_of_zero_is_the_mean_of_both_sides():
    diagonal = geometry.kernel_diagonal("relu", np.array([[0.0, 0.0], [1.0, 1.0]]), kind="ntk")
    # slope^2 (1 + 0), and slopes and kernel of half a plane
    assert diagonal.tolist() == [1 / 4, 1 / 2 * (2 + 3)]


def test_the_diagonal_of_a_tensor_is_a_tensor(torch):
    X = torch.randn(4, 3)
    found = geometry.kernel_diagonal("erf", X)
    assert found.dtype == torch.float64
    assert torch.equal(found, geometry.kernel_matrix("erf", X).diagonal())


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"X": np.ones(3)}, ValueError, "X: got shape .*, needs 2 dimension"),
        ({"X": np.ones((0, 3))}, ValueError, "X: got shape .*, needs at least one number"),
        ({"X": np.ones((2, 0))}, ValueError, "X: got shape .*, needs at least one number"),
        ({"X": [[1.0, np.nan]]}, ValueError, "X: got NaN or infinity .*, needs finite numbers"),
        (
            {"X": np.array([[1.0, np.inf]]), "activation": activations.TANH},
            ValueError,
            "X: got NaN or infinity",
        ),
        ({"X": [["one"]]}, ValueError, "X"),
        ({"X": np.ones((2, 2), dtype=bool)}, TypeError, "X: got .*, needs a real number"),
        ({"X": np.ones((2, 2), dtype=complex)}, TypeError, "X: got .*, needs a real number"),
        ({"X2": np.ones((2, 3))}, ValueError, r"X2: got shape \(2, 3\), needs the 2 columns of X"),
        ({"depth": 0}, ValueError, "depth: got 0, needs an integer from 1 to 100000"),
        ({"depth": 1.0}, TypeError, "depth: got 1.0, needs an integer"),
        ({"kind": "gp"}, ValueError, "kind: got 'gp', needs one of nngp, ntk"),
        ({"sigma": 0}, ValueError, "sigma .*: got 0.*, needs a positive"),
        ({"sigma": [1, 2]}, TypeError, r"sigma: got shape \(2,\), needs a finite number"),
        ({"zeta": -1}, ValueError, "zeta .*: got -1.*, needs a nonnegative"),
        ({"xi": -1}, ValueError, "xi .*: got -1.*, needs a positive"),
        (
            {"activation": "rellu"},
            ValueError,
            "activation: no activation 'rellu'; did you mean relu",
        ),
        (
            {"activation": 1},
            TypeError,
            "activation: got int, needs an activation, its name or an expression in z",
        ),
        ({"activation": activations.from_text("sign(z)"), "kind": "ntk"}, ValueError, "jumps"),
        ({"X": [[1e200, 1.0]]}, ArithmeticError, "nngp kernel matrix of relu exceeds"),
        ({"X": [[40.0, 1.0]], "activation": activations.EXP}, ArithmeticError, "exceeds"),
    ],
)
def test_bad_input(change, error, message):
    given = {"activation": activations.RELU, "X": np.ones((2, 2)), **change}
    with pytest.raises(error, match=message):
        geometry.kernel_matrix(**given)
    if "X2" not in change:
        with pytest.raises(error, match=message):
            geometry.kernel_diagonal(**given)


def test_a_tensor_with_a_gradient_is_read_without_it(torch):
    matrix = geometry.kernel_matrix(activations.RELU, torch.ones(2, 2, requires_grad=True))
    assert not matrix.requires_grad
    assert torch.equal(matrix, geometry.kernel_matrix(activations.RELU, torch.ones(2, 2)))


def test_an_entry_that_overflows_is_refused(rng):
    X = rng.normal(size=(9, 3))
    X[7] *= 30
    for other in (None, X[::-1]):
        with pytest.raises(ArithmeticError, match="nngp kernel matrix of exp exceeds"):
            geometry.kernel_matrix("exp", X, other)


def test_a_variance_that_overflows_is_refused():
    with pytest.raises(ArithmeticError, match="nngp kernel matrix of erf exceeds"):
        geometry.kernel_matrix(
            activations.ERF, np.ones((2, 3)), np.array([[1.0, 1, 1], [1e200, 1, 1]])
        )
    with pytest.raises(ArithmeticError, match="nngp kernel matrix of erf exceeds"):
        geometry.kernel_diagonal(activations.ERF, np.array([[1.0, 1, 1], [1e200, 1, 1]]))


@pytest.mark.parametrize("name", ["relu", "erf"])
@pytest.mark.parametrize("depth", [1, 3])
def test_the_tangent_kernel_of_the_literature(name, depth, way, rng):
    X, Y, scales = rng.normal(size=(9, 4)), rng.normal(size=(11, 4)), (1.4, 0.3, 1.2)
    options = dict(zip(("sigma", "zeta", "xi"), scales, strict=True))
    found = geometry.kernel_matrix(name, X, Y, depth, "scaled_ntk", **options)
    _, expected = matrices_by_hand(name, X, Y, depth, *scales, is_scaled=True)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    matrix = geometry.kernel_matrix(name, X, None, depth, "scaled_ntk", **options)
    assert (
        matrix.diagonal() == geometry.kernel_diagonal(name, X, depth, "scaled_ntk", **options)
    ).all()
    ones = {"sigma": 1.0, "zeta": 1.0, "xi": 1.0}
    both = [
        geometry.kernel_matrix(name, X, Y, depth, kind, **ones) for kind in ("ntk", "scaled_ntk")
    ]
    np.testing.assert_array_equal(*both)
