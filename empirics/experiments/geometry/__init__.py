"""Geometry: how do networks stretch and bend the space of their inputs, at initialisation and during training?

``random_networks``: Gaussian weights at many widths. ``symmetric_units``: a few units at equal angles. ``bayesian``:
posterior samples of networks that interpolate one example. ``trained``: small networks on two tasks in the plane.
``mnist``: fully connected classifiers of images. ``images``: residual networks on images, supervised and
self-supervised. Source: Zavatone-Veth et al., arXiv 2301.11375.
"""

import lazy_loader

EXPERIMENTS = {
    "geometry.random_networks": "empirics.experiments.geometry.random_networks",
    "geometry.symmetric_units": "empirics.experiments.geometry.symmetric_units",
    "geometry.bayesian": "empirics.experiments.geometry.bayesian",
    "geometry.trained": "empirics.experiments.geometry.trained",
    "geometry.mnist": "empirics.experiments.geometry.mnist",
    "geometry.resnet": "empirics.experiments.geometry.images.resnet",
    "geometry.self_supervised": "empirics.experiments.geometry.images.self_supervised",
}
STUDIES = {
    "geometry-random-networks": "empirics.experiments.geometry.studies:RANDOM_NETWORKS",
    "geometry-monomials": "empirics.experiments.geometry.closed_form_studies:MONOMIALS",
    "geometry-symmetric-units": "empirics.experiments.geometry.closed_form_studies:SYMMETRIC_UNITS",
    "geometry-bayesian": "empirics.experiments.geometry.closed_form_studies:BAYESIAN",
    "geometry-xor": "empirics.experiments.geometry.studies:XOR",
    "geometry-sinusoid": "empirics.experiments.geometry.studies:SINUSOID",
    "geometry-xor-released": "empirics.experiments.geometry.studies:XOR_RELEASED",
    "geometry-sinusoid-released": "empirics.experiments.geometry.studies:SINUSOID_RELEASED",
    "geometry-mnist": "empirics.experiments.geometry.studies:MNIST",
    "geometry-mnist-released": "empirics.experiments.geometry.studies:MNIST_RELEASED",
    "geometry-mnist-no-decay-released": "empirics.experiments.geometry.studies:MNIST_WITHOUT_DECAY",
    "geometry-resnet": "empirics.experiments.geometry.studies:RESNET",
    "geometry-resnet-released": "empirics.experiments.geometry.studies:RESNET_RELEASED",
    "geometry-self-supervised": "empirics.experiments.geometry.studies:SELF_SUPERVISED",
}

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
