from .crossover import Crossover as Crossover
from .crossover import crossover as crossover
from .exponents import LearningCurve as LearningCurve
from .exponents import learning_curves as learning_curves
from .saturation import Assignment as Assignment
from .saturation import Saturation as Saturation
from .saturation import assignment as assignment
from .saturation import predicted_amplification as predicted_amplification
from .saturation import saturation as saturation
from .scaling import AmplificationScaling as AmplificationScaling
from .scaling import TimeLaw as TimeLaw
from .scaling import amplification_scaling as amplification_scaling
from .scaling import time_law as time_law

ANALYSES: dict[str, str]
