"""The theorems that derivations quote and do not prove, each with the place where it is proved.

A step that rests on one has it among its premises. Where a theorem says what something is, the expression is added
where it is used: ``dataclasses.replace(theorems.RICCI, expression=...)``.
"""

from __future__ import annotations

from theory.core.formula.provenance import Source
from theory.core.proof.premises import Kind, Premise


def _theorem(text: str, key: str, locator: str) -> Premise:
    return Premise(text, kind=Kind.THEOREM, source=Source(key, locator))


UNDER_THE_MEAN = _theorem(
    "a mean or an integral is differentiated by differentiating what it is of, where the derivative is dominated",
    "folland1999",
    "Theorem 2.27",
)
TONELLI = _theorem(
    "integrals and means of what is nowhere negative may be taken in any order",
    "folland1999",
    "Theorem 2.37",
)
PRICE = _theorem(
    "the slope of a mean in the covariance of two Gaussians is its mixed derivative in their means, which is the mean "
    "of the product of both derivatives; that in a variance is half the second derivative in the mean",
    "price1958",
    "the theorem",
)
HEAT = _theorem(
    "the heat equation has one solution from a given start that grows no faster than the exponential of a square",
    "evans2010",
    "Section 2.3.3",
)
STEIN = _theorem(
    "E[z g(z)] is the variance times E[g'(z)] of a Gaussian z: integration by parts",
    "stein1981",
    "Lemma 1",
)
ISSERLIS = _theorem(
    "the mean of a product of Gaussians is the sum over all pairings of products of their covariances",
    "isserlis1918",
    "the theorem",
)
EXPONENTIALS = _theorem(
    "what is continuous in mean square and holds for exponentials of a Gaussian holds for all functions of finite mean "
    "square, in which they are total",
    "nualart2006",
    "Lemma 1.1.2",
)
COCHRAN = _theorem(
    "the scatter of independent Gaussian samples within groups and that of the group means are independent Wishart "
    "matrices, whose degrees of freedom are the ranks of the projections",
    "muirhead1982",
    "Section 3.2",
)
WISHART = _theorem(
    "the residual of a Gaussian column after projection on the others has rows - columns + 1 degrees of freedom, and "
    "its reciprocal square is an entry on the diagonal of (X'X)^-1",
    "muirhead1982",
    "Section 3.2",
)
CHI_SQUARE = _theorem(
    "|N|^2, the squared norm of d - 1 unit Gaussians, has the moments E[|N|^(2s)]",
    "johnson1994",
    "Chapter 18",
)
BETA = _theorem(
    "a Gamma(k) variable over the sum of two independent ones, here volumes up to the k-th neighbours, is Beta(k, k), "
    "with the moments E[q^s], and so is 1 - q",
    "johnson1995",
    "Chapter 25",
)
SUM_OF_GAUSSIANS = _theorem(
    "a combination of independent Gaussians is Gaussian, below A with probability Phi((A - mean)/deviation)",
    "johnson1994",
    "Chapter 13",
)
RICCI = _theorem(
    "the Ricci scalar is twice the sum of the sectional curvatures over the pairs of an orthonormal frame",
    "lee2018",
    "Chapter 8",
)
ITERATION = _theorem(
    "a distance is right to leading order if the rule moves it as the index does, but for less than the distance over "
    "the index",
    "debruijn1981",
    "Chapter 8",
)
DEVIATIONS = _theorem(
    "a number that a rule moves as the depth L does, up to less than L^(p - 1) with what is not known of others, and "
    "whose deviation it multiplies by 1 - q/L, p + q > 0, is known up to less than L^p",
    "chung1954",
    "Lemma 1, for the deviation over a power of L",
)
