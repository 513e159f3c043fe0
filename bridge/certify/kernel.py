"""Coq as an optional tool: which steps its kernel accepts with the proofs that were written for them."""

import atexit
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import Any

from bridge.certify.proofs import Lemma, lemmas
from bridge.certify.terms import Unsupported
from closedform.interruption import OutOfTime, budget
from theory.core.proof.certificates import digest
from theory.core.proof.derivation import Step
from theory.core.proof.store import look_up, stored

PRELUDE, CALCULUS = (Path(__file__).with_name(f"{name}.v") for name in ("prelude", "calculus"))
LIBRARIES = "Reals Lra Psatz Coquelicot.Coquelicot"
INTERVAL = "From Interval Require Import Tactic."
PACKAGES = "coq libcoq-coquelicot libcoq-interval"
AXIOMS = {  # of the real numbers of Coq, and the excluded middle of its analysis: a proof may rest on no others
    "Classical_Prop.classic",
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
}
SECONDS = 120  # for the proof of one lemma, and for the export of one step
_TOGETHER = 5  # steps that one process tries
REFUSED = "the proof that was written for it is not accepted"
TOO_SLOW = f"the proof takes more than {SECONDS} s"


class MissingKernelError(OSError):
    """Coq is not installed."""


@cache
def version() -> str:
    """Return the version of Coq.

    Raises:
        MissingKernelError: if it is not installed; the message says how to install it.
    """
    if shutil.which("coqtop") is None or shutil.which("coqc") is None:
        raise MissingKernelError(
            f"certify: got no program coqtop, needs Coq 8.16 with Coquelicot, as in the Debian packages {PACKAGES}; "
            "everything else works without them"
        )
    out = _run(["coqc", "--version"], Path.cwd())
    match = re.search(r"version (\S+)", out)
    return match.group(1) if match else "unknown"


def tried(steps: Iterable[Step]) -> tuple[dict[str, str], float]:
    """Return by the digest of each step why the kernel has no proof, empty if it has, and Coq's processor seconds.

    What was tried before is read from the store of proofs, with the seconds that it took.
    """
    authorities: dict[str, str] = {}
    seconds = 0.0
    waiting: list[tuple[str, tuple[Lemma, ...]]] = []
    for step in steps:
        key = digest(step)
        if key is None or key in authorities:
            continue
        try:
            with budget(SECONDS):
                made = lemmas(step, f"s{key[:12]}")
        except (Unsupported, OutOfTime) as problem:
            authorities[key] = str(problem) if isinstance(problem, Unsupported) else TOO_SLOW
            continue
        known = look_up(_tools(*map(str, made)), _parts(made))
        authorities[key], took = known[0] if known else (TOO_SLOW, 0.0)
        seconds += took
        # which another machine may not be, or this one when it has less to do
        if authorities[key] == TOO_SLOW:
            waiting.append((key, made))
    waiting.sort(key=lambda each: sum(len(lemma.proposition) for lemma in each[1]))
    for begin in range(0, len(waiting), _TOGETHER):
        batch, began = waiting[begin : begin + _TOGETHER], _processor_seconds()
        answers = accepted(list(chain.from_iterable(made for _, made in batch)))
        took = _processor_seconds() - began
        seconds += took
        for key, made in batch:
            authorities[key] = next(
                (answers[lemma.name] for lemma in made if answers[lemma.name]), ""
            )
            verdict = (authorities[key], took / len(batch))
            stored(
                _tools(*map(str, made)),
                _parts(made),
                partial(list, verdict),
                keep=lambda value: value[0] != TOO_SLOW,
            )
    return authorities, seconds


def _tools(*texts: str) -> str:
    """Return a digest of what the verdict on some texts rests on besides them."""
    needs_calculus = any(name in text for text in texts for name in ("sum_to", "Lim"))
    return _digest(PRELUDE, *[CALCULUS] * needs_calculus)


@cache
def _digest(*files: Path) -> str:
    return hashlib.sha256(b"".join([version().encode(), *map(Path.read_bytes, files)])).hexdigest()


def _parts(made: Sequence[Lemma]) -> tuple[str, ...]:
    return ("kernel, processor seconds", *map(str, made))


def accepted(made: Sequence[Lemma], more: str = "") -> dict[str, str]:
    """Return, by the name of each proposition, why its proof is not accepted; ``more`` is a command before all."""
    script = [
        f"Require Import prelude calculus {LIBRARIES}.\n{more}\nOpen Scope R_scope.\nSet Silent."
    ]
    for lemma in made:  # each in a file, because a file ends at its first error
        (_workplace() / f"{lemma.name}.v").write_text(f"{lemma}\n", encoding="utf-8")
        script.append(
            f'Timeout {SECONDS} Load "{lemma.name}".\nAbort All.\nCheck {lemma.name}_holds.'
        )
    out = _run(
        ["coqtop", "-q", "-R", ".", "", "-w", "none", "-color", "no"],
        _workplace(),
        "\n".join(script),
    )
    verdicts, begin = {}, 0
    for lemma in made:
        name = re.escape(lemma.name)
        answer = re.compile(rf"\b{name}_holds\s+: {name}\s|reference {name}_holds was").search(
            out, begin
        )
        if answer is None:
            verdicts[lemma.name] = REFUSED
            continue
        refused = answer.group().startswith("reference")
        slow = "Timeout!" in out[begin : answer.start()]
        verdicts[lemma.name] = (TOO_SLOW if slow else REFUSED) if refused else ""
        begin = answer.end()
    return verdicts


def axioms(document: str) -> tuple[tuple[str, ...], float]:
    """Return the names of the axioms on which a file rests, compiled unless it is stored, and its processor seconds.

    ChildProcessError is raised if it does not compile, or rests on another axiom than those of the real numbers.
    """
    names, seconds = stored(
        _tools(document), ("file, processor seconds", document), partial(_compiled, document)
    )
    return tuple(names), seconds


def _compiled(document: str) -> list[Any]:
    began = _processor_seconds()
    (_workplace() / "form.v").write_text(document, encoding="utf-8")
    out = _run(["coqc", "-q", "-R", ".", "", "-w", "none", "form.v"], _workplace())
    if re.search(r"^Error", out, re.MULTILINE):
        raise ChildProcessError(f"certify: got a file that Coq does not compile: {out[:500]}")
    axioms = set(re.findall(r"^([\w.]+)\s*:", out, re.MULTILINE)) - {"Axioms"}
    if not axioms <= AXIOMS:
        raise ChildProcessError(
            f"certify: got a proof from the axioms {axioms - AXIOMS}, needs {AXIOMS}"
        )
    return [sorted(axioms), _processor_seconds() - began]


@cache
def _workplace() -> Path:
    """Return a folder with the compiled prelude and calculus, which is removed when the process ends."""
    folder = Path(tempfile.mkdtemp(prefix="certify-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for path in (PRELUDE, CALCULUS):
        shutil.copy(path, folder)
        out = _run(["coqc", "-q", "-R", ".", "", "-w", "none", path.name], folder)
        if not (folder / f"{path.stem}.vo").is_file():
            raise ChildProcessError(
                f"certify: got a {path.name} that Coq does not compile, needs Coq 8.16: {out[:500]}"
            )
    return folder


def _processor_seconds() -> float:
    """Return the processor time of all programs of Coq that have ended."""
    spent = os.times()
    return spent.children_user + spent.children_system


def _run(command: list[str], folder: Path, text: str = "") -> str:
    """Run a program of Coq and return all that it prints."""
    done = subprocess.run(
        command, cwd=folder, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )  # fmt: skip
    return done.stdout
