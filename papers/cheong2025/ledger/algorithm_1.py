"""Algorithm 1 as printed and as corrected, and how it is run on nine samples; Sections 2.1 and B.1.

The text that was read has no indentation. Lines 3 to 5 are read inside the loop of line 1, where ``c`` has a value, and
lines 17 to 19 inside that of line 16. Line 18 names its vector by an index ``i`` that nothing sets; here that is part
of the name. Line 11 names the diagonal, and line 10 calls an eigendecomposition.
"""

from collections.abc import Callable, Collection, Mapping
from functools import cache
from itertools import product
from typing import Any

import numpy as np

from papers.cheong2025.ledger.covariances import Array, features, metric
from papers.cheong2025.ledger.notation import agreed
from theory.collapse.two_pass import exact_nc1, exact_two_pass_nc1
from theory.core import Algorithm, Program, Programs, chosen, deciding, is_close, stating
from theory.core.ledger.ledger import printed_algorithm

LINES, CORRECTED = (
    printed_algorithm(__package__, "Algorithm 1", form) for form in ("printed", "corrected")
)
FAULTS = tuple(
    k for k, (line, other) in enumerate(zip(LINES, CORRECTED, strict=True), 1) if line != other
)
"""The class c of line 17 is that of sample n; after line 8 it is C."""
HALF = 6  # samples of the example, which lines 15 to 18 are also run on
DRIFT = 0.5
RATIONAL = [[1, 2, 0], [3, 1, 1], ["1/2", 5, 2], [2, 2, 7], [0, 1, 4], [6, "1/3", 1]]


def lines(first: int, last: int, corrected: Collection[int] = FAULTS) -> Algorithm:
    """Lines of the algorithm by their numbers, some of them as corrected."""
    chosen = [(CORRECTED if k in corrected else LINES)[k - 1] for k in range(first, last + 1)]
    shift = min(len(line) - len(line.lstrip()) for line in chosen)
    return Algorithm("\n".join(line[shift:] for line in chosen))


@cache
def example() -> tuple[Array, tuple[int, ...]]:
    """Nine features in four dimensions, their classes 1 to 3; centred class means with whole numbers as eigenvalues."""
    long, short, centre = np.array([[1.5, 1.5, 0, 0], [1, -1, 2, 0], [2, -2, -2, 0]])
    means = [centre + long + short, centre - long + short, centre - 2 * short]
    spread = np.array([[1, 0, 2, 1], [0, 2, -1, 1], [-1, -2, -1, -2]])
    rows = np.array(
        [mean + (k + 1) * step for (k, mean), step in product(enumerate(means), spread)]
    )
    order = (6, 3, 0, 1, 7, 4, 2, 5, 8)
    return rows[list(order)], tuple(1 + row // 3 for row in order)


@cache
def by_class() -> dict[int, Array]:
    """The features of each class."""
    samples, labels = example()
    return {k: samples[np.array(labels) == k] for k in (1, 2, 3)}


def definition() -> float:
    """tr(Sigma_W Sigma_B^+) of the example."""
    return metric(by_class())


def given() -> dict[str, Any]:
    """What the algorithm takes for the example, and the operations that it calls."""
    samples, labels = example()
    sizes = size_of_the_example()
    return {
        "C": sizes["C"],
        "N": sizes["N"],
        "x": dict(enumerate(samples, 1)),
        "y": dict(enumerate(labels, 1)),
        "f": lambda x: x,
        "s": {},
        "mu": {},
        "columns": lambda vectors: np.stack(vectors, axis=1),
        "matrix": np.array,
        "vector": np.array,
        "norm": np.linalg.norm,
        "diagonal": lambda matrix: dict(enumerate(np.diag(matrix), 1)),
        "eigendecomposition": eigenvectors,
    }


def eigenvectors(matrix: Array) -> tuple[Mapping[tuple[int, int], float], Array]:
    """Eigenvectors, by row and column from 1, and the diagonal matrix of rounded eigenvalues; the zero comes last."""
    values, vectors = np.linalg.eigh(matrix)
    table = {(i + 1, j + 1): value for (i, j), value in np.ndenumerate(vectors[:, ::-1])}
    return table, np.diag(np.round(values[::-1], 9))


def value_of(algorithm: Algorithm) -> float:
    """What a whole algorithm returns for the example, whose classes must be those that it has totals of."""
    names = algorithm.run(**given())
    if set(names["s"]) != set(by_class()):
        raise ValueError(f"s: got totals of {sorted(names['s'])}, needs those of the classes")
    return float(names["returned"])


def before(line: int) -> dict[str, Any]:
    """The names that the corrected algorithm has set before a line, for the example."""
    names = given()
    return {**names, **(lines(1, line - 1).run(**names) if line > 1 else {})}


def size_of_the_example() -> dict[str, int]:
    """Numbers of classes, samples and dimensions of the example, the point of all witnesses of the algorithm."""
    samples, labels = example()
    return {"C": len(set(labels)), "N": len(labels), "D": samples.shape[1]}


def gives(
    value: Callable[[Algorithm], Any], right: Callable[[], Any], quantity: str = ""
) -> Program:
    """The program of lines that must give a right value, which is another at the witness."""
    return Program(
        deciding(lambda algorithm: is_close(value(algorithm), right())),
        right,
        value,
        at=size_of_the_example,
        quantity=quantity,
    )


def from_line(
    first: int, result: Callable[[Mapping[str, Any]], Any]
) -> Callable[[Algorithm], Any]:
    """What lines give that are run after the corrected ones before them, as a function of the lines."""
    return lambda algorithm: result(algorithm.run(**before(first)))


def totals(names: Mapping[str, Any]) -> Any:
    """The totals of the classes in their order, and the global mean."""
    return np.array([*(names["s"][k] for k in sorted(names["s"])), names["bar_mu"]])


def means() -> Any:
    """Class means of the example by numpy, ``[class, dimension]``."""
    return np.array([rows.mean(axis=0) for rows in by_class().values()])


def centred() -> Any:
    """Centred class means of the example, ``[dimension, class]``."""
    return (means() - means().mean(axis=0)).T


def residual(sample: int) -> Any:
    """Residual of a sample of the example, counted from 1."""
    samples, labels = example()
    return samples[sample - 1] - means()[labels[sample - 1] - 1]


def eigenspaces(names: Mapping[str, Any]) -> Any:
    """V diag(lambda) V', V'V and the number of eigenvalues."""
    basis, values = names["V"], np.array(names["lam"])
    return np.array([*np.ravel(basis * values @ basis.T), *np.ravel(basis.T @ basis), len(values)])


def projected(algorithm: Algorithm) -> Any:
    """The vector after each of the first samples from lines 15 to 18, and what line 15 sets."""
    names = [algorithm.run(**{**before(15), "N": count}) for count in range(1, HALF)]
    return np.array([[*n.get("kappa_ci", (0, 0)), n["s_tr"]] for n in names])


def kappa(sample: int) -> Any:
    """V'M'(h - mu_c) of a sample, c its class."""
    return before(15)["V"].T @ centred().T @ residual(sample)


def one_more(algorithm: Algorithm) -> float:
    """The sum after line 19 with the vector of the fourth sample, if it was 5."""
    return float(algorithm.run(**{**before(15), "s_tr": 5.0, "kappa_ci": kappa(4)})["s_tr"])


def one_term() -> float:
    """5 and r' Sigma_B^+ r / C of the residual r of the fourth sample."""
    inverse = np.linalg.pinv(np.cov(centred(), bias=True), rcond=1e-10)
    return float(5 + residual(4) @ inverse @ residual(4) / 3)


def says(
    words: tuple[str, str],
    found: Callable[[], Any],
    right: Callable[[], Any],
    independent: Any,
    quantity: str = "returned value",
) -> Program:
    """The program of words by which the printed algorithm finds what is right, or a number that is computed twice."""
    return Program(
        stating(what=lambda: agreed([is_close(found(), right())], *words)),
        independent,
        value=lambda claim: float(
            np.ravel(chosen(claim, "what", {words[0]: right(), words[1]: found()}))[0]
        ),
        at=size_of_the_example,
        quantity=quantity,
    )


def returned_as_printed() -> float:
    """What the algorithm returns with means too short by C, for the residuals of the last class alone; by numpy."""
    short = means() / 3
    residuals = (by_class()[3] - short[2]).T
    return float(np.sum((np.linalg.pinv((short - means().mean(axis=0)).T) @ residuals) ** 2) / 9)


def can_be_extended() -> str:
    """The two passes with means weighted by class sizes, against the definition, in exact numbers."""
    every = ([0, 0, 0, 1, 1, 2], [1, 0, 0, 0, 0, 2])
    return agreed(
        (exact_two_pass_nc1(RATIONAL, y) == exact_nc1(RATIONAL, y) for y in every), "can", "cannot"
    )


def error_of_means(drift: float) -> float:
    """Metric with class means gathered while a linear encoder shrinks, over the metric of the network afterwards."""
    samples = features((3, 3, 3))
    moved = {
        k: (1 + drift * (1 - (k - 1) / 3 - np.arange(3)[:, None] / 9)) * rows
        for k, rows in samples.items()
    }
    late = {k: rows.mean(axis=0) for k, rows in moved.items()}
    between = np.cov(np.array(list(late.values())).T, bias=True)
    centred_rows = np.concatenate([rows - late[k] for k, rows in samples.items()])
    traces = np.sum(centred_rows @ np.linalg.pinv(between, rcond=1e-10) * centred_rows, axis=1)
    return float(np.mean(traces)) / metric(samples)


def place_of_the_first_pass(weights: str = "") -> str:
    """Where the first pass gives the metric of the network: in the training loop only if the weights rest in it."""
    drifts = (drift for word, drift in (("rest", 0.0), ("move", DRIFT)) if weights in ("", word))
    return agreed((is_close(error_of_means(drift), 1.0) for drift in drifts), "into", "after")


COMPUTES = ("correctly computes", "does not compute")
GLOBAL_MEAN = from_line(1, lambda names: names["bar_mu"])
RETURNED = (lambda: value_of(lines(1, 20, ())), definition, returned_as_printed)
CLASS_MEANS = from_line(7, lambda names: np.array([names["mu"][k] for k in (1, 2, 3)]))

PROGRAMS: Programs = {
    "2.1 imbalanced": stating(can=can_be_extended),
    "Theorem 4, correctness": says(COMPUTES, *RETURNED),
    "Algorithm 1": gives(value_of, definition, "returned value"),
    "Algorithm 1, lines 1 to 6": gives(
        from_line(1, totals), lambda: np.array([*3 * means(), means().mean(axis=0)])
    ).prove,
    "Algorithm 1, line 8": gives(CLASS_MEANS, means, "class means"),
    "Algorithm 1, line 9": gives(from_line(9, lambda names: names["M"]), centred).prove,
    "Algorithm 1, lines 12 to 14": gives(
        from_line(12, eigenspaces),
        lambda: np.array([*np.ravel(centred().T @ centred()), *np.ravel(np.eye(2)), 2]),
    ).prove,
    "Algorithm 1, lines 15 to 18": gives(
        projected,
        lambda: np.array([[*kappa(k), 0] for k in range(1, HALF)]),
        "kappa after each of five samples, and the sum of line 15",
    ),
    "Algorithm 1, line 19": gives(one_more, one_term).prove,
    "Algorithm 1, line 20": gives(
        from_line(20, lambda names: names["returned"]),
        definition,
        "returned value, all other lines corrected",
    ),
    "2.1 first pass inside training": Program(
        stating(where=place_of_the_first_pass),
        error_of_means,
        value=lambda claim: chosen(claim, "where", {"into": 1.0, "after": 0.0}),
        at={"drift": DRIFT},
        quantity="metric over that of the network; the encoder shrinks by the drift during the pass",
    ),
    "B.1 global mean": says(
        COMPUTES, lambda: GLOBAL_MEAN(lines(1, 6, ())), lambda: means().mean(axis=0), None
    ).prove,
    "B.1 class means": says(
        COMPUTES,
        lambda: CLASS_MEANS(lines(7, 8, ())),
        means,
        lambda: means()[0, 0] / 3,
        "first class mean",
    ),
    "B.1 returned value": says(("exactly", "not"), *RETURNED),
}
