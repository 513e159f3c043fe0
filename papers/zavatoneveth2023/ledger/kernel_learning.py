r"""Appendix F: metrics of kernels of Mahalanobis distances, after a linear map, and learned from positive pairs."""

from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
import sympy as sp

from papers.zavatoneveth2023.ledger import gaussian
from papers.zavatoneveth2023.ledger.gaussian import Meanings, X, Y, entries, exactly, is_zero
from papers.zavatoneveth2023.ledger.index_notation import letters
from papers.zavatoneveth2023.ledger.wide import between, metric_of
from theory.core import (
    Check,
    Claim,
    Program,
    Programs,
    chosen,
    deciding,
    is_close,
    numerically,
    stating,
    unconditional,
)
from theory.geometry.kernel_learning import self_supervised_matrix

ROOT = sp.Matrix([[6, 2], [2, 3]]) / 5
"""Positive definite, with rational eigenvalues; its square is M."""
MATRIX = ROOT**2
STEP = sp.Matrix(sp.symbols("step1:3", real=True))


def outer(gradient: tuple[int, ...]) -> sp.Matrix:
    """The outer product of a gradient with itself."""
    return sp.Matrix(gradient) * sp.Matrix(gradient).T


SEMIDEFINITE = [MATRIX, outer((2, -1))]
SQUARED = sp.Symbol("squared", nonnegative=True)
SHAPE = 1 - 13 * SQUARED / 10 + 2 * SQUARED**2 / 5
"""A smooth function of the squared distance."""
DATA = [
    sp.Matrix(point) / 5
    for point in ([1, 2], [-3, 1], [2, -2], [4, 3], [2, 1], [-2, 2], [3, -3], [3, 4])
]
PAIRS, OTHER = 4, 7
THREE = sp.Matrix([[10, 2, -3], [-4, 11, 5], [7, -5, 4], [6, 3, -12]]) / 10
"""Two pairs in three dimensions: the first two points with the last two."""


def features(at: Any) -> sp.Matrix:
    """Three functions of two inputs."""
    x, y = at
    return sp.Matrix(
        [x - y**2 / 3 + 1, y + x * y / 2, x / 2 - y / 4 + x**2 / 5 - sp.Rational(1, 2)]
    )


def jacobian(at: sp.Matrix) -> sp.Matrix:
    """Of the features of a function of the input X."""
    return features(at).jacobian(X)


BASE = sp.expand(features(X).dot(features(Y)))
PHI = sp.Matrix([features(at).T for at in DATA])
"""Features of all data, [data, feature]."""


def _components(metric: sp.Matrix, name: str, others: Meanings) -> list[Meanings]:
    shared = {**gaussian.OPERATORS, **others, "d": sp.Integer(2), name: entries(metric)}
    return gaussian.of_components(shared, (1, 1), (1, 2), (2, 2))


def base_metric(at: Any) -> sp.Matrix:
    """The metric of the base kernel, the Euclidean one pulled back by the features, at an input."""
    return gaussian.at_equal(jacobian(X).T * jacobian(X), X, at)


def mapped_metric() -> sp.Matrix:
    """That of the base kernel after the linear map, by the chain rule for its features."""
    return jacobian(ROOT * X).T * jacobian(ROOT * X)


def of_the_base() -> list[Meanings]:
    """A kernel of three features of two inputs: the Euclidean metric pulled back by them."""
    return _components(base_metric(X), "g", {"kernel": between(BASE)})


def of_distances() -> list[Meanings]:
    """A polynomial of the squared distance; its metric from distances of features of close inputs."""
    closeness = 2 * (SHAPE.subs(SQUARED, 0) - SHAPE.subs(SQUARED, (STEP.T * MATRIX * STEP)[0]))
    metric = sp.hessian(closeness, list(STEP)).subs(dict.fromkeys(STEP, 0)) / 2
    return _components(metric, "g", {
        "h_of": lambda squared: SHAPE.subs(SQUARED, squared), "norm_M": lambda at: sp.sqrt((at.T * MATRIX * at)[0]),
        "h_slope": lambda at: sp.diff(SHAPE, SQUARED).subs(SQUARED, at), "M_entry": entries(MATRIX),
    })  # fmt: skip


def of_mapped_features() -> list[Meanings]:
    """A kernel of three features of two inputs: the metric from the Jacobian of the features of the mapped input."""
    base, mapped = base_metric(ROOT * X), mapped_metric()
    return _components(mapped, "g_M", {
        "kernel": between(BASE), "times": lambda one, other: one * other, "M_bold": MATRIX,
        "entry": lambda matrix, *indices: entries(matrix)(*indices), "g": entries(base),
        "det": lambda matrix: matrix.det(), "det(G)": base.det(), "G_M": mapped,
    })  # fmt: skip


def rescales(claim: Claim) -> bool:
    """The ratio of both determinants is one number where the base one is taken at the mapped input, and only there."""
    inputs = chosen(claim, "change", {"the global": ROOT * X, "no": X})
    overall = chosen(claim, "rescaling", {"overall": True, "local": False})
    return is_zero(mapped_metric().det() - MATRIX.det() * base_metric(inputs).det()) is overall


def _metric_of_distances(matrix: sp.Matrix) -> sp.Matrix:
    return metric_of(SHAPE.subs(SQUARED, sp.expand(((X - Y).T * matrix * (X - Y))[0])))


def is_flat(statement: Any) -> bool:
    """The metric of a kernel of distances is the same everywhere; then a curvature, which needs its inverse, is 0."""
    claim, matrices = (
        unconditional(statement),
        {"definite": [MATRIX], "semidefinite": SEMIDEFINITE},
    )
    allowed = SEMIDEFINITE
    if claim is not statement:
        allowed = chosen(statement.condition, "kind", matrices)
    steady = chosen(claim, "place", {"constant": True, "varying": False})
    flat = chosen(claim, "curvature", {"flat": True, "curved": False})
    metrics = [_metric_of_distances(matrix) for matrix in allowed]
    return all(
        bool(metric.free_symbols) is not steady and metric.rank() == 2 and flat is steady
        for metric in metrics
    )


def pair_products(phi: sp.Matrix) -> sp.Matrix:
    """The averaged outer product of pairs, made symmetric; the features of the first members stand above the others."""
    half = phi.rows // 2
    crossed = phi[:half, :].T * phi[half:, :] / (2 * half)
    return crossed + crossed.T


@cache
def blocks() -> Meanings:
    """Gram matrices of four pairs, and the products of pairs between the inputs, in the space of three features."""
    gram, outer = PHI * PHI.T, PHI * pair_products(PHI) * PHI.T
    halves = {"1": slice(0, PAIRS), "2": slice(PAIRS, 2 * PAIRS)}
    grams = {"K_XX": gram[:4, :4], "K_XX1": gram[:4, 4:], "K_X1X1": gram[4:, 4:]}
    return {**grams, "p": sp.Integer(PAIRS), "n": sp.Integer(OTHER),
            **{f"Z_{i}{k}": outer[halves[i], halves[k]] for i, k in product("12", "12")}}  # fmt: skip


def of_two_inputs() -> list[dict[str, Any]]:
    """Four pairs, three features, whose products the modified kernel inverts with all eigenvalues kept."""
    points = sp.Matrix([1, -2]) / 3, sp.Matrix([2, 5]) / 7
    mapped, next_mapped = (np.array(PHI * features(point), dtype=float) for point in points)
    inverse = pair_products(PHI).inv()

    def kernel(*places: float) -> float:
        first, second = (features(points[int(index)]) for index in places)
        return float((first.T * inverse * second)[0])

    first, mixed, second = (
        np.array(blocks()[name], dtype=float) for name in ("K_XX", "K_XX1", "K_X1X1")
    )
    learned = self_supervised_matrix(first, mixed, second, rank=3)
    halves = {
        "K_xX": mapped[:PAIRS],
        "K_xX1": mapped[PAIRS:],
        "K_yX": next_mapped[:PAIRS],
        "K_yX1": next_mapped[PAIRS:],
    }
    return [{"k_ss": kernel, "X": 0, "Y": 1, "Q": learned, **halves}]


def of_a_quadratic_form() -> list[Meanings]:
    """Four pairs, three features; the metric from a factorisation of Q."""
    factor = sp.Matrix(len(DATA), 3, lambda i, k: sp.Rational((i + 1) * (k + 2) % 5 - 2, 3))
    kernels, form = PHI * features(X), factor * factor.T
    image, known = (
        factor.T * kernels,
        {"k_ss": between((kernels.T * form * PHI * features(Y))[0]), "Q": form},
    )
    cases = _components(image.jacobian(X).T * image.jacobian(X), "g_ss", known)
    slopes = [kernels.diff(symbol) for symbol in X]
    parts = {"": slice(0, PAIRS), "1": slice(PAIRS, None)}
    names = [(name, mark) for name, mark in product(("mu", "nu"), parts)]

    def halves(case: Meanings) -> Meanings:
        return {f"K_{name}{mark}": slopes[case[name] - 1][parts[mark], :] for name, mark in names}

    return [{**case, **halves(case)} for case in cases]


def _relation() -> str:
    """The entries of both metrics at one input have ratios that differ by more than a tenth."""
    at = sp.Matrix([sp.Rational(1, 2), sp.Rational(-3, 10)])
    slopes = gaussian.at_equal(jacobian(X), X, at)
    metric = slopes.T * pair_products(PHI).inv() * slopes
    ratios = [
        float(modified / base) for modified, base in zip(metric, base_metric(at), strict=True)
    ]
    return "differ" if np.ptp(ratios) > 0.1 * np.max(np.abs(ratios)) else "not differ"


@cache
def _eigenvalues() -> Any:
    """Of the whitened matrix of two pairs in three dimensions, falling: those of the products of pairs, and a zero."""
    return np.sort([*np.linalg.eigvalsh(np.array(pair_products(THREE), dtype=float)), 0.0])[::-1]


def inverts(statement: Any) -> bool:
    """Whether the top d eigenvalues can be inverted, with as many of them as the claim or its condition says."""
    claim, values = unconditional(statement), _eigenvalues()
    kinds = {"positive": int(np.sum(values > 1e-9)), "nonzero": int(np.sum(np.abs(values) > 1e-9))}
    kept = kinds["nonzero"] if claim is statement else chosen(statement.condition, "which", kinds)
    inverse = sp.lambdify(letters("gamma_1"), claim["inverse"])
    if np.min(np.abs(values[:kept])) < 1e-9:
        return False
    rest = [0.0] * (len(values) - kept)
    return is_close(
        np.linalg.pinv(np.diag([*values[:kept], *rest])),
        np.diag([*map(inverse, values[:kept]), *rest]),
    )


distances, mapped, quadratic = (
    exactly(cases) for cases in (of_distances, of_mapped_features, of_a_quadratic_form)
)

PROGRAMS: Programs = {
    "(F.5)": exactly(of_the_base),
    "(F.6) | (F.7)": distances,
    "F.1 flat": Program(
        lambda statement: (
            Check("as printed", partial(is_flat, statement), "rank of the metric"),
        ),
        lambda gradient: float(
            np.linalg.matrix_rank(np.array(_metric_of_distances(outer(gradient)), dtype=float))
        ),
        lambda claim, gradient: (
            len(gradient) * chosen(claim, "curvature", {"flat": 1.0, "curved": 0.0})
        ),
        at={"gradient": (2, -1)},
        quantity="rank of the metric where M is the outer product of one gradient",
    ),
    "(F.9) | (F.10) | (F.11)": mapped,
    "F.1 volume": deciding(rescales),
    "(F.14)": exactly(lambda: [blocks()]),
    "F.2 pseudo-inverse": Program(
        lambda statement: (
            Check("as printed", partial(inverts, statement), "pseudo-inverse of two pairs"),
        ),
        lambda d: float(np.sum(np.abs(_eigenvalues()[:d]) > 1e-9)),
        lambda _, d: float(d),
        at={"d": 3},
        quantity="eigenvalues of two pairs in three dimensions that can be inverted",
    ),
    "(F.19)": numerically(of_two_inputs),
    "(F.20) | (F.21)": quadratic,
    "F.2 another metric": stating(relation=_relation),
}
