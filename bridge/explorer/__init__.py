"""The interactive page on a closed form: sliders, a live plot and values, in one HTML file without a network."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
