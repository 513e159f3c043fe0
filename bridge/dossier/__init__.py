"""``bridge.dossier``: all measurements that apply to a user's trained network, as one report."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
