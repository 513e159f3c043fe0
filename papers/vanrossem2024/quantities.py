"""The quantities that the two-point studies measure."""

import math

from bridge.results.quantity import quantities_of

quantity, logarithm = quantities_of("two_point")

TAU_H = quantity("tau_h", "fitted time constant of the encoder, epochs")
TAU_Y = quantity("tau_y", "fitted time constant of the decoder, epochs")
TAU_MEAN = quantity("tau_mean", "fitted time constant of the mean output, epochs")
DISTANCE_FITTED = quantity(
    "distance_fitted", "squared final distance, by Eq. (10) with the rates of the whole training"
)
DISTANCE_FORECAST = quantity(
    "distance_forecast",
    "squared final distance, by Eq. (10) with the rates of the first half of the way",
)
UNEXPLAINED_CURVES = logarithm(
    "unexplained_curves", "the share of the variance of the curves that the theory misses"
)
UNEXPLAINED_WORST = logarithm(
    "unexplained_worst", "the share of the variance of the worst curve that the theory misses"
)
UNEXPLAINED_LOSS = logarithm(
    "unexplained_loss", "the share of the variance of the loss that the theory misses"
)
DELAY = logarithm(
    "delay", "the time to half of the loss without its mean over that from there to a tenth"
)

FIT_LOSS = logarithm("fit_loss", "the fit loss (Eq. 49)")
FIT_LOSS_INCREASE = logarithm(
    "fit_loss_increase", "the smallest of the four increases of the fit loss by Eq. (51)"
)
FIT_LOSS_HALVES = logarithm(
    "fit_loss_halves", "the fit loss, second half of the layers over the first"
)
LAYER_FACTOR = logarithm("layer_factor", "the factor G per layer (Eq. 14)")
ENCODER_EXPONENT = quantity(
    "encoder_exponent", "exponent of the encoder's rate in its number of parameters"
)
DECODER_EXPONENT = quantity(
    "decoder_exponent", "exponent of the decoder's rate in its number of parameters"
)

GRID_RATIO = quantity(
    "grid_ratio",
    "mean logarithm of measured over predicted squared final distance",
    version=2,  # 1 had the scatter of the cells as its error, which differ systematically
    base=math.e,
)
GRID_BIAS = quantity(
    "grid_bias",
    "mean logarithm of measured over predicted squared final distance, over architectures",
    base=math.e,
)
GRID_TREND = quantity(
    "grid_trend",
    "exponent of measured over predicted squared final distance in the input distance",
    version=2,  # as of the mean
)
GRID_UNEXPLAINED = logarithm(
    "grid_unexplained", "the share of the variance of final distances that Eq. (10) misses"
)
SPREAD = quantity("spread", "standard deviation of the squared final distance over networks")
SHAPE = quantity("shape", "standard deviation over mean of |dh(0)|²/|dx|²")

MERGED_PAIRS = quantity("merged_pairs", "number of merged pairs with the same target")
TARGETS_APART = logarithm(
    "targets_apart", "measured over predicted distance of points with different targets"
)
EXTENT = logarithm("extent", "the squared extent, irrelevant over relevant feature")
CONTEXTS = quantity(
    "contexts", "squared distance of the contexts over the extent of the relevant feature"
)
CORRELATION_ALL = quantity(
    "correlation_all", "correlation of squared distances with the theory, all entries"
)
CORRELATION_DIFFERENT = quantity(
    "correlation_different", "correlation of squared distances with the theory, different digits"
)
LINEARITY = logarithm(
    "linearity", "the odd over the even part, nearest over farthest tenth of the pairs"
)
