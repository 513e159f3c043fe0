from .depth import critical_spread as critical_spread
from .depth import resting_variance as resting_variance
from .first_order import first_order as first_order
from .rectifiers import kurtosis_of_widths as kurtosis_of_widths
from .rectifiers import rectifier_kurtosis as rectifier_kurtosis
from .rectifiers import rectifier_spread as rectifier_spread
from .rectifiers import spread_of_widths as spread_of_widths
from .tangent import tangent_mean as tangent_mean
from .tangent import tangent_variance as tangent_variance
from .tangent_depth import relu_tangent_spread as relu_tangent_spread

FAMILIES: dict[str, str]
FORMS: dict[str, str]
