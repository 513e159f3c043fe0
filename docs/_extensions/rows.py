"""The table of all rows that are judged, as ``docs/results/rows.csv``; ``python docs/_extensions/rows.py`` writes it.

Everything comes from the recorded results but the verdicts before there were plans, which no record has any more:
``docs/results/before-plans.csv`` keeps them by paper and label of the row.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from bridge.results import figure_table
from bridge.results.judging import UNSAID
from closedform.verdicts import BEYOND, RESERVED, SET_UP, SMALLER

RESULTS = Path(__file__).resolve().parents[1] / "results"
TABLE, HISTORY = RESULTS / "rows.csv", RESULTS / "before-plans.csv"
NO_ROW, DRAWN = "no such row", "drawn, no number to compare"
# what changed a verdict, where the present one says so by itself
CAUSES = {
    UNSAID: "quotation: the sentence does not say it",
    RESERVED: "reservation: the paper takes it back as far",
    SET_UP: "setting: it hangs on one of ours",
    SMALLER: "size: the paper's is larger",
    BEYOND: "bound: it is ours",
    figure_table.SUPERSEDED: "plan: changed, and not run again",
}


def judged() -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each row with a plan and recorded numbers after its place in the paper, in the order of the papers."""
    with HISTORY.open(encoding="utf-8", newline="") as file:
        history = {(one["paper"], one["figure"]): one["verdict"] for one in csv.DictReader(file)}
    for row in figure_table.rows():
        if not row["plan"] or not row["scale"]:
            continue
        one = row["deciding"]
        yield (
            row["where"],
            {
                "paper": row["paper"],
                "figure": row["figure"],
                "sentence": row["sentence"],
                "plan": row["plan"],
                "kind": row["kind"],
                "scale": row["scale"],
                "repetitions": f"{one['counted']:g}" if one and one["n"] else "",
                "error as of": f"{one['n']:.4g}" if one and one["n"] else "",
                "expected": one["expected"] if one else "",
                "measured": one["shown"] if one else "",
                "verdict before plans": history.get((row["paper"], row["figure"]), NO_ROW),
                "verdict before": row["before"],
                "verdict": row["verdict"],
                "changed by": cause(row, history.get((row["paper"], row["figure"]), "")),
                "on fresh seeds": row["replicated"],
            },
        )


def cause(row: Mapping[str, Any], before: str) -> str:
    """Return what changed the verdict of a row since there are plans; empty where nothing did, or where it is new.

    Args:
        row: a row of :func:`bridge.results.figure_table.rows`.
        before: its verdict before there were plans, which counted numbers one by one; empty for none.
    """
    if not before or before == row["verdict"]:
        return ""
    if before == DRAWN:
        return "row: it has a number now"
    if row["verdict"] in CAUSES:
        return CAUSES[row["verdict"]]
    if row["revised"]:
        return f"plan: {row['revised']}"
    if " of " in before:
        return "statistic: one verdict on all of its numbers"
    return "networks: a run on fresh seeds, or a larger one"


def text() -> str:
    """Return the content of the file."""
    rows = [row for _, row in judged()]
    written = io.StringIO()
    table = csv.DictWriter(written, list(rows[0]), lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return written.getvalue()


if __name__ == "__main__":
    TABLE.write_text(text(), encoding="utf-8")
    print(TABLE)
