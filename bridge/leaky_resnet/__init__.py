"""Leaky ResNets: trained networks held against conservation, Theorem 4, and geodesics known otherwise.

found = bridge.leaky_resnet.conservation(trace)         # how constant H is, beside its two parts
found = bridge.leaky_resnet.rank_bounds(trace)          # both chains of Theorem 4, and what was measured
found = bridge.leaky_resnet.spectral_gap(trace)         # how many directions the middle layers keep
found = bridge.leaky_resnet.geodesics(trace)            # small networks: closed form, direct solution, order in 1/L
table = bridge.leaky_resnet.compare_meshes(traces)      # test cost and spread of the steps, mesh against mesh

``trace`` is one of ours (``empirics.experiments.leaky_resnet``), or ``of_state(state, depth)`` of a network of your own
that ``empirics.measure.leaky_resnet_state`` has measured. What comes back has a value for every effective depth and
seed, and ``residual`` beside it: how far the network is from a critical point, where alone the theory holds.
"""

import lazy_loader

ANALYSES = {
    "leaky-resnet": "bridge.leaky_resnet.studies.bottleneck:analyse",
    "leaky-resnet-bottleneck": "bridge.leaky_resnet.studies.bottleneck:analyse",
    "leaky-resnet-ranks": "bridge.leaky_resnet.studies.ranks:analyse",
    "leaky-resnet-depths": "bridge.leaky_resnet.studies.depths:analyse",
    "leaky-resnet-meshes": "bridge.leaky_resnet.studies.meshes:analyse",
    "leaky-resnet-adaptive": "bridge.leaky_resnet.studies.adaptive:analyse",
    "leaky-resnet-geodesics": "bridge.leaky_resnet.studies.geodesics:analyse",
}

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
