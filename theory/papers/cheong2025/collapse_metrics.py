r"""Section 1.2: the four properties of neural collapse and the metric, with Eq. (1.4)."""

from __future__ import annotations

import numpy as np
import sympy as sp

from theory.core import Check, Finding, Step
from theory.papers.cheong2025.explicit_features import uneven as f
from theory.papers.cheong2025.paper import entry

radius2, inner, classes, common = sp.symbols("radius2 inner classes common", positive=True)
n1, n2, n3, ip = sp.symbols("n1 n2 n3 ip", real=True)
z = sp.Matrix(sp.symbols("z1 z2", real=True))
centre = sp.Matrix(sp.symbols("g1 g2", real=True))
mean = sp.Matrix(sp.symbols("m1 m2", real=True))

weighted = sp.diag(*f.sizes)


def _rank_is_below_the_number_of_classes() -> bool:
    """Ranks of M N M' for random whole-number means in six dimensions, classes of any sizes."""
    draw = np.random.default_rng(0)
    for count in (2, 3, 4):
        sizes = draw.integers(1, 6, count)
        means = sp.Matrix(draw.integers(-9, 9, (6, count)).tolist())
        middle = means * sp.Matrix(sizes.tolist()) / int(sizes.sum())
        centred = means - middle * sp.ones(1, count)
        between = centred * sp.diag(*sizes.tolist()) * centred.T
        if not between.rank() == centred.rank() <= count - 1:
            return False
    return True


def _singular_in_many_dimensions() -> bool:
    """Two classes: Sigma_B has an inverse in one dimension and none in two."""
    line, plane = sp.Matrix([[2]]), sp.Matrix([2, 1]) * sp.Matrix([[2, 1]])
    return bool(line.det() != 0 and plane.det() == 0)


def _unequal_classes_are_off_centre() -> bool:
    """Two classes of one and three samples, means 0 and 4: the global mean is 3, the centred means -3 and 1."""
    means, sizes = np.array([0.0, 4.0]), np.array([1, 3])
    return float(np.sum(means - np.average(means, weights=sizes))) != 0.0


def _simplex_is_not_regular_about_the_global_mean() -> bool:
    """Means at the corners of a regular triangle, classes of 1, 1 and 4: distances from the global mean differ."""
    corners = np.array([[1.0, 0.0], [-0.5, 3**0.5 / 2], [-0.5, -(3**0.5) / 2]])
    lengths = np.linalg.norm(corners - np.average(corners, axis=0, weights=[1, 1, 4]), axis=1)
    return bool(np.ptp(lengths) > 0.5)


def _far_from_the_origin_the_classifier_differs() -> bool:
    """Centred means (1, 0) and (-1, 0), global mean (5, 0), weights equal to them and no bias: z = (4, 0)."""
    centred, middle, point = np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([5.0, 0.0]), np.array([4.0, 0.0])
    nearest = np.argmin(np.linalg.norm(point - middle - centred, axis=1))
    return bool(nearest != np.argmax(centred @ point))


EQUATIONS = (
    entry(
        "1.2 network",
        "1.2",
        "A network is a composition of layers; softmax and a matrix at the end.",
        Finding.DEFINITION,
        "Layers are counted from 1; layer 0 is the input.",
        printed=r"f^{L:1} = f^L \circ f^{L-1} \circ \dots \circ f^1",
    ),
    entry(
        "1.2 within-class covariance",
        "1.2",
        "Class means and within-class covariance.",
        Finding.DEFINITION,
        "Divided by N, not by N - C.",
        printed=r"\Sigma_W = \frac{1}{N} \sum_{c=1}^C \sum_{i=1}^{n_c} (h_{c,i} - \mu_c)(h_{c,i} - \mu_c)^\top",
    ),
    entry(
        "1.2 between-class covariance",
        "1.2",
        "Global mean and between-class covariance, classes weighted by their sizes.",
        Finding.DEFINITION,
        "Other packages weight the classes equally.",
        printed=r"\Sigma_B = \frac{1}{N} \sum_{c=1}^C n_c (\mu_c - \bar\mu)(\mu_c - \bar\mu)^\top",
    ),
    entry("NC1", "1.2", "The within-class variance vanishes.", Finding.DEFINITION, "A property."),
    entry(
        "NC2",
        "1.2",
        "Centred class means of equal length rho have inner products -rho^2/(C - 1).",
        Finding.CONDITIONAL,
        "Equal lengths and equal angles of vectors that sum to zero leave no other angle. About the mean of all "
        "samples they need not sum to zero: the sum weighted by class sizes does, and then all sizes must be equal.",
        condition="classes are balanced, or the means are centred at their own mean",
        printed=r"\|\tilde\mu_c\| = \rho, \quad \tilde\mu_c \cdot \tilde\mu_{c'} = -\rho^2/(C-1)",
        steps=(
            Step(
                "squared length of the sum of all centred means",
                classes * radius2 + classes * (classes - 1) * (-radius2 / (classes - 1)),
                sp.S.Zero,
                because="so this inner product, and no other, lets them sum to zero",
            ),
            Step(
                "weighted sums force equal sizes",
                (n1 * radius2 + (n2 + n3) * ip) - (n2 * radius2 + (n1 + n3) * ip),
                (n1 - n2) * (radius2 - ip),
                because="both inner products of the weighted sum with a mean vanish, and radius2 > ip",
            ),
        ),
        counterexample=_simplex_is_not_regular_about_the_global_mean,
        consequence="With imbalanced classes NC2, measured about the mean of all samples, is not zero for a perfect "
        "simplex. About the mean of the class means it is.",
    ),
    entry(
        "NC3",
        "1.2",
        "The centred means align with the rows of the last weight matrix.",
        Finding.DEFINITION,
        "Up to a scale.",
    ),
    entry(
        "NC4",
        "1.2",
        "As a result of NC1 to NC3 the classifier is that of the nearest class mean.",
        Finding.CONDITIONAL,
        "Expanding the squared distance: the two agree if the biases balance the global mean.",
        condition="the biases are -w_c . mu up to a common number",
        printed=r"f^L(z) \to \arg\min_c \|z - \mu_c\|",
        steps=(
            Step(
                "minus half the squared distance",
                -(z - centre - mean).dot(z - centre - mean) / 2,
                mean.dot(z) - mean.dot(centre) - mean.dot(mean) / 2 - (z - centre).dot(z - centre) / 2,
                because="the last two terms are the same for all classes by NC2; the first is NC3",
            ),
        ),
        counterexample=_far_from_the_origin_the_classifier_differs,
        consequence="NC4 is a property of its own: features with a large mean, as ReLU gives, need the right biases.",
    ),
    entry(
        "1.2 trace of the within-class covariance",
        "1.2",
        "tr Sigma_W is the mean squared distance to the class mean.",
        Finding.CONFIRMED,
        "Written out for five features in the plane, two classes of three and two.",
        printed=r"\mathrm{tr}(\Sigma_W) = \frac{1}{N} \sum_{c,i} \|h_{c,i} - \mu_c\|^2",
        steps=(
            Step(
                "trace",
                f.within.trace(),
                sum(r.dot(r) for r in f.residuals) / f.count,
                because="the trace of an outer product",
            ),
        ),
    ),
    entry(
        "1.2 total covariance",
        "1.2",
        "Sigma_T = Sigma_W + Sigma_B.",
        Finding.CONFIRMED,
        "Written out for classes of unequal sizes.",
        printed=r"\Sigma_T = \Sigma_W + \Sigma_B",
        steps=(Step("every entry", f.total, f.within + f.between, because="residuals sum to zero in every class"),),
    ),
    entry(
        "1.2 the metric",
        "1.2",
        "tr(Sigma_W Sigma_B^+), an inverse ratio of signal to noise.",
        Finding.DEFINITION,
        "Not divided by C here; papers on neural collapse often divide.",
        closed_form="collapse.simplex_nc1",
        printed=r"\mathrm{tr}(\Sigma_W \Sigma_B^+)",
    ),
    entry(
        "1.2 centred means sum to zero",
        "1.2",
        "By definition the centred class means sum to zero, so rank M <= C - 1.",
        Finding.CONDITIONAL,
        "It is the sum weighted by class sizes that vanishes. The rank is at most C - 1 all the same.",
        condition="classes are balanced",
        printed=r"\sum_{c=1}^C \tilde\mu_c = 0",
        steps=(
            Step(
                "weighted by class sizes",
                sum((n * m for n, m in zip(f.sizes, f.centred, strict=True)), sp.zeros(2, 1)),
                sp.zeros(2, 1),
                because="definition of the global mean",
            ),
        ),
        counterexample=_unequal_classes_are_off_centre,
        consequence="None for the rank. A simplex about the global mean is not one for imbalanced classes: see NC2.",
    ),
    entry(
        "(1.4)",
        "1.2",
        "The rank of Sigma_B is at most C - 1.",
        Finding.CONFIRMED,
        "M N M' is Sigma_B times N for unequal sizes; ranks in exact arithmetic.",
        printed=r"\mathrm{rank}\, \Sigma_B = \mathrm{rank}(\tfrac{1}{N} M N M^\top) \le \min\{\mathrm{rank}\, M, "
        r"\mathrm{rank}\, N\} \le C - 1",
        steps=(
            Step(
                "Sigma_B as a product",
                f.between,
                f.centred_matrix * weighted * f.centred_matrix.T / f.count,
                because="definition",
            ),
            Check("ranks", _rank_is_below_the_number_of_classes, "exact arithmetic, two to four classes"),
        ),
    ),
    entry(
        "1.2 invertible only in few dimensions",
        "1.2",
        "Sigma_B is only invertible if the representation has at most C - 1 dimensions.",
        Finding.CONFIRMED,
        "A D by D matrix of rank at most C - 1.",
        steps=(Check("two classes on a line and in a plane", _singular_in_many_dimensions, "determinants"),),
    ),
)
