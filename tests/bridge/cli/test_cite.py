"""`closedform cite`: formulas in LaTeX, the statements of the papers about them, and BibTeX."""

from __future__ import annotations

from bridge.cli import main


def cited(capsys, *words):
    assert main(["cite", *words]) == 0
    return capsys.readouterr().out


def test_a_member_of_a_family_with_its_conventions_and_erratum(capsys):
    out = cited(capsys, "geometry.scalar_curvature", "--activation", "erf")
    assert "phi(z) = erf(sqrt(2)*z/2)" in out
    assert "- sigma: standard deviation of each weight, 1/input" in out
    assert "zavatoneveth2023 (C.28)  MISPRINT" in out
    assert (
        out.index("R = - \\frac{3 \\pi") < out.index("Corrected:") < out.index("R = - \\frac{\\pi")
    )
    assert "@article{zavatoneveth2023," in out
    assert "annote = {" in out


def test_an_entry_of_the_ledger(capsys):
    out = cited(capsys, "zavatoneveth2023", "(7)")
    assert "Printed:\nR = - \\frac{3" in out
    assert out.count("@article") == 1


def test_what_cannot_be_cited_is_named(capsys):
    for words, message in (
        (["geometry.scalar_curvature"], "needs activation"),
        (["two_point.w", "two_point.w"], "needs one at a time"),
        (["zavatoneveth2023", "(7)", "--activation", "erf"], "needs a family"),
        (["(999)"], "(999)"),
    ):
        assert main(["cite", *words]) == 2
        assert message in capsys.readouterr().err
