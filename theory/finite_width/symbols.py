"""Symbols of random networks of finite width, and the meaning of each."""

import sympy as sp

from theory.core import Argument

n, L = sp.symbols("n L", integer=True, positive=True)
C = sp.Symbol("C", positive=True)
C_b = sp.Symbol("C_b", nonnegative=True)
a, b = sp.symbols("a b", real=True)

WIDTH = Argument(n, "width of every hidden layer", sample=(4, 300), example=100)
DEPTH = Argument(L, "number of hidden layers", sample=(1, 12), example=6)
WEIGHTS = Argument(
    C, "variance of a weight times the width of the layer below", sample=(0.5, 2), example=1
)
BIASES = Argument(C_b, "variance of a bias", sample=(0.1, 1), example=0.1)
ABOVE = Argument(
    a, "slope of the activation for positive pre-activations", sample=(0.5, 1.5), example=1
)
BELOW = Argument(b, "slope for negative ones, 0 for ReLU", sample=(0.1, 0.4), example=0)
