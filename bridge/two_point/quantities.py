"""The quantities that the two-point studies measure."""

from __future__ import annotations

import math

from bridge.results.quantity import Quantity, logarithm_of

TAU_H = Quantity("two_point.tau_h", "fitted time constant of the encoder, epochs")
TAU_Y = Quantity("two_point.tau_y", "fitted time constant of the decoder, epochs")
TAU_MEAN = Quantity("two_point.tau_mean", "fitted time constant of the mean output, epochs")
DISTANCE_FITTED = Quantity(
    "two_point.distance_fitted", "squared final distance, by Eq. (10) with the rates of the whole training"
)
DISTANCE_FORECAST = Quantity(
    "two_point.distance_forecast", "squared final distance, by Eq. (10) with the rates of the first half of the way"
)
UNEXPLAINED_CURVES = logarithm_of(
    "two_point.unexplained_curves", "the share of the variance of the curves that the theory misses"
)
UNEXPLAINED_WORST = logarithm_of(
    "two_point.unexplained_worst", "the share of the variance of the worst curve that the theory misses"
)
UNEXPLAINED_LOSS = logarithm_of(
    "two_point.unexplained_loss", "the share of the variance of the loss that the theory misses"
)
DELAY = logarithm_of("two_point.delay", "the time to half of the loss over that from there to a tenth")

FIT_LOSS = logarithm_of("two_point.fit_loss", "the fit loss (Eq. 49)")
FIT_LOSS_INCREASE = logarithm_of(
    "two_point.fit_loss_increase", "the smallest of the four increases of the fit loss by Eq. (51)"
)
FIT_LOSS_HALVES = logarithm_of("two_point.fit_loss_halves", "the fit loss, second half of the layers over the first")
LAYER_FACTOR = logarithm_of("two_point.layer_factor", "the factor G per layer (Eq. 14)")
ENCODER_EXPONENT = Quantity("two_point.encoder_exponent", "exponent of the encoder's rate in its number of parameters")
DECODER_EXPONENT = Quantity("two_point.decoder_exponent", "exponent of the decoder's rate in its number of parameters")

GRID_RATIO = Quantity(
    "two_point.grid_ratio",
    "mean logarithm of measured over predicted squared final distance",
    version=2,  # 1 had the scatter of the cells as its error, which differ systematically
    base=math.e,
)
GRID_BIAS = Quantity(
    "two_point.grid_bias",
    "mean logarithm of measured over predicted squared final distance, over architectures",
    base=math.e,
)
GRID_TREND = Quantity(
    "two_point.grid_trend",
    "exponent of measured over predicted squared final distance in the input distance",
    version=2,  # as of the mean
)
GRID_UNEXPLAINED = logarithm_of(
    "two_point.grid_unexplained", "the share of the variance of final distances that Eq. (10) misses"
)
SPREAD = Quantity("two_point.spread", "standard deviation of the squared final distance over networks")
SHAPE = Quantity("two_point.shape", "standard deviation over mean of |dh(0)|²/|dx|²")

MERGED_PAIRS = Quantity("two_point.merged_pairs", "number of merged pairs with the same target")
TARGETS_APART = logarithm_of(
    "two_point.targets_apart", "measured over predicted distance of points with different targets"
)
EXTENT = logarithm_of("two_point.extent", "the squared extent, irrelevant over relevant feature")
CONTEXTS = Quantity("two_point.contexts", "squared distance of the contexts over the extent of the relevant feature")
CORRELATION_ALL = Quantity("two_point.correlation_all", "correlation of squared distances with the theory, all entries")
CORRELATION_DIFFERENT = Quantity(
    "two_point.correlation_different", "correlation of squared distances with the theory, different digits"
)
LINEARITY = logarithm_of("two_point.linearity", "the odd over the even part, nearest over farthest tenth of the pairs")

EXTRA = (TAU_MEAN, DISTANCE_FITTED, DISTANCE_FORECAST, SHAPE)
"""Quantities that are shown and recorded, and that no figure and no entry of the ledger names."""
