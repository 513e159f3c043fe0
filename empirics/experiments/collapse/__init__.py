"""Collapse: how tightly does each layer cluster its classes during training, and what can still be decoded from it?"""

import lazy_loader

EXPERIMENTS = {
    "collapse": "empirics.experiments.collapse",
    "collapse.imbalanced": "empirics.experiments.collapse.imbalanced",
}
STUDIES = {
    "collapse-layers": "empirics.experiments.collapse.studies:LAYERS",
    "collapse-layers-released": "empirics.experiments.collapse.studies:LAYERS_RELEASED",
    "collapse-channels": "empirics.experiments.collapse.studies:CHANNELS",
    "collapse-channels-released": "empirics.experiments.collapse.studies:CHANNELS_RELEASED",
    "collapse-random-labels": "empirics.experiments.collapse.studies:RANDOM_LABELS",
    "collapse-controls": "empirics.experiments.collapse.studies:CONTROLS",
    "collapse-information": "empirics.experiments.collapse.studies:INFORMATION",
    "collapse-information-released": "empirics.experiments.collapse.studies:INFORMATION_RELEASED",
}

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
