"""Small networks trained on two tasks in the plane, and the geometry of their layers on a grid during training."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
