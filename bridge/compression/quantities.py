"""The quantities that the studies of compression measure."""

from __future__ import annotations

from bridge.results.quantity import Quantity, logarithm_of

AMPLIFICATION = Quantity("compression.amplification", "amplification factor Λ* at t*, geometric mean")
RATIO = Quantity("compression.ratio", "Λ* over its prediction from the data set's own fluctuation, geometric mean")
EXPONENT = Quantity("compression.exponent", "exponent of Λ* in the number of points")
EXPONENT_WITH_OFFSET = Quantity("compression.exponent_with_offset", "the same exponent, of a power law with an offset")
OFFSET = Quantity("compression.offset", "offset of that power law of Λ*")
EXPONENT_MAX = Quantity("compression.exponent_max", "exponent of Λ_max in the number of points")
EXPONENT_END = Quantity(
    "compression.exponent_end", "exponent of the largest Λ until training ended, which was before Λ_max"
)

TIME_SLOPE = Quantity("compression.time_slope", "slope of t* in log(1/α), in units of τ")
TIME_OFFSET = Quantity("compression.time_offset", "offset of t* as a line in log(1/α), in units of τ")

LAZY_TIME = Quantity("compression.lazy_time", "exponent of t* in α at large α")
LAZY_AMPLIFICATION = logarithm_of(
    "compression.lazy_amplification", "Λ* at the largest α over that of the initial weights"
)
LAZY_ERROR = logarithm_of(
    "compression.lazy_error", "the test error at the largest α over that of the frozen initial kernel"
)
FEATURE_ERROR = logarithm_of(
    "compression.feature_error", "the test error at the smallest α over that of the frozen initial kernel"
)
FEATURE_AMPLIFICATION = logarithm_of("compression.feature_amplification", "Λ* at the smallest α over that at the next")
TEST_ERROR = Quantity("compression.test_error", "test error at a network scale, at the end of training")
FROZEN_ERROR = Quantity("compression.frozen_error", "test error of the frozen initial kernel")
TIME = Quantity("compression.time", "t* at a network scale, in units of τ")
MEAN_AMPLIFICATION = Quantity("compression.mean_amplification", "Λ* at a network scale, arithmetic mean")
MEAN_LARGEST = Quantity("compression.mean_largest", "largest Λ during training at a network scale, arithmetic mean")
FITTED = Quantity("compression.fitted", "share of the training points that are fitted at the end at a network scale")

ALIGNMENT = Quantity(
    "compression.alignment", "growth until t* of the informative share of a neuron's squared weights, mean over neurons"
)
SETTLED = Quantity("compression.settled", "share of the neurons at an attractor at t*")

BETA_LAZY = Quantity("compression.beta_lazy", "exponent β of the test error of the lazy regime")
BETA_COMPRESSED = Quantity("compression.beta_compressed", "exponent β of the lazy regime on compressed data")
BETA_FEATURE = Quantity("compression.beta_feature", "exponent β of the test error of networks that learn features")
BETA_KERNEL = Quantity("compression.beta_kernel", "exponent β of the kernel after feature learning")
BETA_WITH_OFFSET = Quantity("compression.beta_with_offset", "exponent β of a power law with an offset")
BETA_GAIN = Quantity("compression.beta_gain", "gain in β by feature learning over the lazy regime")
BETA_GAIN_COMPRESSED = Quantity(
    "compression.beta_gain_compressed", "gain in β of the lazy regime where the data are compressed by √p"
)
ERROR_RATIO = logarithm_of("compression.error_ratio", "the test error with the most points, feature over lazy regime")

INITIAL_INFORMATION = Quantity(
    "compression.initial_information", "information of a component of the initial kernel with the label, mean, bits"
)
INFORMATION_GAIN = Quantity("compression.information_gain", "growth of this mean information by training, bits")
SHARE_GAIN = Quantity(
    "compression.share_gain", "growth by training of the labels' share along the first components of the kernel"
)
NORM_CHANGE = logarithm_of("compression.norm_change", "the labels' squared RKHS norm, after training over before")
BEYOND_CHANGE = logarithm_of(
    "compression.beyond_change", "the share of the kernel beyond Eq. (10), after training over before"
)
MIXED_NEIGHBOURS = Quantity(
    "compression.mixed_neighbours",
    "share of the points whose nearest neighbour in the plane of a kernel's first two components has the other label",
)
DIMENSION = Quantity("compression.dimension", "effective dimension of the last layer after training")
INITIAL_DIMENSION = Quantity("compression.initial_dimension", "effective dimension of the last layer before training")
INPUT_DIMENSION = Quantity("compression.input_dimension", "effective dimension of the inputs")
TWO_NEIGHBOUR_DIMENSION = Quantity(
    "compression.two_neighbour_dimension", "dimension of the last layer after training, by two neighbours"
)
INFORMATION = Quantity("compression.information", "information of a kernel's most informative component, bits")
TOP_TWO = Quantity("compression.top_two", "share of the labels along the first two components of a kernel")
PROJECTED = Quantity("compression.projected", "share of the labels along all measured components of a kernel")
KERNEL_ERROR = Quantity("compression.kernel_error", "test error of a frozen kernel")
NETWORK_ERROR = Quantity("compression.network_error", "test error of the network")

KERNEL_LESS_NETWORK = Quantity(
    "compression.kernel_less_network", "test error of the trained kernel, frozen, less that of the network"
)
KERNEL_LESS_INITIAL = Quantity(
    "compression.kernel_less_initial", "test error of the trained kernel less that of the initial one, both frozen"
)
LAST_LAYER_LESS_NETWORK = Quantity(
    "compression.last_layer_less_network", "test error of the trained last layer, frozen, less that of the network"
)

EXTRA = (
    AMPLIFICATION, RATIO, EXPONENT_WITH_OFFSET, OFFSET, EXPONENT_END, TIME_OFFSET, TEST_ERROR, FROZEN_ERROR, TIME,
    MEAN_AMPLIFICATION, MEAN_LARGEST, FITTED, BETA_WITH_OFFSET, INITIAL_DIMENSION, INPUT_DIMENSION,
    INFORMATION, PROJECTED, KERNEL_ERROR, NETWORK_ERROR,
)  # fmt: skip
"""Quantities that are shown and recorded, and that no figure and no entry of the ledger names."""
