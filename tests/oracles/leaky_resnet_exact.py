"""Energies of a Leaky ResNet in exact rational arithmetic, infinite values included."""

from __future__ import annotations

from fractions import Fraction

import flint
import numpy as np


def rational(X: np.ndarray) -> flint.fmpq_mat:
    """The binary fractions that the floats are."""
    entries = [flint.fmpq(*Fraction(float(x)).as_integer_ratio()) for x in X.ravel()]
    return flint.fmpq_mat(*X.shape, entries)


def features_of(A: np.ndarray, bias: bool) -> np.ndarray:
    return np.vstack([np.where(A > 0, A, 0.0), np.ones((int(bias), A.shape[1]))])


def trace(M: flint.fmpq_mat) -> Fraction:
    total = sum((M[i, i] for i in range(M.nrows())), flint.fmpq(0))
    return Fraction(int(total.p), int(total.q))


def squared_norm(M: np.ndarray, A: np.ndarray, bias: bool, gamma: float = 0.0) -> Fraction | None:
    """Tr M (K + gamma)^-1 M', or |M sigma(A)^+|^2 at gamma = 0; None where that is infinite."""
    S, X = rational(features_of(A, bias)), rational(M)
    samples = A.shape[1]
    if gamma:
        kernel = S.transpose() * S
        shift = flint.fmpq(*Fraction(gamma).as_integer_ratio())
        for i in range(samples):
            kernel[i, i] += shift
        return trace(X * kernel.solve(X.transpose()))
    # A basis R of the row space: S = C R and M = D R with C of full column rank, and the norm is Tr D (C'C)^-1 D'.
    reduced, rank = S.rref()
    if rank == 0:
        return Fraction(0) if not np.any(M) else None
    pivots = [next(j for j in range(samples) if reduced[i, j] != 0) for i in range(rank)]
    basis = flint.fmpq_mat(
        rank, samples, [reduced[i, j] for i in range(rank) for j in range(samples)]
    )

    def at_pivots(Y: flint.fmpq_mat) -> flint.fmpq_mat:
        return flint.fmpq_mat(Y.nrows(), rank, [Y[i, j] for i in range(Y.nrows()) for j in pivots])

    C, D = at_pivots(S), at_pivots(X)
    if D * basis != X:
        return None
    return trace(D * (C.transpose() * C).solve(D.transpose()))


def hamiltonian(A: np.ndarray, B: np.ndarray, depth: float, bias: bool) -> Fraction:
    W = rational(B) * rational(features_of(A, bias)).transpose()
    pull = trace(rational(B) * rational(A).transpose())
    return Fraction(depth) * (trace(W * W.transpose()) / 2 - pull)
