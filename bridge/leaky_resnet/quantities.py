"""The quantities that the studies of Leaky ResNets measure; those without a unit are dimensionless.

"The beginning" and "the end" are the first and the last quarter of the layers, "the middle" is the half between them.
Speed, kinetic energy and cost of identity have K + γ.
"""

from __future__ import annotations

import math

from bridge.results.quantity import Quantity, logarithm_of

RANK = Quantity("leaky_resnet.rank", "−2H/L̃, median over layers")
VARIATION = Quantity("leaky_resnet.variation", "standard deviation of −2H/L̃ along the layers")
RATIO = Quantity("leaky_resnet.ratio", "how many times less −2H/L̃ varies along the layers than the larger of its parts")
MINIMAL_COST = Quantity("leaky_resnet.minimal_cost", "least cost of identity of a layer")
SLACK = Quantity("leaky_resnet.slack", "slack of Theorem 4, the largest γ‖B‖² of a layer")
NEGATIVE_SHARE = Quantity(
    "leaky_resnet.negative_share",
    "norm of the negative entries of the representation with the least cost of identity, over its norm",
)
GROWTH_FACTOR = Quantity(
    "leaky_resnet.growth_factor",
    "growth of the squared weight norm along the layers over L̃ times the integral of the squared bias",
)
RESIDUAL = Quantity("leaky_resnet.residual", "gradient of the cost by the weights over that of the regulariser")

CRITICAL_RANK = Quantity("leaky_resnet.critical_rank", "−2H/L̃ at the largest L̃ with only critical networks")
BELOW = Quantity("leaky_resnet.below", "least distance of −2H/L̃ of critical networks below k*")
RISE = Quantity("leaky_resnet.rise", "rise of −2H/L̃ from the smallest to the largest L̃ with a critical network")
COST_BEYOND = Quantity(
    "leaky_resnet.cost_beyond",
    "least cost of identity, less that of a non-negative representation with the same singular values",
)
DIRECTIONS_BEYOND = Quantity(
    "leaky_resnet.directions_beyond", "directions above the largest gap of the middle layer's weights, less k*"
)
CRITICAL_GROWTH = Quantity(
    "leaky_resnet.critical_growth",
    "growth of the squared weight norm over L̃ times the integral of the squared bias, critical networks at the "
    "smallest L̃",
)

KINETIC_BEGINNING = logarithm_of(
    "leaky_resnet.kinetic_beginning", "the kinetic energy at the beginning over its median in the middle"
)
KINETIC_END = logarithm_of("leaky_resnet.kinetic_end", "the kinetic energy at the end over its median in the middle")
EXTRA_BEGINNING = logarithm_of(
    "leaky_resnet.extra_beginning",
    "the cost of identity beyond the least, at the beginning over its median in the middle",
)
EXTRA_END = logarithm_of(
    "leaky_resnet.extra_end", "the cost of identity beyond the least, at the end over its median in the middle"
)
WEIGHTS_BEGINNING = Quantity(
    "leaky_resnet.weights_beginning", "dimensions of the weights at the beginning, less those in the middle"
)
WEIGHTS_END = Quantity("leaky_resnet.weights_end", "dimensions of the weights at the end, less those in the middle")
PEAK = logarithm_of("leaky_resnet.peak", "the highest peak of the speed in the middle over the lows around it")
SLOW_SHARE = Quantity(
    "leaky_resnet.slow_share", "share of p with a cost of identity within one dimension of the least one"
)
SLOW_GROWTH = Quantity("leaky_resnet.slow_growth", "growth of the share of slow layers from the smallest L̃")
MOMENTUM_EXPONENT = Quantity("leaky_resnet.momentum_exponent", "exponent of ‖B‖ in ‖σ(A)‖ along the layers")
MOMENTUM_RANGE = Quantity(
    "leaky_resnet.momentum_range", "common logarithm of the largest over the smallest γ‖B‖² of a layer", base=10.0
)
IMAGE_DISTANCE = Quantity(
    "leaky_resnet.image_distance",
    "common logarithm of the distance of A from the image of σ(A) over the norm of A, median over layers",
    base=10.0,
)
WEIGHT_SEPARATION = logarithm_of(
    "leaky_resnet.weight_separation", "the largest ratio of neighbouring singular values of the middle layer's weights"
)
REPRESENTATION_SEPARATION = logarithm_of(
    "leaky_resnet.representation_separation",
    "the largest ratio of neighbouring singular values of the middle layer's representation",
)

PATH_LENGTH = Quantity("leaky_resnet.path_length", "length of the path, in the unit of the representations")
MOMENTUM_NORM = Quantity(
    "leaky_resnet.momentum_norm", "largest ‖B‖ of a layer, in the inverse unit of the representations"
)
WEIGHT_FROM_MOMENTA = Quantity("leaky_resnet.weight_from_momenta_norm", "largest ‖Bσ(A)ᵀ‖ of a layer")
LENGTH_EXPONENT = Quantity("leaky_resnet.length_exponent", "exponent of the path's length in L̃")
RELATIVE_LENGTH_EXPONENT = Quantity(
    "leaky_resnet.relative_length_exponent", "exponent in L̃ of the path's length over the largest representation"
)
MOMENTUM_NORM_EXPONENT = Quantity("leaky_resnet.momentum_norm_exponent", "exponent of the largest ‖B‖ in L̃")
WEIGHT_EXPONENT = Quantity("leaky_resnet.weight_exponent", "exponent of the largest ‖Bσ(A)ᵀ‖ in L̃")

TRAIN_COST = Quantity("leaky_resnet.train_cost", "mean squared error on the training points, summed over outputs")
TEST_COST = Quantity("leaky_resnet.test_cost", "mean squared error on the test points, summed over outputs")
ADVANTAGE = logarithm_of("leaky_resnet.advantage", "the test cost of the equidistant mesh over that of this mesh")
MEAN_ADVANTAGE = logarithm_of(
    "leaky_resnet.mean_advantage",
    "the test cost of the equidistant mesh over that of this mesh, mean over the numbers of layers",
)
EVENNESS = Quantity("leaky_resnet.evenness", "longest over shortest distance that a layer moves the representation by")
LOG_UNEVENNESS = Quantity(
    "leaky_resnet.log_unevenness",
    "logarithm of the longest over the shortest distance that a layer moves the representation by, equidistant mesh "
    "over this mesh",
    base=math.e,
)
LONGEST = Quantity("leaky_resnet.longest", "longest step times the number of layers")
OUTER = Quantity("leaky_resnet.outer", "share of the layers in the first and the last quarter of p")
BEGINNING = Quantity("leaky_resnet.beginning", "share of the layers in the first quarter of p")
END = Quantity("leaky_resnet.end", "share of the layers in the last quarter of p")
EARLY_DIRECTIONS = Quantity(
    "leaky_resnet.early_directions", "directions above the largest gap of the weights at p = 0.3"
)

ORDER = Quantity("leaky_resnet.order", "order in 1/L of the difference from infinitely many layers")
SQUARED_WEIGHTS = Quantity("leaky_resnet.squared_weights", "squared weights along the path, extrapolated to L → ∞")

EXTRA: tuple[str, ...] = (
    VARIATION, SLACK, GROWTH_FACTOR, RESIDUAL, COST_BEYOND, PATH_LENGTH, MOMENTUM_NORM, WEIGHT_FROM_MOMENTA,
    TRAIN_COST, ADVANTAGE, EVENNESS, LONGEST,
)  # fmt: skip
"""Quantities that are shown and recorded, and that no figure and no entry of the ledger names."""
