"""Kernel matrices of textbook layers: their formulas against derived ones, and loops by numba against numpy."""

from __future__ import annotations

import numpy as np
import pytest

from closedform import loops
from theory import geometry
from theory.activations import from_text
from theory.geometry import recursion_matrices
from theory.geometry.kernel_layers import wide_layer
from theory.geometry.kernel_textbook import textbook_layer

TEXTBOOK = (
    "relu",
    "leaky_relu(1/10)",
    "abs(z)",
    "linear",
    "z/3 - max(z, 0)",
    "erf",
    "erf(z)",
    "2 + 3*erf(z/3)",
)
OTHERS = (
    "gelu",
    "sign(z)",
    "elu",
    "max(z, 1)",
    "erf(z + 1)",
    "erf(z)**2",
    "z + erf(z)",
    "erf(z) + erf(2*z)",
    "abs(z) + 1",
)
ROUNDING = 1e-14  # relative to the kernels of both inputs with themselves, for a layer
OF_LAYERS = 1e-13  # after some layers
SCALES = {"sigma": 1.2, "zeta": 0.3, "xi": 0.9}
needs_numba = pytest.mark.skipif(not loops.is_installed(), reason="needs numba, the extra fast")


@pytest.fixture
def by_loops(monkeypatch):
    """Let loops compute all matrices, with tiles that do not divide them."""
    monkeypatch.setattr(recursion_matrices, "FEWEST", 0)
    monkeypatch.setattr(recursion_matrices, "_ROWS", 16)
    monkeypatch.setattr(recursion_matrices, "_COLUMNS", 24)


def hard_inputs(rng):
    """Return inputs that are opposite, parallel, equal, nearly equal and zero, of several lengths."""
    x = rng.normal(size=(14, 3))
    return np.concatenate(
        [x, -x[:9], 1e3 * x[:5], x[3:6], x[:4] * (1 + 1e-9), 1e-7 * x[7:12], np.zeros((2, 3))]
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", TEXTBOOK)
def test_textbook_formulas_are_the_derived_ones(text, rng):
    act = from_text(text)
    variances = np.concatenate([10 ** rng.uniform(-6, 6, size=40), [1.0, 1e12]])
    v, w = variances[:, None], rng.permutation(variances)[None]
    ratio = np.concatenate(
        [rng.uniform(-0.999, 0.999, size=(42, 40)), np.ones((42, 1)), -np.ones((42, 1))], axis=1
    )
    derived, textbook = wide_layer(act, True), textbook_layer(act, True)
    pairs = [layer.pair(v, w, ratio * np.sqrt(v * w)) for layer in (derived, textbook)]
    for theirs, ours, size in zip(*pairs, derived.diagonal(variances), strict=True):
        np.testing.assert_array_less(
            np.abs(ours - theirs), 10 * ROUNDING * (np.abs(theirs) + size.max())
        )
    for theirs, ours in zip(
        derived.diagonal(variances), textbook.diagonal(variances), strict=True
    ):
        np.testing.assert_allclose(ours, theirs, rtol=ROUNDING)
    at_zero = [layer.diagonal(np.zeros(2)) for layer in (derived, textbook)]
    np.testing.assert_allclose(*at_zero, rtol=ROUNDING)


@pytest.mark.parametrize("text", OTHERS)
def test_other_activations_are_not_taken_for_such(text):
    assert textbook_layer(from_text(text), False) is None


@pytest.mark.sampled(5)
@needs_numba
@pytest.mark.parametrize("kind", ["nngp", "ntk", "scaled_ntk"])
@pytest.mark.parametrize("text", TEXTBOOK)
def test_loops_and_numpy_give_the_same_to_rounding(text, kind, by_loops, monkeypatch, rng):
    X = hard_inputs(rng)
    for depth, zeta, other in ((1, 0.0, None), (1, 0.3, X[:3]), (3, 0.3, None), (4, 0.0, X[5:38])):
        options = {"depth": depth, "kind": kind, **SCALES, "zeta": zeta}
        looped = geometry.kernel_matrix(text, X, other, **options)
        with monkeypatch.context() as context:
            context.setattr(loops, "is_installed", lambda: False)
            plain = geometry.kernel_matrix(text, X, other, **options)
        sizes = [
            np.sqrt(geometry.kernel_diagonal(text, x, **options))
            for x in (X, X if other is None else other)
        ]
        # roots of 1 - r^2 at parallel inputs, as documented
        has_kink = kind != "nngp" and "erf" not in text
        bound = 2e-8 * depth if has_kink else OF_LAYERS
        np.testing.assert_array_less(np.abs(looped - plain), bound * np.outer(*sizes) + 1e-300)
        if other is None:
            np.testing.assert_array_equal(looped, looped.T)
            np.testing.assert_array_equal(
                looped.diagonal(), geometry.kernel_diagonal(text, X, **options)
            )
            assert looped[3, 28] == looped[3, 3]  # equal inputs in two rows


@needs_numba
@pytest.mark.parametrize("text", ["relu", "2 + 3*erf(z/3)"])
def test_loops_are_right_to_rounding_of_exact_numbers(text, by_loops, rng):
    X, form = rng.normal(size=(9, 3)), geometry.nngp_kernel(from_text(text))
    matrix = geometry.kernel_matrix(text, X, X[::-1], sigma=1.2, zeta=0.3)
    numbers = {"sigma": 1.2, "zeta": 0.3}
    for i, j in ((0, 1), (3, 2), (8, 8), (4, 6)):
        x, y = X[i], X[::-1][j]
        exact = form.evaluate(
            digits=20, xx=float(x @ x), yy=float(y @ y), xy=float(x @ y), **numbers
        )
        assert matrix[i, j] == pytest.approx(float(exact), rel=ROUNDING)


@needs_numba
@pytest.mark.parametrize("name", ["relu", "erf"])
def test_order_of_memory_and_type_of_the_result_change_no_bit(name, by_loops, tmp_path, rng):
    X = rng.normal(size=(37, 5))
    expected = geometry.kernel_matrix(name, X, depth=2)
    frozen = X.copy()
    frozen.flags.writeable = False
    for same in (np.asfortranarray(X), np.repeat(X, 2, axis=1)[:, ::2], frozen):
        np.testing.assert_array_equal(geometry.kernel_matrix(name, same, depth=2), expected)
    mapped = np.memmap(tmp_path / "kernel", dtype=np.float64, mode="w+", shape=(37, 37), offset=24)
    unaligned = np.zeros(8 * 37 * 37 + 3, dtype=np.uint8)[3:].view(np.float64).reshape(37, 37)
    beside = np.full((37, 90), np.nan)
    for out in (
        np.empty((37, 37)).T,
        beside[:, 1:75:2],
        mapped,
        unaligned,
        np.empty((37, 37))[::-1, ::-1],
    ):
        assert geometry.kernel_matrix(name, X, depth=2, out=out) is out
        np.testing.assert_array_equal(out, expected)
    assert np.isnan(beside[:, ::2]).all()
    singles = geometry.kernel_matrix(name, X, depth=2, dtype=np.float32)
    np.testing.assert_array_equal(singles, expected.astype(np.float32))


@needs_numba
@pytest.mark.parametrize("name", ["relu", "erf"])
def test_what_exceeds_double_precision_is_refused_by_loops(name, by_loops):
    for X in ([[1e160, 1.0], [1.0, 1.0]], [[1.3e154, 1.0], [1.0, 1.0]]):
        for kind in ("nngp", "ntk"):
            with pytest.raises(ArithmeticError, match="exceeds"):
                geometry.kernel_matrix(name, np.array(X), kind=kind, sigma=1.2)


@needs_numba
@pytest.mark.parametrize(("rows", "is_looped"), [(72, False), (73, True)])
def test_the_size_decides(rows, is_looped, monkeypatch):
    """Half of 72^2 entries of 100 layers are 259,200 < 2^18."""
    from theory.geometry import kernel_loops

    asked = []
    tile_loop = kernel_loops.tile_loop
    monkeypatch.setattr(kernel_loops, "tile_loop", lambda *a: asked.append(1) or tile_loop(*a))
    geometry.kernel_matrix("relu", np.arange(3.0 * rows).reshape(rows, 3), depth=100)
    assert bool(asked) is is_looped
