r"""Symbols of the collapse theory, and the meaning of each.

Features of class *c* have mean :math:`\mu_c` and covariance :math:`\Sigma_W`; the class means have covariance
:math:`\Sigma_B = \sum_c \pi_c (\mu_c - \bar\mu)(\mu_c - \bar\mu)^\top`, :math:`\pi_c` the priors. The metric NC1 is
:math:`\mathrm{tr}(\Sigma_W \Sigma_B^+)`, *not* divided by the number of classes.
"""

from functools import partial

import sympy as sp

from theory.core import Argument, ClosedForm, Condition, Premise, Source, Status

classes = sp.Symbol("classes", integer=True, positive=True)
samples = sp.Symbol("samples", integer=True, positive=True)
dimension = sp.Symbol("dimension", integer=True, positive=True)
variance, radius2, separation2 = sp.symbols("variance radius2 separation2", positive=True)
imbalance, condition, floor, initial = sp.symbols(
    "imbalance condition floor initial", positive=True
)
prior, shrink, correlation = sp.symbols("prior shrink correlation", positive=True)
depth = sp.Symbol("depth", nonnegative=True)

CLASSES = Argument(classes, "number of classes", sample=(2, 12), example=10, latex="C")
SAMPLES = Argument(
    samples, "number of samples of all classes together", sample=(50, 200), example=200, latex="N"
)
DIMENSION = Argument(
    dimension, "dimension of the features", sample=(15, 40), example=20, latex="D"
)
VARIANCE = Argument(
    variance,
    "variance of a feature within a class",
    unit="feature^2",
    sample=(0.1, 2),
    example=1,
    latex=r"\sigma^{2}",
)
RADIUS2 = Argument(
    radius2,
    "squared distance of the class means from their centroid",
    unit="feature^2",
    sample=(0.5, 3),
    example=1,
    latex=r"\rho^{2}",
)
IMBALANCE = Argument(
    imbalance,
    "mean of the priors over their harmonic mean; 1 if balanced",
    sample=(1, 3),
    example=1,
)
SEPARATION2 = Argument(
    separation2,
    "squared Mahalanobis distance of two class means",
    sample=(0.5, 4),
    example=4,
    latex=r"\Delta^{2}",
)
PRIOR = Argument(
    prior, "share of the first of two classes", sample=(0.1, 0.9), example=0.5, latex=r"\pi"
)
CONDITION = Argument(
    condition,
    "condition number of the within-class covariance",
    sample=(1.1, 30),
    example=10,
    latex=r"\kappa",
)
FLOOR = Argument(
    floor, "smallest NC1 that linear maps reach", sample=(0.05, 1), example=0.1, latex=r"\varphi"
)
INITIAL = Argument(
    initial, "NC1 before the first layer", sample=(2.5, 20), example=10, latex=r"\mathrm{NC}_{0}"
)
SHRINK = Argument(
    shrink,
    "factor by which a layer shrinks the nuisance",
    sample=(0.2, 0.9),
    example=0.5,
    latex="q",
)
DEPTH = Argument(depth, "number of layers", sample=(0, 6), example=4, latex="l")
CORRELATION = Argument(
    correlation, "magnitude of Pearson's r", sample=(0.88, 0.99), example=0.95, latex="|r|"
)

TWO_CLASSES_OR_MORE = Condition(classes - 2, "there are at least two classes")
A_SHARE = Condition(sp.Lt(prior, 1), "the prior is below 1")

w11, w12, w22, b11, b12, b22 = sp.symbols("w11 w12 w22 b11 b12 b22", real=True)
within, inverse_between = sp.Matrix([[w11, w12], [w12, w22]]), sp.Matrix([[b11, b12], [b12, b22]])
NC1 = Premise(
    "NC1 = tr(Sigma_W Sigma_B^+), the covariance within classes and the pseudo-inverse of that between them",
    (within * inverse_between).trace(),
)
DEFINITION = Source("cheong2025", "Section 1.2, definition of the metric")
nc1_form = partial(ClosedForm, sources=(DEFINITION,), status=Status.DERIVED)
