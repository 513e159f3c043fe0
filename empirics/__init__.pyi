from . import data as data
from . import experiments as experiments
from . import measure as measure
from . import networks as networks
from . import seeding as seeding
from . import training as training
from . import watching as watching
from .watching import watch as watch
