from .kernel import kernel as kernel
from .kernel import slope_kernel as slope_kernel
from .squared_slope import squared_slope as squared_slope
