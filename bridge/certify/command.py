"""The command ``closedform certify``: proofs of the steps of derivations that the kernel of Coq has checked."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bridge.cli import console
from bridge.cli.command import FILE, command
from bridge.cli.formulas import names_of

if TYPE_CHECKING:
    from bridge.certify.proofs import Lemma
    from theory.core import Check, Equation, Step
    from theory.core.formula.form import Form
    from theory.core.proof.certificates import Authority, Certificate


@command("certify")
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option(
    "--out",
    type=FILE,
    metavar="DIR",
    help="Write one file of Coq for each closed form into this folder.",
)
@click.option(
    "--record",
    "keep",
    is_flag=True,
    help="Keep the verdicts with the package, for show and the pages.",
)
@click.option(
    "--ledger",
    is_flag=True,
    help="Instead of closed forms, the identities of the ledger's entries.",
)
@click.option(
    "--missing",
    is_flag=True,
    help="Leave out the steps that have a proof, and files that the record has.",
)
def run_certify(
    names: tuple[str, ...], out: str | None, keep: bool, ledger: bool, missing: bool
) -> int:
    """Prove the steps of derivations with the kernel of Coq.

    Each NAME is a closed form or a subject; all are tried if none is given, and the lemmas of all networks. So are the
    closed forms on which they rest, whether they are listed or not. The exit code is 1 if a file does not compile.
    """
    import theory
    from bridge.certify import kernel
    from theory.core.proof import certificates
    from theory.engine.lemmas import lemmas

    coq, began = kernel.version(), time.process_time()
    if ledger:
        return _of_ledger(keep)
    named: list[Form] = [theory.catalogue()[name] for name in names_of(list(names))]
    forms = [*named, *certificates.cited(named)]
    of_networks = () if names else lemmas()
    steps = [*_steps(forms), *of_networks]
    if missing:
        steps = [step for step in steps if certificates.certificate(step).why]
    tried, seconds = kernel.tried(steps)
    known = certificates.recorded() if names or missing else {}
    verdicts = {**known.get("steps", {}), **tried}
    counts = _of_lemmas(of_networks, verdicts)
    for form in forms:
        counts += _of_form(form, verdicts, with_reasons=bool(names))
    files = _Files({"steps": verdicts})
    if out or keep:
        due = [form for form in forms if not missing or _is_due(form, tried)]
        seconds += sum(files.compile(form, out) for form in due)
        files.show(out)
    seconds += time.process_time() - began
    print(f"\n{counted(counts)} ({len(forms)} closed forms, Coq {coq}, {seconds:.0f} s)")
    if keep:
        files.keep_others(known)
        record(
            coq=coq,
            seconds=None if known else round(seconds),
            axioms=sorted(files.axioms) or None,
            files=dict(sorted(files.compiled.items())),
            conclusions=dict(sorted(files.concluded.items())),
            steps=dict(sorted(verdicts.items())),
        )
    return int(bool(files.failed))


def _steps(forms: Iterable[Form]) -> Iterator[Step]:
    """Yield the steps of derivations, without those that programs decide."""
    from theory.core import Step

    for form in forms:
        yield from (step for step in form.steps if isinstance(step, Step))


def _is_due(form: Form, tried: Mapping[str, str]) -> bool:
    """Return whether a derivation or what is proved of it has changed since its file was compiled."""
    from theory.core.proof import certificates

    has_new = any(tried.get(certificates.digest(step) or "") == "" for step in _steps([form]))
    return has_new or not certificates.is_compiled(form)


@dataclass
class _Files:
    """The files of derivations: names of those that do not compile, axioms of the others, and digests of these by name.

    ``verdicts`` are those on steps, as a record; ``concluded`` has the digests of files with a conclusion.
    """

    verdicts: Mapping[str, Any]
    failed: list[str] = field(default_factory=list)
    axioms: set[str] = field(default_factory=set)
    compiled: dict[str, str] = field(default_factory=dict)
    concluded: dict[str, str] = field(default_factory=dict)

    def compile(self, form: Form, out: str | None) -> float:
        """Write and compile the file of a form, without its conclusion if Coq refuses that; return the seconds."""
        from theory.core.proof import certificates

        try:
            is_concluded, rests_on, seconds = _compiled(form, self.verdicts, out)
        except ChildProcessError as problem:
            self.failed.append(form.name)
            print(console.wrapped(f"{form.name}: {problem}", "  "))
            return 0.0
        self.axioms.update(rests_on)
        self.compiled[form.name] = certificates.digest_of_derivation(form)
        if is_concluded:
            self.concluded[form.name] = self.compiled[form.name]
            print(f"{form.name}: its conclusion is proved from its premises")
        return seconds

    def show(self, out: str | None) -> None:
        """Print how many conclusions are proved, on which axioms files rest, and which do not compile."""
        total = len(self.compiled) + len(self.failed)
        print(
            f"  {len(self.concluded)} conclusions of {total} files are proved from their premises"
        )
        if out:
            where = (
                f"files that Coq compiles in {out}; their axioms: {', '.join(sorted(self.axioms))}"
            )
            print(console.wrapped(where, "  "))
        if self.failed:
            print(console.wrapped(f"files that do not compile: {', '.join(self.failed)}", "  "))

    def keep_others(self, known: Mapping[str, Any]) -> None:
        """Add what an earlier record has of files that were not tried now."""
        tried = {*self.compiled, *self.failed}
        for kind, digests in (("files", self.compiled), ("conclusions", self.concluded)):
            digests |= {n: kept for n, kept in known.get(kind, {}).items() if n not in tried}
        self.axioms.update(known.get("axioms", ()))


def _compiled(
    form: Form, verdicts: Mapping[str, Any], out: str | None
) -> tuple[bool, Sequence[str], float]:
    """Write and compile the file of a form; whether it has a conclusion that Coq accepts, its axioms and seconds."""
    from bridge.certify import documents, kernel
    from theory.core.proof import certificates

    of_steps = [certificates.certificate(step, verdicts) for step in form.steps]
    for concluding in (True, False):
        text = documents.document(form, of_steps, concluding, verdicts)
        if out:
            _written(text, form.name, out)
        try:
            return documents.is_concluded(text), *kernel.axioms(text)
        except ChildProcessError:
            if not documents.is_concluded(text):
                raise
    raise AssertionError("a file without a conclusion compiles or raises")


def _of_form(form: Form, tried: Mapping[str, str], with_reasons: bool) -> Counter[Authority]:
    """Print by whom the steps of a closed form are decided, and return how many by whom."""
    from theory.core.proof import certificates

    of_steps = [certificates.certificate(step, {"steps": tried}) for step in form.steps]
    _show(form.name, form.steps, of_steps, with_reasons)
    return Counter(certificate.kind for certificate in of_steps)


def _of_lemmas(steps: Sequence[Step], tried: Mapping[str, str]) -> Counter[Authority]:
    """Print by whom the lemmas of all networks are decided, if they were tried, and return how many by whom."""
    from theory.core.proof import certificates

    of_lemmas = [certificates.certificate(step, {"steps": tried}) for step in steps]
    if of_lemmas:
        _show("lemmas of all networks", steps, of_lemmas, with_reasons=False)
    return Counter(certificate.kind for certificate in of_lemmas)


def _show(
    name: str, steps: Sequence[Step | Check], found: Sequence[Certificate], with_reasons: bool
) -> None:
    print(f"{name}: {counted(Counter(certificate.kind for certificate in found))}")
    for number, (step, certificate) in enumerate(zip(steps, found, strict=True), start=1):
        if certificate.why and with_reasons:
            print(console.wrapped(f"  {number}. {step.claim}: {certificate}", " " * 5))


def record(**parts: Any) -> None:
    """Keep what was found with the package; what is None stays as it is, but for seconds, which are then unknown."""
    from theory.core.proof import certificates

    known = {
        **certificates.recorded(),
        **{name: part for name, part in parts.items() if part is not None},
    }
    if parts.get("seconds", 0) is None:
        known.pop("seconds", None)
    steps = {"steps": known.pop("steps", {})}  # last, as it is the longest
    certificates.RECORD.write_text(
        f"{json.dumps({**known, **steps}, indent=1)}\n", encoding="utf-8"
    )


def _written(text: str, name: str, directory: str) -> None:
    """Write the file of a form, with the files that it imports next to it."""
    from bridge.certify import kernel

    path = Path(directory) / f"{name}.v"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    for imported in (kernel.PRELUDE, kernel.CALCULUS):
        (path.parent / imported.name).write_bytes(imported.read_bytes())


def _of_ledger(keep: bool) -> int:
    """Try the identities that decide entries of the ledger, for a misprint the corrected ones, and refute misprints."""
    import theory
    from bridge.certify import kernel
    from theory.core import Ruling, Step
    from theory.core.ledger.evidence import evidence
    from theory.core.proof import certificates

    steps: dict[str, list[Step]] = {}
    misprints: dict[str, Equation] = {}
    for entry in theory.equations():
        programs = entry.programs
        if entry.verdict is Ruling.MISPRINT and entry.prove is not None:
            programs = evidence(entry.prove, entry.corrected)
            misprints[f"misprint_{len(misprints)}"] = entry
        steps.setdefault(entry.paper, []).extend(
            step for step in programs if isinstance(step, Step)
        )
    tried, seconds = kernel.tried(chain.from_iterable(steps.values()))
    for paper, found in steps.items():
        if found:
            kinds = Counter(
                certificates.certificate(step, {"steps": tried}).kind for step in found
            )
            print(f"{paper}: {counted(kinds)}")
    print(f"{len(tried)} identities, {seconds:.0f} s of processor time")
    made = [lemma for name, entry in misprints.items() if (lemma := _refutation(name, entry))]
    refuted = [name for name, why in kernel.accepted(made, kernel.INTERVAL).items() if not why]
    print(
        f"misprints refuted at a rational point: {len(refuted)} of {len(misprints)}; what is printed is"
    )
    for name in refuted:
        print(console.wrapped(f"  {misprints[name].paper} {misprints[name].label}", " " * 4))
    if keep:
        proved = sum(not why for why in tried.values())
        record(
            ledger={
                "identities": [proved, len(tried)],
                "misprints": [len(refuted), len(misprints)],
            }
        )
    return 0


def _refutation(name: str, entry: Equation) -> Lemma | None:
    """Return the lemma that the right-hand sides of the printed and the corrected equation differ, if there is one."""
    import sympy as sp

    from bridge.certify.proofs import refutation
    from bridge.certify.terms import Unsupported
    from theory.core.ledger.printed import relations

    try:
        pairs = zip(relations(entry.printed), relations(entry.corrected), strict=True)
        pair = next((printed, corrected) for printed, corrected in pairs if printed != corrected)
        if not all(isinstance(side, sp.Eq) for side in pair) or pair[0].lhs != pair[1].lhs:
            return None
        return refutation(pair[0].rhs, pair[1].rhs, name, entry.witness.at)
    # no equations, several of them, or not numbers
    except (TypeError, ValueError, StopIteration, Unsupported):
        return None


def counted(kinds: Counter[Authority]) -> str:
    """Return how many steps are proved by the kernel, by computer algebra alone, and decided by programs."""
    from theory.core.proof.certificates import Authority

    total, kernel, algebra, program = kinds.total(), *(kinds[kind] for kind in Authority)
    rest = [f"{algebra} by computer algebra alone"] if algebra else []
    rest += [f"{program} by a program"] if program else []
    return ", ".join([f"{kernel} of {total} steps proved by the kernel", *rest])
