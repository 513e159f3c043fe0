"""Collapse: layers of a trained network compared with the noise floor, closed forms and the law of equal steps.

profile = bridge.collapse.layer_profile(trace)          # NC1 by layer, its floors, and its value for isotropic classes
law = bridge.collapse.equiseparation(trace)             # r and log-ratios, errors over seeds, probabilities by chance
gaps = bridge.collapse.gaps(trace)                      # compression gap against generalisation gap
plane = bridge.collapse.information_plane(trace)        # sufficiency against minimality, in bits

``trace`` is a trace of ``empirics.experiments.collapse``, or a table of your own with the columns that the function
names; ``equiseparation`` also takes arrays [seed, layer].
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
