"""Rows of the table for the command line: proofs, for the first time and again, and the commands that only show text.

Every call runs in a new process, as a user's does, and all share a store of proofs of their own, which is empty when
the first row begins. All closed forms are checked, one after another in one process.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from side_by_side import Row

CLOSEDFORM = "import sys; from bridge.cli import main; sys.exit(main())"
DEEP = "from theory.geometry import deep_nngp; deep_nngp('gelu', 30).scalar_curvature(d=3, r=1.0, sigma=1.5, zeta=0.1)"
SHOWN = "two_point.final_distance"
FORMULA = """
from itertools import islice
from theory import catalogue
list(islice(catalogue()["geometry.deep_scalar_curvature"](activation="gelu", depth=3).lines(), 6))
"""
FIT = """
import io
import bridge, numpy as np
from theory import two_point
t = np.linspace(0, 3000, 300)
curves = two_point.trajectory(t, 0.02, 0.001, 0.0, 440.0, 66.0, 1.0, 0.5)
noise = 0.01 * np.ptp(curves, axis=1, keepdims=True) * np.random.default_rng(0).normal(size=curves.shape)
table = dict(zip(("t", "dh2", "dy2", "w"), (t, *np.abs(curves + noise)), strict=True))
bridge.two_point.fit(table, dx2=1.0, target2=0.5)
"""
PAPER = "zavatoneveth2023"


def process(code: str, *words: str, cache: str | None = None):
    """Return a call that runs Python code with arguments in a new process."""
    environment = dict(os.environ, **({"CLOSEDFORM_CACHE": cache} if cache else {}))

    def call() -> None:
        subprocess.run(
            [sys.executable, "-c", code, *words], capture_output=True, check=True, env=environment
        )

    return call


def command_rows() -> Iterator[Row]:
    """Yield all rows."""
    with tempfile.TemporaryDirectory() as cache:

        def closedform(*words: str):
            return process(CLOSEDFORM, *words, cache=cache)

        sympy, numpy = process("import sympy"), process("import numpy")
        checked = closedform("check", "--processes", "1")
        yield Row(
            "`closedform check`, all closed forms, nothing stored",
            checked,
            limit=45,
            repeats=False,
        )
        yield Row("`closedform check`, all closed forms, everything stored", checked, limit=1)
        fresh = process(CLOSEDFORM, "errata", PAPER, cache="off")
        yield Row(
            f"`closedform errata {PAPER}`, nothing stored", fresh, {"import sympy": sympy}, limit=1
        )
        for words, limit in (("errata", 0.5), ("list --meanings", 0.3), (f"show {SHOWN}", 0.8)):
            yield Row(
                f"`closedform {words}`",
                closedform(*words.split()),
                {"import sympy": sympy},
                limit=limit,
            )
        shown = process(CLOSEDFORM, "show", SHOWN, cache="off")
        yield Row(f"`closedform show {SHOWN}`, nothing stored", shown, {"import sympy": sympy}, limit=0.8,
                  note="Two fifths of the time are sympy's import, the rest builds this subject.")  # fmt: skip
        yield Row("`import theory, empirics, bridge`", process("import theory, empirics, bridge"),
                  {"import numpy": numpy}, goal=1)  # fmt: skip
        yield Row("formula of the curvature of three GELU layers, in a new process",
                  process(FORMULA, cache=cache), {"import sympy": sympy}, bounds=("import sympy",), limit=1.5,
                  note="A third of the time is sympy's import, the rest derives moments and a curvature.")  # fmt: skip
        libraries = process("import sympy, numpy, scipy.optimize")
        yield Row("fit of two time constants to 300 points, the first one in a new process", process(FIT, cache=cache),
                  {"import sympy, numpy, scipy.optimize": libraries}, bounds=("import sympy, numpy, scipy.optimize",),
                  limit=1.2, note="Imports take three quarters of the time.")  # fmt: skip
        yield Row("curvature of a GELU network of depth 30, built and evaluated in a new process", process(DEEP),
                  {"import sympy": sympy}, bounds=("import sympy",), limit=2)  # fmt: skip


GROUPS = (command_rows,)
