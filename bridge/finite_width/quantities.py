"""The quantities that the study of finite width measures."""

from bridge.results.quantity import quantities_of

quantity, _ = quantities_of("finite_width")

EXACT_SPREAD = quantity(
    "exact_spread", "variance of the kernel over its squared mean, of rectifiers, exact"
)
KURTOSIS = quantity("kurtosis", "fourth moment of an output over its squared variance, exact")
KERNEL_SPREAD = quantity(
    "kernel_spread", "variance of the kernel over its squared mean, to first order in 1/width"
)
KERNEL_SHIFT = quantity(
    "kernel_shift", "mean of the kernel minus that of infinite width, to first order in 1/width"
)
TANGENT_MEAN = quantity("tangent_mean", "mean of the tangent kernel of one hidden layer, exact")
TANGENT_VARIANCE = quantity(
    "tangent_variance", "variance of the tangent kernel of one hidden layer, exact"
)
TANGENT_SPREAD = quantity(
    "tangent_spread",
    "variance of the tangent kernel over its squared mean, to first order in 1/width",
)
