"""Two points: how far apart does a network represent them, while it learns to tell them apart?"""

import lazy_loader

EXPERIMENTS = {
    "two_point": "empirics.experiments.two_point",
    "two_point.final_distances": "empirics.experiments.two_point.final_distances",
    "two_point.many_points": "empirics.experiments.two_point.many_points",
}
STUDIES = {
    "two-point-architectures": "empirics.experiments.two_point.studies:ARCHITECTURES",
    "two-point-initial-weights": "empirics.experiments.two_point.studies:INITIAL_WEIGHTS",
    "two-point-layer": "empirics.experiments.two_point.studies:LAYER",
    "two-point-alternatives": "empirics.experiments.two_point.studies:ALTERNATIVES",
    "two-point-adam": "empirics.experiments.two_point.studies:UNDER_ADAM",
    "two-point-final-distances": "empirics.experiments.two_point.studies:FINAL_DISTANCES",
    "two-point-final-distances-released": "empirics.experiments.two_point.studies:FINAL_DISTANCES_RELEASED",
    "two-point-random-weights": "empirics.experiments.two_point.studies:RANDOM_WEIGHTS",
    "two-point-xor": "empirics.experiments.two_point.structure_studies:XOR",
    "two-point-blobs": "empirics.experiments.two_point.structure_studies:BLOBS",
    "two-point-blobs-released": "empirics.experiments.two_point.structure_studies:BLOBS_RELEASED",
    "two-point-mnist-structure": "empirics.experiments.two_point.structure_studies:MNIST_STRUCTURE",
    "two-point-mnist-pairs": "empirics.experiments.two_point.structure_studies:MNIST_PAIRS",
    "two-point-mnist-linearity": "empirics.experiments.two_point.structure_studies:MNIST_LINEARITY",
}

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
