"""Compression of invariant directions: do first-layer weights align with the directions on which labels depend?"""

import lazy_loader

EXPERIMENTS = {
    "compression": "empirics.experiments.compression",
    "compression.learning_curves": "empirics.experiments.compression.learning_curves",
    "compression.kernel_components": "empirics.experiments.compression.kernel_components",
}
STUDIES = {
    "compression-amplification": "empirics.experiments.compression.studies:AMPLIFICATION",
    "compression-time": "empirics.experiments.compression.studies:TIME",
    "compression-crossover": "empirics.experiments.compression.studies:CROSSOVER",
    "compression-neurons": "empirics.experiments.compression.studies:NEURONS",
    "compression-learning-curves": "empirics.experiments.compression.kernel_studies:LEARNING_CURVES",
    "compression-learning-curves-flow": "empirics.experiments.compression.kernel_studies:FLOW_CURVES",
    "compression-kernel-components": "empirics.experiments.compression.kernel_studies:KERNEL_COMPONENTS",
    "compression-initial-kernels-released": "empirics.experiments.compression.kernel_studies:INITIAL_KERNELS",
    "compression-kernel-learning": "empirics.experiments.compression.kernel_studies:KERNEL_LEARNING",
}

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
