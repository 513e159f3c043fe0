r"""Sections IV to VI: the kernel at infinite width and the sentences that can be checked."""

from __future__ import annotations

import sympy as sp

from theory.core import Claim, Finding, Witness, Word, equal
from theory.papers.zavatoneveth2023.index_notation import n
from theory.papers.zavatoneveth2023.kernel_limit import (
    WIDTH,
    dot_product,
    limit_of_features,
    mean_square,
    number_of_units,
)
from theory.papers.zavatoneveth2023.letters import kernel
from theory.papers.zavatoneveth2023.paper import PAPER
from theory.papers.zavatoneveth2023.piecewise_linear import counts_pixels, linear_networks, relu_regions

MNIST_STUDY = "A matter of measurement: the study geometry-mnist."

EQUATIONS_KERNEL = (
    PAPER.entry(
        "IV.B NNGP kernel",
        "IV.B",
        "The kernel at infinite width as a limit of products of features.",
        Finding.MISPRINT,
        "Section II.C has the root of the width in the features already, and their kernel as it stands. The product "
        "of n such features is an average; divided by n once more it vanishes.",
        printed=equal(kernel, sp.Limit(dot_product(n) / n, n, sp.oo)),
        corrected=equal(kernel, sp.Limit(dot_product(n), n, sp.oo)),
        prove=limit_of_features,
        witness=Witness(
            {"activation": "erf(z/sqrt 2)", "x = y": "where a preactivation has variance 1", "n": WIDTH},
            mean_square,
            number_of_units,
        ),
        harmless={"corrected: oo -> 1": "In the mean over weights the product is the same at every width."},
        consequence="None for what follows, which uses the second form, the average over weights and biases.",
    ),
)

EQUATIONS_FIGURES = (
    PAPER.entry(
        "IV.B and Figure 1",
        "IV.B",
        "Volume element and curvature of finite networks approach the results at infinite width.",
        Finding.OPEN,
        "A matter of measurement: the study geometry-random-networks. Both curves of R carry the factor 3 of Appendix "
        "A, so they meet all the same.",
    ),
    PAPER.entry(
        "Figure 1 settings",
        "IV.B",
        "25 realisations of random Gaussian parameters with sigma = zeta = 1; the error function and z^2/sqrt 3.",
        Finding.NOTE,
        "They are those of the study geometry-random-networks.",
    ),
)

EQUATIONS_V = (
    PAPER.entry(
        "V deep linear",
        "V",
        "",
        Finding.CONFIRMED,
        "Their Jacobian is the product of the weights: two layers, differentiated at three points; a layer of error "
        "functions between them changes it.",
        printed=Claim("Deep linear networks yield {kind} metrics.", {"kind": Word("flat, constant", ("varying",))}),
        prove=linear_networks,
    ),
    PAPER.entry(
        "V.A and Figure 2",
        "V.A",
        "Training on a sinusoid expands areas near the decision boundary, at all widths.",
        Finding.OPEN,
        "A matter of measurement: the study geometry-sinusoid. Measured by the rank correlation of the change of the "
        "volume element with the distance to the boundary.",
    ),
    PAPER.entry(
        "V.A curvature",
        "V.A",
        "The Ricci scalar evolves dynamically and has task-adapted structure at the end of training.",
        Finding.OPEN,
        "The studies geometry-xor and geometry-sinusoid measure it, but the text names neither a structure nor a "
        "direction that a number could be held against.",
    ),
    PAPER.entry(
        "V.B accuracy",
        "V.B",
        "All networks reach more than 95 % of train and test accuracy on MNIST within 200 epochs.",
        Finding.OPEN,
        MNIST_STUDY + " Only all images can decide; smaller scales train on a part of them for a few epochs.",
    ),
    PAPER.entry(
        "V.B curvature of MNIST",
        "V.B",
        "The curvature is not estimated for MNIST, for its computational complexity and numerical sensitivity.",
        Finding.NOTE,
        "A choice. The scalar curvature needs none of the components by themselves: for symmetric derivatives it is a "
        "contraction, for any feature map the Gauss equation. The study geometry-mnist measures it.",
    ),
    PAPER.entry(
        "V.B initialisation",
        "V.B",
        "At initialisation, the volume element varies without clear structure between images of MNIST.",
        Finding.OPEN,
        MNIST_STUDY + " Held against no rank correlation, before training, with the entropy of the trained network's "
        "prediction over triangles of images.",
    ),
    PAPER.entry(
        "V.B and Figure 3",
        "V.B",
        "As training on MNIST progresses, areas near the centre of the path between two images are expanded, while "
        "those near its ends remain relatively small.",
        Finding.OPEN,
        MNIST_STUDY,
    ),
    PAPER.entry(
        "V.B planes",
        "V.B",
        "In the plane of three images of MNIST the volume element becomes large where decision boundaries intersect.",
        Finding.OPEN,
        MNIST_STUDY + " Measured by its rank correlation with the entropy of the prediction. Not all of it is learnt, "
        "see 'V.B initialisation'.",
    ),
    PAPER.entry(
        "VI.A and Figure G.7",
        "VI.A",
        "The feature maps of all three hidden layers of a network magnify areas near the decision boundary.",
        Finding.OPEN,
        "A matter of measurement: the study geometry-sinusoid.",
    ),
    PAPER.entry(
        "VI.A three layers",
        "VI.A",
        "Deeper layers of a network with three hidden ones have a larger contrast of magnification.",
        Finding.OPEN,
        "A matter of measurement: the study geometry-sinusoid. The contrast is that of the logarithm of the volume "
        "element in the highest and in the lowest quarter of the inputs.",
    ),
    PAPER.entry(
        "VI.A counts",
        "VI.A",
        "",
        Finding.CONFIRMED,
        "Counted; the width of a ResNet-34 is 64 units and doubles three times.",
        printed=Claim(
            "The input images have {height} x {width} x {colours} = {pixels} pixels, while the final hidden layer has "
            "{units} units: a {kind}.",
            {
                "height": 32,
                "width": 32,
                "colours": 3,
                "pixels": 3072,
                "units": 512,
                "kind": Word("submersion", ("immersion",)),
            },
        ),
        prove=counts_pixels,
    ),
    PAPER.entry(
        "VI.A and Figure 4",
        "VI.A",
        "Residual networks with GELU expand areas near decision boundaries on lines between images of CIFAR-10.",
        Finding.OPEN,
        "A matter of measurement: the study geometry-resnet. Measured by the rank correlation of the volume element "
        "with the entropy of the prediction. For planes see 'G.3 boundaries'.",
    ),
    PAPER.entry(
        "VI.A accuracy",
        "VI.A",
        "A ResNet-34 with GELU has a test accuracy of 92 % on CIFAR-10, comparable to that with ReLU.",
        Finding.OPEN,
        "A matter of measurement: the study geometry-resnet. Only its largest scale, a ResNet-34 on all images, can "
        "decide; it needs a GPU.",
    ),
    PAPER.entry(
        "VI.A full rank",
        "VI.A",
        "The Jacobian of the map from the image to the last hidden layer has full rank.",
        Finding.OPEN,
        "A matter of measurement: the study geometry-resnet. Only the paper's width can decide: in a narrow network "
        "single units hardly react to an image, and their singular values are rounding errors of float32.",
    ),
    PAPER.entry(
        "VI.B ReLU",
        "VI.B",
        "",
        Finding.CONFIRMED,
        "Six units on two inputs, at three points.",
        printed=Claim(
            "Within each region, the corresponding linear feature map will induce a {within} metric on the input "
            "space, but the magnification factor will {between} from region to region.",
            {"within": Word("flat", ("curved",)), "between": Word("vary", ("not vary",))},
        ),
        prove=relu_regions,
    ),
    PAPER.entry(
        "VI.B and Figure 5",
        "VI.B",
        "Residual networks with ReLU expand areas near decision boundaries of CIFAR-10 as those with GELU do.",
        Finding.OPEN,
        "A matter of measurement: the study geometry-resnet, on lines and in planes.",
    ),
)
