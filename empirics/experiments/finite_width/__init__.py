"""Finite width: how do the kernels and outputs of random networks vary from one draw of the weights to the next?"""

import lazy_loader

EXPERIMENTS = {"finite_width": "empirics.experiments.finite_width"}
STUDIES = {
    "finite-width-fluctuations": "empirics.experiments.finite_width.studies:FLUCTUATIONS",
    "finite-width-two-inputs": "empirics.experiments.finite_width.studies:TWO_INPUTS",
}

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
