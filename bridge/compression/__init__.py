"""Compression of invariant directions: networks held against attractors, prefactors, exponents and growth times.

scaling = bridge.compression.amplification_scaling(traces)    # Lambda* ~ p^1/2, intervals from the realisations
saturated = bridge.compression.saturation(trace)              # Lambda* of every data set with its own fluctuation
law = bridge.compression.time_law(traces)                     # t* against log(1/alpha), derived slope beside it
neurons = bridge.compression.assignment(trace)                # which attractor each neuron went to, lambda there
curves = bridge.compression.learning_curves(trace)            # beta of every regime beside the predicted exponent

A trace is one of ours (``empirics.experiments.compression``).
"""

import lazy_loader

ANALYSES = {
    "compression": "bridge.compression.studies.amplification:analyse",
    "compression-amplification": "bridge.compression.studies.amplification:analyse",
    "compression-time": "bridge.compression.studies.characteristic_time:analyse",
    "compression-neurons": "bridge.compression.studies.neurons:analyse",
    "compression-learning-curves": "bridge.compression.studies.learning_curves:analyse",
    "compression-kernel-components": "bridge.compression.studies.kernel_components:analyse",
    "compression-kernel-learning": "bridge.compression.studies.kernel_learning:analyse",
}

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
