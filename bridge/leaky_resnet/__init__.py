"""Leaky ResNets: comparison of trained networks with conservation of H, Theorem 4 and independently known geodesics.

result = bridge.leaky_resnet.conservation(trace)        # variation of H and of its two parts along the layers
result = bridge.leaky_resnet.rank_bounds(trace)         # both chains of Theorem 4, and the measured values
result = bridge.leaky_resnet.spectral_gap(trace)        # number of directions that the middle layers keep
result = bridge.leaky_resnet.geodesics(trace)           # small networks: closed form, direct solution, order in 1/L
meshes = bridge.leaky_resnet.compare_meshes(traces)     # by label: test cost and distribution of the steps

``trace`` is a trace of ``empirics.experiments.leaky_resnet``, or ``of_state(state, depth)`` for the result of
``empirics.measure.leaky_resnet_state`` on a network of your own. ``conservation``, ``rank_bounds`` and ``spectral_gap``
also take a table with the columns that they name. The results have values for every effective depth and seed, and
``residual``, the distance of the network from a critical point; the theory holds only at critical points.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
