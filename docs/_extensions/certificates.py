"""The page on what the kernel of Coq has proved: a table by subject, and why not where it has no proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import sympy as sp
from rst import code, displayed, escape, heading, table

from bridge.certify.statements import statements as stated
from theory.core import ClosedForm, Step
from theory.core.proof.certificates import (
    Authority,
    certificate,
    cited,
    is_concluded,
    recorded,
)

HEADLINES = (
    ("final distance", ("two_point.final_distance",)),
    (
        "NNGP volume element and curvature",
        ("geometry.volume_element.erf", "geometry.scalar_curvature.erf"),
    ),
    ("balance of amplification exponents", ("compression.learning_curve_exponent.feature",)),
    ("conservation of the Hamiltonian", ("leaky_resnet.mode_hamiltonian",)),
    ("simplex NC1", ("collapse.simplex_nc1",)),
)
NOT_EXPORTED = {
    "Mean": "a mean over Gaussian letters, which Coq's libraries lack; with its linearity and moments as hypotheses a "
    "lemma could be stated, but no search for its proof is written",
    "Piecewise": "each case needs a proof of its own, and the search knows the signs of letters alone",
    "Sum": "a double sum over the units of a layer, with Kronecker deltas; proved are sums of equal terms",
    "Integral": "needs an antiderivative, or a proof that it exists, for each integrand",
    "Indexed": "an entry of an array by its indices, which is a function of whole numbers",
}
"""Why no lemma is written for an expression with a part of a kind."""
LONGEST = 60  # operations of a step whose statement is shown
ORDER = (Authority.KERNEL, Authority.ALGEBRA, Authority.PROGRAM)


def page(forms: Mapping[str, ClosedForm]) -> list[str]:
    """Return the page on all closed forms."""
    kinds = {
        name: Counter(certificate(step).kind for step in form.steps)
        for name, form in forms.items()
    }
    subjects: dict[str, list[str]] = {}
    for name in forms:
        subjects.setdefault(name.split(".")[0], []).append(name)
    rows = [
        _row(f"``{subject}``", [kinds[name] for name in names])
        for subject, names in subjects.items()
    ]
    rows.append(_row("all", list(kinds.values())))
    of_cited = [
        Counter(certificate(step).kind for step in form.steps) for form in cited(forms.values())
    ]
    rows.append(_row("cited, but not listed", of_cited))
    known = recorded()
    lines = [*heading("Proofs of the kernel", "="), *_introduction(known)]
    concluded = [name for name, form in forms.items() if is_concluded(form)]
    lines += table(("steps of", *(kind.value for kind in ORDER), "forms", "wholly proved"), rows)
    lines += [
        f"Of {len(forms)} formulas the kernel has proved {len(concluded)} conclusions from their premises: each step",
        "takes values of the steps that it uses, whose lemmas replace these values in the last step. Of the others",
        "each identity is checked on its own.",
        "",
        ", ".join(f":ref:`{name} <form-{name}>`" for name in concluded),
        "",
    ]
    lines += ["The formulas of the first page, step by step", ""]
    headline = [
        (
            words,
            *_row("", [kinds[name] for name in names])[1:4],
            "from the premises" if set(names) <= set(concluded) else "identities alone",
        )
        for words, names in HEADLINES
    ]
    lines += table(("formula", *(kind.value for kind in ORDER), "conclusion"), headline)
    reasons = Counter(
        c.why for form in forms.values() for step in form.steps if (c := certificate(step)).why
    )
    lines += ["Why the kernel has no proof of the others", ""]
    lines += table(
        ("reason", "steps", "because"),
        [
            (
                escape(why),
                str(count),
                escape(NOT_EXPORTED.get(why.split(" is not exported")[0], "")),
            )
            for why, count in reasons.most_common()
        ],
    )
    whole = [
        name
        for name in forms
        if kinds[name].total() and kinds[name][Authority.KERNEL] == kinds[name].total()
    ]
    return [
        *lines,
        "Wholly proved",
        "",
        ", ".join(f":ref:`{name} <form-{name}>`" for name in whole),
        "",
    ]


def statements(form: ClosedForm) -> list[str]:
    """Return what the kernel has proved, next to our formulas, for the shorter steps of a closed form."""
    lines: list[str] = []
    for number, step in enumerate(form.steps, start=1):
        if isinstance(step, Step) and not certificate(step).why and _operations(step) <= LONGEST:
            made = stated(step, f"step_{number}")
            lines += [f"Step {number}", "", *displayed(step.latex)]
            lines += code("coq", "\n\n".join(lemma.proposition for lemma in made))
    if not lines:
        return []
    words = "What the kernel proved, next to our formula; longer steps are in the file that ``closedform certify "
    return [
        ".. rubric:: Statements in Coq",
        "",
        f"{words}{form.name} --out DIR`` writes.",
        "",
        *lines,
    ]


def _operations(step: Step) -> int:
    return sum(len(list(sp.preorder_traversal(side))) for side in (step.left, step.right))


def _introduction(known: Mapping[str, Any]) -> list[str]:
    axioms = ", ".join(f"``{axiom}``" for axiom in known.get("axioms", ())) or "none"
    words = [
        "``closedform certify`` writes every step of a derivation as a lemma on real numbers, and the kernel of Coq",
        f"{known.get('coq')} checks a proof of it with the library Coquelicot. What writes the lemmas is not trusted:",
        "what Coq accepts stands in its file, next to our formula in LaTeX. Derivatives are those of Coquelicot, and a",
        "lemma says where both sides are defined. Of the gamma function, which these libraries lack, a lemma assumes",
        "that it is positive, its recursion, and its derivative by the digamma function.",
        f"All of them took {known['seconds']} s of processor time."
        if "seconds" in known
        else "These verdicts are of several runs, between which the program that writes the lemmas changed; "
        "``make certificates`` makes all of them anew.",
        "They rest on the axioms",
        f"{axioms}, as the real numbers and the analysis of Coq do.",
        "",
    ]
    if files := known.get("files"):
        words += [
            f"Coq also compiles {len(files)} files that the command writes, each a derivation with its premises and",
            "its formula; ``Print Assumptions`` at the end of each lists no other axioms.",
            "",
        ]
    if planted := known.get("planted"):
        words += [
            f"{planted['steps']} random steps were changed in a sign ({planted['sign']} of them), a factor"
        ]
        words += [
            f"({planted['factor']}) or an exponent ({planted['exponent']}), wherever the changed step can be"
        ]
        words += [f"written for Coq. It proves {planted['proved']} of the wrong ones.", ""]
    if ledger := known.get("ledger"):
        (proved, identities), (refuted, misprints) = ledger["identities"], ledger["misprints"]
        words += [
            f"Coq also proves {proved} of {identities} identities that decide entries of the ledger, and for"
        ]
        words += [
            f"{refuted} of {misprints} misprints that the printed and the corrected right-hand side differ at a"
        ]
        words += [
            "rational point; the witnesses of the others are networks, matrices, samples or sentences.",
            "",
        ]
    return words


def _row(label: str, found: list[Counter[Authority]]) -> tuple[str, ...]:
    total = sum(found, Counter())
    whole = [each for each in found if each.total() and each[Authority.KERNEL] == each.total()]
    return (label, *(str(total[kind]) for kind in ORDER), str(len(found)), str(len(whole)))
