"""Tests of the command ``closedform demo``."""

import csv
import re

import pytest

from bridge.cli import demo, main


@pytest.mark.parametrize(
    ("studies", "names", "figures"),
    [
        (("two-point-initial-weights",), ("two_point.dh2_rate", "two_point.dy2_rate"), 1),
        pytest.param(demo.STUDIES, demo.QUICK, 3, marks=pytest.mark.slow),
    ],
    ids=["one study", "whole"],
)
def test_the_demo_at_smoke_scale(capsys, tmp_path, monkeypatch, studies, names, figures):
    """The whole slice: derive, check, train, fit, compare, report."""
    monkeypatch.setattr(demo, "STUDIES", studies)
    monkeypatch.setattr(demo, "QUICK", names)
    out = tmp_path / "demo"
    assert main(["demo", "--scale", "smoke", "--out", str(out)]) == 0
    printed, progress = capsys.readouterr()
    assert str(out / "report.html") in printed
    steps = re.search(r"(\d+) of (\d+) steps hold, in \d+ closed forms", printed)
    assert steps[1] == steps[2] != "0"
    assert "FAILS" not in printed
    assert "UNDECIDED" not in printed
    assert max(len(line) for line in printed.splitlines() if str(tmp_path) not in line) <= 120

    with (out / "fits.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == (5 if len(studies) == 1 else 16)
    html = (out / "report.html").read_text(encoding="utf-8")
    for row in rows:
        assert row["configuration"] in html
        assert row["configuration"] in printed
        assert float(row[r"$\tau_h$"]) > 0
    # trained for one study, found again by the other
    assert progress.count("default") == len(studies)
    assert len(list((out / "traces").glob("*.nc"))) == len(rows) + 1 - len(studies)
    assert len(list((out / "figures").glob("*.png"))) == figures


def test_the_demo_does_not_write_over_a_file(capsys, tmp_path):
    path = tmp_path / "occupied"
    path.write_text("mine")
    assert main(["demo", "--out", str(path)]) == 2
    assert "got the file" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == "mine"
