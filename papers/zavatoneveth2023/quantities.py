"""The quantities that the studies of geometry measure."""

from bridge.results.quantity import quantities_of

quantity, _ = quantities_of("geometry")

VOLUME_LIMIT = quantity(
    "volume_limit", "volume element at infinite width, where it is farthest from the form"
)
CURVATURE_LIMIT = quantity(
    "curvature_limit", "scalar curvature at infinite width, where it is farthest from the form"
)
EXTRAPOLATED = quantity(
    "extrapolated", "volume element or curvature, extrapolated to infinite width"
)
RATE = quantity("rate", "exponent of the deviation from the closed form in the width")
SYMMETRIC_VOLUME = quantity(
    "symmetric_volume", "volume element of three units, where it is farthest"
)
SYMMETRIC_CURVATURE = quantity(
    "symmetric_curvature", "scalar curvature of three units, where it is farthest"
)
CHI = quantity("chi", "factor χ of the Bayesian correction, where it is farthest from the form")
FIRST_ORDER = quantity(
    "first_order",
    "coefficient of 1/width in the mean volume element, where it is farthest from the form",
)
COEFFICIENT = quantity("coefficient", "coefficient of 1/width in a volume element")

BEFORE = quantity(
    "before", "rank correlation of volume before training with the distance to the boundary"
)
AFTER = quantity(
    "after", "rank correlation of volume after training with the distance to the boundary"
)
CHANGE = quantity(
    "change", "rank correlation of the change of volume with the distance to the boundary"
)
GRID_CHANGE = quantity(
    "grid_change",
    "rank correlation of the change of the volume with the distance to the boundary, over the whole printed grid",
)
SLOPE = quantity("slope", "slope of log √det g in the distance to the boundary, nats per unit")
SHARE_VOLUME = quantity(
    "share_volume", "share of the variance of the volume that the norm explains"
)
SHARE_CURVATURE = quantity(
    "share_curvature", "share of the variance of the curvature that the norm explains"
)
SHARE_PREDICTION = quantity(
    "share_prediction", "share of the variance of the margin that the norm explains"
)
GAIN_VOLUME = quantity("gain_volume", "growth with the width of the share of the volume")
GAIN_CURVATURE = quantity("gain_curvature", "growth with the width of the share of the curvature")
GAIN_PREDICTION = quantity("gain_prediction", "growth with the width of the share of the margin")
CONTRAST = quantity("contrast", "contrast of log √det g of a layer, nats")
CONTRAST_GAIN = quantity(
    "contrast_gain", "contrast of log √det g of a layer less that of the one before, nats"
)

TRAINING_ACCURACY = quantity("training_accuracy", "accuracy on the training images")
TEST_ACCURACY = quantity("test_accuracy", "accuracy on the test images")
ACCURACY_GAIN = quantity("accuracy_gain", "test accuracy beyond that before training")
BULGE = quantity(
    "bulge", "rise of log √det g in the middle between two images at a checkpoint, nats"
)
FINAL_BULGE = quantity("final_bulge", "rise of log √det g in the middle between two images, nats")
FINAL_PEAK = quantity(
    "final_peak",
    "rise of log √det g in the middle between two images over the higher of both ends, nats",
)
PEAKED_SHARE = quantity(
    "peaked_share",
    "share of the lines between two images in whose middle log √det g is above both ends",
)
FIRST_PEAK = quantity(
    "first_peak",
    "rise of log √det g in the middle between two images over the higher end before training, nats",
)
FIRST_PEAKED_SHARE = quantity(
    "first_peaked_share",
    "share of the lines in whose middle log √det g is above both ends before training",
)
FINAL_VOLUME = quantity(
    "final_volume", "log₁₀ √det g in the middle between two images after training"
)
BULGE_GAIN = quantity(
    "bulge_gain", "growth by training of the rise of log √det g between two images, nats"
)
EIGENVALUE_SHIFT = quantity(
    "eigenvalue_shift", "change of the mean log₁₀ of the eigenvalues by training"
)
DISTANCE_CORRELATION = quantity(
    "distance_correlation",
    "rank correlation of volume and distance to the boundary between two images",
)
TRIANGLE = quantity("triangle", "rank correlation of volume and entropy over a triangle of images")
TRIANGLE_BEFORE = quantity(
    "triangle_before",
    "rank correlation of volume before training and entropy after it over a triangle",
)
TRIANGLE_GAIN = quantity(
    "triangle_gain",
    "growth by training of the rank correlation of volume and entropy over a triangle",
)

TRAINED = quantity(
    "trained", "rank correlation of volume and entropy along lines between two classes"
)
BEYOND = quantity("beyond", "the same correlation with the position held fixed")
NEARNESS = quantity(
    "nearness", "rank correlation of volume and nearness to the boundary along lines"
)
UNTRAINED = quantity(
    "untrained", "rank correlation of volume before training and entropy after it along lines"
)
SAME = quantity("same", "rank correlation of volume and entropy along lines within a class")
SPHERE = quantity(
    "sphere", "rank correlation of volume on the unit sphere and entropy along lines"
)
SPHERE_BEYOND = quantity(
    "sphere_beyond", "the same correlation on the sphere with the position held fixed"
)
HULL = quantity("hull", "rank correlation of volume and entropy over the triangle of three images")
AFFINE = quantity(
    "affine", "rank correlation of volume and entropy over the plane of three images"
)
RISE = quantity(
    "rise", "rise of volume in the middle of a line between two classes beyond one, decades"
)
SMALLEST_EIGENVALUE = quantity(
    "smallest_eigenvalue", "log₁₀ of the smallest eigenvalue above rounding"
)
ZERO_EIGENVALUES = quantity(
    "zero_eigenvalues", "share of the eigenvalues that are zero to rounding"
)
LOWEST_EIGENVALUE = quantity("lowest_eigenvalue", "log₁₀ of the lowest eigenvalue")
