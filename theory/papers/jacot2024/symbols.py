"""The letters of the paper that several entries share, as sympy has them.

A norm has the activation that its kernel is made of as a second argument, which is not shown. sigma(A) has the shape of
A here; in numbers a row of ones is added where there is a bias.
"""

from __future__ import annotations

import sympy as sp

w, N = sp.symbols("w N", integer=True, positive=True)
L, lam, gamma, c = sp.symbols("L lam gamma c", positive=True)
H, beta, residual = sp.symbols("H beta residual", real=True)
A, A_dot, B, B_dot, S, slopes, A_1, B_1, F = (
    sp.MatrixSymbol(name, w, N) for name in ("A", "A_dot", "B", "B_dot", "S", "slopes", "A_1", "B_1", "F")
)
W = sp.MatrixSymbol("W", w, w)
norm, norm_F, norm_op, norm_nuc, norm_K, norm_gamma = (
    sp.Function(name, nonnegative=True) for name in ("norm", "norm_F", "norm_op", "norm_nuc", "norm_K", "norm_gamma")
)
inner, trace, rank = (sp.Function(name, real=True) for name in ("inner", "trace", "rank"))
half = sp.Rational(1, 2)
