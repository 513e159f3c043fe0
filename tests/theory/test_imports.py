"""What is imported with what, seen in one new interpreter that uses more and more of the theory."""

from __future__ import annotations

import subprocess
import sys

NUMBERS = {"torch", "xarray", "matplotlib", "scipy", "numpy"}
# What is done, and what is not imported by then.
STAGES = (
    (
        "names of closed forms, families with what they take, and titles of the papers",
        "import theory; list(theory.catalogue()); dir(theory); assert len(theory.ledgers()) > 4; "
        "str([*theory.catalogue().families.values()])",
        NUMBERS | {"sympy", "mpmath"} | {f"theory.core.{name}" for name in ("facade.closed_form", "ledger.equation")},
    ),
    ("the core", "theory.core.ClosedForm", NUMBERS),
    (
        "a module hides no function of its name",
        "import theory.two_point.loss; from theory import two_point; assert callable(two_point.loss)",
        {"torch", "xarray", "matplotlib"},
    ),
    (
        "misprints of one ledger",
        "theory.catalogue()['geometry.scalar_curvature.erf'].differs_from_print",
        {"torch", "papers.zavatoneveth2023.ledger.infinite"},
    ),
    (
        "small matrices and small networks need no machine code",
        "import numpy as np; from theory.geometry import kernel_matrix, shallow; "
        "X = np.ones((90, 3)) * np.arange(90)[:, None]; kernel_matrix('relu', X, kind='ntk'); kernel_matrix('erf', X); "
        "shallow.scalar_curvature(np.eye(5)[:, :2] + 1, np.arange(5.0), np.ones((1, 2)), 'erf')",
        {"torch", "numba"},
    ),
)  # fmt: skip


def test_what_is_used_imports_no_more_than_it_needs():
    lines = ["import sys"]
    for title, program, absent in STAGES:
        lines += [program, f"print({title!r}, sorted({absent!r} & {{*sys.modules}}), sep=': ')"]
    command = [sys.executable, "-c", "\n".join(lines)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"{title}: []" for title, *_ in STAGES]
