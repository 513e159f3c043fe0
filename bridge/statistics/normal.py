"""Numbers of the normal distribution, dimensionless."""

ONE_SIGMA = 0.6826894921370859  # its share within one standard deviation
MEDIAN = 0.6744897501960817  # median of |z|, z standard normal
