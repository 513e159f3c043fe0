from .check import width_check as width_check
from .layer import LayerScaling as LayerScaling
from .result import WidthCheck as WidthCheck
