"""Sweeps: many runs, each stored under the hash of its configuration, here or on the workers of a cluster."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
