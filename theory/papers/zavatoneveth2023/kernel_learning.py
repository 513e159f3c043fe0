r"""Appendix F: metrics of two kernel learning algorithms, Eqs. (F.1) to (F.21)."""

from __future__ import annotations

from theory.core import Check, Finding, Step
from theory.papers.zavatoneveth2023.kernel_metrics import (
    METRIC_FROM_KERNEL,
    M,
    Q,
    base,
    h,
    here,
    interpolates,
    jacobian,
    same_spectrum,
    there,
    transformed,
    translation_invariant,
)
from theory.papers.zavatoneveth2023.paper import entry
from theory.papers.zavatoneveth2023.stein import determinant, metric_of, x, y

EQUATIONS = (
    entry(
        "(F.1) and (F.2)",
        "F.1",
        "Kernels of the squared Mahalanobis distance.",
        Finding.DEFINITION,
        "M is symmetric and positive semidefinite.",
        printed=r"k_{\mathbf{M}}(\mathbf{x}, \mathbf{y}) = h(\|\mathbf{x} - \mathbf{y}\|_{\mathbf{M}}^2), \quad "
        r"\|\mathbf{x} - \mathbf{y}\|_{\mathbf{M}}^2 = (\mathbf{x} - \mathbf{y})^\top \mathbf{M} (\mathbf{x} - "
        r"\mathbf{y})",
    ),
    entry(
        "(F.3)",
        "F.1",
        "The kernel machine.",
        Finding.DEFINITION,
        "It interpolates the data.",
        printed=r"f(\mathbf{x}) = \sum_{a,b} y_a (\mathbf{K}_{\mathbf{M}}^{-1})_{ab} k_{\mathbf{M}}(\mathbf{x}_b, "
        r"\mathbf{x})",
        steps=(Check("interpolation", interpolates, "random data, Gaussian kernel"),),
    ),
    entry(
        "(F.4)",
        "F.1",
        "The update of M.",
        Finding.DEFINITION,
        "The averaged outer product of gradients, symmetric and positive semidefinite.",
        printed=r"\mathbf{M} \leftarrow \frac1p \sum_{a=1}^p \nabla f(\mathbf{x}_a) \nabla f(\mathbf{x}_a)^\top",
    ),
    entry(
        "(F.5)",
        "F.1",
        "The metric of a kernel.",
        Finding.CONFIRMED,
        "For any two features of two inputs it is the pulled back Euclidean metric.",
        printed=r"g_{\mu\nu} = \frac12 \frac{\partial^2}{\partial x_\mu \partial x_\nu} k(\mathbf{x}, \mathbf{x}) - "
        r"\left[\frac{\partial^2}{\partial y_\mu \partial y_\nu} k(\mathbf{x}, "
        r"\mathbf{y})\right]_{\mathbf{y}=\mathbf{x}}",
        steps=(METRIC_FROM_KERNEL,),
    ),
    entry(
        "(F.6) and (F.7)",
        "F.1",
        "Such kernels induce a constant, flat metric.",
        Finding.CONFIRMED,
        "Two inputs, h to third order: its higher derivatives do not contribute.",
        printed=r"g_{\mu\nu} = -\left[\frac12 \frac{\partial^2}{\partial y_\mu \partial y_\nu} h[\ldots]\right] \cdot "
        r"2 = -2 h'(0) M_{\mu\nu}",
        steps=(
            Step(
                "from the kernel",
                metric_of(
                    translation_invariant.subs(dict(zip(y, x, strict=True)), simultaneous=True), translation_invariant
                ),
                -2 * h[1] * M,
                because="differentiation at y = x",
            ),
        ),
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
        "(F.9) and (F.10)",
        "F.1",
        "Its metric.",
        Finding.CONFIRMED,
        "A base kernel of two exponential features, any symmetric matrix.",
        printed=r"(g_{\mathbf{M}})_{\mu\nu} = (\mathbf{M}^{1/2})_{\mu\rho} (\mathbf{M}^{1/2})_{\nu\lambda} "
        r"g_{\rho\lambda}",
        steps=(Step("chain rule", transformed, M * base * M, because="chain rule"),),
    ),
    entry(
        "(F.11)",
        "F.1",
        "Its determinant: a rescaling and a change of coordinates.",
        Finding.CONFIRMED,
        "M below is the root; the volume element is rescaled by the root of det M.",
        printed=r"\det g_{\mathbf{M}} = (\det \mathbf{M}) \det g",
        steps=(
            Step(
                "product of determinants",
                determinant(transformed),
                determinant(M * M) * determinant(base),
                because="(F.10)",
            ),
        ),
    ),
    entry(
        "(F.12) and (F.13)",
        "F.2",
        "The base kernel and its Gram matrix on both halves of the positive pairs.",
        Finding.DEFINITION,
        "Of size 2p.",
        printed=r"k(\mathbf{x}, \mathbf{y}), \quad \tilde{\mathbf{K}} = \begin{pmatrix} \mathbf{K}_{XX} & "
        r"\mathbf{K}_{XX'} \\ \mathbf{K}_{X'X} & \mathbf{K}_{X'X'} \end{pmatrix}",
    ),
    entry(
        "(F.14) to (F.16)",
        "F.2",
        "The matrix of positive pairs, whitened and cut to its top eigenvalues.",
        Finding.DEFINITION,
        "The blocks of (F.14) are not all legible in the text read. Read as below, the whitened matrix has the "
        "spectrum of the averaged outer product of positive pairs in feature space, as it should.",
        printed=r"\mathbf{Z} = \frac{1}{2p} \begin{pmatrix} \mathbf{K}_{XX} \mathbf{K}_{X'X} & \mathbf{K}_{XX} "
        r"\mathbf{K}_{X'X'} \\ \mathbf{K}_{X'X} \mathbf{K}_{X'X} & \mathbf{K}_{X'X} \mathbf{K}_{X'X'} \end{pmatrix} + "
        r"(\text{transpose}), \quad \mathbf{K}_\Gamma = \tilde{\mathbf{K}}^{-1/2} \mathbf{Z} "
        r"\tilde{\mathbf{K}}^{-1/2}, \quad \mathbf{K}_\Gamma^{\leq d}",
        steps=(Check("spectrum, linear kernel", same_spectrum, "random data"),),
    ),
    entry(
        "(F.17) to (F.19)",
        "F.2",
        "The modified kernel, a constant quadratic form in the kernels with the data.",
        Finding.DEFINITION,
        "Symmetric and positive semidefinite where the eigenvalues that are kept are positive.",
        printed=r"k_{ss}(\mathbf{x}, \mathbf{y}) = \begin{pmatrix} \mathbf{K}_{\mathbf{x}X} \\ "
        r"\mathbf{K}_{\mathbf{x}X'} \end{pmatrix}^\top \mathbf{Q} \begin{pmatrix} \mathbf{K}_{\mathbf{y}X} \\ "
        r"\mathbf{K}_{\mathbf{y}X'} \end{pmatrix}, \quad \mathbf{Q} = \tilde{\mathbf{K}}^{-1/2} "
        r"(\mathbf{K}_\Gamma^{\leq d})^+ \tilde{\mathbf{K}}^{-1/2}",
    ),
    entry(
        "(F.20) and (F.21)",
        "F.2",
        "Its metric.",
        Finding.CONFIRMED,
        "Two kernels with data as any functions of two inputs, Q symmetric.",
        printed=r"(g_{ss})_{\mu\nu} = \begin{pmatrix} \partial_\mu \mathbf{K}_{\mathbf{x}X} \\ \partial_\mu "
        r"\mathbf{K}_{\mathbf{x}X'} \end{pmatrix}^\top \mathbf{Q} \begin{pmatrix} \partial_\nu "
        r"\mathbf{K}_{\mathbf{x}X} \\ \partial_\nu \mathbf{K}_{\mathbf{x}X'} \end{pmatrix}",
        steps=(
            Step(
                "product rule",
                metric_of((here.T * Q * here)[0], (here.T * Q * there)[0]),
                jacobian.T * Q * jacobian,
                because="product rule",
            ),
        ),
    ),
)
