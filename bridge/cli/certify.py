"""The command ``closedform certify``: proofs of the steps of derivations that the kernel of Coq has checked."""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bridge.cli import console
from bridge.cli.formulas import names_of

if TYPE_CHECKING:
    from theory.core.certify.verdicts import Authority


def run_certify(arguments: argparse.Namespace) -> int:
    """Try every step of the named closed forms with Coq, write a file for each form; 1 if one does not compile."""
    import theory
    from theory.core import ClosedForm, Step
    from theory.core.certify import documents, kernel, verdicts

    coq, began = kernel.version(), time.process_time()
    if arguments.ledger:
        return _of_ledger()
    forms: list[ClosedForm] = [theory.catalogue()[name] for name in names_of(arguments.names)]
    tried, seconds = kernel.tried(step for form in forms for step in form.steps if isinstance(step, Step))
    counts: Counter[verdicts.Authority] = Counter()
    axioms: set[str] = set()
    failed: list[str] = []
    for form in forms:
        found = [verdicts.certificate(step, {"steps": tried}) for step in form.steps]
        counts.update(certificate.kind for certificate in found)
        print(f"{form.name}: {counted(Counter(certificate.kind for certificate in found))}")
        for number, (step, certificate) in enumerate(zip(form.steps, found, strict=True), start=1):
            if certificate.why and arguments.names:
                print(console.wrapped(f"  {number}. {step.claim}: {certificate}", " " * 5))
        if arguments.out:
            try:
                rests_on, took = kernel.axioms(_written(documents.document(form, found), form.name, arguments.out))
            except ChildProcessError as problem:
                failed.append(form.name)
                print(console.wrapped(f"  {problem}", "  "))
                continue
            axioms.update(rests_on)
            seconds += took
    seconds += time.process_time() - began
    print(f"\n{counted(counts)} ({len(forms)} closed forms, Coq {coq}, {seconds:.0f} s)")
    if arguments.out:
        print(
            console.wrapped(
                f"files that Coq compiles in {arguments.out}; their axioms: {', '.join(sorted(axioms))}", "  "
            )
        )
    if failed:
        print(console.wrapped(f"files that do not compile: {', '.join(failed)}", "  "))
    if arguments.record:
        _record(tried, {"coq": coq, "axioms": sorted(axioms)}, None if arguments.names else seconds)
    return 1 if failed else 0


def _record(tried: dict[str, Any], record: dict[str, Any], seconds: float | None) -> None:
    """Keep the verdicts of all forms with their seconds, or add those of some to the others, without seconds."""
    from theory.core.certify import verdicts

    before = verdicts.recorded()
    record["axioms"] = record["axioms"] or before.get("axioms", [])
    if seconds is not None:
        record["seconds"], steps = round(seconds), tried
    else:
        steps = {**before.get("steps", {}), **tried}
    written = json.dumps({**record, "steps": dict(sorted(steps.items()))}, indent=1)
    verdicts.RECORD.write_text(f"{written}\n", encoding="utf-8")


def _written(text: str, name: str, directory: str) -> str:
    """Write the file of a form, with the prelude next to it, and return its text."""
    from theory.core.certify import kernel

    path = Path(directory) / f"{name}.v"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    (path.parent / "prelude.v").write_bytes(kernel.PRELUDE.read_bytes())
    return text


def _of_ledger() -> int:
    """Try the identities that decide entries of the ledger; those of a misprint are of the corrected statement."""
    import theory
    from theory.core import Ruling, Step
    from theory.core.certify import kernel, verdicts
    from theory.core.ledger.evidence import evidence

    steps: dict[str, list[Step]] = {}
    for entry in theory.equations():
        programs = entry.programs
        if entry.verdict is Ruling.MISPRINT and entry.prove is not None:
            programs = evidence(entry.prove, entry.corrected)
        steps.setdefault(entry.paper, []).extend(step for step in programs if isinstance(step, Step))
    tried, seconds = kernel.tried(step for found in steps.values() for step in found)
    for paper, found in steps.items():
        certificates = [verdicts.certificate(step, {"steps": tried}) for step in found]
        if found:
            print(f"{paper}: {counted(Counter(certificate.kind for certificate in certificates))}")
    print(f"{len(tried)} identities, {seconds:.0f} s of processor time")
    return 0


def counted(kinds: Counter[Authority]) -> str:
    """Return how many steps are proved by the kernel, by computer algebra alone, and decided by programs."""
    from theory.core.certify.verdicts import Authority

    total, kernel, algebra, program = kinds.total(), *(kinds[kind] for kind in Authority)
    rest = [f"{algebra} by computer algebra alone"] if algebra else []
    rest += [f"{program} by a program"] if program else []
    return ", ".join([f"{kernel} of {total} steps proved by the kernel", *rest])
