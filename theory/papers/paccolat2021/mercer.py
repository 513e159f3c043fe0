r"""Section 5.1: eigenfunctions of a kernel, its norm, projections of the labels; Figure 9."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Finding, Witness, equal, numerically
from theory.core.numbers.evaluation import evaluate
from theory.papers.paccolat2021.paper import entry

i, j, k = sp.symbols("i j k", integer=True)
count = sp.Symbol("m", integer=True, positive=True)
norm_phi, norm_y, omega_squared, inner_phi_y, p = sp.symbols(
    "norm_phi norm_y omega_squared inner_phi_y p", positive=True
)
theta, eigenvalue, phi, omega_k = (sp.Function(name) for name in ("theta", "eigenvalue", "phi", "omega_k"))
SIZE = 5


@cache
def measure() -> dict[str, Any]:
    """A kernel on five points with masses, its eigenvalues and its orthonormal eigenfunctions."""
    rng = np.random.default_rng(0)
    points, mass = rng.normal(size=SIZE), rng.dirichlet(np.ones(SIZE))
    gram = np.exp(-np.abs(points[:, None] - points[None]))
    root = np.sqrt(mass)
    values, vectors = np.linalg.eigh(root[:, None] * gram * root[None])
    return {
        "gram": gram,
        "mass": mass,
        "values": values,
        "functions": vectors / root[:, None],
        "y": rng.normal(size=SIZE),
    }


def scaled_eigenfunctions() -> Iterator[dict[str, Any]]:
    """Every pair of points, with orthonormal eigenfunctions and with orthogonal ones of another norm."""
    data = measure()
    for factor in (1.0, 1.7):
        for one, other in np.ndindex(SIZE, SIZE):
            yield {
                "i": one,
                "j": other,
                "m": SIZE,
                "theta": lambda a, b: data["gram"][a, b],
                "eigenvalue": lambda n: data["values"][n - 1],
                "phi": lambda n, a, factor=factor: factor * data["functions"][a, n - 1],
                "norm_phi": factor,
            }


def function_and_norm(factor: float = 1.0) -> dict[str, Any]:
    """Norm of a function on the five points from the inverse of the Gram matrix, and its projections."""
    data = measure()
    y = factor * data["y"]
    projections = data["functions"].T @ (data["mass"] * y)
    return {
        "m": SIZE,
        "norm_y": math.sqrt(y @ np.linalg.solve(data["gram"], y)),
        "omega_k": lambda n: projections[n - 1],
        "eigenvalue": lambda n: data["values"][n - 1],
    }


def two_functions() -> list[dict[str, Any]]:
    """A function and twice that."""
    return [function_and_norm(), function_and_norm(2.0)]


def projections() -> Iterator[dict[str, Any]]:
    """Squared projection of labels on eigenvectors of a Gram matrix, by the estimate of Section 5.1.

    The estimate takes eigenvectors whose mean square is one; the inner product those, or vectors of unit length.
    """
    rng = np.random.default_rng(1)
    points = rng.normal(size=12)
    _, vectors = np.linalg.eigh(np.exp(-np.abs(points[:, None] - points[None])))
    labels = np.sign(points)
    for squared in (1.0, 12.0):
        for vector in vectors.T:
            estimate = float((math.sqrt(12) * vector * labels).mean())
            yield {
                "p": 12,
                "norm_phi": squared,
                "inner_phi_y": math.sqrt(squared) * float(vector @ labels),
                "omega_squared": estimate**2,
            }


expansion = sp.Sum(eigenvalue(k) * phi(k, i) * phi(k, j), (k, 1, count))
squares = sp.Sum(omega_k(k) ** 2 / eigenvalue(k), (k, 1, count))

EQUATIONS = (
    entry(
        "5.1 features",
        "5.1",
        "The kernel as a product of gradients; the eigenfunctions by their integral equation; the Gram matrix.",
        Finding.DEFINITION,
        "They introduce psi, phi and K.",
        printed=r"\Theta(\underline{x}, \underline{z}) = \psi(\underline{x}) \cdot \psi(\underline{z}), \quad \int "
        r"\Theta(\underline{x}, \underline{z}) \phi_\lambda(\underline{z}) \rho(\underline{z}) d\underline{z} = "
        r"\lambda \phi_\lambda(\underline{x}), \quad "
        r"K_{\mu\nu} = \psi(\underline{x}^\mu) \cdot \psi(\underline{x}^\nu)",
    ),
    entry(
        "5.1 Mercer",
        "5.1",
        "The kernel in its eigenvalues and eigenfunctions, which are called orthogonal. The Gram matrix likewise.",
        Finding.CONDITIONAL,
        "A kernel on five points with masses, all pairs of points; eigenfunctions of norm one and of another norm.",
        printed=equal(theta(i, j), expansion),
        condition=equal(norm_phi, 1),
        prove=numerically(scaled_eigenfunctions, "its values", scale=1.0),
        witness=Witness(
            {"points": 5, norm_phi: 1.7, "at": "the first point and itself"},
            lambda: 1.0,
            value=lambda mercer: evaluate(mercer.rhs, list(scaled_eigenfunctions())[SIZE**2]),
        ),
        consequence="Eigenfunctions must be normalised in the density of the data, and eigenvectors of the Gram matrix "
        "to the number of points, for its eigenvalues to tend to those of the kernel.",
        heirs=("Figure 9 projection",),
    ),
    entry(
        "5.1 RKHS norm",
        "5.1",
        "The norm of a function from its projections.",
        Finding.MISPRINT,
        "A norm doubles with its argument, the sum does not; both from the inverse of a Gram matrix.",
        printed=equal(norm_y, squares),
        corrected=equal(norm_y**2, squares),
        prove=numerically(two_functions, "the inverse of the Gram matrix"),
        witness=Witness(
            {"points": 5, "function": "of the witness and twice that"},
            lambda: [case["norm_y"] for case in two_functions()],
            value=lambda norm: [
                float(sp.solve(norm.lhs - evaluate(norm.rhs, case), norm_y)[0]) for case in two_functions()
            ],
        ),
        consequence="None for what follows: the argument only orders functions by it.",
    ),
    entry(
        "5.1 omega",
        "5.1",
        "Projections of the labels, and their estimate from a training set.",
        Finding.DEFINITION,
        "It introduces omega.",
        printed=r"\omega_\lambda = \int y \phi_\lambda \rho, \quad \tilde\omega_\lambda = \frac{1}{p} \sum_\mu "
        r"\tilde\phi_\lambda(\underline{x}^\mu) y(\underline{x}^\mu)",
    ),
    entry(
        "5.1 convergence",
        "5.1",
        "Eigenvalues and eigenvectors of the Gram matrix tend to those of the kernel.",
        Finding.ASSUMPTION,
        "A known theorem, quoted.",
    ),
    entry(
        "Figure 9 projection",
        "5.2",
        "The squared projection of an eigenvector on the labels.",
        Finding.CONDITIONAL,
        "Eigenvectors of a Gram matrix of twelve points, of unit length and with a mean square of one, against the "
        "estimate of Section 5.1.",
        printed=equal(omega_squared, inner_phi_y**2 / p**2),
        condition=equal(norm_phi, p),
        prove=numerically(projections, "the estimate of Section 5.1", scale=1.0),
        witness=Witness(
            {"p": 12, "length of the eigenvector": 1, "value": "the largest projection"},
            lambda: max(case["omega_squared"] for case in list(projections())[:12]),
            value=lambda square: max(evaluate(square.rhs, case) for case in list(projections())[:12]),
        ),
        consequence="With eigenvectors of unit length, as programs return them, the projections are p times too small. "
        "Their sum over all eigenvectors is one with the right norm.",
    ),
)
