r"""Geometry of one hidden layer of finite width, with given weights.

The features :math:`\Phi_a(x) = n^{-1/2} \varphi(w_a \cdot x + b_a)` of ``n`` units pull the Euclidean metric back to
the inputs. The functions take ``(weights, biases, x, act)``: ``weights`` [width, d], ``biases`` [width], ``x`` [..., d]
and an activation ``act`` of ``theory.activations`` or its name. They use no numerical differentiation.
"""

from theory.geometry.shallow.bumps import ErfBumps, erf_bumps
from theory.geometry.shallow.metric import log_volume_element, metric, riemann, volume_element
from theory.geometry.shallow.scalar_curvature import scalar_curvature

__all__ = [
    "ErfBumps",
    "erf_bumps",
    "log_volume_element",
    "metric",
    "riemann",
    "scalar_curvature",
    "volume_element",
]
