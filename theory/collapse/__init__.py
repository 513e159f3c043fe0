"""Neural collapse: how tightly features cluster by class, and the information that a decoder can extract from them.

Functions without arguments return closed forms (``simplex_nc1()``, ``noise_floor()``, ``two_class_information()``);
functions with arguments return numbers (``finite_sample_nc1``, ``relabelling``, ``equiseparation``, ``exact_nc1``), and
raise a TypeError or a ValueError that names the argument for a wrong type, shape or value. All closed forms are in
``theory.catalogue()`` under ``collapse.``.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

FORMS = {
    "collapse.simplex_nc1": "theory.collapse.gaussian_classes:balanced_simplex_nc1",
    "collapse.simplex_nc1_any_priors": "theory.collapse.gaussian_classes:any_priors_simplex_nc1",
    "collapse.noise_floor": "theory.collapse.class_blind:noise_floor",
    "collapse.noise_floor_few_dimensions": "theory.collapse.class_blind:noise_floor_few_dimensions",
    "collapse.two_class_finite_sample_nc1": "theory.collapse.class_blind:two_class_finite_sample_nc1",
    "collapse.two_class_nc1": "theory.collapse.two_pass:two_class_nc1",
    "collapse.two_class_floor": "theory.collapse.linear_maps:two_class_floor",
    "collapse.linear_gain_bound": "theory.collapse.linear_maps:linear_gain_bound",
    "collapse.linear_depth_nc1": "theory.collapse.linear_depth:linear_depth_nc1",
    "collapse.equiseparation_depth": "theory.collapse.linear_depth:equiseparation_depth",
    "collapse.two_class_accuracy": "theory.collapse.two_classes:two_class_accuracy",
    "collapse.two_class_information": "theory.collapse.two_classes:two_class_information",
    "collapse.three_layer_correlation": "theory.collapse.separation_law:three_layer_correlation",
    "collapse.correlation_chance": "theory.collapse.separation_law:correlation_chance",
    "collapse.monotone_correlation_chance": "theory.collapse.separation_law:monotone_correlation_chance",
}
