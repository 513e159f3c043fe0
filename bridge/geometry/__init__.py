"""Geometry of representations: finite and trained networks compared with closed forms and with a hypothesis.

bridge.geometry.convergence(trace)                    # finite random networks against infinite width, at every input
bridge.geometry.extrapolate(widths, samples)          # a quantity at infinite width, from repetitions at finite widths
bridge.geometry.first_order(trace)                    # Bayesian networks: the coefficient of 1/width, from samples
bridge.geometry.expansion(trace)                      # correlation of volume with the distance to the decision boundary
bridge.geometry.association(log_volume, distance)     # the same for your own numbers, with an interval over seeds
bridge.geometry.distance_to_boundary(x, y, margin)    # distance of every point of a grid to the decision boundary

``trace`` is a trace of ``empirics.experiments.geometry``, or a table of your own with the columns that the function
names.

Kernels of infinitely wide networks for other libraries are in :mod:`bridge.geometry.sklearn_kernel` (``NNGPKernel``,
``TangentKernel``) and, with the extra ``gpytorch``, in :mod:`bridge.geometry.gpytorch_kernel`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
