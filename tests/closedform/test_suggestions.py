"""Tests of the suggestions for unknown names."""

from closedform.suggestions import SHORT, unknown


def test_a_name_without_its_subject_is_found():
    assert unknown("form", "distance", ["two_point.distance", "a.b"]).endswith(
        "did you mean two_point.distance?"
    )


def test_few_names_are_all_said_and_many_are_counted():
    few = [f"n{index}" for index in range(SHORT)]
    assert unknown("x", "zzz", few) == f"no x 'zzz'; there are {', '.join(few)}"
    assert (
        unknown("x", "zzz", [*few, "o"])
        == f"no x 'zzz'; there are {SHORT + 1}, such as n0, n1, n2"
    )
    assert unknown("x", "zzz", []) == "no x 'zzz'; there are none"
