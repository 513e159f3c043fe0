"""The kernel as an operator: products and solutions are those of the matrix, which is never made."""

from importlib import import_module

import numpy as np
import pytest
from scipy.sparse.linalg import eigsh

from theory import geometry

HOW = {"depth": 2, "kind": "ntk", "sigma": 1.3, "zeta": 0.2}


@pytest.fixture
def inputs(rng):
    """Inputs near a line, so that few eigenvalues are large, two of them equal."""
    x = rng.normal(size=(90, 1)) + 0.1 * rng.normal(size=(90, 5))
    x[7] = x[3]
    return x


def test_products_and_diagonal_are_those_of_the_matrix(inputs, rng, monkeypatch):
    monkeypatch.setattr(import_module("theory.geometry.kernel_operator"), "BLOCK", 90 * 7)
    matrix = geometry.kernel_matrix("gelu", inputs, **HOW)
    operator = geometry.kernel_operator("gelu", inputs, **HOW)
    vectors = rng.normal(size=(90, 3))
    np.testing.assert_allclose(operator @ vectors, matrix @ vectors, rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose(
        operator.T @ vectors[:, 0], matrix @ vectors[:, 0], rtol=1e-12, atol=1e-9
    )
    np.testing.assert_array_equal(operator.diagonal(), np.diag(matrix))
    np.testing.assert_allclose(eigsh(operator, k=2)[0], np.linalg.eigvalsh(matrix)[-2:], rtol=1e-9)


@pytest.mark.parametrize("rank", [0, 20, 200])
@pytest.mark.parametrize("shape", [(90,), (90, 4)])
def test_solutions_are_those_of_the_matrix(inputs, rng, rank, shape):
    operator = geometry.kernel_operator("relu", inputs, **HOW)
    targets = rng.normal(size=shape)
    found = operator.solve(targets, noise=0.1, rank=rank, tolerance=1e-11)
    matrix = geometry.kernel_matrix("relu", inputs, **HOW) + 0.1 * np.eye(90)
    np.testing.assert_allclose(found, np.linalg.solve(matrix, targets), rtol=1e-6, atol=1e-8)
    assert operator.residual < 1e-10


def test_the_preconditioner_saves_products(inputs, rng):
    operator, products = geometry.kernel_operator("relu", inputs, **HOW), []
    for rank in (0, 40):
        operator.solve(rng.normal(size=90), noise=0.01, rank=rank)
        products.append(operator.products)
    assert products[1] < products[0] / 3


def test_targets_of_zero_need_no_product(inputs):
    operator = geometry.kernel_operator("relu", inputs)
    assert not operator.solve(np.zeros(90), noise=1.0).any()
    assert (operator.products, operator.residual) == (0, 0.0)


def test_what_is_not_reached_is_an_error(inputs, rng):
    operator = geometry.kernel_operator("relu", inputs, **HOW)
    with pytest.raises(ArithmeticError, match="after 2 products, needs 1e-08"):
        operator.solve(rng.normal(size=90), noise=1e-6, rank=0, most=2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: geometry.kernel_operator("relu", x, depth=0), "depth"),
        (lambda x: geometry.kernel_operator("relu", x[0]), "X"),
        (
            lambda x: geometry.kernel_operator("relu", x).solve(np.ones(3), noise=1.0),
            r"y: got shape \(3,\), needs \[90\]",
        ),
        (lambda x: geometry.kernel_operator("relu", x).solve(np.ones(90), noise=0.0), "noise"),
    ],
)
def test_bad_input(inputs, call, message):
    with pytest.raises(ValueError, match=message):
        call(inputs)
