from . import conformal as conformal
from . import kernel_learning as kernel_learning
from . import shallow as shallow
from .bayesian import VolumeCorrection as VolumeCorrection
from .bayesian import bayesian_volume_correction as bayesian_volume_correction
from .bayesian_quadrature import bayesian_factor as bayesian_factor
from .bayesian_quadrature import bayesian_fluctuation as bayesian_fluctuation
from .conformal import conformal_volume_factor as conformal_volume_factor
from .curvature import radial_curvature as radial_curvature
from .curvature import scalar_curvature as scalar_curvature
from .curvature import tangential_curvature as tangential_curvature
from .deep import DeepNngp as DeepNngp
from .deep import deep_nngp as deep_nngp
from .kernel import nngp_kernel as nngp_kernel
from .kernel import slope_kernel as slope_kernel
from .kernel_matrices import kernel_diagonal as kernel_diagonal
from .kernel_matrices import kernel_matrix as kernel_matrix
from .kernel_operator import KernelOperator as KernelOperator
from .kernel_operator import kernel_operator as kernel_operator
from .kernel_spread import KernelAtWidth as KernelAtWidth
from .kernel_spread import kernel_spread as kernel_spread
from .metric import NngpMetric as NngpMetric
from .metric import nngp_metric as nngp_metric
from .ntk_metric import ntk_log_volume_element as ntk_log_volume_element
from .ntk_metric import ntk_scalar_curvature as ntk_scalar_curvature
from .ntk_metric import ntk_volume_element as ntk_volume_element
from .shallow.three_units import three_unit_curvature as three_unit_curvature
from .shallow.three_units import three_unit_volume_element as three_unit_volume_element
from .threshold import curvature_threshold as curvature_threshold
from .volume import log_volume_element as log_volume_element
from .volume import volume_element as volume_element

FORMS: dict[str, str]
FAMILIES: dict[str, str]
