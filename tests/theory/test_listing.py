"""The list of closed forms and families: that of the catalogue, and from the store without building anything."""

from __future__ import annotations

import subprocess
import sys

import theory
from closedform import cache
from theory import listing as texts
from theory.listing import described, listing


def test_the_list_is_that_of_the_catalogue():
    forms, families = theory.catalogue(), theory.catalogue().families
    members = {name for family in families.values() for name in family.member_names}
    listed = {each.name: each for each in listing()}
    assert set(listed) == {*forms, *families} - members
    assert listed["two_point.loss"].meaning == forms["two_point.loss"].meaning
    assert listed["two_point.loss"].parameters is None
    assert listed["geometry.deep_volume_element"].parameters == (
        ("activation", True),
        ("depth", True),
    )


def test_the_second_time_nothing_is_built():
    built = ascii(listing())
    code = "import sys; from theory.listing import listing; print(ascii(listing())); print('sympy' in sys.modules)"
    again = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert again.splitlines() == [built, "False"]


def test_a_text_is_built_again_only_for_another_request_or_other_sources(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path))
    monkeypatch.setattr(texts, "everything", lambda: "first sources")
    built = []

    def shown(request, value):
        return list(described(request, lambda: built.append(value) or [value]))

    assert shown(["latex", "x"], "a") == shown(["latex", "x"], "b") == ["a"]
    assert shown(["text", "x"], "c") == ["c"]
    assert shown(["latex", "x", "depth=3"], "d") == ["d"]
    monkeypatch.setattr(texts, "everything", lambda: "second sources")
    assert shown(["latex", "x"], "e") == ["e"]
    assert built == ["a", "c", "d", "e"]
