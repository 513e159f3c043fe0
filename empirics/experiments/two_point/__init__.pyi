from .config import Config as Config
from .run import run as run
from .run import trainer as trainer

EXPERIMENTS: dict[str, str]
STUDIES: dict[str, str]
