from .power_law import fit as fit
from .result import ScalingFit as ScalingFit
