"""tr(Σ_W Σ_B⁺) from the definition, in exact rational arithmetic: slow and independent of the package.

A float64 is a rational number, so NC1 of the given features is computed without any rounding.
"""

from __future__ import annotations

from fractions import Fraction

import flint
import numpy as np


def exact_nc1(features, labels) -> Fraction:
    """The value at the given features ``[N, D]``, numbers of any exact kind, and labels ``[N]``."""
    x = flint.fmpq_mat([[rational(v) for v in row] for row in features])
    labels = [int(y) for y in labels]
    classes = sorted(set(labels))
    size, dimension = x.nrows(), x.ncols()
    counts = [labels.count(c) for c in classes]
    average = [
        [flint.fmpq(int(y == c), n) for y in labels] for c, n in zip(classes, counts, strict=True)
    ]
    means = flint.fmpq_mat(average) * x
    mean = flint.fmpq_mat([[flint.fmpq(1, size)] * size]) * x
    centred = means - flint.fmpq_mat(len(classes), 1, [1] * len(classes)) * mean
    # Σ_B = Bᵀ P B / N with B some independent rows of the centred means, so Σ_B⁺ = N Bᵀ G⁻¹ P⁻¹ G⁻¹ B, G = B Bᵀ.
    gram = centred * centred.transpose()
    chosen = independent_rows(gram)
    basis = flint.fmpq_mat([[centred[i, d] for d in range(dimension)] for i in chosen])
    inverse = (basis * basis.transpose()).inv()
    combination = centred * basis.transpose() * inverse
    weights = flint.fmpq_mat(len(counts), len(counts))
    for i, n in enumerate(counts):
        weights[i, i] = n
    p = combination.transpose() * weights * combination
    deviations = x - flint.fmpq_mat([[int(y == c) for c in classes] for y in labels]) * means
    projected = basis * deviations.transpose()
    product = p.inv() * inverse * (projected * projected.transpose()) * inverse
    total = sum((product[i, i] for i in range(len(chosen))), flint.fmpq(0))
    return Fraction(int(total.p), int(total.q))


def independent_rows(gram) -> list[int]:
    """Indices of rows that form a basis, from their exact Gram matrix: the pivots of its echelon form."""
    echelon, rank = gram.rref()
    return [next(j for j in range(echelon.ncols()) if echelon[i, j] != 0) for i in range(rank)]


def rational(value) -> flint.fmpq:
    exact = Fraction(float(value) if isinstance(value, np.floating | np.integer) else value)
    return flint.fmpq(exact.numerator, exact.denominator)


def direct_covariances(features, labels):
    """Σ_W and Σ_B as D x D matrices in float64."""
    x, y = np.asarray(features, float), np.asarray(labels)
    mean = x.mean(0)
    within = np.zeros((x.shape[1],) * 2)
    between = np.zeros_like(within)
    for c in np.unique(y):
        members = x[y == c]
        centred = members - members.mean(0)
        within += centred.T @ centred / len(x)
        apart = members.mean(0) - mean
        between += len(members) / len(x) * np.outer(apart, apart)
    return within, between
