"""Compression of invariant directions: networks held against attractors, prefactors, exponents and growth times.

scaling = bridge.compression.amplification_scaling(traces)    # Lambda* ~ p^1/2, intervals from the realisations
saturated = bridge.compression.saturation(trace)              # Lambda* of every data set with its own fluctuation
law = bridge.compression.time_law(traces)                     # t* against log(1/alpha), derived slope beside it
neurons = bridge.compression.assignment(trace)                # which attractor each neuron went to, lambda there
curves = bridge.compression.learning_curves(trace)            # beta of every regime beside the predicted exponent

A trace is one of ours (``empirics.experiments.compression``).
"""

from __future__ import annotations

from bridge.compression.exponents import LearningCurve, learning_curves
from bridge.compression.neurons import Assignment, assignment
from bridge.compression.saturation import Saturation, predicted_amplification, saturation
from bridge.compression.scaling import AmplificationScaling, amplification_scaling
from bridge.compression.time import TimeLaw, time_law

__all__ = [
    "AmplificationScaling",
    "Assignment",
    "LearningCurve",
    "Saturation",
    "TimeLaw",
    "amplification_scaling",
    "assignment",
    "learning_curves",
    "predicted_amplification",
    "saturation",
    "time_law",
]
