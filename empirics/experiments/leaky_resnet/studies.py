"""The studies of Leaky ResNets and their configurations at each scale.

The laptop scale differs from the paper (appendix B) in width, points and dimensions, and in the following:

- Regulariser: the paper's 0.001/L̃ belongs to torch's mean squared error, which is the cost used here divided by the 30
  outputs, so that :data:`PAPER` has 30 times as much. The small networks take 0.25. With 0.2, the same minutes of
  training leave them twice as far from a critical point; with 0.4, five of six networks at k* = 4 lose a direction that
  the teacher has.
- Warm-up: the regulariser grows during Adam, since small networks end at zero weights if it has full strength from the
  start.
- L-BFGS instead of SGD after Adam: Adam alone leaves a relative gradient of 2 to 3 after 6000 steps, L-BFGS leaves 0.1
  to 0.4 after fewer. What is left is due to kinks, see :mod:`empirics.training.leaky_smoothing`: with a smoothed ReLU
  and L-BFGS from the Gauss-Newton matrix, as in :data:`CRITICAL`, all 36 networks of :data:`RANKS` come below 0.01 at
  an effective depth of 7. That is the gradient of the smoothed network, with which they are measured: on one side of a
  kink it is up to 1.5. The studies of meshes, where the test error counts, do without.
- Effective depths up to 7 without smoothing. With it, all nine networks at 7, 9 and 12 come below 0.01, for which those
  at 12 need more than 4000 steps; their -2H/L̃ rises with the depth.

At paper scale :data:`PAPER` trains with the optimisers of appendix B, in single precision as torch does by default, and
:data:`CRITICAL` and :data:`DEEP` until the gradient is small.

The smoke scale has twice the regulariser and more layers than units, so that seconds suffice for relative gradients of
0.1 to 0.2. With 0.25 and 8 layers they are 0.5 to 1.2, and -2H/L̃ is far below 0.

At an effective depth of 7 the gap in the spectrum is at k* + 1 also in networks that are critical: with bias in all
networks at k* = 2 and 3, in two of three at k* = 4 and in none at k* = 5, where two keep five directions and one four.
The reason is the mean. A code that surrounds the origin has no non-negative representation of its own rank that is
linear in it, but with a bias it has one that is affine in it: k units, each shifted until it is positive, whose cost of
identity is k. Representations whose mean lies outside the code's directions cost up to one dimension more, and the
direction beyond k* is to 90 to 99 % that mean at k* = 2 and 3. It is worth giving up at large L̃ only, as
``leaky_resnet.depth_of_mean`` derives: from a size of 3 to 5 at both ends it fades to 2.5 to 4.7 at L̃ = 7, and to 0.4
to 0.5 at 18. At L̃ = 9 and 12 two of three networks keep nothing but the mean beyond k* = 3 and the third keeps three
directions; at 12 the weights of the direction beyond k* have fallen to 0.15 L̃ in the mean, from 1.4 L̃ at 7, and the
least cost of identity is 2.9 to 3. Non-negative codes need no such mean: at k* = 2 the weights of its direction are
0.46 L̃ in the middle layer and 0.13 L̃ before it, instead of 1.4 L̃, but the largest gap is still behind it. Three
networks at k* = 3 whose middle layers had 300 times the regulariser on all but k* units in the first half of their
training, which no study does, came back to k* + 1 directions and, within 0.4 %, to the same cost. Without bias a
direction for the constant remains necessary, since the targets are centred: all six networks at k* = 2 and 3 have it.

At the paper's size and L̃ = 7, three networks of each code at each k* from 2 to 5 came below a relative gradient of
0.054 in 8 minutes of CPU time each, with smoothed L-BFGS and Newton steps in single precision at the end, where 10,000
steps of L-BFGS on the ReLU itself left 0.8 and 1.1 at k* = 3. The middle layers of all 24 keep k* + 1 directions: the
next singular value of the weights is 276 to 457 times smaller with signed codes and 25 to 198 times with non-negative
ones. The direction beyond k* is the mean: without it the representations after the middle layer have singular values of
27 to 52 in the direction number k* and of 2.7 to 5.6 (signed codes) and 0.5 to 1.5 in the next. The least cost of
identity is a little below k* + 1 for signed codes, 2.95, 3.89, 4.81 and 5.72, and 0.06 to 0.07 above it for
non-negative ones, but -2H/L̃ is -0.03 to -1.7 in the mean of three, so that L̃ = 7 is far from the limit. :data:`CODES`
follows this at k* = 1, where small networks come nearer to a critical point, and at the paper's size.

In those with a signed code and k* = 3 the weights have nearly the same size in all layers, 27 to 32 and at the outputs
35. The product of the sizes of the momenta and of σ(A) varies by a quarter from p = 0.3 to 0.7 only: it is up to 3.5
times its least value towards the inputs and 6 to 9 times towards the outputs.

The optimiser of appendix B does not lead there, at least with the learning rates of :data:`PAPER`, which the paper does
not state. After 5000 epochs of Adam and 1000 of SGD the relative gradients of five networks are 0.89 to 0.92. The
weights of the middle layer keep four directions, but the next singular value is only 1.15 to 1.34 times smaller, and H
varies 8 to 11 times less than its parts. The path of three of them is 4.1 times as long as the largest representation,
that of the critical networks of the same teachers 2.5 times.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from empirics.data.names import CODES as CODE_KINDS
from empirics.experiments.leaky_resnet.config import Config
from empirics.experiments.leaky_resnet.geodesics_config import Config as GeodesicsConfig
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
INNER_DIMENSIONS: dict[Scale, tuple[int, ...]] = {"smoke": (2, 3, 4), "laptop": (2, 3, 4, 5), "paper": (2, 3, 4, 5)}
EFFECTIVE_DEPTHS: dict[Scale, tuple[float, ...]] = {
    "smoke": (2.0, 4.0),
    "laptop": (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0),
    "paper": (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0),
}
DEEP: dict[Scale, Config] = {  # at these effective depths a small gradient needs a smoothed ReLU
    "laptop": replace(CRITICAL["laptop"], depths=(7.0, 9.0, 12.0), polishing=12_000),
    "paper": replace(CRITICAL["paper"], depths=(9.0, 12.0, 18.0)),
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
        for kind, fields in kinds.items()
        for k in INNER_DIMENSIONS[scale]
    }


def codes(scale: Scale) -> Mapping[str, Config]:
    """Return signed and non-negative codes: small networks with k* = 1, and at paper scale those of the paper.

    Those of the paper's size belong to :data:`RANKS`, too.
    """
    if scale == "paper":
        return {
            f"{code}, k* = {k}": replace(CRITICAL["paper"], dimensions=(30, k, 30), code=code)
            for k in (3, 2, 4, 5)
            for code in CODE_KINDS
        }
    fields: dict[str, Any] = {"depths": (3.0, 7.0, 12.0), "adam": 1500, "polishing": 1500, "seeds": 6}
    if scale == "smoke":
        fields = {"depths": (3.0, 7.0), "adam": 150, "polishing": 150, "seeds": 2}
    base = Config(
        dimensions=(3, 1, 3), hidden=10, points=40, test_points=0, width=8, decay=0.1, learning_rate=0.03, **fields
    )
    return {
        f"{code}, {'with' if bias else 'without'} bias": replace(base, code=code, bias=bias)
        for code in CODE_KINDS
        for bias in (True, False)
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
        for mesh in MESH_KINDS
        for layers in LAYERS[scale]
    }


def geodesics(scale: Scale) -> Mapping[str, GeodesicsConfig]:
    """Return linear networks, and ReLU networks with bias and without."""
    base = LINEAR[scale]
    relu = replace(base, linear=False, points=2, depth=2.0, gain=0.3)
    if scale == "smoke":
        relu = replace(relu, layers=(4, 8), adam=80, polishing=80)
    return {"linear": base, "ReLU, with bias": replace(relu, bias=True), "ReLU, without bias": relu}


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
    named={"dimensions": "k* =", "bias": "bias"},
)
DEPTHS = Study(
    name="leaky-resnet-depths",
    question="How do H, the cost of identity, the path's length and the momenta change with the effective depth?",
    table=effective_depths,
    named={"depths": "deep"},
)
MESHES = Study(
    name="leaky-resnet-meshes",
    question="Does a mesh that is finer at both ends, or one that adapts, lower the test error?",
    table=meshes_and_layers,
)
ADAPTIVE = Study(
    name="leaky-resnet-adaptive",
    question="Where does the adaptive mesh put its layers, and how do the meshes spread the steps along the path?",
    table=lambda scale: {mesh: replace(mesh_base(scale), mesh=mesh, layers=max(LAYERS[scale])) for mesh in MESH_KINDS},
)
GEODESICS = Study(
    name="leaky-resnet-geodesics",
    question="Do trained networks lie on geodesics, and how fast do they approach those of infinitely many layers?",
    table=geodesics,
    named={"linear": ""},
)
