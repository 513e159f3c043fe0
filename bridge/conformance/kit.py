"""The vectors of ``vectors.json``, and ``conforms``: a function has the reference values.

The file is plain JSON, so that libraries in other languages can read it. What computes its values, in mpmath and apart
from all code of the packages, is ``tests/oracles/conformance_vectors.py``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from closedform import atomic_write, checks

FILE = Path(__file__).with_name("vectors.json")


def vectors(quantity: str | None = None) -> list[dict[str, Any]]:
    """Return the reference vectors: quantity, options, inputs and value, whose numbers are decimal text.

    Args:
        quantity: ``"nc1"``, ``"cka"``, ``"nngp"``, ``"ntk"`` or ``"curvature"``; None (default) for all.

    Raises:
        ValueError: if there is no such quantity.

    >>> [vector["options"]["normalisation"] for vector in vectors("nc1")[:3]]
    ['samples', 'equal', 'per class']
    """
    listed: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
    if quantity is None:
        return listed
    checks.one_of("quantity", quantity, dict.fromkeys(vector["quantity"] for vector in listed))
    return [vector for vector in listed if vector["quantity"] == quantity]


def conforms(
    quantity: str, function: Callable[..., Any], *, tolerance: float = 1e-9, **options: str
) -> None:
    """Require that a function has the reference values, as one line of a test of any library.

    Args:
        quantity: ``"nc1"``, ``"cka"``, ``"nngp"``, ``"ntk"`` or ``"curvature"``.
        function: called with the inputs by name, as arrays in float64 (labels as integers).
        tolerance: largest relative error; default 1e-9.
        options: options of the vectors, such as ``normalisation="equal"``; only those vectors are compared.

    Raises:
        AssertionError: if a value differs; the message has the options, both values and the relative error.
        TypeError: if ``function`` cannot be called, ``tolerance`` is no number, or the function returns no number.
        ValueError: if no vector has these options, or the tolerance is negative or not below 1.

    >>> from empirics import measure
    >>> conforms("cka", measure.cka)
    """
    checks.function("function", function, "a function that returns a number")
    checks.real_number("tolerance", tolerance, least=0, below=1)
    checks.text("quantity", quantity)
    chosen = [
        vector for vector in vectors(quantity) if options.items() <= vector["options"].items()
    ]
    checks.require(bool(chosen), "options", options, f"those of a vector of {quantity}")
    for number, vector in enumerate(chosen):
        inputs = {
            name: np.asarray(value, dtype=np.int64 if name == "labels" else np.float64)
            for name, value in vector["inputs"].items()
        }
        computed, exact = _number(function(**inputs)), float(vector["value"])
        error = abs(computed / exact - 1)
        if not error <= tolerance:
            described = f"{quantity}, vector {number} of {len(chosen)} {vector['options']}"
            raise AssertionError(
                f"{described}: got {computed!r}, needs {vector['value']} (relative error {error:.1e})"
            )


def _number(answer: Any) -> float:
    """Return the answer of a user's function, also an array or tensor of one number, as a float."""
    try:
        return float(answer)
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(
            f"function: got {checks.shown(answer)} from it, needs one that returns a number"
        ) from error


def write_csv(path: str | Path) -> Path:
    """Write all vectors as one table with a row for each number, and return its path.

    The columns are vector (its number), quantity, name (of an input, of an option, or ``value``), row, column (both
    empty where there are none), and number: decimal text of 30 digits for values.

    Args:
        path: path of the file.

    Raises:
        OSError: if it cannot be written.

    >>> import tempfile
    >>> rows = write_csv(Path(tempfile.mkdtemp()) / "vectors.csv").read_text().splitlines()
    >>> rows[0], rows[2]
    ('vector,quantity,name,row,column,number', '0,nc1,features,0,0,0.942')
    """
    lines = ["vector,quantity,name,row,column,number"]
    for number, vector in enumerate(vectors()):
        for name, value in {
            **vector["options"],
            **vector["inputs"],
            "value": vector["value"],
        }.items():
            lines += [f"{number},{vector['quantity']},{name},{entry}" for entry in _numbers(value)]
    return atomic_write.text(Path(path), "\n".join([*lines, ""]))


def _numbers(value: Any) -> Iterator[str]:
    """Yield row, column and text of the numbers of an input, or of one number."""
    for row, entry in enumerate(value) if isinstance(value, list) else [("", value)]:
        for column, text in enumerate(entry) if isinstance(entry, list) else [("", entry)]:
            yield f"{row},{column},{text}"
