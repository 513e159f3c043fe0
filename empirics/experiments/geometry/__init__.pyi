from . import bayesian as bayesian
from . import images as images
from . import mnist as mnist
from . import random_networks as random_networks
from . import symmetric_units as symmetric_units
from . import trained as trained

EXPERIMENTS: dict[str, str]
STUDIES: dict[str, str]
