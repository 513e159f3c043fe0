"""Fits of power laws with an offset, and confidence intervals of their exponents.

fit = bridge.scaling.fit(x, y)              # y: [point], or [point, repetition]
fit.exponent, fit.interval, fit.offset, fit.plot()
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
