"""Compression of invariant directions: networks compared with attractors, prefactors, exponents and growth times.

scaling = bridge.compression.amplification_scaling(traces)    # Lambda* ~ p^1/2, intervals from the realisations
saturated = bridge.compression.saturation(trace)              # Lambda* of every data set, from its own fluctuation
crossing = bridge.compression.crossover(traces)                 # from feature to lazy learning, and the frozen kernel
law = bridge.compression.time_law(traces)                     # t* against log(1/alpha), and the derived slope
neurons = bridge.compression.assignment(trace)                # the attractor of each neuron, and its lambda
curves = bridge.compression.learning_curves(trace)            # beta of every regime, and the predicted exponent

``trace`` is a trace of ``empirics.experiments.compression``; ``amplification_scaling``, ``time_law`` and
``learning_curves`` also take a table of your own with the columns that they name.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
