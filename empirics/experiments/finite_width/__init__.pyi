from .config import Config as Config
from .run import run as run

EXPERIMENTS: dict[str, str]
STUDIES: dict[str, str]
