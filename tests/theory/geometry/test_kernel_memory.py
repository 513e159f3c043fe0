"""Kernels keep numbers, not the arrays and tensors that held them, and never write over what they still read."""

from fractions import Fraction

import numpy as np
import pytest
import torch

from theory import geometry

X = np.array([[1.0, 0.0], [0.0, 2.0]])
KERNELS = {
    "matrix": lambda **scales: np.diagonal(geometry.kernel_matrix("relu", X, **scales)),
    "diagonal": lambda **scales: geometry.kernel_diagonal("relu", X, **scales),
    "operator": lambda **scales: geometry.kernel_operator("relu", X, **scales).diagonal(),
}
HOLDERS = {
    "tensor": lambda: torch.tensor(1.0, dtype=torch.float64),
    "integer tensor": lambda: torch.tensor(1),
    "view of a tensor": lambda: torch.ones(2, dtype=torch.float64)[1],
    "array": lambda: np.array(1.0),
    "float32 array": lambda: np.array(1.0, dtype=np.float32),
}


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
@pytest.mark.parametrize("holder", HOLDERS.values(), ids=HOLDERS)
def test_a_number_that_changes_in_place_changes_the_kernel(kernel, holder):
    sigma, zeta = holder(), holder()
    for value in (1, 2, 3):
        sigma[...] = zeta[...] = value
        np.testing.assert_allclose(
            kernel(sigma=sigma, zeta=zeta), value**2 * ((X**2).sum(axis=1) + 1) / 2
        )


def test_an_operator_keeps_the_inputs_and_numbers_that_it_was_made_with():
    inputs, sigma = X.copy(), torch.tensor(2.0)
    operator = geometry.kernel_operator("relu", inputs, sigma=sigma)
    before = operator @ np.eye(2)
    inputs *= 3
    sigma.fill_(5.0)
    np.testing.assert_array_equal(operator @ np.eye(2), before)


@pytest.mark.parametrize("name", ["sigma", "zeta", "xi"])
def test_what_requires_a_gradient_is_refused_as_a_number(name):
    for value in (torch.nn.Parameter(torch.tensor(1.0)), torch.ones(1, requires_grad=True)[0]):
        for kernel in KERNELS.values():
            with pytest.raises(TypeError, match=f"{name}: got a tensor that requires a gradient"):
                kernel(**{name: value})


@pytest.mark.parametrize("depth", [True, 1.0, np.array(1), np.float64(1), np.True_])
def test_what_equals_a_depth_is_no_depth_after_that_was_asked_for(depth):
    geometry.kernel_matrix("relu", X, depth=1)
    with pytest.raises(TypeError, match="depth: got"):
        geometry.kernel_matrix("relu", X, depth=depth)


def test_equal_numbers_of_any_library_give_one_kernel():
    import mpmath
    import sympy as sp

    expected = KERNELS["matrix"](sigma=0.5)
    for value in (
        np.float32(0.5),
        Fraction(1, 2),
        sp.Rational(1, 2),
        sp.Float("0.5", 40),
        mpmath.mpf(0.5),
        "1/2",
    ):
        np.testing.assert_array_equal(KERNELS["matrix"](sigma=value), expected)
    np.testing.assert_array_equal(KERNELS["matrix"](zeta=-0.0), KERNELS["matrix"](zeta=0.0))


def overlapping(size):
    """Ways in which the memory for a kernel matrix of ``size`` inputs can overlap these, by name."""
    place = np.random.default_rng(0).normal(size=(2 * size, size + 3))
    square, tensor = place[:size, :size], torch.from_numpy(place)
    mapped = place.view(np.memmap)[:size, :size]
    flat = place.ravel()[: size * size].reshape(size, size)
    other = np.random.default_rng(1).normal(size=(size, size))
    return {
        "the inputs": (square, None, square),
        "their transpose": (square.T, None, square),
        "some columns": (place[:size, :3], None, square),
        "shifted by a row": (place[1 : size + 1, :size], None, square),
        "backwards": (square[::-1], None, square),
        "another stride": (flat, None, square),
        "the other inputs": (other, square, square),
        "a map": (square, None, mapped),
        "a tensor": (tensor[:size, :size], None, square),
        "the transpose of a tensor": (other, tensor[:size, :size].T, square),
    }


@pytest.mark.parametrize("way", overlapping(3))
@pytest.mark.parametrize("size", [3, 70])
def test_memory_of_the_inputs_is_refused(way, size):
    inputs, others, out = overlapping(size)[way]
    before = out.copy()
    with pytest.raises(
        ValueError, match=r"out: got memory that overlaps (X|X2), needs an array apart from it"
    ):
        geometry.kernel_matrix("relu", inputs, others, out=out)
    np.testing.assert_array_equal(out, before)


def test_bytes_of_another_type_are_refused():
    inputs = np.ones((4, 8), dtype=np.float32)
    out = inputs.view(np.float64)
    with pytest.raises(ValueError, match="out: got memory that overlaps X"):
        geometry.kernel_matrix("relu", inputs, out=out)


def test_two_maps_of_the_same_bytes_are_refused(tmp_path, rng):
    path, whole = tmp_path / "numbers", np.dtype(np.float64).itemsize * 9
    rng.normal(size=18).tofile(path)
    inputs = np.memmap(path, dtype=np.float64, mode="r", shape=(3, 3))
    for out in (
        np.memmap(path, np.float64, "r+", shape=(3, 3)),
        np.memmap(path, np.float64, "r+", whole - 8, (3, 3)),
    ):
        for value in (inputs, np.asarray(inputs), inputs[:, ::-1].view(np.ndarray)):
            with pytest.raises(ValueError, match="out: got memory that overlaps X"):
                geometry.kernel_matrix("relu", value, out=out)
    expected = geometry.kernel_matrix("relu", np.array(inputs))
    after = np.memmap(path, np.float64, "r+", whole, (3, 3))
    np.testing.assert_array_equal(geometry.kernel_matrix("relu", inputs, out=after), expected)
    private = np.memmap(path, np.float64, "c", shape=(3, 3))
    np.testing.assert_array_equal(geometry.kernel_matrix("relu", inputs, out=private), expected)


def test_memory_between_that_of_the_inputs_is_accepted(rng):
    place = rng.normal(size=(80, 160))
    inputs, out = place[:, 1::2], place[:, ::2]
    expected = geometry.kernel_matrix("relu", inputs.copy())
    np.testing.assert_array_equal(geometry.kernel_matrix("relu", inputs, out=out), expected)


def test_entries_that_overlap_each_other_are_refused():
    window = np.lib.stride_tricks.sliding_window_view(np.zeros(5), 3, writeable=True)
    for out in (window, np.lib.stride_tricks.as_strided(np.zeros(3), (3, 3), (0, 8))):
        with pytest.raises(ValueError, match=r"out: got strides of .* by which entries overlap"):
            geometry.kernel_matrix("relu", np.eye(3), out=out)
    for out in (np.empty((3, 3))[::-1], np.empty((6, 9))[::2, ::3], np.empty((3, 3)).T):
        np.testing.assert_array_equal(
            geometry.kernel_matrix("relu", np.eye(3), out=out),
            geometry.kernel_matrix("relu", np.eye(3)),
        )


def test_other_results_are_refused_in_words(rng):
    read_only = np.empty((2, 2))
    read_only.flags.writeable = False
    for out, message in (
        (
            read_only,
            "out: got an array of shape .* and type float64, read-only, needs a writeable array",
        ),
        (
            np.empty((2, 3)),
            r"out: got an array of shape \(2, 3\) and type float64, needs a writeable array",
        ),
        (np.empty((2, 2), dtype=">f8"), "dtype: got >f8, needs float32 or float64"),
        (np.empty((2, 2), dtype=np.float16), "dtype: got float16, needs float32 or float64"),
        (np.ma.zeros((2, 2)), "out: got a masked array, needs a numpy array"),
        (torch.zeros(2, 2), "out: got shape .*, needs a numpy array"),
        ([[0.0, 0.0], [0.0, 0.0]], "out: got .*, needs a numpy array"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            geometry.kernel_matrix("relu", X, out=out)
    with pytest.raises(ValueError, match=r"out: got .*, needs a writeable array of .*float32"):
        geometry.kernel_matrix("relu", X, out=np.empty((2, 2)), dtype="float32")
    with pytest.raises(TypeError, match="dtype: got int64, needs float32 or float64"):
        geometry.kernel_matrix("relu", X, dtype=int)
