"""Reports as single HTML files, which contain their formulas and figures and need no internet connection."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
