"""Finite width: random networks against the closed forms, and how far off a network of given widths is expected to be.

This subject has no paper; its quantities, claims and maps, which others keep in the wing of one, are here.
"""

import lazy_loader

ANALYSES = dict.fromkeys(
    ("finite-width", "finite-width-fluctuations", "finite-width-two-inputs"),
    "bridge.finite_width.analysis:analyse",
)
QUANTITIES = {"finite_width": "bridge.finite_width.quantities"}
CLAIMS = {"finite_width": "bridge.finite_width.claims"}

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
