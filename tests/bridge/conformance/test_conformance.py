"""The conformance kit: the file is what the reference computes, our measures have its values, and faults are seen."""

import csv
import json

import numpy as np
import pytest
import torch

from bridge import conformance
from bridge.conformance import kit
from empirics import measure
from tests.oracles import conformance_vectors
from theory import activations, geometry


def test_the_file_is_what_the_reference_computes():
    assert json.loads(kit.FILE.read_text(encoding="utf-8")) == conformance_vectors.build()
    digits = [vector["value"].lstrip("-0.").replace(".", "") for vector in conformance.vectors()]
    assert min(map(len, digits)) >= 26  # zeros at the end are not printed


@pytest.mark.parametrize(
    ("normalisation", "options"),
    [
        ("samples", {}),
        ("equal", {"class_weights": "equal"}),
        ("per class", {"divide_by_classes": True}),
    ],
)
def test_nc1(normalisation, options):
    def nc1(features, labels):
        return measure.neural_collapse(features, labels, **options).nc1

    conformance.conforms("nc1", nc1, normalisation=normalisation)


def test_cka_and_kernels():
    conformance.conforms("cka", measure.cka)
    for kind in ("nngp", "ntk"):
        conformance.conforms(
            kind,
            lambda x, y, k=kind: geometry.kernel_matrix("relu", np.stack([x, y]), kind=k)[0, 1],
        )


def test_curvature():
    def of_network(weights, biases, x):
        w, b = torch.from_numpy(weights), torch.from_numpy(biases)
        return measure.scalar_curvature(lambda at: torch.tanh(at @ w.T + b), x[None])[0]

    def of_theory(weights, biases, x):  # whose features have the factor 1/sqrt(n)
        return geometry.shallow.scalar_curvature(weights, biases, x, activations.TANH) / len(
            weights
        )

    conformance.conforms("curvature", of_network)
    conformance.conforms("curvature", of_theory)


def test_the_table_has_every_number(tmp_path):
    rows = list(
        csv.DictReader(conformance.write_csv(tmp_path / "vectors.csv").read_text().splitlines())
    )
    for number, vector in enumerate(conformance.vectors()):
        for name, value in vector["inputs"].items():
            of_input = [
                row["number"]
                for row in rows
                if (row["vector"], row["name"]) == (str(number), name)
            ]
            assert of_input == [*map(str, np.ravel(value))]
    assert [row["number"] for row in rows if row["name"] == "value"] == [
        one["value"] for one in conformance.vectors()
    ]


def test_a_fault_is_seen_and_named():
    with pytest.raises(
        AssertionError, match=r"cka, vector 0 of 3 \{\}: got .*, needs .* \(relative error"
    ):
        conformance.conforms("cka", lambda x, y: measure.cka(x, y) * (1 + 1e-6))
    with pytest.raises(AssertionError, match="got nan"):
        conformance.conforms("nngp", lambda x, y: np.nan)
    with pytest.raises(ValueError, match="quantity: got 'nc9'"):
        conformance.vectors("nc9")
    with pytest.raises(ValueError, match="options: got"):
        conformance.conforms("nc1", len, normalisation="none")


@pytest.mark.parametrize("wrong", [np.inf, np.nan, -1, 1, "1e-9", True, None, [1e-9]])
def test_a_tolerance_that_compares_nothing_is_refused(wrong):
    with pytest.raises((TypeError, ValueError), match=r"^tolerance: got"):
        conformance.conforms("cka", lambda x, y: 0.0, tolerance=wrong)


@pytest.mark.parametrize("answer", [None, "a text", 1j, [1.0, 2.0], torch.ones(2), object()])
def test_what_is_no_function_or_returns_no_number_is_refused(answer):
    with pytest.raises(TypeError, match=r"^function: got"):
        conformance.conforms("cka", lambda x, y: answer)
    with pytest.raises(TypeError, match=r"^function: got"):
        conformance.conforms("cka", answer)
