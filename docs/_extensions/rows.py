"""The table of all rows that are judged, as ``docs/results/rows.csv``; ``python docs/_extensions/rows.py`` writes it.

Everything comes from the recorded results but the verdicts before there were plans, which no record has any more:
``docs/results/before-plans.csv`` keeps them by paper and label of the row.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from bridge.results import figure_table

RESULTS = Path(__file__).resolve().parents[1] / "results"
TABLE, HISTORY = RESULTS / "rows.csv", RESULTS / "before-plans.csv"
NO_ROW = "no such row"


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
                "on fresh seeds": row["replicated"],
            },
        )


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
