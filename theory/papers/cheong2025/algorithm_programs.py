"""What lines of Algorithm 1 must do, run on the example: the programs of their entries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import sympy as sp

from theory.core import Algorithm, Check, for_all
from theory.core.ledger.printed import Given
from theory.core.ledger.proving import is_close
from theory.papers.cheong2025.algorithm_1 import definition, example, given, lines, value_of
from theory.papers.cheong2025.conditions import allowed_words, apart

Space = Mapping[str, Any]
HALF = 6  # samples of the example, which lines 15 to 18 are also run on


def true_means() -> dict[int, Any]:
    """Class means of the example by numpy, exact."""
    features, labels = example()
    return {k: features[np.array(labels) == k].sum(axis=0) / sp.Integer(3) for k in (1, 2, 3)}


def before(line: int) -> dict[str, Any]:
    """The names that the corrected algorithm has set before a line, for the example."""
    names = given(*example())
    return {**names, **(lines(1, line - 1).run(**names) if line > 1 else {})}


def runs(result: Callable[[Space], Any], right: Callable[[], Any], first: int) -> Any:
    """Proves printed lines: started where the corrected ones before them have arrived, they give the right result."""

    def prove(algorithm: Algorithm) -> tuple[Check, ...]:
        def holds() -> bool:
            found, wanted = result(algorithm.run(**before(first))), right()
            return is_close(np.array(found, dtype=float), np.array(wanted, dtype=float))

        return (Check("run on nine samples", holds, "numpy's averages and pseudo-inverse"),)

    return prove


def returns_the_metric(algorithm: Algorithm) -> tuple[Check, ...]:
    """What the whole algorithm returns."""
    return (
        Check("run on nine samples", lambda: is_close(value_of(algorithm), definition()), "pseudo-inverse"),
        Check("three totals", lambda: set(algorithm.run(**given(*example()))["s"]) == {1, 2, 3}, "classes"),
    )


def totals() -> dict[int, Any]:
    """Class totals of the example."""
    return {k: 3 * mean for k, mean in true_means().items()}


def sums_up(algorithm: Algorithm) -> tuple[Check, ...]:
    """The class totals, one for each class."""

    def holds() -> bool:
        sums, wanted = algorithm.run(**before(1))["s"], totals()
        return set(sums) == set(wanted) and all(np.array_equal(sums[k], wanted[k]) for k in wanted)

    return (Check("run on nine samples", holds, "numpy's averages"),)


def keeps_the_rank(statement: Algorithm | Given) -> tuple[Check, ...]:
    """Numbers of eigenvalues kept, for the example and for others with an offset of 100; in both arithmetics."""
    algorithm, condition = apart(statement)
    kinds = allowed_words(condition, "arithmetic", ("exact", "floating point"))

    def agrees(kind: str) -> bool:
        return all(kept(algorithm, kind, offset) == 2 for offset in (0, 100))

    def spans() -> bool:
        names = algorithm.run(**before(12))
        basis = np.array(names["V"], dtype=float)
        gram = names["M"].T @ names["M"]
        left, right = np.array(gram, dtype=float) @ basis, basis * np.array(names["lam"], dtype=float)
        return basis.shape == (3, 2) and bool(np.linalg.matrix_rank(basis) == 2) and is_close(left, right)

    return (
        Check("number", lambda: for_all(kinds, agrees), "rank of the centred means"),
        Check("their eigenvectors", spans, "matrix products"),
    )


def kept(algorithm: Algorithm, kind: str, offset: int) -> int:
    """How many eigenvalues lines 12 to 14 keep; in floating point the most of twenty sets of features."""
    features, labels = example()
    if kind == "exact":
        names = given(features + sp.Integer(offset), labels)
        return len(algorithm.run(**{**names, **lines(1, 11).run(**names)})["lam"])
    counts = []
    for seed in range(20):
        noise = np.random.default_rng(seed).normal(size=features.shape)
        names = given(features.astype(float) + noise + offset, labels)
        counts.append(len(algorithm.run(**{**names, **lines(1, 11).run(**names)})["lam"]))
    return max(counts)


def projects(algorithm: Algorithm) -> tuple[Check, ...]:
    """The vector of the last of the first k samples, and the sum at zero; from the class of that sample."""
    features, labels = example()

    def agrees(count: int) -> bool:
        names = algorithm.run(**{**before(15), "N": count})
        if "kappa_ci" not in names:
            return False
        residual = features[count - 1] - true_means()[labels[count - 1]]
        right = names["V"].T @ names["M"].T @ residual
        return names["s_tr"] == 0 and is_close(np.array(names["kappa_ci"], float), np.array(right, float))

    return (Check("each sample", lambda: for_all(range(1, HALF), agrees), "numpy's averages"),)


def projected(algorithm: Algorithm) -> Any:
    """The vector after each of the first samples, and what line 15 sets."""
    names = [algorithm.run(**{**before(15), "N": count}) for count in range(1, HALF)]
    return np.array([[*n.get("kappa_ci", (0, 0)), n["s_tr"]] for n in names], dtype=float)


def projected_residuals() -> Any:
    """V'M'(h - mu_c) of each of the first samples, c its class, and zero."""
    names, (features, labels) = before(15), example()
    residuals = [features[k] - true_means()[labels[k]] for k in range(HALF - 1)]
    return np.array([[*(names["V"].T @ (names["M"].T @ residual)), 0] for residual in residuals], dtype=float)


def one_more() -> dict[str, Any]:
    """A sample of the first class and its vector."""
    names = before(15)
    residual = example()[0][3] - true_means()[1]
    return {**names, "s_tr": sp.Integer(5), "kappa_ci": names["V"].T @ (names["M"].T @ residual)}


def adds_a_term(algorithm: Algorithm) -> tuple[Check, ...]:
    """Line 19 adds r' Sigma_B^+ r / C of the residual r."""
    residual = np.array(example()[0][3] - true_means()[1], dtype=float)
    means = np.array(list(true_means().values()), dtype=float)
    term = residual @ np.linalg.pinv(np.cov(means.T, bias=True), rcond=1e-10) @ residual / 3
    return (
        Check("one sample", lambda: is_close(float(algorithm.run(**one_more())["s_tr"]), 5 + term), "pseudo-inverse"),
    )


def decomposed() -> list[dict[str, Any]]:
    """Centred means with the eigenvectors and eigenvalues of M'M by numpy."""
    centred = np.array(before(10)["M"], dtype=float)
    values, vectors = np.linalg.eigh(centred.T @ centred)
    return [{"M": centred, "Q": vectors, "Lambda": np.diag(values)}]
