"""Runs the fuzz in processes that may hang or die, and counts what happened.

python -m tests.fuzz.run [--answers] [--calls 40] [--seed 0] [WORD ...]      # functions whose names contain a word
python -m tests.fuzz.run --calls 0 [--from 100] [--to 200] [WORD ...]        # each argument with each hostile value
"""

from __future__ import annotations

import argparse
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.fuzz import surface

HOSTILE, ANSWERS = "tests.fuzz.calls", "tests.fuzz.answers"
SILENCE = 900  # seconds without a line after which a process waits for something that never comes
LONG = 1.0  # seconds of computing time that a call should not take
# exit codes of processes in a call that no signal interrupts
STUCK = (-signal.SIGKILL, -signal.SIGXCPU)
FAULTS = (
    "wrong kind",
    "taken",
    "hang",
    "crash",
    "memory",
    "changed argument",
    "NaN",
    "not repeatable",
    "differs",
)


def results(
    names: Sequence[str], calls: int, seed: int, module: str = HOSTILE
) -> Iterator[dict[str, Any]]:
    """Yield one result for each call; a process that dies or hangs is a result too, and the next function follows."""
    left = list(names)
    while left:
        command = [sys.executable, "-m", module, str(calls), str(seed), *left]
        environment = os.environ | {
            "OMP_NUM_THREADS": "1",
            "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
        }
        # where functions write whose argument is the path of a file
        folder = tempfile.TemporaryDirectory()
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(command, env=environment, cwd=folder.name, **pipes)
        begun: dict[str, Any] = {"function": left[0]}
        for line in lines(process):
            if "kind" in line:
                yield line
            elif "calls" in line:
                begun = {"function": line["function"], "arguments": line["calls"]}
            elif "begins" in line:
                begun = {"function": line["begins"]}
            elif "ends" in line:
                left.remove(line["ends"])
                for path in (
                    path for path in Path(folder.name).iterdir() if path.name != ".hypothesis"
                ):
                    yield {
                        "function": line["ends"],
                        "kind": "file written",
                        "why": repr(path.name),
                    }
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
        folder.cleanup()
        if left:
            yield begun | {
                "kind": "hang" if process.returncode in STUCK else "crash",
                "why": f"exit {process.returncode}",
            }
            left = [name for name in left if name != begun["function"]]


def lines(process: subprocess.Popen[bytes]) -> Iterator[dict[str, Any]]:
    """Yield what a process prints; kill it when it is silent for too long."""
    assert process.stdout is not None
    with selectors.DefaultSelector() as selector, process:
        selector.register(process.stdout, selectors.EVENT_READ)
        rest = b""
        while selector.select(SILENCE):
            block = os.read(process.stdout.fileno(), 65536)
            if not block:
                return
            *complete, rest = (rest + block).split(b"\n")
            yield from (json.loads(text) for text in complete if text.startswith(b"{"))
        process.kill()


def told(result: dict[str, Any]) -> str:
    """One line on a result."""
    hostile = {
        name: label[2:]
        for name, label in result.get("arguments", {}).items()
        if label.startswith("! ")
    }
    return f"{result['kind']}: {result['function']}({hostile}): {result['why']}"


def main() -> None:
    """Print every fault and the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--calls", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--answers", action="store_true", help="check answers to good arguments instead"
    )
    parser.add_argument(
        "--unnamed", action="store_true", help="print refusals that name no argument as well"
    )
    parser.add_argument(
        "--from", type=int, default=0, dest="first", help="number of the first function"
    )
    parser.add_argument("--to", type=int, help="number of the function at which to stop")
    chosen = parser.parse_args()
    names = [
        name
        for name in surface.functions()
        if not chosen.words or any(word in name for word in chosen.words)
    ]
    names = names[chosen.first : chosen.to]
    counts: Counter[str] = Counter()
    module = ANSWERS if chosen.answers else HOSTILE
    for result in results(names, chosen.calls, chosen.seed, module):
        counts[result["kind"]] += 1
        if result.get("seconds", 0) > LONG:
            print(f"{result['seconds']} s: {told(result)}", flush=True)
        if result["kind"] in (*FAULTS, "file written") or (
            chosen.unnamed and result["kind"] == "unnamed refusal"
        ):
            print(told(result), flush=True)
    print(
        f"{len(names)} functions, {counts.total()} calls:",
        *(f"{n} {kind}," for kind, n in counts.items()),
    )


if __name__ == "__main__":
    main()
