"""The languages in which a closed form can be written: sympy's printers, and what these lack."""

import keyword
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sympy.printing.c import (
    known_functions_C99,
    reserved_words,
    reserved_words_c99,
)
from sympy.printing.codeprinter import CodePrinter
from sympy.printing.jscode import JavascriptCodePrinter
from sympy.printing.julia import JuliaCodePrinter, known_fcns_src1, known_fcns_src2
from sympy.printing.pycode import PythonCodePrinter

from theory.core.text.printers import Jax, LongDoubles, Mathematica, Numpy


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
_PYTHON = """def {name}({parameters}):
    if not ({domain}):
        return math.nan
{lines}    return {result}
"""
# numpy computes both sides of a case, and warns of the one that does not count
_NUMPY = """def {name}({parameters}):
    with numpy.errstate(all="ignore"):
{lines}        return numpy.where({domain}, {result}, numpy.nan)
"""
_JAX = """def {name}({parameters}):
{lines}    return jax.numpy.where({domain}, {result}, jax.numpy.nan)
"""
_MATHEMATICA = "{name}[{parameters}] := Module[{{{locals}}},\n{lines}  {result}] /; {domain}\n"


def _of_arrays(numpy: str, special: str) -> dict[str, str]:
    """Return the helpers in numpy, or in a library with its functions, on arrays of any shapes."""
    return {
        "": f"import {numpy}\nimport {special}\n",
        "phi1": f"def phi1(x):\n    y = {numpy}.where(x == 0, 1.0, x)\n"
        f"    return {numpy}.where(x == 0, 1.0, {numpy}.expm1(y) / y)\n",
        "quotient": f"def quotient(x, y):\n    none = {numpy}.logical_and(x == 0, y == 0)\n"
        f"    return {numpy}.where(none, 0.0, x / {numpy}.where(none, 1.0, y))\n",
        "correlation": "def correlation(c, v, w):\n"
        f"    return {numpy}.clip(c / {numpy}.sqrt(v) / {numpy}.sqrt(w), -1, 1)\n",
        "normal_cdf": f"def normal_cdf(x):\n    return {special}.erfc(-x / 2**0.5) / 2\n",
        "log1p": f"log1p = {numpy}.log1p\n",
        "log_ratio": "def log_ratio(x, y):\n"
        f"    near = {numpy}.logical_and(x > y / 2, x < 2 * y)\n"
        f"    return {numpy}.where(near, {numpy}.log1p((x - y) / y), {numpy}.log(x) - {numpy}.log(y))\n",
    }


LANGUAGES = {
    "python": Language(
        printer=PythonCodePrinter,
        settings={},
        comment="# {}",
        arithmetic="It computes in double precision, which loses digits where terms cancel.",
        parameter="{}",
        integer="{}",
        line="    {name} = {value}",
        function=_PYTHON,
        helpers={
            "": "import math\n",
            "phi1": "def phi1(x):\n    return 1.0 if x == 0 else math.expm1(x) / x\n",
            "quotient": "def quotient(x, y):\n    return 0.0 if x == 0 and y == 0 else x / y\n",
            "correlation": "def correlation(c, v, w):\n"
            "    return max(-1.0, min(1.0, c / math.sqrt(v) / math.sqrt(w)))\n",
            "normal_cdf": "def normal_cdf(x):\n    return math.erfc(-x / math.sqrt(2)) / 2\n",
            "log1p": "log1p = math.log1p\n",
            "log_ratio": "def log_ratio(x, y):\n    if y / 2 < x < 2 * y:\n"
            "        return math.log1p((x - y) / y)\n    return math.log(x) - math.log(y)\n",
            "sign": "def sign(x):\n    return (x > 0) - (x < 0)\n",
        },
    ),
    "numpy": Language(
        printer=Numpy,
        settings={},
        comment="# {}",
        arithmetic="It computes in the type of its arrays, which loses digits where terms cancel.",
        parameter="{}",
        integer="{}",
        line="        {name} = {value}",
        function=_NUMPY,
        helpers=_of_arrays("numpy", "scipy.special"),
    ),
    "jax": Language(
        printer=Jax,
        settings={},
        comment="# {}",
        arithmetic="It computes in the type of its arrays and loses digits where terms cancel; enable float64 of JAX.",
        parameter="{}",
        integer="{}",
        line="    {name} = {value}",
        function=_JAX,
        helpers=_of_arrays("jax.numpy", "jax.scipy.special"),
    ),
    "c": Language(
        printer=LongDoubles,
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
        printer=Mathematica,
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
