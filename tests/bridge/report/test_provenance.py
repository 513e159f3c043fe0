"""Tests of the origin of measurements in a report."""

from bridge.report import provenance


def test_what_is_shared_is_said_once_and_what_differs_per_configuration(trace_maker):
    traces = {"a": trace_maker(config={"width": 8}), "b": trace_maker(config={"width": 16})}
    found = provenance.of(traces)
    assert found["varying"] == ["width"]
    assert [row["values"] for row in found["rows"]] == [["8"], ["16"]]
    assert found["config_common"]["activation"] == "relu"
    assert found["common"]["device"] == "cpu"
    assert found["common"]["processor"] == "x86_64, AVX2"
    assert found["common"]["blas"] == "torch: MKL 2024.2; numpy: openblas 0.3"
    assert found["common"]["threads"] == "1"
    assert found["common"]["training time"] == "3.0 s in all"


def test_a_trace_without_provenance_says_so(trace):
    bare = trace.drop_attrs()
    found = provenance.of({"bare": bare})
    assert found["common"]["commit"] == "not recorded"
    assert found["common"]["processor"] == "not recorded"
    assert found["common"]["training time"] == "not recorded"


def test_values_are_written_for_readers():
    assert provenance.plain(0.1 + 0.2) == "0.3"
    assert provenance.plain([1, 2]) == "1, 2"
    assert provenance.plain(None) == "none"
