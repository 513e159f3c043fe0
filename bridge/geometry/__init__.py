"""Geometry of representations: what finite and trained networks do, held against closed forms and a hypothesis.

bridge.geometry.convergence(trace)                    # finite random networks against infinite width, at every input
bridge.geometry.extrapolate(widths, samples)          # a quantity at infinite width, from repetitions at finite ones
bridge.geometry.expansion(trace)                      # is volume larger near the decision boundary? a number for a seed
bridge.geometry.association(log_volume, distance)     # the same for numbers of your own, with an interval over seeds
bridge.geometry.distance_to_boundary(x, y, margin)    # of every point of a grid
"""

import lazy_loader

ANALYSES = {
    "geometry-random-networks": "bridge.geometry.studies.random_networks:analyse",
    "geometry-trained": "bridge.geometry.studies.plane:analyse",
    "geometry-xor": "bridge.geometry.studies.plane:analyse",
    "geometry-sinusoid": "bridge.geometry.studies.plane:analyse",
    "geometry-mnist": "bridge.geometry.studies.mnist:analyse",
    "geometry-resnet": "bridge.geometry.images.resnet:analyse",
    "geometry-self-supervised": "bridge.geometry.images.self_supervised:analyse",
}

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
