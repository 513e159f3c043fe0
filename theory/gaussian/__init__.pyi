from .near import kernel as kernel
from .near import slope_kernel as slope_kernel
from .squared_slope import squared_slope as squared_slope
