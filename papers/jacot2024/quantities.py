"""The quantities that the studies of Leaky ResNets measure; those without a unit are dimensionless.

"The beginning" and "the end" are the first and the last quarter of the layers, "the middle" is the half between them.
Speed, kinetic energy and cost of identity have K + γ.
"""

import math

from bridge.results.quantity import quantities_of

quantity, logarithm = quantities_of("leaky_resnet")

RANK = quantity("rank", "−2H/L̃, median over layers")
STABLE_RANK = quantity("stable_rank", "−2H/L̃ with K + γ in both of its parts, median over layers")
VARIATION = quantity("variation", "standard deviation of −2H/L̃ along the layers")
RATIO = quantity(
    "ratio", "how many times less −2H/L̃ varies along the layers than the larger of its parts"
)
MINIMAL_COST = quantity("minimal_cost", "least cost of identity of a layer")
SLACK = quantity("slack", "slack of Theorem 4, the largest γ‖B‖² of a layer")
NEGATIVE_SHARE = quantity(
    "negative_share",
    "norm of the negative entries of the representation with the least cost of identity, over its norm",
)
GROWTH_FACTOR = quantity(
    "growth_factor",
    "growth of the squared weight norm along the layers over L̃ times the integral of the squared bias",
)
RESIDUAL = quantity("residual", "gradient of the cost by the weights over that of the regulariser")

CRITICAL_RANK = quantity("critical_rank", "−2H/L̃ at the largest L̃ with only critical networks")
BELOW = quantity("below", "least distance of −2H/L̃ of critical networks below k*")
RISE = quantity("rise", "rise of −2H/L̃ from the smallest to the largest L̃ with a critical network")
RANK_LIMIT = quantity("rank_limit", "limit of −2H/L̃ of critical networks, extrapolated in 1/L̃²")
COST_BEYOND = quantity(
    "cost_beyond",
    "least cost of identity, less that of a non-negative representation with the same singular values",
)
DIRECTIONS_BEYOND = quantity(
    "directions_beyond", "directions above the largest gap of the middle layer's weights, less k*"
)
CRITICAL_GROWTH = quantity(
    "critical_growth",
    "growth of the squared weight norm over L̃ times the integral of the squared bias, critical networks at the "
    "smallest L̃",
)

KINETIC_BEGINNING = logarithm(
    "kinetic_beginning", "the kinetic energy at the beginning over its median in the middle"
)
KINETIC_END = logarithm(
    "kinetic_end", "the kinetic energy at the end over its median in the middle"
)
EXTRA_BEGINNING = logarithm(
    "extra_beginning",
    "the cost of identity beyond the least, at the beginning over its median in the middle",
)
EXTRA_END = logarithm(
    "extra_end", "the cost of identity beyond the least, at the end over its median in the middle"
)
WEIGHTS_BEGINNING = quantity(
    "weights_beginning", "dimensions of the weights at the beginning, less those in the middle"
)
WEIGHTS_END = quantity(
    "weights_end", "dimensions of the weights at the end, less those in the middle"
)
PEAK = logarithm("peak", "the highest peak of the speed in the middle over the lows around it")
SLOW_SHARE = quantity(
    "slow_share", "share of p with a cost of identity within one dimension of the least one"
)
SLOW_GROWTH = quantity("slow_growth", "growth of the share of slow layers from the smallest L̃")
MOMENTUM_EXPONENT = quantity("momentum_exponent", "exponent of ‖B‖ in ‖σ(A)‖ along the layers")
MOMENTUM_RANGE = quantity(
    "momentum_range",
    "common logarithm of the largest over the smallest γ‖B‖² of a layer",
    base=10.0,
)
IMAGE_DISTANCE = quantity(
    "image_distance",
    "common logarithm of the distance of A from the image of σ(A) over the norm of A, median over layers",
    base=10.0,
)
WEIGHT_SEPARATION = logarithm(
    "weight_separation",
    "the largest ratio of neighbouring singular values of the middle layer's weights",
)
REPRESENTATION_SEPARATION = logarithm(
    "representation_separation",
    "the largest ratio of neighbouring singular values of the middle layer's representation",
)

PATH_LENGTH = quantity("path_length", "length of the path, in the unit of the representations")
MOMENTUM_NORM = quantity(
    "momentum_norm", "largest ‖B‖ of a layer, in the inverse unit of the representations"
)
WEIGHT_FROM_MOMENTA = quantity("weight_from_momenta_norm", "largest ‖Bσ(A)ᵀ‖ of a layer")
LENGTH_EXPONENT = quantity("length_exponent", "exponent of the path's length in L̃")
RELATIVE_LENGTH_EXPONENT = quantity(
    "relative_length_exponent",
    "exponent in L̃ of the path's length over the largest representation",
)
MOMENTUM_NORM_EXPONENT = quantity("momentum_norm_exponent", "exponent of the largest ‖B‖ in L̃")
WEIGHT_EXPONENT = quantity("weight_exponent", "exponent of the largest ‖Bσ(A)ᵀ‖ in L̃")

TRAIN_COST = quantity(
    "train_cost", "mean squared error on the training points, summed over outputs"
)
TEST_COST = quantity("test_cost", "mean squared error on the test points, summed over outputs")
ADVANTAGE = logarithm("advantage", "the test cost of the equidistant mesh over that of this mesh")
MEAN_ADVANTAGE = logarithm(
    "mean_advantage",
    "the test cost of the equidistant mesh over that of this mesh, mean over the numbers of layers",
)
EVENNESS = quantity(
    "evenness", "longest over shortest distance that a layer moves the representation by"
)
LOG_UNEVENNESS = quantity(
    "log_unevenness",
    "logarithm of the longest over the shortest distance that a layer moves the representation by, equidistant mesh "
    "over this mesh",
    base=math.e,
)
LONGEST = quantity("longest", "longest step times the number of layers")
OUTER = quantity("outer", "share of the layers in the first and the last quarter of p")
BEGINNING = quantity("beginning", "share of the layers in the first quarter of p")
END = quantity("end", "share of the layers in the last quarter of p")
EARLY_DIRECTIONS = quantity(
    "early_directions", "directions above the largest gap of the weights at p = 0.3"
)

ORDER = quantity("order", "order in 1/L of the difference from infinitely many layers")
SQUARED_WEIGHTS = quantity(
    "squared_weights", "squared weights along the path, extrapolated to L → ∞"
)
