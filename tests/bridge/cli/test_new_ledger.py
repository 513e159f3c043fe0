"""``closedform new ledger``: a ledger for a paper from outside, with a list of claims."""

import re

import pytest

import theory
from bridge.cli import main
from theory.core import Ruling
from theory.core.ledger.mutation_test import survivors

CLAIMS = r"""place,sentence
Section 2,"Wide networks, trained by gradient descent, stay close to their start."
3.1,"The loss falls as $1/n_{\ell}$, as [3] shows."
3.1,The loss falls as 1/n in all depths.
(7),The kernel is constant.
"""


def test_an_empty_folder_becomes_a_ledger(guests, tmp_path, capsys):
    (tmp_path / "claims.csv").write_text(CLAIMS, encoding="utf-8-sig")
    words = ["--claims", str(tmp_path / "claims.csv"), "--out", str(tmp_path / "own")]
    assert main(["new", "ledger", "somebody2020", *words]) == 0
    assert "closedform check --ledger somebody2020" in capsys.readouterr().out
    package = tmp_path / "own" / "closedform_somebody2020"
    texts = {path.name: path.read_text("utf-8") for path in package.iterdir()}
    guests("somebody2020", package.name, texts)
    entries = theory.equations("somebody2020")
    (example,) = [entry for entry in entries if entry.prove]
    assert example.outcome().ruling is Ruling.CONFIRMED
    assert survivors(example) == []
    assert [(entry.label, entry.verdict.name) for entry in entries if not entry.prove] == [
        ("2 Wide networks trained", "OPEN"),
        ("3.1 The loss falls", "OPEN"),
        ("3.1 The loss falls, line 4", "OPEN"),
        ("(7)", "OPEN"),
    ]
    assert r"$1/n_{\ell}$, as [3] shows." in entries[2].statement


@pytest.mark.parametrize(
    ("key", "claims", "said"),
    [
        ("somebody", CLAIMS, "KEY: got 'somebody', needs first author and year"),
        ("jacot2024", CLAIMS, "KEY: got 'jacot2024', which has a ledger already"),
        ("a2020", "where,what\n1,b\n", r"got the columns \['where', 'what'\], needs place and sentence"),
        ("a2020", "", "got the columns none"),
        ("a2020", "place,sentence\n1,\n", "line 2: got '1', '', needs a place such as 3.2"),
        ("a2020", "place,sentence\nin the end,it is so\n", "line 2: got 'in the end'"),
    ],
)  # fmt: skip
def test_what_is_no_ledger_is_refused(key, claims, said, tmp_path, capsys):
    (tmp_path / "claims.csv").write_text(claims, encoding="utf-8")
    words = ["--claims", str(tmp_path / "claims.csv"), "--out", str(tmp_path / "own")]
    assert main(["new", "ledger", key, *words]) == 2
    message = capsys.readouterr().err
    assert re.search(said, message), message
    assert not (tmp_path / "own").exists()
