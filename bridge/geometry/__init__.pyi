from .association import Association as Association
from .association import association as association
from .convergence import Convergence as Convergence
from .convergence import convergence as convergence
from .expansion import Expansion as Expansion
from .expansion import boundary_lines as boundary_lines
from .expansion import distance_to_boundary as distance_to_boundary
from .expansion import expansion as expansion
from .extrapolation import WidthLimit as WidthLimit
from .extrapolation import extrapolate as extrapolate
from .posterior import FirstOrder as FirstOrder
from .posterior import first_order as first_order

ANALYSES: dict[str, str]
