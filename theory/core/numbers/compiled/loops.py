"""The text of a loop in LLVM's language: the steps of a stage, on eight points at once.

In the templates VF, VI and VB are vectors of float64 numbers, of integers and of truth values.
"""

import math
import struct
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from ctypes import c_int64
from typing import Any

from closedform.compiled import translated
from theory.core.numbers.compiled.lowering import Lowered, Operation, Stage

COLUMNS = 3  # of the table of addresses: address, bytes from row to row, bytes for each unit of the first column


def _bits(number: float) -> int:
    return int.from_bytes(struct.pack(">d", number), "big")


def _literal(number: float) -> str:
    return f"splat (double 0x{_bits(number):016X})"


DECLARED = "".join(f"declare VF @llvm.{name}.vLANESf64(VF)\n" for name in ("sqrt", "fabs", "floor"))
DECLARED += "declare i64 @llvm.smin.i64(i64, i64)\n"
_START = """\
define i64 @f(i64 %table, i64 %first, i64 %rows, i64 %columns, i64 %group) {{
start:
  %base = inttoptr i64 %table to ptr
  %last = sub i64 %columns, LANES
  {addresses}
"""
_STOP = """\
stop:
  %signs = icmp slt VI {bad}, zeroinitializer
  %sign = bitcast VB %signs to iLANES
  %good = icmp eq iLANES %sign, 0
  %result = zext i1 %good to i64
  ret i64 %result
}}
"""
_OF_EACH = """\
  br label %row
row:
  %r = phi i64 [0, %start], [%r1, %rowend]
  %badr = phi VI [zeroinitializer, %start], [{bad}, %rowend]
  {of_row}
  br label %column
column:
  %c = phi i64 [0, %row], [%c1, %column]
  %bad = phi VI [%badr, %row], [{bad}, %column]
  %late = icmp sgt i64 %c, %last
  %i = select i1 %late, i64 %last, i64 %c
  {steps}
  %c1 = add i64 %c, LANES
  %more = icmp slt i64 %c1, %columns
  br i1 %more, label %column, label %rowend
rowend:
  %r1 = add i64 %r, 1
  %again = icmp slt i64 %r1, %rows
  br i1 %again, label %row, label %stop
"""
_OF_SUMS = """\
  br label %column
column:
  %c = phi i64 [0, %start], [%c1, %stored]
  %badc = phi VI [zeroinitializer, %start], [{bad}, %stored]
  %late = icmp sgt i64 %c, %last
  %i = select i1 %late, i64 %last, i64 %c
  br label %groups
groups:
  %r0 = phi i64 [0, %column], [%r1, %added]
  %badg = phi VI [%badc, %column], [{bad}, %added]
  {totals}
  %next = add i64 %r0, %group
  %until = call i64 @llvm.smin.i64(i64 %next, i64 %rows)
  br label %row
row:
  %r = phi i64 [%r0, %groups], [%r1, %row]
  %bad = phi VI [%badg, %groups], [{bad}, %row]
  {sums}
  {of_row}
  {steps}
  %r1 = add i64 %r, 1
  %more = icmp slt i64 %r1, %until
  br i1 %more, label %row, label %added
added:
  {added}
  %again = icmp slt i64 %r1, %rows
  br i1 %again, label %groups, label %stored
stored:
  {stores}
  %c1 = add i64 %c, LANES
  %other = icmp slt i64 %c1, %columns
  br i1 %other, label %column, label %stop
"""
_ADDRESS = """\
%bp{n} = getelementptr i64, ptr %base, i64 {at}
  %b{n} = load i64, ptr %bp{n}
  %sp{n} = getelementptr i64, ptr %bp{n}, i64 1
  %s{n} = load i64, ptr %sp{n}
  %fp{n} = getelementptr i64, ptr %bp{n}, i64 2
  %f{n} = load i64, ptr %fp{n}
  %g{n} = mul i64 %first, %f{n}
  %a{n} = add i64 %b{n}, %g{n}"""
_OF_ROW = """\
%m{n} = mul i64 %r, %{step}{n}
  %n{n} = add i64 %a{n}, %m{n}
  %q{n} = inttoptr i64 %n{n} to ptr"""
_SCALAR = """\
%d{n} = load double, ptr %q{n}
  %e{n} = insertelement VF poison, double %d{n}, i64 0
  {v} = shufflevector VF %e{n}, VF poison, <LANES x i32> zeroinitializer"""
_READ = "%l{n} = getelementptr double, ptr %q{n}, i64 %i\n  {v} = load VF, ptr %l{n}, align 8"
_WRITE = "%l{n} = getelementptr double, ptr %q{n}, i64 %i\n  store VF {v}, ptr %l{n}, align 8"

_ZERO, _ONE, _MINUS_ONE = map(_literal, (0.0, 1.0, -1.0))
_STEPS = {
    **{name: f"{{v}} = {name} VF {{x}}, {{y}}" for name in ("fadd", "fsub", "fmul", "fdiv")},
    "fneg": "{v} = fneg VF {x}",
    **{name: f"{{v}} = call VF @llvm.{name}.vLANESf64(VF {{x}})" for name in ("sqrt", "fabs")},
    "copy": "{v} = select i1 true, VF {x}, VF {x}",
    **{
        name: f"{{v}}t = fcmp {relation} VF {{x}}, {{y}}\n  {{v}} = select VB {{v}}t, VF {_ONE}, VF {_ZERO}"
        for name, relation in (("equal", "oeq"), ("greater", "ogt"))
    },
    "where": f"{{v}}t = fcmp une VF {{x}}, {_ZERO}\n  {{v}} = select VB {{v}}t, VF {{y}}, VF {{z}}",
    "within one": f"{{v}}l = fcmp olt VF {{x}}, {_MINUS_ONE}\n  {{v}}m = select VB {{v}}l, VF {_MINUS_ONE}, VF {{x}}\n"
    f"  {{v}}h = fcmp ogt VF {{x}}, {_ONE}\n  {{v}} = select VB {{v}}h, VF {_ONE}, VF {{v}}m",
    "sign": f"{{v}}z = fcmp oeq VF {{x}}, {_ZERO}\n  {{v}}a = select VB {{v}}z, VF {_ZERO}, VF {{x}}\n"
    f"  {{v}}l = fcmp olt VF {{x}}, {_ZERO}\n  {{v}}b = select VB {{v}}l, VF {_MINUS_ONE}, VF {{v}}a\n"
    f"  {{v}}h = fcmp ogt VF {{x}}, {_ZERO}\n  {{v}} = select VB {{v}}h, VF {_ONE}, VF {{v}}b",
}
# The value of a test is an integer that is negative where it is not passed. Positive numbers are in the order of their
# bits, read as integers, and comparisons of integers take less time.
_LARGEST = f"splat (i64 {_bits(sys.float_info.max)})"
_TESTS = {
    "positive": f"{{v}}b = bitcast VF {{x}} to VI\n  {{v}}u = sub VI {_LARGEST}, {{v}}b\n"
    "  {v}l = sub VI {v}b, splat (i64 1)\n  {v} = or VI {v}l, {v}u",
    "nonnegative": f"{{v}}b = bitcast VF {{x}} to VI\n  {{v}}u = sub VI {_LARGEST}, {{v}}b\n"
    "  {v} = or VI {v}b, {v}u",
    "finite": f"{{v}}b = bitcast VF {{x}} to VI\n  {{v}}m = and VI {{v}}b, splat (i64 {2**63 - 1})\n"
    f"  {{v}} = sub VI {_LARGEST}, {{v}}m",
    "between": "{v}l = fcmp ule VF {x}, {y}\n  {v}h = fcmp uge VF {x}, {z}\n"
    "  {v}o = or VB {v}l, {v}h\n  {v} = sext VB {v}o to VI",
    "integer": "{v}b = bitcast VF {x} to VI\n  {v}f = call VF @llvm.floor.vLANESf64(VF {x})\n"
    "  {v}g = bitcast VF {v}f to VI\n  {v}d = xor VI {v}b, {v}g\n  {v}n = sub VI zeroinitializer, {v}d\n"
    "  {v} = or VI {v}d, {v}n",
    "nonzero": f"{{v}}o = fcmp oeq VF {{x}}, {_ZERO}\n  {{v}} = sext VB {{v}}o to VI",
    "not less": "{v}o = fcmp olt VF {x}, {y}\n  {v} = sext VB {v}o to VI",
}
_BY_BITS = {(0.0, math.inf): "positive", (-5e-324, math.inf): "nonnegative", (-math.inf, math.inf): "finite"}


def loop(lowered: Lowered, stage: Stage, index: Mapping[int, int], scalars: Collection[int]) -> Callable[..., int]:
    """Return the loop of a stage: a function of five integers, which returns 1 if all tests are passed.

    They are the address of a table int64 ``[value, COLUMNS]``, the first column, the numbers of rows and columns, and
    of the rows that are added at once where a value is summed over rows; these sums are then added.
    """
    arrays = [*stage.reads, *stage.writes]
    # Scalars are arrays of one number a row, whose distance is in the table's last column.
    of_row = [_OF_ROW.format(n=n, step="f" if value in scalars else "s") for n, value in enumerate(arrays)]
    of_row += [_SCALAR.format(n=n, v=f"%v{value}") for n, value in enumerate(stage.reads) if value in scalars]
    steps = [_READ.format(n=n, v=f"%v{value}") for n, value in enumerate(stage.reads) if value not in scalars]
    of_steps, bad = in_text([s for s in stage.steps if s.result not in lowered.late], lowered.constants, "%bad")
    writes = {v: _WRITE.format(n=n, v=f"%v{v}") for n, v in enumerate(stage.writes, len(stage.reads))}
    lines = _of_sums(lowered, stage)
    lines["addresses"] = [_ADDRESS.format(n=n, at=COLUMNS * index[value]) for n, value in enumerate(arrays)]
    lines["of_row"] = of_row
    lines["steps"] = [*steps, *of_steps, *(writes[v] for v in writes if v not in lowered.late), *lines["terms"]]
    lines["stores"] += [writes[v] for v in writes if v in lowered.late]
    frame = DECLARED + _START + (_OF_SUMS if lines["sums"] else _OF_EACH) + _STOP
    return translated(frame.format(bad=bad, **{name: "\n  ".join(part) for name, part in lines.items()}), [c_int64] * 5)


def _of_sums(lowered: Lowered, stage: Stage) -> dict[str, list[str]]:
    """Return the lines for sums over rows, and for what depends on them; NotImplementedError for a test of a sum."""
    late = [step for step in stage.steps if step.result in lowered.late]
    sums = {step.result: step.operands[0] for step in late if step.function == "sum"}
    after, tested = in_text([step for step in late if step.function != "sum"], lowered.constants, "")
    if tested:
        raise NotImplementedError("a test of a sum")
    return {
        "terms": [f"%sum{v} = fadd VF %sofar{v}, %v{x}" for v, x in sums.items()],
        "totals": [f"%total{v} = phi VF [zeroinitializer, %column], [%v{v}, %added]" for v in sums],
        "sums": [f"%sofar{v} = phi VF [zeroinitializer, %groups], [%sum{v}, %row]" for v in sums],
        "added": [f"%v{v} = fadd VF %total{v}, %sum{v}" for v in sums],
        "stores": after,
    }


def in_text(
    steps: Sequence[Operation], constants: Mapping[int, float], bad: str, called: Mapping[Any, str] | None = None
) -> tuple[list[str], str]:
    """Return the lines of steps, and the value that is negative where a test is not passed, at first ``bad``.

    ``called`` has pointers to functions that are called with one number of each operand.
    """
    lines = []
    for step in steps:
        operands = [_literal(constants[v]) if v in constants else f"%v{v}" for v in step.operands]
        value = f"%v{step.result}"
        if step.is_call:
            given = [f"{value}_{k}" for k in range(len(operands))]
            lines += [f"{one} = extractelement VF {x}, i64 0" for one, x in zip(given, operands, strict=True)]
            lines.append(
                f"{value}_ = call double {(called or {})[step.function]}({', '.join(f'double {x}' for x in given)})"
            )
            lines.append(f"{value} = insertelement VF poison, double {value}_, i64 0")
            continue
        name = str(step.function)
        if name == "between":
            name = _BY_BITS.get((constants[step.operands[1]], constants[step.operands[2]]), name)
        lines.append((_STEPS | _TESTS)[name].format(v=value, **dict(zip("xyz", operands, strict=False))))
        if step.function in _TESTS:
            lines.append(f"%t{step.result} = or VI {bad}, {value}")
            bad = f"%t{step.result}"
    return lines, bad
