"""The kernel accepts the proofs of right steps, and of no step in which an error is planted; skipped without Coq."""

from __future__ import annotations

import shutil

import pytest
import sympy as sp

from bridge.certify import documents, kernel
from bridge.certify.proofs import refutation
from tests.bridge.certify.planted import tried, wrong_steps
from tests.theory.test_planted_steps import KINDS
from theory.core import Argument, ClosedForm, Premise, Status, Step
from theory.core.formula.let import Let, bound_letter
from theory.core.proof import certificates

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("coqtop") is None, reason=f"needs Coq, as in {kernel.PACKAGES}"
    ),
]
STEPS = 20


@pytest.mark.parametrize("kind", KINDS)
def test_no_step_with_a_planted_error_is_proved(kind):
    """An error of a sign, a factor or an exponent; what changes nothing is no error."""
    counts, survivors = tried(list(wrong_steps(STEPS, (kind,))))
    assert counts[kind] >= 0.4 * STEPS
    assert survivors == []


def test_a_file_compiles_and_names_its_axioms():
    import theory

    form = theory.catalogue()["collapse.simplex_nc1_any_priors"]
    tried, _ = kernel.tried(step for step in form.steps if isinstance(step, Step))
    found = [certificates.certificate(step, {"steps": tried}) for step in form.steps]
    assert [certificate.kind for certificate in found] == [certificates.Authority.KERNEL] * len(
        form.steps
    )
    axioms, _ = kernel.axioms(documents.document(form, found))
    assert axioms
    assert set(axioms) <= kernel.AXIOMS
    with pytest.raises(ChildProcessError, match="axioms"):
        kernel.axioms(
            "Axiom odd : 1 = 2. Theorem t : 2 = 1. Proof. exact (eq_sym odd). Qed. Print Assumptions t."
        )
    with pytest.raises(ChildProcessError, match="does not compile"):
        kernel.axioms(documents.document(form, found).replace("Qed.", "Qed", 1))


PLANTED = {  # form -> a part of its conclusion, and another one
    "compression.mean_log_amplification": ("ln 2 / 2", "ln 2 / 3"),
    "compression.learning_curve_exponent.feature": (" 1 p) / ln p", " 2 p) / ln p"),
    "collapse.simplex_nc1": ("* 1 +", "* 2 +"),
    "leaky_resnet.mode_hamiltonian": ("premise_5 depth", "- premise_5 depth"),
    "two_point.final_distance": (" 0 tau_h", " 1 tau_h"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_conclusion_is_proved_from_the_premises_and_no_wrong_one_is(name):
    """Its values are replaced by lemmas, so that no other factor, and no other lemma, gives the same theorem."""
    import theory

    form = theory.catalogue()[name]
    tried, _ = kernel.tried(form.steps)
    found = [certificates.certificate(step, {"steps": tried}) for step in form.steps]
    text = documents.document(form, found)
    assert documents.is_concluded(text)
    assert set(kernel.axioms(text)[0]) <= kernel.AXIOMS
    before, theorem, after = text.partition("Definition conclusion_1")
    statement, proof, rest = after.partition("Lemma conclusion_1_holds")
    wrong = {
        "another factor": statement.replace(" = ", " = 3 * ", 1),
        "another part": statement.replace(*PLANTED[name], 1),
    }
    for kind, changed in wrong.items():
        assert changed != statement, kind
        with pytest.raises(ChildProcessError, match="does not compile"):
            kernel.axioms(before + theorem + changed + proof + rest)


n, x, y, t = sp.Symbol("n", integer=True, positive=True), *sp.symbols("x y t", positive=True)
i = sp.Symbol("i", integer=True)
part = bound_letter("part", 0)
halves = sp.Matrix([[x / 2, -x / 2], [-x / 2, x / 2]])
OF_A_KIND = {  # steps whose right-hand sides are not all that sympy makes of the left ones
    "a sum of equal terms": (sp.Sum(x**2, (i, 2, n)), (n - 1) * x**2),
    "a product of matrices": (sp.MatMul(halves, halves), x * halves),
    "a limit of decays": (
        sp.Limit((x * t * sp.exp(-y * t) + sp.sqrt(x**2)) / (y + sp.exp(-x * t)), t, sp.oo),
        x / y,
    ),
    "a slow limit": (sp.Limit(x * t / (y * t + 1), t, sp.oo), x / y),
    "a limit from above": (sp.Limit((x + t) / (y + t**2), t, 0, "+"), x / y),
    "a root of a power": (sp.log(sp.sqrt(x**n)) / sp.log(x), n / 2),
    "a larger number": (sp.exp(x - sp.Max(x, y)) * sp.exp(sp.Max(x, y)), sp.exp(x)),
    "a hyperbolic secant": (sp.sech(x) * (sp.exp(x) + sp.exp(-x)), sp.Integer(2)),
    "a letter for a part": (Let([(part, x + y)], part**2), x**2 + 2 * x * y + y**2),
    "a root of squares": (
        sp.sqrt(sp.Derivative(3 * x * t, t) ** 2 + sp.Derivative(4 * x * t, t) ** 2),
        5 * x,
    ),
    "a root of a fraction": (
        sp.sqrt(1 - (t / (sp.sqrt(x) * sp.sqrt(y))) ** 2) * sp.sqrt(x) * sp.sqrt(y),
        sp.sqrt(x * y - t**2),
    ),
    "a product with zero": (
        sp.Subs(
            sp.Derivative(
                sp.Add(x * t, sp.Mul(0, y, 1 / (t - y), evaluate=False), evaluate=False), t
            ),
            t,
            x,
        ),
        x,
    ),
    "a determinant in a value": (
        sp.Subs(t**2 / x, t, sp.Determinant(sp.Matrix([[x, y], [y, 2 * x]]))),
        (2 * x**2 - y**2) ** 2 / x,
    ),
}


@pytest.mark.parametrize("kind", OF_A_KIND)
def test_a_step_of_a_kind_is_proved_and_a_wrong_one_is_not(kind):
    left, right = OF_A_KIND[kind]
    verdicts, _ = kernel.tried([Step(kind, left, right)])
    assert list(verdicts.values()) == [""]
    verdicts, _ = kernel.tried([Step(kind, left, 2 * right)])
    assert list(verdicts.values()) == [kernel.REFUSED]


def test_a_value_within_two_derivatives_is_replaced():
    a = sp.Symbol("a", positive=True)
    square = Step("a square", (x + 1) ** 2 * a, a * (x**2 + 2 * x + 1), uses=())
    bend = Step("the bend", 2 * a, sp.Derivative(square.right, (x, 2)), uses=(square,))
    form = ClosedForm(
        "own.bend", "A bend.", (Argument(a, "a number"),), 2 * a, Status.DERIVED, (square, bend)
    )
    verdicts, _ = kernel.tried(form.steps)
    found = [certificates.certificate(step, {"steps": verdicts}) for step in form.steps]
    text = documents.document(form, found)
    kernel.axioms(text)
    statement = "formula a = Derive (fun x''' => Derive (fun x'' => a * (x'' + 1) ^ 2) x''') x."
    assert statement in text
    for wrong in (("formula a", "3 * formula a"), ("+ 1) ^ 2", "+ 1) ^ 3")):
        with pytest.raises(ChildProcessError, match="does not compile"):
            kernel.axioms(text.replace(statement, statement.replace(*wrong), 1))


def test_a_step_that_is_used_in_words_leaves_no_conclusion():
    form = theory_form_of_words()
    tried, _ = kernel.tried(form.steps)
    found = [certificates.certificate(step, {"steps": tried}) for step in form.steps]
    assert {certificate.kind for certificate in found} == {certificates.Authority.KERNEL}
    text = documents.document(form, found)
    assert not documents.is_concluded(text)
    assert "step 1 is used in words alone" in " ".join(text.split())


def theory_form_of_words() -> ClosedForm:
    """The area of a square, whose last step names a true identity that it does not take anything from."""
    x, side = sp.symbols("x side", positive=True)
    area = Premise("the area is the square of the side", side**2)
    longer = Premise("the side is longer by one", x + 1)
    other = Step("a true identity", (x + 2) ** 2, x**2 + 4 * x + 4, uses=())
    last = Step(
        "the area",
        (x + 1) ** 2,
        sp.Subs(area.expression, side, longer.expression),
        uses=(area, longer, other),
    )
    argument = Argument(x, "a length")
    return ClosedForm(
        "own.area", "An area.", (argument,), (x + 1) ** 2, Status.DERIVED, (other, last)
    )


def test_expressions_that_differ_at_a_point_are_refuted_and_equal_ones_are_not():
    x = sp.Symbol("x", positive=True)
    pairs = {
        "different": (sp.exp(x) + sp.sqrt(x), sp.exp(x)),
        "equal": (sp.sqrt(x) ** 3, x * sp.sqrt(x)),
    }
    made = [refutation(*pair, name, {"x": "1/3"}) for name, pair in pairs.items()]
    assert kernel.accepted(made, kernel.INTERVAL) == {"different": "", "equal": kernel.REFUSED}
