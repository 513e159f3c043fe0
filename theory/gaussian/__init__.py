"""Expectations over Gaussian pre-activations by symbolic rules, from which the kernels of wide networks are built.

``kernel``, ``slope_kernel`` and ``squared_slope`` take an activation and return a closed form. If the expectation has
no closed form, the object contains the integral instead, which ``evaluate`` and ``function`` compute. All closed forms
are in ``theory.catalogue()`` under ``gaussian.``.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

FAMILIES = {
    f"gaussian.{name}": f"theory.gaussian.families:{name}"
    for name in ("kernel", "slope_kernel", "squared_slope")
}
