"""Expectations over Gaussian pre-activations, by rules: what every wide network is made of.

``kernel``, ``slope_kernel`` and ``squared_slope`` take an activation and give a closed form. Where there is none, the
same object holds the integral, which ``evaluate`` and ``function`` compute.
"""

from __future__ import annotations

from theory.gaussian.kernel import kernel, slope_kernel
from theory.gaussian.squared_slope import squared_slope

__all__ = ["kernel", "slope_kernel", "squared_slope"]
