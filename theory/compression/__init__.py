"""Compression of invariant directions: labels, attractors of the neurons, amplification, exponents, tangent kernel.

The data are standard Gaussian in *d* dimensions, and the labels depend on ``d_parallel`` of them. A one-hidden-layer
ReLU network that starts from infinitesimal weights aligns its neurons with the informative directions. The alignment
saturates at a factor that grows as the square root of the number of training points. Source: Paccolat et al. (2021).
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

FORMS = {
    "compression.equiprobable_stripe": "theory.compression.equiprobable:equiprobable_stripe",
    "compression.amplification": "theory.compression.linear_response:amplification",
    "compression.growth_time": "theory.compression.linear_response:growth_time",
    "compression.mean_log_amplification": "theory.compression.linear_response:mean_log_amplification",
    "compression.perpendicular_share": "theory.compression.linear_response:perpendicular_share",
    "compression.crossover_time": "theory.compression.linear_response:crossover_time",
    "compression.compression_gain": "theory.compression.scaling:compression_gain",
    "compression.tangent_kernel": "theory.compression.ntk:tangent_kernel",
    "compression.label_information_floor": "theory.compression.information:label_information_floor",
}

FAMILIES = {
    "compression.learning_curve_exponent": "theory.compression.families:learning_curve_exponent",
    "compression.equiprobable_radius": "theory.compression.families:equiprobable_radius",
}
