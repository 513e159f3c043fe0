"""What Algorithm 1 and its lines must do, run on nine samples in exact arithmetic; the first pass within training."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp

from theory.collapse.exact import exact_nc1, exact_two_pass_nc1
from theory.core import Algorithm, Check, numerically
from theory.core.ledger.ledger import Program, Programs
from theory.core.ledger.proving import chosen, is_close, stating
from theory.papers.cheong2025.algorithm_1 import before, definition, example, given, lines, value_of
from theory.papers.cheong2025.covariances import features, metric

HALF = 6  # samples of the example, which lines 15 to 18 are also run on
DRIFT = 0.5
RATIONAL = [[1, 2, 0], [3, 1, 1], ["1/2", 5, 2], [2, 2, 7], [0, 1, 4], [6, "1/3", 1]]


def gives(value: Callable[[Algorithm], Any], right: Callable[[], Any]) -> Program:
    """The program of lines that must give a right value, which is another at the witness."""

    def prove(algorithm: Algorithm) -> tuple[Check, ...]:
        def holds() -> bool:
            return is_close(np.array(value(algorithm), dtype=float), np.array(right(), dtype=float))

        return (Check("run on nine samples", holds, "numpy's averages and pseudo-inverse"),)

    return Program(prove, right, value)


def means() -> dict[int, Any]:
    """Class means of the example by numpy, exact."""
    samples, labels = example()
    return {k: samples[np.array(labels) == k].sum(axis=0) / sp.Integer(3) for k in (1, 2, 3)}


def true_means() -> Any:
    """The same as floats, ``[class, dimension]``."""
    return np.array(list(means().values()), dtype=float)


def residuals() -> list[Any]:
    """Residuals of the samples of the example."""
    samples, labels = example()
    return [samples[k] - means()[label] for k, label in enumerate(labels)]


def totals(algorithm: Algorithm) -> Any:
    """Class totals from lines 1 to 5, one for each class, in the order of the classes."""
    sums = algorithm.run(**before(1))["s"]
    return [sums[k] for k in sorted(sums)]


def class_means(algorithm: Algorithm) -> Any:
    """Class means from lines 7 and 8, ``[class, dimension]``."""
    found = algorithm.run(**before(7))["mu"]
    return np.array([found[k] for k in (1, 2, 3)], dtype=float)


def eigenspaces(algorithm: Algorithm) -> Any:
    """V diag(lambda) V', V'V and the number of eigenvalues from lines 12 to 14."""
    names = algorithm.run(**before(12))
    basis, values = np.array(names["V"], dtype=float), np.array(names["lam"], dtype=float)
    return [*np.ravel(basis * values @ basis.T), *np.ravel(basis.T @ basis), len(values)]


def centred() -> Any:
    """Centred class means of the example, ``[dimension, class]``."""
    return (true_means() - true_means().mean(axis=0)).T


def projected(algorithm: Algorithm) -> Any:
    """The vector after each of the first samples from lines 15 to 18, and what line 15 sets."""
    names = [algorithm.run(**{**before(15), "N": count}) for count in range(1, HALF)]
    return np.array([[*n.get("kappa_ci", (0, 0)), n["s_tr"]] for n in names], dtype=float)


def projected_residuals() -> Any:
    """V'M'(h - mu_c) of each of the first samples, c its class, and zero."""
    names = before(15)
    return np.array([[*(names["V"].T @ (names["M"].T @ r)), 0] for r in residuals()[: HALF - 1]], dtype=float)


def one_more(algorithm: Algorithm) -> float:
    """The sum after line 19 with the vector of the fourth sample, if it was 5."""
    names = before(15)
    kappa = names["V"].T @ (names["M"].T @ residuals()[3])
    return float(algorithm.run(**{**names, "s_tr": sp.Integer(5), "kappa_ci": kappa})["s_tr"])


def one_term() -> float:
    """5 and r' Sigma_B^+ r / C of the residual r of the fourth sample."""
    residual = np.array(residuals()[3], dtype=float)
    return float(5 + residual @ np.linalg.pinv(np.cov(centred(), bias=True), rcond=1e-10) @ residual / 3)


def decomposed() -> list[dict[str, Any]]:
    """Centred means with the eigenvectors and eigenvalues of M'M by numpy."""
    values, vectors = np.linalg.eigh(centred().T @ centred())
    return [{"M": centred(), "Q": vectors, "Lambda": np.diag(values)}]


def says(words: tuple[str, str], found: Callable[[], Any], right: Callable[[], Any], independent: Any) -> Program:
    """The program of a sentence by which the algorithm as printed finds what is right.

    Args:
        words: the words that say so, and that it does not.
        found: what it finds.
        right: what it should find.
        independent: function that computes the first number that it finds in another way.
    """
    return Program(
        stating({"is": lambda: words[0] if is_close(found(), right()) else words[1]}, "run on nine samples"),
        independent,
        value=lambda claim: float(np.ravel(chosen(claim, "is", {words[0]: right(), words[1]: found()}))[0]),
    )


def returned_as_printed() -> float:
    """What the algorithm returns with means too short by C, for the residuals of the last class alone; by numpy."""
    samples, labels = example()[0].astype(float), np.array(example()[1])
    short = true_means() / 3
    solved = np.linalg.pinv((short - samples.mean(axis=0)).T) @ (samples[labels == 3] - short[2]).T
    return float(np.sum(solved**2) / 9)


def global_mean() -> str:
    """Whether the lines as printed compute the global mean."""
    found = lines(1, 6, ()).run(**given())["bar_mu"]
    return COMPUTES[0] if np.array_equal(found, example()[0].mean(axis=0)) else COMPUTES[1]


def can_be_extended() -> str:
    """The two passes with means weighted by class sizes, against the definition, in exact numbers."""
    every = ([0, 0, 0, 1, 1, 2], [1, 0, 0, 0, 0, 2])
    return "can" if all(exact_two_pass_nc1(RATIONAL, y) == exact_nc1(RATIONAL, y) for y in every) else "cannot"


def error_of_means(drift: float) -> float:
    """Metric with class means gathered while a linear encoder shrinks, over the metric of the network afterwards."""
    samples = features((3, 3, 3))
    moved = {k: (1 + drift * (1 - (k - 1) / 3 - np.arange(3)[:, None] / 9)) * rows for k, rows in samples.items()}
    late = {k: rows.mean(axis=0) for k, rows in moved.items()}
    between = np.cov(np.array(list(late.values())).T, bias=True)
    centred_rows = np.concatenate([rows - late[k] for k, rows in samples.items()])
    traces = np.sum(centred_rows @ np.linalg.pinv(between, rcond=1e-10) * centred_rows, axis=1)
    return float(np.mean(traces)) / metric(samples)


def place_of_the_first_pass(weights: str = "") -> str:
    """Where the first pass gives the metric of the network: in the training loop only if the weights rest in it."""
    drifts = {"rest": [0.0], "move": [DRIFT]}.get(weights, [0.0, DRIFT])
    return "into" if all(is_close(error_of_means(drift), 1.0) for drift in drifts) else "after"


COMPUTES = ("correctly computes", "does not compute")
RETURNED = (lambda: value_of(lines(1, 20, ())), definition, returned_as_printed)

PROGRAMS: Programs = {
    "2.1 imbalanced": stating({"can": can_be_extended}, "exact numbers"),
    "Theorem 4, correctness": says(COMPUTES, *RETURNED),
    "Algorithm 1": gives(value_of, definition),
    "Algorithm 1, lines 1 to 5": gives(totals, lambda: [3 * mean for mean in means().values()]).prove,
    "Algorithm 1, line 6": gives(lambda a: a.run(**before(6))["bar_mu"], lambda: example()[0].mean(axis=0)).prove,
    "Algorithm 1, line 8": gives(class_means, true_means),
    "Algorithm 1, lines 10 and 11": numerically(decomposed, "numpy's eigenvectors"),
    "Algorithm 1, lines 12 to 14": gives(
        eigenspaces, lambda: [*np.ravel(centred().T @ centred()), *np.ravel(np.eye(2)), 2]
    ).prove,
    "Algorithm 1, lines 15 to 18": gives(projected, projected_residuals),
    "Algorithm 1, line 19": gives(one_more, one_term).prove,
    "Algorithm 1, line 20": gives(lambda a: float(a.run(**before(20))["returned"]), definition),
    "2.1 first pass inside training": Program(
        stating({"where": place_of_the_first_pass}, "pseudo-inverse"),
        lambda: error_of_means(DRIFT),
        value=lambda claim: chosen(claim, "where", {"into": 1.0, "after": 0.0}),
    ),
    "B.1 global mean": stating({"is": global_mean}, "run on nine samples"),
    "B.1 class means": says(
        COMPUTES, lambda: class_means(lines(7, 8, ())), true_means, lambda: float(true_means()[0, 0] / 3)
    ),
    "B.1 returned value": says(("exactly", "not"), *RETURNED),
}
