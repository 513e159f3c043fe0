"""Collapse: the layers of a trained network held against the noise floor, the closed forms and the law of equal steps.

profile = bridge.collapse.layer_profile(trace)          # NC1 by layer, its floors, what isotropic classes would give
law = bridge.collapse.equiseparation(trace)             # r and log-ratios, errors over seeds, and what chance gives
gaps = bridge.collapse.gaps(trace)                      # compression gap against generalisation gap
plane = bridge.collapse.information_plane(trace)        # sufficiency against minimality, in bits

``trace`` is one of ours (``empirics.experiments.collapse``); ``equiseparation`` takes arrays [seed, layer], too.
"""

import lazy_loader

ANALYSES = {
    "collapse": "bridge.collapse.studies.layers:analyse",
    "collapse-layers": "bridge.collapse.studies.layers:analyse",
    "collapse-random-labels": "bridge.collapse.studies.random_labels:analyse",
    "collapse-information": "bridge.collapse.studies.information:analyse",
}

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
