r"""Leaky ResNets as a mechanical system: their geodesics, their Hamiltonian and the cost of identity.

Matrices ``A`` [width, samples] hold representations and ``B`` their momenta, :math:`\sigma` is the ReLU with
(``bias=True``) or without a row of ones appended, and :math:`K = \sigma(A)^\top \sigma(A)`. All closed forms are in
``theory.catalogue()`` under ``leaky_resnet.``; the functions exported here take arrays, and raise a TypeError or a
ValueError that names the argument for a wrong type, shape or value.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

FORMS = {
    "leaky_resnet.mode_path": "theory.leaky_resnet.linear_modes:mode_path",
    "leaky_resnet.mode_hamiltonian": "theory.leaky_resnet.linear_modes:mode_hamiltonian",
    "leaky_resnet.mode_weight_norm": "theory.leaky_resnet.linear_modes:mode_weight_norm",
    "leaky_resnet.discrete_mode_weight": "theory.leaky_resnet.discrete:discrete_mode_weight",
    "leaky_resnet.mode_fit_strength": "theory.leaky_resnet.mode_fit:mode_fit_strength",
    "leaky_resnet.affine_distance": "theory.leaky_resnet.affine_scalar:affine_distance",
    "leaky_resnet.affine_path": "theory.leaky_resnet.affine_scalar:affine_path",
    "leaky_resnet.depth_of_rate": "theory.leaky_resnet.constant_inputs:depth_of_rate",
    "leaky_resnet.depth_of_mean": "theory.leaky_resnet.mean_direction:depth_of_mean",
    "leaky_resnet.nonnegative_cost": "theory.leaky_resnet.energies:nonnegative_cost_form",
    "leaky_resnet.adaptive_multiplier": "theory.leaky_resnet.meshes:adaptive_multiplier",
}
