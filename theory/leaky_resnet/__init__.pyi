from .bounds import RankBounds as RankBounds
from .bounds import chains as chains
from .bounds import rank_bounds as rank_bounds
from .discrete import discrete_geodesic as discrete_geodesic
from .energies import cost_lower_bound as cost_lower_bound
from .energies import cost_of_identity as cost_of_identity
from .energies import hamiltonian as hamiltonian
from .energies import kinetic_energy as kinetic_energy
from .energies import nonnegative_cost as nonnegative_cost
from .energies import stable_hamiltonian as stable_hamiltonian
from .energies import velocity as velocity
from .equal_inputs import ConstantGeodesic as ConstantGeodesic
from .equal_inputs import constant_geodesics as constant_geodesics
from .linear_matrices import linear_flow as linear_flow
from .linear_modes import LinearGeodesic as LinearGeodesic
from .linear_modes import linear_geodesic as linear_geodesic
from .linear_modes import symmetric_geodesic as symmetric_geodesic
from .meshes import mesh as mesh
from .mode_fit import mode_fits as mode_fits
from .norms import IllConditionedWarning as IllConditionedWarning
from .norms import squared_norm as squared_norm
from .trajectories import flow as flow

FORMS: dict[str, str]
