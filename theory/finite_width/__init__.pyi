from .critical import critical_shift as critical_shift
from .critical import critical_spread as critical_spread
from .critical import critical_tangent_shift as critical_tangent_shift
from .critical import critical_tangent_spread as critical_tangent_spread
from .depth import resting_variance as resting_variance
from .first_order import first_order as first_order
from .rectifiers import kurtosis_of_widths as kurtosis_of_widths
from .rectifiers import rectifier_kurtosis as rectifier_kurtosis
from .rectifiers import rectifier_spread as rectifier_spread
from .rectifiers import spread_of_widths as spread_of_widths
from .tangent import tangent_mean as tangent_mean
from .tangent import tangent_variance as tangent_variance
from .tangent_depth import rectifier_tangent_spread as rectifier_tangent_spread

FAMILIES: dict[str, str]
FORMS: dict[str, str]
