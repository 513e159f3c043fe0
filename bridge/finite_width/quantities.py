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
COVARIANCE_XX_XY = quantity(
    "pair_covariance_xx_xy",
    "covariance of the kernel of an input and that of two, over the product of their standard deviations to first "
    "order in 1/width; exact for one hidden layer",
)
COVARIANCE_XY_XY = quantity(
    "pair_covariance_xy_xy",
    "variance of the kernel of two inputs, over that to first order in 1/width; exact for one hidden layer",
)
COVARIANCE_XX_YY = quantity(
    "pair_covariance_xx_yy",
    "covariance of the kernels of either of two inputs, over the product of their standard deviations to first "
    "order in 1/width; exact for one hidden layer",
)
SHIFT_XY = quantity(
    "pair_shift_xy",
    "mean of the kernel of two inputs minus that of infinite width, to first order in 1/width",
)
