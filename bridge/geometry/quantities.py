"""The quantities that the studies of geometry measure."""

from __future__ import annotations

from bridge.results.quantity import Quantity

VOLUME_LIMIT = Quantity("geometry.volume_limit", "volume element at infinite width, where it is farthest from the form")
CURVATURE_LIMIT = Quantity(
    "geometry.curvature_limit", "scalar curvature at infinite width, where it is farthest from the form"
)
EXTRAPOLATED = Quantity("geometry.extrapolated", "volume element or curvature, extrapolated to infinite width")
RATE = Quantity("geometry.rate", "exponent of the deviation from the closed form in the width")
SYMMETRIC_VOLUME = Quantity("geometry.symmetric_volume", "volume element of three units, where it is farthest")
SYMMETRIC_CURVATURE = Quantity("geometry.symmetric_curvature", "scalar curvature of three units, where it is farthest")
CHI = Quantity("geometry.chi", "factor χ of the Bayesian correction, where it is farthest from the form")
FIRST_ORDER = Quantity(
    "geometry.first_order", "coefficient of 1/width in the mean volume element, where it is farthest from the form"
)
COEFFICIENT = Quantity("geometry.coefficient", "coefficient of 1/width in a volume element")

BEFORE = Quantity("geometry.before", "rank correlation of volume before training with the distance to the boundary")
AFTER = Quantity("geometry.after", "rank correlation of volume after training with the distance to the boundary")
CHANGE = Quantity("geometry.change", "rank correlation of the change of volume with the distance to the boundary")
SLOPE = Quantity("geometry.slope", "slope of log √det g in the distance to the boundary, nats per unit")
SHARE_VOLUME = Quantity("geometry.share_volume", "share of the variance of the volume that the norm explains")
SHARE_CURVATURE = Quantity("geometry.share_curvature", "share of the variance of the curvature that the norm explains")
SHARE_PREDICTION = Quantity("geometry.share_prediction", "share of the variance of the margin that the norm explains")
GAIN_VOLUME = Quantity("geometry.gain_volume", "growth with the width of the share of the volume")
GAIN_CURVATURE = Quantity("geometry.gain_curvature", "growth with the width of the share of the curvature")
GAIN_PREDICTION = Quantity("geometry.gain_prediction", "growth with the width of the share of the margin")
CONTRAST = Quantity("geometry.contrast", "contrast of log √det g of a layer, nats")
CONTRAST_GAIN = Quantity(
    "geometry.contrast_gain", "contrast of log √det g of a layer less that of the one before, nats"
)

TRAINING_ACCURACY = Quantity("geometry.training_accuracy", "accuracy on the training images")
TEST_ACCURACY = Quantity("geometry.test_accuracy", "accuracy on the test images")
ACCURACY_GAIN = Quantity("geometry.accuracy_gain", "test accuracy beyond that before training")
BULGE = Quantity("geometry.bulge", "rise of log √det g in the middle between two images at a checkpoint, nats")
FINAL_BULGE = Quantity("geometry.final_bulge", "rise of log √det g in the middle between two images, nats")
FINAL_PEAK = Quantity(
    "geometry.final_peak", "rise of log √det g in the middle between two images over the higher of both ends, nats"
)
PEAKED_SHARE = Quantity(
    "geometry.peaked_share", "share of the lines between two images in whose middle log √det g is above both ends"
)
BULGE_GAIN = Quantity("geometry.bulge_gain", "growth by training of the rise of log √det g between two images, nats")
EIGENVALUE_SHIFT = Quantity("geometry.eigenvalue_shift", "change of the mean log₁₀ of the eigenvalues by training")
DISTANCE_CORRELATION = Quantity(
    "geometry.distance_correlation", "rank correlation of volume and distance to the boundary between two images"
)
TRIANGLE = Quantity("geometry.triangle", "rank correlation of volume and entropy over a triangle of images")
TRIANGLE_BEFORE = Quantity(
    "geometry.triangle_before", "rank correlation of volume before training and entropy after it over a triangle"
)
TRIANGLE_GAIN = Quantity(
    "geometry.triangle_gain", "growth by training of the rank correlation of volume and entropy over a triangle"
)

TRAINED = Quantity("geometry.trained", "rank correlation of volume and entropy along lines between two classes")
BEYOND = Quantity("geometry.beyond", "the same correlation with the position held fixed")
NEARNESS = Quantity("geometry.nearness", "rank correlation of volume and nearness to the boundary along lines")
UNTRAINED = Quantity(
    "geometry.untrained", "rank correlation of volume before training and entropy after it along lines"
)
SAME = Quantity("geometry.same", "rank correlation of volume and entropy along lines within a class")
SPHERE = Quantity("geometry.sphere", "rank correlation of volume on the unit sphere and entropy along lines")
SPHERE_BEYOND = Quantity("geometry.sphere_beyond", "the same correlation on the sphere with the position held fixed")
HULL = Quantity("geometry.hull", "rank correlation of volume and entropy over the triangle of three images")
AFFINE = Quantity("geometry.affine", "rank correlation of volume and entropy over the plane of three images")
RISE = Quantity("geometry.rise", "rise of volume in the middle of a line between two classes beyond one, decades")
SMALLEST_EIGENVALUE = Quantity("geometry.smallest_eigenvalue", "log₁₀ of the smallest eigenvalue above rounding")
ZERO_EIGENVALUES = Quantity("geometry.zero_eigenvalues", "share of the eigenvalues that are zero to rounding")
LOWEST_EIGENVALUE = Quantity("geometry.lowest_eigenvalue", "log₁₀ of the lowest eigenvalue")

EXTRA = (
    EXTRAPOLATED, RATE, COEFFICIENT, BEFORE, AFTER, SLOPE, SHARE_VOLUME, SHARE_CURVATURE, SHARE_PREDICTION,
    GAIN_PREDICTION, CONTRAST, BULGE, FINAL_BULGE, NEARNESS, UNTRAINED, SAME, SPHERE_BEYOND, FIRST_ORDER,
    SYMMETRIC_VOLUME,
)  # fmt: skip
"""Quantities that are shown and recorded, and that no figure and no entry of the ledger names."""
