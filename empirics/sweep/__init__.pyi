from .driver import SweepError as SweepError
from .driver import run_all as run_all
from .driver import sweep as sweep
from .own_seeds import own_seeds as own_seeds
