"""The two-point theory: the dynamics of two representations while a network learns to distinguish two inputs.

Functions without arguments return closed forms (``final_distance()``, ``final_distance_distribution()``) or states
(``fixed_points()``); functions with arguments return numbers (``trajectory``, ``loss``, ``escape_time``). All closed
forms are in ``theory.catalogue()`` under ``two_point.``.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

FORMS = {
    "two_point.dh2_rate": "theory.two_point.dynamics:dh2_rate",
    "two_point.dy2_rate": "theory.two_point.dynamics:dy2_rate",
    "two_point.w_rate": "theory.two_point.dynamics:w_rate",
    "two_point.conserved_quantity": "theory.two_point.dynamics:conserved_quantity",
    "two_point.dh2": "theory.two_point.solution:representation_distance",
    "two_point.dy2": "theory.two_point.solution:output_distance",
    "two_point.w": "theory.two_point.solution:alignment",
    "two_point.final_distance": "theory.two_point.final_distance:final_distance",
    "two_point.loss": "theory.two_point.loss:loss_at_state",
    "two_point.relaxation_rate": "theory.two_point.rates:relaxation_rate",
    "two_point.growth_rate": "theory.two_point.rates:growth_rate",
    "two_point.lazy_rate": "theory.two_point.rates:lazy_rate",
    "two_point.escape_time": "theory.two_point.plateau:escape_time_form",
    "two_point.small_weights_escape_time": "theory.two_point.plateau:small_weights_escape_time",
    "two_point.crossing_time": "theory.two_point.solution:crossing_time",
    "two_point.identical_outputs_dh2": "theory.two_point.identical_outputs:identical_outputs_dh2",
    "two_point.identical_outputs_dy2": "theory.two_point.identical_outputs:identical_outputs_dy2",
    "two_point.final_distance_density": "theory.two_point.distribution:final_distance_density",
    "two_point.final_distance_cdf": "theory.two_point.distribution:final_distance_cdf",
    "two_point.final_distance_median": "theory.two_point.distribution:final_distance_median",
    "two_point.final_distance_mean": "theory.two_point.distribution:final_distance_mean",
    "two_point.rotating_dh2": "theory.two_point.rotation:rotating_dh2",
    "two_point.rotating_dy": "theory.two_point.rotation:rotating_dy",
    "two_point.rotating_final_distance": "theory.two_point.rotation:rotating_final_distance",
}
