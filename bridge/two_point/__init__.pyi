from .alternatives import ALTERNATIVES as ALTERNATIVES
from .estimate import fit as fit
from .estimate import fit_layers as fit_layers
from .forecasted import Forecast as Forecast
from .forecasted import Score as Score
from .result import TwoPointFit as TwoPointFit

ANALYSES: dict[str, str]
FITS: dict[str, str]
