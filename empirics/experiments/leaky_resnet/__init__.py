"""Leaky ResNets: which dimension do the representations keep, and what is constant from layer to layer?"""

import lazy_loader

EXPERIMENTS = {
    "leaky_resnet": "empirics.experiments.leaky_resnet",
    "leaky_resnet.geodesics": "empirics.experiments.leaky_resnet.geodesics",
}
STUDIES = {
    "leaky-resnet-bottleneck": "empirics.experiments.leaky_resnet.studies:BOTTLENECK",
    "leaky-resnet-ranks": "empirics.experiments.leaky_resnet.studies:RANKS",
    "leaky-resnet-codes": "empirics.experiments.leaky_resnet.studies:CODES",
    "leaky-resnet-depths": "empirics.experiments.leaky_resnet.studies:DEPTHS",
    "leaky-resnet-continuation": "empirics.experiments.leaky_resnet.studies:CONTINUATION",
    "leaky-resnet-meshes": "empirics.experiments.leaky_resnet.studies:MESHES",
    "leaky-resnet-adaptive": "empirics.experiments.leaky_resnet.studies:ADAPTIVE",
    "leaky-resnet-geodesics": "empirics.experiments.leaky_resnet.studies:GEODESICS",
}

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
