from .attractor import Attractor as Attractor
from .equiprobable import equiprobable_radius as equiprobable_radius
from .equiprobable import equiprobable_stripe as equiprobable_stripe
from .fixed_points import attractors as attractors
from .flow import NeuronFlow as NeuronFlow
from .flow import neuron_flow as neuron_flow
from .information import label_information as label_information
from .information import label_information_floor as label_information_floor
from .labels import Stripes as Stripes
from .linear_response import amplification as amplification
from .linear_response import growth_time as growth_time
from .linear_response import mean_log_amplification as mean_log_amplification
from .linear_response import perpendicular_share as perpendicular_share
from .ntk import tangent_kernel as tangent_kernel
from .population import characteristic_time as characteristic_time
from .scaling import compression_gain as compression_gain
from .scaling import learning_curve_exponent as learning_curve_exponent
from .shells import Shells as Shells

FORMS: dict[str, str]
FAMILIES: dict[str, str]
