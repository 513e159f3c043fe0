"""The lemmas of all networks: none is left out, and each holds."""

import pytest

from theory.core import Verdict
from theory.engine import joining, metric_rules, rules, width
from theory.engine.lemmas import lemmas


@pytest.mark.parametrize("module", [rules, joining, metric_rules, width])
def test_every_lemma_of_a_module_is_there(module):
    names = [name for name in vars(module) if name.endswith("_lemma") and name[0] != "_"]
    assert names
    known = lemmas()
    for name in names:
        assert getattr(module, name)() in known, name


def test_every_lemma_holds():
    assert {step.check() for step in lemmas()} == {Verdict.HOLDS}
