"""Two points: the effective theory of their representations, fitted to a training run.

fit = bridge.two_point.fit(trace)                       # a trace of ours
fit = bridge.two_point.fit("mine.csv", dx2=1.0, target2=0.5)
fit.tau_h, fit.tau_y, fit.errors, fit.loss, fit.r_squared, fit.warnings
bridge.two_point.fit(trace, law="square")               # the altered dynamics of Eq. (51), which should fit worse
"""

import lazy_loader

ANALYSES = {
    "two-point": "bridge.two_point.studies.single:analyse",
    "two-point-many-points": "bridge.two_point.studies.many_points:analyse",
    "two-point-architectures": "bridge.two_point.studies.single:of_architectures",
    "two-point-initial-weights": "bridge.two_point.studies.single:of_initial_weights",
    "two-point-layer": "bridge.two_point.studies.layers:analyse",
    "two-point-alternatives": "bridge.two_point.studies.alternatives:analyse",
    "two-point-adam": "bridge.two_point.studies.single:of_adam",
    "two-point-final-distances": "bridge.two_point.studies.grid:analyse",
    "two-point-random-weights": "bridge.two_point.studies.random_weights:analyse",
    "two-point-xor": "bridge.two_point.studies.xor:analyse",
    "two-point-blobs": "bridge.two_point.studies.blobs:analyse",
    "two-point-mnist-structure": "bridge.two_point.studies.mnist_structure:analyse",
    "two-point-mnist-pairs": "bridge.two_point.studies.mnist_pairs:analyse",
    "two-point-mnist-linearity": "bridge.two_point.studies.linearity:analyse",
}
FITS = {"two-point": "bridge.two_point.command:fit"}

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
FIGURES = {"vanrossem2024": "bridge.two_point.figures:FIGURES"}
QUANTITIES = {"two_point": "bridge.two_point.quantities"}
CLAIMS = {"two_point": "bridge.two_point.claims"}
