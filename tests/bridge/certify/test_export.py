"""What is written for Coq says what the steps say: an independent reader finds the same numbers."""

from __future__ import annotations

import contextlib
import functools
import random

import mpmath
import pytest
import sympy as sp

import theory
from bridge.certify import documents, kernel, writing
from bridge.certify.proofs import lemmas, refutation
from bridge.certify.statements import statements
from bridge.certify.terms import Unsupported
from tests.bridge.certify import reader
from theory.core import Check, Step
from theory.core.formula.let import Let, bound_letter
from theory.core.proof import certificates
from theory.core.proof.decision import entries
from theory.engine.lemmas import lemmas as lemmas_of_networks
from theory.gaussian.mean import Mean

x, y = sp.symbols("x y", positive=True)
a, b = bound_letter("a", 0), bound_letter("b", 1)
i, d = sp.symbols("i d", integer=True, positive=True)
FORMS = ("collapse.linear_gain_bound", "collapse.two_class_accuracy")
CITED = ("collapse.two_class_floor",)  # by both of them
OWN = (
    Step("binomial", sp.sqrt(x**2 + 2 * x * y + y**2), x + y),
    Step(
        "slope",
        sp.Derivative(sp.exp(-x * y) / x, (x, 2)),
        sp.exp(-x * y) * (y**2 / x + 2 * y / x**2 + 2 / x**3),
    ),
    Step("power", x ** (sp.Rational(1, 3) + y) / x**y, x ** sp.Rational(1, 3)),
    Step("value", sp.Subs(sp.log(1 + x * y), x, 1 / y - 1), sp.log(2 - y), where={y: 1 / (1 + x)}),
    Step("larger", sp.Max(x, y, 1) * sp.sech(x), sp.Max(x, y, 1) / sp.cosh(x) + sp.Min(x, y) * 0),
    Step("letters", Let([(a, x + y), (b, a * x)], b**2 + a), x**2 * (x + y) ** 2 + x + y),
    Step("not worked out", sp.UnevaluatedExpr(x + y) * (x - y), x**2 - y**2),
)


def differences(step, made, seed=0):
    """How far the sides that are written are from those of the step, at a random point of the domain."""
    draw = random.Random(seed)
    pairs = entries(step.left, step.right, step.where)
    if any(side.has(sp.I) for pair in pairs for side in pair):
        pairs = [tuple(map(part, pair)) for pair in pairs for part in (sp.re, sp.im)]
    symbols = {
        str(symbol): symbol for pair in pairs for side in pair for symbol in side.free_symbols
    }
    for lemma, pair in zip(made, pairs, strict=True):
        names, hypotheses, sides = reader.parts(lemma.proposition)
        for _ in range(100):
            point = {name: mpmath.mpf(draw.randint(1, 12)) / draw.randint(3, 7) for name in names}
            if all(reader.holds(hypothesis, point) for hypothesis in hypotheses):
                break
        else:
            raise AssertionError("no point satisfies the hypotheses")
        for text, side in zip(sides, pair, strict=True):
            at = {
                symbols[name]: sp.Rational(str(value))
                for name, value in point.items()
                if name in symbols
            }
            yield abs(reader.value(text, point) - sp.N(side.subs(at), 15))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("step", OWN, ids=lambda step: step.claim)
def test_the_text_says_what_the_step_says(step):
    made = lemmas(step, "step")
    assert max(differences(step, made)) < 1e-9
    wrong = Step(step.claim, 8 * step.left / 7, step.right, where=step.where)
    # it writes what is claimed, right or wrong
    assert max(differences(wrong, lemmas(wrong, "step"))) < 1e-9
    assert max(differences(step, lemmas(wrong, "step"))) > 1e-3


def test_a_sum_is_written_with_its_ends():
    step = Step("sum", sp.Sum(x * i, (i, 2, 5)) + y, 14 * x + y)
    names, _, sides = reader.parts(writing_of(step))
    point = {name: mpmath.mpf(index + 2) for index, name in enumerate(names)}
    assert reader.value(sides[0], point) == reader.value(sides[1], point)
    with pytest.raises(Unsupported, match="terms that differ"):
        lemmas(step, "step")


def writing_of(step):
    """The proposition of a step without its proof."""
    (statement,) = statements(step, "step")
    return statement.proposition


def test_equal_factors_are_a_power():
    step = Step("equal factors", sp.sqrt(sp.Product(x, (i, 2, d))), x ** ((d - 1) / 2))
    (lemma,) = lemmas(step, "step")
    assert lemma.proposition.endswith("sqrt (Rpower x (d - 1)) = Rpower x (d / 2 - 1 / 2)")
    with pytest.raises(Unsupported, match="Product"):
        lemmas(Step("others", sp.Product(x + i, (i, 2, d)), x), "step")


@pytest.mark.parametrize("step", OWN, ids=lambda step: step.claim)
def test_hypotheses_leave_the_domain_on_which_the_step_is_claimed(step):
    """A hypothesis that fails where both sides have a value would make the lemma weaker than the step."""
    draw = random.Random(1)
    for lemma in lemmas(step, "step"):
        names, hypotheses, sides = reader.parts(lemma.proposition)
        for _ in range(20):
            point = {name: mpmath.mpf(draw.randint(1, 12)) / draw.randint(3, 7) for name in names}
            values = [mpmath.mpmathify(reader.value(side, point)) for side in sides]
            defined = all(mpmath.isfinite(value) and mpmath.im(value) == 0 for value in values)
            assert not defined or all(
                reader.holds(hypothesis, point) for hypothesis in hypotheses
            ), (lemma, point)


WRITE_POWER = writing._power


def one_power_more(base, exponent, names):
    return WRITE_POWER(base, exponent + 1 if exponent.is_Integer else exponent, names)


PLANTED = {  # what an exporter may get wrong -> the same with an error
    "sum_of": lambda parts: functools.reduce(lambda a, b: ("sub", a, b), parts),
    "_times": lambda parts: functools.reduce(lambda a, b: ("add", a, b), parts or [("num", 1)]),
    "_power": one_power_more,
    "_quotient": lambda over, under, negative: (
        ("div", over, ("mul", ("num", 2), under[0])) if under else over
    ),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", PLANTED)
def test_the_reader_notices_an_exporter_that_writes_something_else(monkeypatch, name):
    """Sums as differences, products as sums, powers one too high, quotients with twice the denominator and no sign."""
    monkeypatch.setattr(f"bridge.certify.writing.{name}", PLANTED[name])
    found = []
    for step in OWN:
        with contextlib.suppress(Unsupported):
            found.append(max(differences(step, lemmas(step, "step"))))
    assert max(found) > 1e-3


@pytest.mark.parametrize("name", FORMS)
def test_steps_of_the_catalogue_are_written_as_they_are(name):
    for step in theory.catalogue()[name].steps:
        if isinstance(step, Step):
            assert max(differences(step, lemmas(step, "step"))) < 1e-7


def test_hypotheses_that_nothing_satisfies_are_refused():
    with pytest.raises(Unsupported, match="no point"):
        lemmas(Step("nothing", sp.log(-x), x), "step")
    with pytest.raises(Unsupported, match="complex numbers"):
        lemmas(Step("complex", sp.exp(sp.I * x), sp.cos(x) + sp.I * sp.sin(x)), "step")


def test_a_verdict_is_that_of_a_statement():
    step = OWN[0]
    record = {"steps": {certificates.digest(step): "", certificates.digest(OWN[1]): "a reason"}}
    assert str(certificates.certificate(step, record)) == "identity checked by kernel"
    assert str(certificates.certificate(OWN[1], record)) == "computer algebra (a reason)"
    exchanged = Step(step.claim, step.right, step.left)
    assert str(certificates.certificate(exchanged, record)) == "identity checked by kernel"
    changed = Step(step.claim, step.left, -step.right)
    assert certificates.certificate(changed, record).why == certificates.NOT_TRIED
    assert str(certificates.certificate(Check("program", lambda: True))) == "program"


def test_the_record_is_of_the_catalogue():
    record = certificates.recorded()
    steps = [
        step for name in FORMS for step in theory.catalogue()[name].steps if isinstance(step, Step)
    ]
    tried = [certificates.certificate(step).why != certificates.NOT_TRIED for step in steps]
    assert sum(tried) >= 0.8 * len(tried), "run `make certificates`"
    assert record["coq"]
    exported = [s for s in lemmas_of_networks() if not s.left.has(Mean) and not s.right.has(Mean)]
    assert all(certificates.certificate(step).why != certificates.NOT_TRIED for step in exported)


def test_without_coq_the_message_names_the_packages(monkeypatch, capsys):
    from bridge.cli import main

    kernel.version.cache_clear()
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert main(["certify", "compression.amplification"]) == 2
    assert "apt" not in capsys.readouterr().out
    with pytest.raises(kernel.MissingKernelError, match="libcoq-coquelicot"):
        kernel.version()


def test_a_file_that_does_not_compile_is_reported_and_the_others_are_tried(
    monkeypatch, tmp_path, capsys
):
    from bridge.cli import main

    def axioms(document):
        if "linear_gain_bound" in document:
            raise ChildProcessError("certify: got a file that Coq does not compile")
        return ("an_axiom",), 1.0

    monkeypatch.setattr(kernel, "version", lambda: "8.16")
    monkeypatch.setattr(
        kernel, "tried", lambda steps: ({certificates.digest(step): "" for step in steps}, 2.0)
    )
    monkeypatch.setattr(kernel, "axioms", axioms)
    assert main(["certify", *FORMS, "--out", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "files that do not compile: collapse.linear_gain_bound" in out
    assert "an_axiom" in out
    names = {*FORMS, *CITED}
    assert {path.stem for path in tmp_path.iterdir()} == {"calculus", "prelude", *names}


def test_what_a_form_cites_is_tried_and_what_has_a_proof_is_left_out(monkeypatch, capsys):
    """A file says of a premise that is a closed form how many steps of it are proved."""
    from bridge.cli import main

    form = theory.catalogue()[FORMS[1]]
    (premise,) = (premise.form for premise in form.premises if premise.form)
    assert premise.name == CITED[0]
    some = {certificates.digest(premise.steps[0]): ""}
    monkeypatch.setattr(kernel, "version", lambda: "8.16")
    monkeypatch.setattr(certificates, "recorded", lambda: {"steps": some})
    asked = []
    monkeypatch.setattr(kernel, "tried", lambda steps: (asked.extend(steps), ({}, 0.0))[1])
    assert main(["certify", form.name, "--missing"]) == 0
    assert asked == [*form.steps, *premise.steps[1:]]
    assert f"{premise.name}: 1 of {len(premise.steps)} steps" in capsys.readouterr().out
    kept = [certificates.certificate(step) for step in form.steps]
    text = " ".join(documents.document(form, kept).split())
    assert f"closed form: {premise.name} (1 of {len(premise.steps)} steps proved" in text


def test_matrices_are_written_out():
    two, three = sp.Matrix([[x, x + y], [0, y]]), sp.Matrix([[1, x + y, 2], [y, 0, x], [3, 1, 1]])
    wrong = 2 * three.det()  # and written as it is
    step = Step("determinant", sp.Determinant(three), wrong)
    assert max(differences(step, lemmas(step, "step"))) < 1e-9
    value = Step("a value", sp.Subs(x * a, a, sp.Determinant(three)), x * wrong)
    assert max(differences(value, lemmas(value, "step"))) < 1e-9
    product = Step("product", sp.MatMul(sp.Inverse(two), sp.Transpose(two)), 2 * two.inv() * two.T)
    assert max(differences(product, lemmas(product, "step"))) < 1e-9


def test_a_file_has_lemmas_for_what_is_proved_and_words_for_the_rest():
    form = theory.catalogue()["compression.amplification"]
    proved = certificates.Certificate(certificates.Authority.KERNEL)
    rest = certificates.Certificate(certificates.Authority.ALGEBRA, "a reason")
    text = documents.document(form, [proved, *[rest] * (len(form.steps) - 1)])
    assert text.count("Qed.") == 2  # the step and the derivation
    assert text.count("computer algebra (a reason)") == len(form.steps) - 1
    assert not documents.is_concluded(text)
    assert "No theorem conclusion: step 3 is not proved by the kernel" in " ".join(text.split())
    assert text.rstrip().endswith("Print Assumptions identities.")


def test_premises_and_the_formula_are_hypotheses_of_the_file():
    """A step names a quantity where its expression stands; the last theorem collects what is said of the formula."""
    form = theory.catalogue()["compression.amplification"]
    text = documents.document(
        form, [certificates.Certificate(certificates.Authority.KERNEL)] * len(form.steps)
    )
    assert (
        "Hypothesis formula_is : formula = fun current d_perp => Rabs current / sqrt d_perp."
        in text
    )
    assert "premise_5 N' amplification'' p) (formula current d_perp) = " in text
    assert documents.is_concluded(text)
    assert "premise_4 (value_2 N' current d_perp p)" in " ".join(text.split())
    assert text.count("Premise 2, assumption") == 1  # in words only


def test_a_misprint_is_refuted_at_a_rational_point():
    f = sp.Function("f")
    lemma = refutation(x * f(y), 2 * x * f(y), "wrong", {"x": "0.7", "y": "a network"})
    left, right = lemma.proposition.split(" <> ")
    assert left == "(fun f' x' => f' * x') 3 (7 / 10)"
    assert right == "(fun f'' x'' => 2 * f'' * x'') 3 (7 / 10)"
    for side in (f(x) + f(y), sp.MatrixSymbol("A", 2, 2), sp.Integral(x, (x, 0, y))):
        with pytest.raises(Unsupported):
            refutation(side, x, "wrong", {})
