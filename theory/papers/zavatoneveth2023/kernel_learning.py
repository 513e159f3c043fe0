r"""Appendix F.1: the metric of a kernel of Mahalanobis distances, and of any kernel after a linear map."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Check, Claim, Finding, Word, equal, for_all, numerically
from theory.core.ledger.proving import is_close
from theory.papers.zavatoneveth2023.appendix_letters import d, entry, g, mu, nu
from theory.papers.zavatoneveth2023.kernel_values import (
    MATRIX,
    ROOT,
    X,
    Y,
    base,
    determinants,
    feature_metric,
    invariant,
    invariant_metric,
    mapped,
    mapped_metric,
)

k_xx, k_xy, k_M_xx, k_M_xy, g_M, distance = sp.symbols("k_xx k_xy k_M_xx k_M_xy g_M mahalanobis", real=True)
det_g, det_g_M, det_M = sp.symbols("det_g det_g_M det_M", positive=True)
hess_x, hess_y_at_x, h, h_slope, M, root_M, metric = (
    sp.Function(name) for name in ("hess_x", "hess_y_at_x", "h", "h_slope", "M", "root_M", "metric")
)
rho, lam = sp.symbols("rho lambda", integer=True, positive=True)


def is_flat(claim: Claim) -> tuple[Check, ...]:
    """A metric that is the same at every input has no derivatives, and so no curvature."""

    def is_constant() -> bool:
        return all(is_close(invariant_metric(at), invariant_metric(X), 1e-8) for at in (Y, 3 * X, X - 2 * Y))

    return (
        Check("constant", lambda: is_constant() is (claim["place"] == "constant"), "three further inputs"),
        Check("flat", lambda: is_constant() is (claim["curvature"] == "flat"), "its derivatives vanish"),
    )


def rescales(claim: Claim) -> tuple[Check, ...]:
    """The ratio of both volume elements, the base one at the mapped input or at the input itself."""
    place = {"x -> M^(1/2) x": ROOT, "x -> x": np.eye(2)}[claim["change"]]

    def ratio(at: np.ndarray) -> float:
        return float(np.sqrt(np.linalg.det(mapped_metric(at)) / np.linalg.det(feature_metric(place @ at))))

    points = [X, Y, 2 * X, X - Y]
    size = float(np.sqrt(np.linalg.det(MATRIX)))
    is_overall = {"overall": True, "local": False}[claim["rescaling"]]
    return (
        Check("rescaling", lambda: for_all(points, lambda at: is_close(ratio(at), size)) is is_overall, "features"),
    )


EQUATIONS = (
    entry(
        "(F.1)",
        "F.1",
        "Kernels of the squared Mahalanobis distance.",
        Finding.DEFINITION,
        "The function h is smooth.",
        printed=r"k_{\mathbf{M}}(\mathbf{x}, \mathbf{y}) = h(\|\mathbf{x} - \mathbf{y}\|_{\mathbf{M}}^2)",
    ),
    entry(
        "(F.2)",
        "F.1",
        "The squared Mahalanobis distance.",
        Finding.DEFINITION,
        "M is symmetric and positive semidefinite.",
        printed=r"\|\mathbf{x} - \mathbf{y}\|_{\mathbf{M}}^2 = (\mathbf{x} - \mathbf{y})^\top \mathbf{M} (\mathbf{x} - "
        r"\mathbf{y})",
    ),
    entry(
        "(F.3)",
        "F.1",
        "The kernel machine that is fitted, with the Gram matrix of the kernel.",
        Finding.DEFINITION,
        "It interpolates the data.",
        printed=r"f(\mathbf{x}) = \sum_{a,b=1}^p y_a (\mathbf{K}_{\mathbf{M}}^{-1})_{ab} k_{\mathbf{M}}(\mathbf{x}_b, "
        r"\mathbf{x})",
    ),
    entry(
        "(F.4)",
        "F.1",
        "The update of M, to the averaged outer product of gradients.",
        Finding.ILLEGIBLE,
        "The display is lost in the text that was read; the words after it say what it is.",
        printed=r"\mathbf{M} \leftarrow \ldots",
        inferred=Claim("M becomes the {average} over the training points of the outer product of the gradient of f "
                       "with itself.", {"average": Word("mean", ("sum",))}),
    ),
    entry(
        "F.1 performance",
        "F.1",
        "The method is competitive on images and tables, and M comes close to the Gram matrix of first-layer weights.",
        Finding.NOTE,
        "Quoted from another work.",
    ),
    entry(
        "(F.5)",
        "F.1",
        "The metric of a kernel.",
        Finding.CONFIRMED,
        "A kernel of three features of two inputs: the Euclidean metric pulled back by them.",
        printed=equal(g, hess_x(k_xx) / 2 - hess_y_at_x(k_xy)),
        prove=numerically(base, "Jacobian of the features"),
    ),
    entry(
        "(F.6)",
        "F.1",
        "The formula for the metric with such a kernel inserted.",
        Finding.CONFIRMED,
        "A smooth function of the squared distance; its metric from distances of features of close inputs.",
        printed=equal(g, hess_x(h(0)) / 2 - hess_y_at_x(h(distance))),
        prove=numerically(invariant, "distances of features", tolerance=1e-8),
        harmless={
            "printed: 0 -> 1": "The first term is the derivative of a constant.",
            "printed: sign of hess_x(h(0))/2": "The first term is zero.",
            "printed: hess_x(h(0))/2 twice": "The first term is zero.",
            "printed: 1/2 -> 3/2": "The first term is zero.",
        },
    ),
    entry(
        "(F.7)",
        "F.1",
        "Such kernels induce a multiple of M.",
        Finding.CONFIRMED,
        "A smooth function of the squared distance; its metric from distances of features of close inputs.",
        printed=equal(g, -2 * h_slope(0) * M(mu, nu)),
        prove=numerically(invariant, "distances of features", tolerance=1e-8),
    ),
    entry(
        "F.1 flat",
        "F.1",
        "",
        Finding.CONFIRMED,
        "The metric at four inputs. Where M is singular the metric is degenerate.",
        printed=Claim("This metric is {place} over the entire input space, and is therefore {curvature}.",
                      {"place": Word("constant", ("varying",)), "curvature": Word("flat", ("curved",))}),
        prove=is_flat,
    ),
    entry(
        "(F.8)",
        "F.1",
        "The extension to any kernel.",
        Finding.DEFINITION,
        "The base kernel after a linear map.",
        printed=r"k_{\mathbf{M}}(\mathbf{x}, \mathbf{y}) = k(\mathbf{M}^{1/2} \mathbf{x}, \mathbf{M}^{1/2} \mathbf{y})",
    ),
    entry(
        "(F.9)",
        "F.1",
        "The formula for the metric with this kernel inserted.",
        Finding.CONFIRMED,
        "A kernel of three features of two inputs: the metric from the Jacobian of the features of the mapped input.",
        printed=equal(g_M, hess_x(k_M_xx) / 2 - hess_y_at_x(k_M_xy)),
        prove=numerically(mapped, "Jacobian of the features"),
    ),
    entry(
        "(F.10)",
        "F.1",
        "Its metric in that of the base kernel at the mapped input.",
        Finding.CONFIRMED,
        "A kernel of three features of two inputs: the metric from the Jacobian of the features of the mapped input.",
        printed=equal(
            g_M,
            sp.Sum(root_M(mu, rho) * root_M(nu, lam) * metric(rho, lam), (rho, 1, d), (lam, 1, d)),
        ),
        prove=numerically(mapped, "Jacobian of the features"),
    ),
    entry(
        "(F.11)",
        "F.1",
        "Its determinant.",
        Finding.CONFIRMED,
        "Three inputs of two coordinates; the base metric is taken at the mapped input.",
        printed=equal(det_g_M, det_M * det_g),
        prove=numerically(determinants, "Jacobian of the features"),
    ),
    entry(
        "F.1 volume",
        "F.1",
        "",
        Finding.CONFIRMED,
        "The ratio of the volume elements at four inputs; without the change of coordinates it is not constant.",
        printed=Claim(
            "It affects the volume element only through an {rescaling} rescaling and the change of coordinates "
            "{change}.",
            {"rescaling": Word("overall", ("local",)), "change": Word("x -> M^(1/2) x", ("x -> x",))},
        ),
        prove=rescales,
    ),
)  # fmt: skip
