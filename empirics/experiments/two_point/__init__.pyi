from . import final_distances as final_distances
from . import many_points as many_points
from .config import Config as Config
from .run import run as run
from .run import trainer as trainer

EXPERIMENTS: dict[str, str]
STUDIES: dict[str, str]
