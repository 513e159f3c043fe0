"""The figures of Paccolat et al. (2021), which has no tables."""

from __future__ import annotations

from empirics.runs.printed_figure import PrintedFigure

EXPONENT = "exponent of Λ"
BETTER = "logarithm of the test error, feature over lazy"
NOT_YET = (
    "no pure power law yet at the paper's numbers of points: with the largest of them alone, the exponents of the data "
    "as they are come closer to the prediction"
)

LAST_LAYER = "error of the trained last layer less the network's"
SMALL = "our network on MNIST has seven convolutions instead of sixteen and learns from a few hundred images"
SMALL_STRIPE = "those on the stripe have a hundred neurons, not ten thousand, and some stop before they fit all points"
GREATLY, LITTLE = 0.05, 0.1185  # bits: what matters in this study, and that above the floor of the estimator, 0.0685

FIGURES = (
    PrintedFigure("1", "weights of the stripe before, during and after training",
                  "they tend to align with the informative direction"),
    PrintedFigure("2", "test error against p for the stripe, d = 5 and 10", "feature learning beats the lazy regime",
                  BETTER, "stripe", relation="<", entry="Figure 2"),
    PrintedFigure("2 (lazy)", "exponents β of the lazy regime for the stripe, d = 5 and 10", "d/(3d - 2)",
                  "β, lazy", "stripe", study="compression-learning-curves", cause=NOT_YET),
    PrintedFigure("2 (compressed data)", "the same where the data are compressed by √p", "(2d - 1)/(3d - 2)",
                  "β, lazy, compressed data", "stripe", study="compression-learning-curves",
                  cause="no pure power law yet at the paper's numbers of points: with the largest of them alone, the "
                  "exponents agree with the prediction within their larger errors"),
    PrintedFigure("2 (compression)", "what the exponent of the lazy regime gains where the data are compressed by √p",
                  "(d - 1)/(3d - 2)", "β gained", "stripe", study="compression-learning-curves",
                  cause="in d = 10 the curve of the data as they are has not come as close to its power law as that of "
                  "compressed data"),
    PrintedFigure("2 (exponents)", "exponents β of networks for the stripe, d = 5 and 10",
                  "(2d - 1)/(3d - 2)", "β, feature", "stripe", study="compression-learning-curves",
                  reason="in d = 5 the networks learn from fewer points than the paper's; in d = 10 and for the "
                  "cylinder, exponents came down when networks were given the paper's numbers of points"),
    PrintedFigure("2 (kernel)", "exponents β of the kernel after training for the stripe, d = 5 and 10",
                  "as networks but for the largest number of points, where it is better; hence (2d - 1)/(3d - 2)",
                  "β, kernel", "stripe",
                  study="compression-learning-curves",
                  cause="in d = 10 the kernel after training errs more than the network with the fewest points and "
                  "less with the most, where the paper, too, finds it better than the network"),
    PrintedFigure("2 (gain)", "difference of the exponents of the stripe, d = 5 and 10",
                  "(d - 1)/(3d - 2)", "gain in β", "stripe", study="compression-learning-curves",
                  cause="in d = 10 the lazy regime falls more steeply than its power law at these numbers of points, "
                  "so that less can be gained: compressed data also gain less than predicted"),
    PrintedFigure("3", "neurons of the stripe against their equations, and their fixed points",
                  "three attractors; neurons converge to them (most of them at t*)",
                  "share of the neurons at an attractor", relation=">", entry="3.2.1 neurons"),
    PrintedFigure("4", "predictor, neurons, loss and test error during training",
                  "the attractors move so as to fit the stripe"),
    PrintedFigure("5", "amplification factor against time and against p for the stripe, d = 5 and 10",
                  "Λ* and Λ_max grow as p^(1/2); in d = 5 ours stops at t*, before Λ_max", EXPONENT, "stripe",
                  cause="in d = 10, Λ* lies below what each data set's own fluctuation predicts where points are few "
                  "and reaches it with the most, so that it grows faster than the law until then"),
    PrintedFigure("5 (maximum)", "maximum of the amplification factor over time against p for the stripe",
                  "grows as p^(1/2)", "exponent of Λ_max", "stripe", study="compression-amplification",
                  entry="3.2.2 scaling of the maximum"),
    PrintedFigure("6", "weights of the cylinder before and after training",
                  "they are compressed into the informative plane"),
    PrintedFigure("7 (top)", "amplification factor against p for the cylinder, d = 3",
                  "Λ* and Λ_max grow as p^(1/2); ours stops at t*, before Λ_max", EXPONENT, "cylinder"),
    PrintedFigure("7 (bottom)", "test error against p for the cylinder, d = 3",
                  "feature learning beats the lazy regime", BETTER, "cylinder", relation="<", entry="Figure 2"),
    PrintedFigure("7 (lazy)", "exponent β of the lazy regime for the cylinder, d = 3", "3/7", "β, lazy", "cylinder",
                  study="compression-learning-curves", cause=NOT_YET),
    PrintedFigure("Section 4 (compressed data)", "exponent β of the lazy regime where the cylinder is compressed by √p",
                  "1/2", "β, lazy, compressed data", "cylinder", study="compression-learning-curves",
                  cause="unexplained: with the largest numbers of points alone, the exponent is no closer to the "
                  "prediction"),
    PrintedFigure("Section 4 (compression)", "what this exponent gains by the compression", "1/14", "β gained",
                  "cylinder", study="compression-learning-curves"),
    PrintedFigure("7 (exponents)", "exponent β of networks for the cylinder, d = 3", "1/2", "β, feature", "cylinder",
                  study="compression-learning-curves",
                  reason="not yet a power law: the exponent between neighbouring numbers of points falls as they grow"),
    PrintedFigure("7 (gain)", "difference of the exponents of the cylinder, d = 3", "1/14",
                  "gain in β", "cylinder", study="compression-learning-curves",
                  reason="six realisations are few for so small a gain; an earlier run that included fifty points, "
                  "where networks hardly compress and err more than the lazy regime, gave too large a gain"),
    PrintedFigure("8", "test error of a network and of its frozen kernels on MNIST",
                  "the kernel after training learns as well as the network, slightly better from the most images",
                  "error of the trained kernel less the network's",
                  reason="some networks stopped before they fitted all images and err most in excess of their kernels; "
                  "those that fitted all err as much as their kernels within the error"),
    PrintedFigure("8 (kernels)", "test error of the frozen kernel after and before training",
                  "the kernel learns better after training", "error of the trained kernel less the initial one's",
                  study="compression-kernel-learning", relation="<", entry="5.2 MNIST kernel learning"),
    PrintedFigure("8 (network)", "test error of the frozen kernel after training and of the network",
                  "close to the network or better (less than 3 % of the images more, which is what matters)",
                  "error of the trained kernel less the network's", value=0.03, study="compression-kernel-learning",
                  relation="<", entry="5.2 MNIST kernel learning"),
    PrintedFigure("8 (last layer)", "test error of the last layer after training, frozen, and of the network",
                  "performs well but generally less so than the network", LAST_LAYER,
                  study="compression-kernel-learning", relation=">", entry="5.2 last layer"),
    PrintedFigure("9", "information of the first ten components of the tangent kernel with the label",
                  "has greatly improved after training (held against 0.05 bits in the mean)", "gain in information",
                  value=GREATLY, relation=">", reason=SMALL),
    PrintedFigure("9 (stripe)", "the same for the stripe alone", "the information is larger after training",
                  "gain in information", "stripe", study="compression-kernel-components", relation=">",
                  entry="5.2 components"),
    PrintedFigure("9 (MNIST)", "the same for MNIST alone", "the information is larger after training",
                  "gain in information", "MNIST", study="compression-kernel-components", relation=">",
                  entry="5.2 MNIST components"),
    PrintedFigure("9 (initial)", "information of the initial kernel's components",
                  "small (held against 0.05 bits above what the estimator gives without any)",
                  "information, initial kernel", value=LITTLE, study="compression-kernel-components", relation="<",
                  entry="5.2 initial components"),
    PrintedFigure("9 (projections)", "share of the labels along the first ten components of the tangent kernel",
                  "greatly improves during learning", "gain in the labels' share",
                  study="compression-kernel-components", relation=">", entry="5.2 projections"),
    PrintedFigure("9 (first modes)", "share of the labels along the first two components of the tangent kernel",
                  "most of the projection lies along the first mode, on MNIST also along the second (the two together "
                  "held against half of the labels)",
                  "top_two", tuple(f"{task}, tangent kernel, trained" for task in ("stripe", "MNIST")), 0.5,
                  "compression-kernel-components", f"{SMALL}; {SMALL_STRIPE}", relation=">"),
    PrintedFigure("10", "the first two components of the tangent kernel, before and after training",
                  "no information before training, separate clouds after it, for the last layer almost a line"),
    PrintedFigure("11 (left)", "test error against α, and of the frozen initial kernel, d = 10 (d = 5 here)",
                  "for small α a plateau better than the lazy regime",
                  "logarithm of the test error at the smallest α", study="compression-crossover", relation="<"),
    PrintedFigure("11", "t* against α", "t* grows as log(1/α)", "slope of t*"),
    PrintedFigure("11 (lazy)", "t* against α, large α", "t* falls as 1/α", "exponent of t*",
                  study="compression-crossover"),
    PrintedFigure("11 (frozen)", "test error at large α", "converges to that of the frozen initial kernel",
                  "logarithm of the test error at the largest α", study="compression-crossover"),
    PrintedFigure("11 (right)", "Λ* and Λ_max against α", "one at large α, a plateau at small α", "logarithm of Λ*",
                  study="compression-crossover"),
    PrintedFigure("Section 6", "RKHS norm of the labels under the tangent kernel", "reduced by training",
                  "logarithm of the labels' RKHS norm", study="compression-kernel-components", relation="<",
                  reason="for the stripe, the trained kernel of small networks is almost singular, and part of the "
                  "labels lies where its eigenvalues are below the ridge; the first components hold more than before"),
    PrintedFigure("Section 5.1 (kernel)", "form of the tangent kernel after training",
                  "Eq. (10): linear in the product of the uninformative coordinates (the share of its variance beyond "
                  "this form, held against that before training)",
                  "logarithm of the share beyond Eq. (10)", study="compression-kernel-components", relation="<",
                  cause="at a finite amplification factor the kernel bends where points are close to hyperplanes that "
                  "are not quite upright: with the uninformative weights after training divided by four, the share "
                  "falls in every network to a fraction of that before training"),
    PrintedFigure("Section 5.2 (footnote 6)", "effective dimension of the last layer on MNIST", "about 6",
                  "effective dimension of the last layer", "MNIST", 6.0, "compression-kernel-components",
                  SMALL),
    PrintedFigure("Section 5.2 (no line)", "effective dimension of the last layer on MNIST",
                  "above the one dimension that Figure 10 suggests", "effective dimension of the last layer", "MNIST",
                  study="compression-kernel-components", relation=">", entry="footnote 6, no line"),
)  # fmt: skip
