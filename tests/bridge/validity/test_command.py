"""``closedform validity``: the list, one configuration, and a map."""

from __future__ import annotations

import bridge
from bridge.cli import main


def test_the_list_has_every_claim_with_its_sentence(capsys):
    assert main(["validity"]) == 0
    shown = capsys.readouterr().out
    assert all(
        f"{name} " in shown and claim.sentence in shown for name, claim in bridge.claims().items()
    )


def test_one_configuration_is_tested_and_a_failure_has_its_exit_code(capsys):
    claim = "compression.lazy_amplification"
    assert main(["validity", claim, "--at", "width=40"]) == 0
    assert f"{claim} holds: " in capsys.readouterr().out
    assert main(["validity", claim, "--at", "alpha=1e-4", "--at", "width=40"]) == 1
    assert f"{claim} fails: " in capsys.readouterr().out


def test_a_map_is_written_and_described(capsys, tmp_path):
    words = f"validity geometry.three_units_volume --over bias=0.5:2 --budget 2s --out {tmp_path}"
    assert main(words.split()) == 0
    assert "Over bias it holds on average within 0.0001 %" in capsys.readouterr().out
    assert "not decided" in (tmp_path / "report.html").read_text(encoding="utf-8")
    (picture,) = (tmp_path / "figures").glob("*.png")
    assert picture.stat().st_size > 10_000
    heads, *points = (tmp_path / "points.csv").read_text(encoding="utf-8").splitlines()
    assert "bias" in heads.split(",")
    assert points


def test_wrong_words_are_one_line(capsys):
    assert main(["validity", "two_point.final_distanc"]) == 2
    assert "did you mean two_point.final_distance" in capsys.readouterr().err
    assert main(["validity", "two_point.final_distance", "--over", "gain"]) == 2
    assert "needs NAME=VALUE" in capsys.readouterr().err
