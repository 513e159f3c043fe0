r"""Section 5.1: eigenfunctions of a kernel, its norm, projections of the labels; Figure 9."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import sympy as sp

from theory.core import numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.numbers.evaluation import evaluate
from theory.papers.paccolat2021.notation import letters

norm_Theta, y_vec = letters("norm_Theta y_vec")
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
                "phi_lam": factor * data["functions"][:, 0],
                "braket": lambda one, two: round(float(data["mass"] @ (one * two)), 12),
            }


def function_and_norm(factor: float = 1.0) -> dict[str, Any]:
    """Norm of a function on the five points from the inverse of the Gram matrix, and its projections."""
    data = measure()
    y = factor * data["y"]
    projections = data["functions"].T @ (data["mass"] * y)
    return {
        "m": SIZE,
        "y_": y,
        "norm_Theta": lambda at: math.sqrt(at @ np.linalg.solve(data["gram"], at)),
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
                "phi_lam": math.sqrt(squared) * vector,
                "y_": labels,
                "braket": np.dot,
                "omega_lam": estimate,
            }


PROGRAMS: Programs = {
    "5.1 Mercer": Program(
        numerically(scaled_eigenfunctions, "its values", scale=1.0),
        lambda: 1.0,
        value=lambda mercer: evaluate(mercer.rhs, list(scaled_eigenfunctions())[SIZE**2]),
    ),
    "5.1 RKHS norm": Program(
        numerically(two_functions, "the inverse of the Gram matrix"),
        lambda: [case["norm_Theta"](case["y_"]) for case in two_functions()],
        value=lambda norm: [
            float(max(sp.solve(norm.lhs - evaluate(norm.rhs, case), norm_Theta(y_vec)))) for case in two_functions()
        ],
    ),
    "Figure 9 projection": Program(
        numerically(projections, "the estimate of Section 5.1", scale=1.0),
        lambda: max(case["omega_lam"] ** 2 for case in list(projections())[:12]),
        value=lambda square: max(evaluate(square.rhs, case) for case in list(projections())[:12]),
    ),
}
