"""Reference vectors with 30 digits, for any library that computes the same quantities, and a check for its tests."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
