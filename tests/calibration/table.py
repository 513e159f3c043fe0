"""Writes docs/calibration.md, which says how often the truth was covered: ``python -m tests.calibration.table``."""

from __future__ import annotations

import textwrap
import warnings

import numpy as np

from tests.calibration.cases import CASES, ONE, SETS, TWO, Case, Shares
from tests.calibration.page import PAGE

SEED = 0
INTRODUCTION = f"""# Calibration of intervals, errors and verdicts

For each line, {SETS} data sets (fewer where a remark says so) were drawn from a known truth. The columns give the share
of them in which the truth lies within one and two standard errors, or inside the intervals of the same levels; the
nominal shares are {ONE:.1%} and {TWO:.1%}. The shares themselves are known to about 1.5 points. For verdicts, it is the
share in which a true prediction is not called wrong. `python -m tests.calibration.table` writes this page, and a slow
test compares every line with its nominal or stated share.

| what | one | two | nominal |
|---|---|---|---|
"""
OTHERS = "\n## Decisions that look after every few seeds\n"  # heading from which on other programs write the page


def row(case: Case, found: Shares) -> str:
    """Return the line of a case."""
    nominal = "yes" if case.stated is None else "no"
    return f"| {case.what} | {found[0]:.1%} | {found[1]:.1%} | {nominal} |"


def remarks() -> list[str]:
    """Return each remark with the first column of the lines that it is about, as a list of Markdown."""
    about: dict[str, list[str]] = {}
    for case in CASES:
        about.setdefault(case.note, []).append(case.what)
    texts = (f"- {'; '.join(names)}: {note}" for note, names in about.items() if note)
    return [
        textwrap.fill(text, 120, subsequent_indent="  ", break_on_hyphens=False) for text in texts
    ]


def main() -> None:
    """Draw all data sets and write the page."""
    lines = []
    for case in CASES:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of single fits
            lines.append(row(case, case.shares(np.random.default_rng(SEED))))
        print(lines[-1], flush=True)
    others = PAGE.read_text(encoding="utf-8").partition(OTHERS)[2]
    text = INTRODUCTION + "\n".join([*lines, "", *remarks()]) + "\n" + OTHERS + others
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
