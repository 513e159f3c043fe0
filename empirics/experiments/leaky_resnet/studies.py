"""The studies of Leaky ResNets and their configurations at each scale.

The laptop scale differs from the paper (appendix B) in width, points and dimensions, and in the following:

- Regulariser: the paper's 0.001/L̃ belongs to torch's mean squared error, which is the cost used here divided by the 30
  outputs, so that :data:`PAPER` has 30 times as much. The small networks take 0.25: with 0.4, most at k* = 4 lose a
  direction that the teacher has.
- Warm-up: the regulariser grows during Adam, since small networks end at zero weights otherwise.
- L-BFGS instead of SGD after Adam, which alone leaves relative gradients of 2 to 3. What is left is due to kinks, see
  :mod:`empirics.training.leaky_smoothing`, which :data:`CRITICAL` smooths; gradients are then those of the smoothed
  network, with which it is measured. The studies of meshes, where the test error counts, do without.
- Effective depths up to 7 without smoothing, to 12 with it, and to 21 where each continues the one before.

At paper scale :data:`PAPER` trains with the optimisers of appendix B, in single precision as torch does by default, and
:data:`CRITICAL` and :data:`DEEP` until the gradient is small. Its learning rates are ours, since the paper states none;
with them, the optimiser of appendix B ends far from critical points, with relative gradients near 0.9. The smoke scale
has twice the regulariser and more layers than units, so that seconds suffice for relative gradients of 0.1 to 0.2.

Small networks keep one direction more than k* up to large effective depths: that of the mean, without which a code that
surrounds the origin has no non-negative representation of its own rank. ``leaky_resnet.depth_of_mean`` derives where it
is given up. Non-negative codes, which need no such mean, are the control in :data:`CODES`, and in :data:`RANKS`
together with networks without bias, which must keep a direction for the constant that centred targets subtract.
"""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from empirics.data.names import CODES as CODE_KINDS
from empirics.experiments.leaky_resnet.config import Config, GeodesicsConfig
from empirics.networks.names import MESHES as MESH_KINDS
from empirics.runs.study import Scale, Study

LAPTOP = Config()
SMOKE = Config(
    dimensions=(6, 2, 6), hidden=10, points=50, test_points=50, width=12, layers=16, depths=(4.0,), decay=0.5,
    learning_rate=0.03, adam=300, polishing=350, seeds=2,
)  # fmt: skip
PAPER = Config(
    dimensions=(30, 3, 30), hidden=100, points=1000, test_points=1000, width=100, layers=20, depths=(7.0,),
    decay=0.03, learning_rate=0.02, adam=5000, polish="sgd", polishing=1000, sgd_rate=1e-4, seeds=5, dtype="float32",
)  # fmt: skip
BASE: dict[Scale, Config] = {"smoke": SMOKE, "laptop": LAPTOP, "paper": PAPER}
CRITICAL: dict[Scale, Config] = BASE | {
    "laptop": replace(LAPTOP, polish="gauss_newton", polishing=4000),
    "paper": replace(PAPER, adam=1500, polish="newton", polishing=12_000, sgd_rate=1e-3, seeds=3),
}
INNER_DIMENSIONS: dict[Scale, tuple[int, ...]] = {
    "smoke": (2, 3, 4),
    "laptop": (2, 3, 4, 5),
    "paper": (2, 3, 4, 5),
}
EFFECTIVE_DEPTHS: dict[Scale, tuple[float, ...]] = {
    "smoke": (2.0, 4.0),
    "laptop": (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0),
    "paper": (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0),
}
DEEP: dict[Scale, Config] = {  # at these effective depths a small gradient needs a smoothed ReLU
    "laptop": replace(CRITICAL["laptop"], depths=(7.0, 9.0, 12.0), polishing=12_000),
    "paper": replace(CRITICAL["paper"], depths=(9.0, 12.0, 18.0)),
}
FAR: dict[str, Any] = {
    "depths": (7.0, 9.0, 12.0, 16.0, 21.0), "layers": 32, "test_points": 0, "continued": True,
}  # fmt: skip
CONTINUED: dict[Scale, Config] = {
    "smoke": replace(SMOKE, depths=(4.0, 5.0, 6.0), polish="gauss_newton", continued=True),
    "laptop": replace(CRITICAL["laptop"], polishing=1500, **FAR),
    "paper": replace(CRITICAL["paper"], **FAR),
}
LAYERS: dict[Scale, tuple[int, ...]] = {
    "smoke": (4, 6, 8), "laptop": (6, 8, 10, 14, 18), "paper": (6, 9, 12, 15, 18),
}  # fmt: skip
MESH_DEPTH = 3.0  # the effective depth of Figure 2
MESH_BASE: dict[Scale, Config] = BASE | {
    "laptop": replace(LAPTOP, points=300, test_points=1000, adam=1200, polishing=200, seeds=6)
}
LINEAR: dict[Scale, GeodesicsConfig] = {
    "smoke": GeodesicsConfig(layers=(4, 8, 12), seeds=2, adam=150, polishing=150, solving=60),
    "laptop": GeodesicsConfig(solving=800),
    "paper": GeodesicsConfig(layers=(4, 8, 16, 32, 64), seeds=5),
}


def inner_dimensions(scale: Scale) -> Mapping[str, Config]:
    """Return teachers of every inner dimension k*: signed codes with bias and without, and non-negative codes.

    The last are the control: units without negative entries hold such a code as it is. They have a bias, since the
    targets are centred, and without bias a network must keep a direction for the constant that this subtracts.
    """
    base = CRITICAL[scale]
    d = base.dimensions[0]
    kinds: dict[str, dict[str, Any]] = {
        "with bias": {},
        "non-negative, with bias": {"code": "nonnegative"},
        "without bias": {"bias": False},
    }
    return {
        f"k* = {k}, {kind}": replace(base, dimensions=(d, k, d), **fields)
        for (kind, fields), k in product(kinds.items(), INNER_DIMENSIONS[scale])
    }


def codes(scale: Scale) -> Mapping[str, Config]:
    """Return teachers of every inner dimension with signed and with non-negative codes, those of the scale's first."""
    base = CRITICAL[scale]
    d, own, _ = base.dimensions
    return {
        f"{code}, k* = {k}": replace(base, dimensions=(d, k, d), code=code)
        for k, code in product(
            sorted(INNER_DIMENSIONS[scale], key=lambda k: (k != own, k)), CODE_KINDS
        )
    }


def effective_depths(scale: Scale) -> Mapping[str, Config]:
    """Return all effective depths in one batch, and except at smoke scale the large ones in another."""
    seeds = min(BASE[scale].seeds, CRITICAL[scale].seeds)
    table = {"default": replace(BASE[scale], depths=EFFECTIVE_DEPTHS[scale], seeds=seeds)}
    return table | ({"deep": DEEP[scale]} if scale in DEEP else {})


def mesh_base(scale: Scale) -> Config:
    r"""Return the base of the studies of meshes, with residual teachers :math:`g_3 \circ g_2 \circ g_1`."""
    base = MESH_BASE[scale]
    d, k = base.dimensions[0], base.dimensions[1]
    return replace(base, dimensions=(d, 2 * k, k, d), teacher="resnet", depths=(MESH_DEPTH,))


def meshes_and_layers(scale: Scale) -> Mapping[str, Config]:
    """Return every mesh with every number of layers."""
    return {
        f"{mesh}, L = {layers}": replace(mesh_base(scale), mesh=mesh, layers=layers)
        for mesh, layers in product(MESH_KINDS, LAYERS[scale])
    }


def geodesics(scale: Scale) -> Mapping[str, GeodesicsConfig]:
    """Return linear networks, and ReLU networks with bias and without."""
    base = LINEAR[scale]
    relu = replace(base, linear=False, points=2, depth=2.0, gain=0.3)
    if scale == "smoke":
        relu = replace(relu, layers=(4, 8), adam=80, polishing=80)
    return {
        "linear": base,
        "ReLU, with bias": replace(relu, bias=True),
        "ReLU, without bias": relu,
    }


BOTTLENECK = Study(
    name="leaky-resnet-bottleneck",
    question="Which dimension do the middle layers keep, and does H stay constant where its parts change?",
    table=lambda scale: {"default": CRITICAL[scale]},
)
RANKS = Study(
    name="leaky-resnet-ranks",
    question="Does the gap in the spectrum follow the teacher's inner dimension?",
    table=inner_dimensions,
)
CODES = Study(
    name="leaky-resnet-codes",
    question="Which dimension do networks keep of a code that surrounds the origin, and of one with positive entries?",
    table=codes,
    named={"dimensions": "k* ="},
)
DEPTHS = Study(
    name="leaky-resnet-depths",
    question="How do H, the cost of identity, the path's length and the momenta change with the effective depth?",
    table=effective_depths,
    named={"depths": "deep"},
)
CONTINUATION = Study(
    name="leaky-resnet-continuation",
    question="Which limit does H approach at large effective depths, where networks continue those of smaller ones?",
    table=lambda scale: {"continued": CONTINUED[scale]},
)
MESHES = Study(
    name="leaky-resnet-meshes",
    question="Does a mesh that is finer at both ends, or one that adapts, lower the test error?",
    table=meshes_and_layers,
)
ADAPTIVE = Study(
    name="leaky-resnet-adaptive",
    question="Where does the adaptive mesh put its layers, and how do the meshes spread the steps along the path?",
    table=lambda scale: {
        mesh: replace(mesh_base(scale), mesh=mesh, layers=max(LAYERS[scale]))
        for mesh in MESH_KINDS
    },
)
GEODESICS = Study(
    name="leaky-resnet-geodesics",
    question="Do trained networks lie on geodesics, and how fast do they approach those of infinitely many layers?",
    table=geodesics,
    named={"linear": ""},
)
