from .config import Config as Config
from .run import run as run
