"""Tests of the suggestions for unknown names."""

from closedform.suggestions import unknown


def test_near_names_are_suggested():
    assert (
        unknown("colour", "gren", ["pink", "green", "blue"])
        == "no colour 'gren'; did you mean green?"
    )


def test_a_name_without_its_subject_is_found():
    assert unknown("form", "distance", ["two_point.distance", "a.b"]).endswith(
        "did you mean two_point.distance?"
    )


def test_few_names_are_all_said_and_many_are_counted():
    assert unknown("x", "zzz", ["a", "b"]) == "no x 'zzz'; there are a, b"
    assert (
        unknown("x", "zzz", [f"n{i}" for i in range(30)])
        == "no x 'zzz'; there are 30, such as n0, n1, n2"
    )
    assert unknown("x", "zzz", []) == "no x 'zzz'; there are none"
