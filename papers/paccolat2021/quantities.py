"""The quantities that the studies of compression measure."""

from bridge.results.quantity import quantities_of

quantity, logarithm = quantities_of("compression")

AMPLIFICATION = quantity("amplification", "amplification factor Λ* at t*, geometric mean")
RATIO = quantity(
    "ratio", "Λ* over its prediction from the data set's own fluctuation, geometric mean"
)
EXPONENT = quantity("exponent", "exponent of Λ* in the number of points")
EXPONENT_WITH_OFFSET = quantity(
    "exponent_with_offset", "the same exponent, of a power law with an offset"
)
OFFSET = quantity("offset", "offset of that power law of Λ*")
EXPONENT_MAX = quantity("exponent_max", "exponent of Λ_max in the number of points")
EXPONENT_END = quantity(
    "exponent_end", "exponent of the largest Λ until training ended, which was before Λ_max"
)

TIME_SLOPE = quantity("time_slope", "slope of t* in log(1/α), in units of τ")
TIME_OFFSET = quantity("time_offset", "offset of t* as a line in log(1/α), in units of τ")

LAZY_TIME = quantity("lazy_time", "exponent of t* in α at large α")
LAZY_AMPLIFICATION = logarithm(
    "lazy_amplification", "Λ* at the largest α over that of the initial weights"
)
LAZY_ERROR = logarithm(
    "lazy_error", "the test error at the largest α over that of the frozen initial kernel"
)
FEATURE_ERROR = logarithm(
    "feature_error", "the test error at the smallest α over that of the frozen initial kernel"
)
FEATURE_AMPLIFICATION = logarithm(
    "feature_amplification", "Λ* at the smallest α over that at the next"
)
TEST_ERROR = quantity("test_error", "test error at a network scale, at the end of training")
FROZEN_ERROR = quantity("frozen_error", "test error of the frozen initial kernel")
TIME = quantity("time", "t* at a network scale, in units of τ")
MEAN_AMPLIFICATION = quantity("mean_amplification", "Λ* at a network scale, arithmetic mean")
MEAN_LARGEST = quantity(
    "mean_largest", "largest Λ during training at a network scale, arithmetic mean"
)
FITTED = quantity(
    "fitted", "share of the training points that are fitted at the end at a network scale"
)

ALIGNMENT = quantity(
    "alignment",
    "growth until t* of the informative share of a neuron's squared weights, mean over neurons",
)
SETTLED = quantity("settled", "share of the neurons at an attractor at t*")

BETA_LAZY = quantity("beta_lazy", "exponent β of the test error of the lazy regime")
BETA_COMPRESSED = quantity("beta_compressed", "exponent β of the lazy regime on compressed data")
BETA_LAZY_MEDIAN = quantity(
    "beta_lazy_median", "exponent β of the median test error of the lazy regime"
)
BETA_COMPRESSED_MEDIAN = quantity(
    "beta_compressed_median", "exponent β of the median test error on compressed data"
)
BETA_FEATURE = quantity(
    "beta_feature", "exponent β of the test error of networks that learn features"
)
BETA_KERNEL = quantity("beta_kernel", "exponent β of the kernel after feature learning")
BETA_WITH_OFFSET = quantity("beta_with_offset", "exponent β of a power law with an offset")
BETA_GAIN = quantity("beta_gain", "gain in β by feature learning over the lazy regime")
BETA_GAIN_COMPRESSED = quantity(
    "beta_gain_compressed", "gain in β of the lazy regime where the data are compressed by √p"
)
ERROR_RATIO = logarithm(
    "error_ratio", "the test error with the most points, feature over lazy regime"
)

INITIAL_INFORMATION = quantity(
    "initial_information",
    "information of a component of the initial kernel with the label, mean, bits",
)
INFORMATION_GAIN = quantity(
    "information_gain", "growth of this mean information by training, bits"
)
SHARE_GAIN = quantity(
    "share_gain",
    "growth by training of the labels' share along the first components of the kernel",
)
NORM_CHANGE = logarithm("norm_change", "the labels' squared RKHS norm, after training over before")
BEYOND_CHANGE = logarithm(
    "beyond_change", "the share of the kernel beyond Eq. (10), after training over before"
)
MIXED_NEIGHBOURS = quantity(
    "mixed_neighbours",
    "share of the points whose nearest neighbour in the plane of a kernel's first two components has the other label",
)
DIMENSION = quantity("dimension", "effective dimension of the last layer after training")
INITIAL_DIMENSION = quantity(
    "initial_dimension", "effective dimension of the last layer before training"
)
INPUT_DIMENSION = quantity("input_dimension", "effective dimension of the inputs")
TWO_NEIGHBOUR_DIMENSION = quantity(
    "two_neighbour_dimension", "dimension of the last layer after training, by two neighbours"
)
INFORMATION = quantity("information", "information of a kernel's most informative component, bits")
TOP_TWO = quantity("top_two", "share of the labels along the first two components of a kernel")
PROJECTED = quantity("projected", "share of the labels along all measured components of a kernel")
KERNEL_ERROR = quantity("kernel_error", "test error of a frozen kernel")
NETWORK_ERROR = quantity("network_error", "test error of the network")

KERNEL_LESS_NETWORK = quantity(
    "kernel_less_network", "test error of the trained kernel, frozen, less that of the network"
)
KERNEL_LESS_INITIAL = quantity(
    "kernel_less_initial",
    "test error of the trained kernel less that of the initial one, both frozen",
)
LAST_LAYER_LESS_NETWORK = quantity(
    "last_layer_less_network",
    "test error of the trained last layer, frozen, less that of the network",
)
