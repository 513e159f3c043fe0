"""What is known of a step: an identity checked by the kernel of Coq, by computer algebra alone, or by a program.

``make certificates`` writes the verdicts of the kernel into ``theory/certificates.json``, so that they are shown where
there is no Coq. A verdict is that of a statement: it is found by the digest of both sides and of the domain, and a step
that was changed since has none.
"""

import enum
import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from closedform.untrusted_files import json_in
from theory.core.formula.form import Form
from theory.core.proof.content import of_expressions, text
from theory.core.proof.derivation import Check, Step
from theory.core.proof.premises import premises_of, way

RECORD = Path(__file__).resolve().parents[2] / "certificates.json"
NOT_TRIED = "not tried since it was changed; `make certificates` tries it"


class Authority(enum.Enum):
    """By whom a step is decided."""

    KERNEL = "identity checked by kernel"
    ALGEBRA = "computer algebra"
    PROGRAM = "program"


@dataclass(frozen=True)
class Certificate:
    """By whom a step is decided, and why there is no proof of the kernel; empty if there is one, and for programs."""

    kind: Authority
    why: str = ""

    def __str__(self) -> str:
        return f"{self.kind.value} ({self.why})" if self.why else self.kind.value


def digest(step: Step) -> str | None:
    """Return the digest of what a step states; None if it contains something that has no canonical text."""
    return _digest(step.left, step.right, step.where)


def _digest(*content: Any) -> str | None:
    written = text(partial(of_expressions, with_sources=False), *content)
    return None if written is None else hashlib.sha256(written.encode()).hexdigest()[:24]


def certificate(step: Step | Check, record: Mapping[str, Any] | None = None) -> Certificate:
    """Return by whom a step is decided, by a record as :func:`recorded` returns it. Default: that of the package."""
    if isinstance(step, Check):
        return Certificate(Authority.PROGRAM)
    verdicts = (recorded() if record is None else record).get("steps", {})
    why = verdicts.get(digest(step))
    if why is None:  # an identity may have been proved with its sides exchanged
        why = verdicts.get(_digest(step.right, step.left, step.where), NOT_TRIED)
    return Certificate(Authority.ALGEBRA, why) if why else Certificate(Authority.KERNEL)


def is_concluded(form: Form) -> bool:
    """Return whether the kernel has proved the conclusion of a derivation from its premises, as it is now."""
    return _is_kept("conclusions", form)


def is_compiled(form: Form) -> bool:
    """Return whether the kernel has accepted the file of a derivation, as it is now."""
    return _is_kept("files", form)


def _is_kept(kind: str, form: Form) -> bool:
    known = recorded().get(kind, {}).get(form.name)
    return known is not None and known == digest_of_derivation(form)


def cited(forms: Iterable[Form]) -> tuple[Form, ...]:
    """Return the closed forms on which some rest, directly or through others, and that are none of these.

    Args:
        forms: the closed forms; those that their derivations cite, such as Gaussian means, are looked up.
    """
    waiting = list(forms)
    names, rests_on = {form.name for form in waiting}, list[Form]()
    while waiting:
        for premise in premises_of(waiting.pop(0)):
            if premise.form is not None and premise.form.name not in names:
                names.add(premise.form.name)
                rests_on.append(premise.form)
                waiting.append(premise.form)
    return tuple(rests_on)


def of_cited(form: Form, record: Mapping[str, Any] | None = None) -> str:
    """Return how many steps of a closed form that another cites are proved by the kernel, in words.

    Args:
        form: the closed form that is cited.
        record: verdicts as :func:`recorded` returns them. Default: those of the package.
    """
    kinds = [certificate(step, record).kind for step in form.steps]
    return f"{kinds.count(Authority.KERNEL)} of {len(kinds)} steps proved by the kernel"


def digest_of_derivation(form: Form) -> str:
    """Return the digest of what all steps of a derivation state, and of what they use."""
    whole = way(form)
    content = [
        (step.claim, digest(step) if isinstance(step, Step) else "", [str(node) for node in used])
        for step, used in zip(whole.steps, whole.uses, strict=True)
    ]
    return hashlib.sha256(repr(content).encode()).hexdigest()[:24]


@cache
def recorded() -> Mapping[str, Any]:
    """Return the verdicts that come with the package, {} if there are none: "coq", "seconds", "axioms" and "steps".

    The last gives, for the digest of each step that was tried, why the kernel has no proof of it, empty if it has.
    "files" has the digest of each derivation whose file the kernel accepts, by the name of its form, and "conclusions"
    those of which it proves the conclusion.
    """
    return json_in(RECORD) if RECORD.is_file() else {}
