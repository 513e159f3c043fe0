"""Expectations over Gaussian pre-activations, by rules: what every wide network is made of.

``kernel``, ``slope_kernel`` and ``squared_slope`` take an activation and give a closed form. Where there is none, the
same object holds the integral, which ``evaluate`` and ``function`` compute.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
