"""The languages in which a closed form can be written: sympy's printers, and what these lack."""

import keyword
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.printing.c import (
    C99CodePrinter,
    known_functions_C99,
    reserved_words,
    reserved_words_c99,
)
from sympy.printing.codeprinter import CodePrinter
from sympy.printing.jscode import JavascriptCodePrinter
from sympy.printing.julia import JuliaCodePrinter, known_fcns_src1, known_fcns_src2
from sympy.printing.mathematica import MCodePrinter


@dataclass(frozen=True)
class Language:
    """How a function of numbers is written in one language; texts have places such as ``{}`` and ``{name}``."""

    printer: type[CodePrinter]
    settings: Mapping[str, Any]
    comment: str
    arithmetic: str  # in which the code computes, a sentence
    parameter: str  # that is a real number
    integer: str
    line: str  # a statement, with the places name and value
    function: str  # places: name, parameters, domain, lines, locals, result, wide and names (declared and not)
    # function that the printer lacks, or writes without declaring it -> its declaration
    helpers: Mapping[str, str]
    camel: bool = False  # whether names are written without underscores

    def name(self, words: str) -> str:
        """Return a name of this language for a dotted name or an argument."""
        first, *others = [part for part in re.split(r"[\W_]+", words) if part] or ["x"]
        if not first[0].isalpha():
            first = f"x{first}"
        if self.camel:
            return (
                first[0].lower()
                + first[1:]
                + "".join(part[0].upper() + part[1:] for part in others)
            )
        word = "_".join((first, *others))
        return f"{word}_" if word in _TAKEN else word


class _LongDoubles(C99CodePrinter):
    """C in which constants are long doubles; type-generic functions follow their arguments."""

    def _print_NumberSymbol(self, number: sp.Expr) -> str:
        return f"{number.evalf(36)}L"

    def _print_BooleanTrue(self, _: sp.Basic) -> str:
        return "1"  # C99 has no `true` without a header

    _print_Pi = _print_Exp1 = _print_NumberSymbol

    def _print_Rational(self, number: sp.Rational) -> str:
        return f"{number.p}.0L/{number.q}.0L"


class _Mathematica(MCodePrinter):
    """The language of Mathematica, with cases."""

    def _print_Piecewise(self, cases: sp.Piecewise) -> str:
        pairs = (
            f"{{{self._print(value)}, {self._print(condition)}}}"
            for value, condition in cases.args
        )
        return f"Piecewise[{{{', '.join(pairs)}}}]"

    def _print_BooleanTrue(self, _: sp.Basic) -> str:
        return "True"


# Words that no parameter may have as its name in C, JavaScript or Julia: keywords, constants, and functions that code
# calls, of the mathematical libraries and of ours.
_TAKEN = {
    *reserved_words,
    *reserved_words_c99,
    *keyword.kwlist,
    *dir(math),
    *known_fcns_src1,
    *known_fcns_src2.values(),
}
_TAKEN |= {name for name in known_functions_C99.values() if isinstance(name, str)}
_TAKEN |= {
    "abstract", "arguments", "baremodule", "begin", "case", "catch", "clamp", "const", "correlation",
    "debugger", "default", "delete", "do", "end", "enum", "eval", "export", "false", "function",
    "HUGE_VAL", "I", "implements", "Inf", "INFINITY", "Infinity", "instanceof", "Integer", "interface",
    "let", "local", "log_ratio", "macro", "Math", "module", "mutable", "NAN", "NaN", "new",
    "normal_cdf", "null", "Number", "oftype", "one", "package", "phi1", "primitive", "private",
    "protected", "public", "quote", "quotient", "Real", "static", "struct", "super", "switch", "this",
    "throw", "true", "typeof", "undefined", "using", "var", "void", "zero",
}  # fmt: skip
_NEAR = "x > y / 2 && x < 2 * y"  # where log(x/y) is computed from x - y

_C = """static long double {name}_long({wide})
{{
{lines}    return {result};
}}

double {name}({parameters})
{{
    return {domain} ? (double){name}_long({names}) : NAN;
}}
"""
_JAVASCRIPT = """function {name}({parameters}) {{
  if (!({domain})) return NaN;
{lines}  return {result};
}}
"""
_JULIA = """function {name}({parameters})
    ({domain}) || return NaN
{lines}    return {result}
end
"""
_MATHEMATICA = "{name}[{parameters}] := Module[{{{locals}}},\n{lines}  {result}] /; {domain}\n"

LANGUAGES = {
    "c": Language(
        printer=_LongDoubles,
        settings={"math_macros": {}},
        comment="/* {} */",
        arithmetic="It computes in long double.",
        parameter="double {}",
        integer="long {}",
        line="    const long double {name} = {value};",
        function=_C,
        helpers={
            "": "#include <math.h>\n#include <tgmath.h>\n",
            "phi1": "static long double phi1(long double x) { return x == 0 ? 1 : expm1(x) / x; }",
            "quotient": "static long double quotient(long double x, long double y)\n"
            "{\n    return x == 0 && y == 0 ? 0 : x / y;\n}",
            "correlation": "static long double correlation(long double c, long double v, long double w)\n"
            "{\n    return fmax(-1.0L, fmin(1.0L, c / sqrt(v) / sqrt(w)));\n}",
            "normal_cdf": "static long double normal_cdf(long double x) { return erfc(-x / sqrt(2.0L)) / 2; }",
            "log_ratio": "static long double log_ratio(long double x, long double y)\n"
            f"{{\n    return {_NEAR} ? log1p((x - y) / y) : log(x) - log(y);\n}}",
        },
    ),
    "js": Language(
        printer=JavascriptCodePrinter,
        settings={},
        comment="// {}",
        arithmetic="It computes in double precision, which loses digits where terms cancel.",
        parameter="{}",
        integer="{}",
        line="  const {name} = {value};",
        function=_JAVASCRIPT,
        helpers={
            "phi1": "const phi1 = (x) => (x === 0 ? 1 : Math.expm1(x) / x);",
            "quotient": "const quotient = (x, y) => (x === 0 && y === 0 ? 0 : x / y);",
            "correlation": "const correlation = (c, v, w) =>\n"
            "  Math.max(-1, Math.min(1, c / Math.sqrt(v) / Math.sqrt(w)));",
            "log1p": "const log1p = Math.log1p;",
            "log_ratio": "const log_ratio = (x, y) =>\n"
            f"  {_NEAR} ? Math.log1p((x - y) / y) : Math.log(x) - Math.log(y);",
        },
    ),
    "julia": Language(
        printer=JuliaCodePrinter,
        settings={"contract": False},
        comment="# {}",
        arithmetic="It computes in the type of its arguments; give BigFloat where terms cancel.",
        parameter="{}::Real",
        integer="{}::Integer",
        line="    {name} = {value}",
        function=_JULIA,
        helpers={
            "phi1": "phi1(x) = x == 0 ? one(x) : expm1(x) / x",
            "quotient": "quotient(x, y) = x == 0 && y == 0 ? zero(x) : x / y",
            "correlation": "correlation(c, v, w) = clamp(c / sqrt(v) / sqrt(w), -1, 1)",
            "log1p": "",
            "log_ratio": f"log_ratio(x, y) = {_NEAR} ? log1p((x - y) / y) : log(x) - log(y)",
            "normal_cdf": "using SpecialFunctions: erfc\nnormal_cdf(x) = erfc(-x / sqrt(oftype(x, 2))) / 2",
            **{
                name: f"using SpecialFunctions: {name}"
                for name in ("erf", "erfinv", "erfcinv", "polygamma")
            },
        },
    ),
    "mathematica": Language(
        printer=_Mathematica,
        settings={},
        comment="(* {} *)",
        arithmetic="It computes in the precision of its arguments; give exact numbers where terms cancel.",
        parameter="{}_",
        integer="{}_Integer",
        line="  {name} = {value};",
        function=_MATHEMATICA,
        helpers={
            "phi1": "phi1[x_] := If[x == 0, 1, (Exp[x] - 1)/x];",
            "quotient": "quotient[x_, y_] := If[x == 0 && y == 0, 0, x/y];",
            "correlation": "correlation[c_, v_, w_] := Clip[c/Sqrt[v w]];",
            "sign": "sign[x_] := Sign[x];",
            "log1p": "log1p[x_] := Log[1 + x];",
            "log_ratio": "logRatio[x_, y_] := Log[x/y];",
            "normal_cdf": "normalCdf[x_] := Erfc[-x/Sqrt[2]]/2;",
        },
        camel=True,
    ),
}
