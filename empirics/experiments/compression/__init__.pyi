from . import kernel_components as kernel_components
from . import learning_curves as learning_curves
from .config import Config as Config
from .run import Realisations as Realisations
from .run import realisations as realisations
from .run import run as run

EXPERIMENTS: dict[str, str]
STUDIES: dict[str, str]
