from .conservation import conservation as conservation
from .conservation import rank_bounds as rank_bounds
from .gap import spectral_gap as spectral_gap
from .geodesics import Geodesics as Geodesics
from .geodesics import geodesics as geodesics
from .meshes import compare_meshes as compare_meshes
from .trace import CONVERGED as CONVERGED
from .trace import mean_and_error as mean_and_error
from .trace import of_state as of_state
from .trace import unconverged as unconverged

ANALYSES: dict[str, str]
