"""Two points: the effective theory of their representations, fitted to a training run.

fit = bridge.two_point.fit(trace)                       # a trace of ours
fit = bridge.two_point.fit("mine.csv", dx2=1.0, target2=0.5)
fit.tau_h, fit.tau_y, fit.errors, fit.loss, fit.r_squared, fit.warnings
bridge.two_point.fit(trace, law="square")               # the altered dynamics of Eq. (51), which should fit worse
"""

import lazy_loader

FITS = {"two-point": "bridge.two_point.command:fit"}

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
