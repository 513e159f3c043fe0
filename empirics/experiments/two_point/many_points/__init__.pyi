from .config import Config as Config
from .points import Points as Points
from .points import points as points
from .run import run as run
