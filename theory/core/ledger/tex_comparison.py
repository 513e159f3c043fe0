r"""What a ledger prints, compared with the TeX of its paper by the glyphs that both have.

Of both the glyphs are counted: letters, digits, accents, signs of relations and of operations. Not compared are their
order, brackets, fraction bars, plus signs and fonts, in which a printed formula may differ from ours without another
meaning: we print :math:`\frac{h \sqrt{d}}{2}` where the paper has :math:`h\sqrt{d}/2`. Another letter, digit, accent,
index or relation, and a minus sign more, are differences.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import sympy as sp

from theory.core.ledger.comparison import Comparison, Difference
from theory.core.ledger.equation import Equation
from theory.core.ledger.printed import relations
from theory.core.ledger.source import Passage
from theory.core.ledger.typesetting import typeset

Glyphs = Counter[str]

NEAR = 0.35  # of the glyphs of a formula may differ; beyond it is another formula
_SAME = {
    r"\lVert": r"\|", r"\rVert": r"\|", r"\Vert": r"\|", r"\simeq": r"\approx", r"\rightarrow": r"\to", r"\leq": r"\le",
    r"\geq": r"\ge", r"\epsilon": r"\varepsilon", r"\exp": "e", r"\varphi": r"\phi", r"\prime": "'", r"\ln": r"\log",
    r"\vert": "|", r"\lvert": "|", r"\rvert": "|", r"\mid": "|", r"\partial": "d",
}  # fmt: skip
_NOT_COMPARED = re.compile(
    r"\\(?:left|right|big|Big|bigg|Bigg|bigl|bigr|Bigl|Bigr|biggl|biggr|displaystyle|textstyle|quad|qquad|limits"
    r"|nonumber|cdot|times|frac|dfrac|tfrac|mathrm|mathbf|boldsymbol|bm|text|operatorname|mathcal|rm|bf|mathbb|mathit)"
    r"|\\[ ,;!:\\{}]|[()\[\]{},.;:&/*~^_+]"
)
_TOKEN = re.compile(r"\\[a-zA-Z]+|\\.|\d+(?:\.\d+)?|\S")
_LAYOUT = re.compile(
    r"%\s|\\(?:begin|end)\s*\{[^}]*\}(?:\[[^\]]*\]|\{[lcr|]*\})?|\\(?:tag|label)\{[^}]*\}"
)
_NUMBER = re.compile(r"\\q?quad\s*\(\w[\w.]*\)\s*$")  # of an equation, at its end
_SLOPE = re.compile(r"\\frac\s*\{\s*(?:d|\\partial)\s*\}\s*\{\s*(?:d|\\partial)(?![a-zA-Z])")
_TRANSPOSE = re.compile(r"\^\s*(?:T|\{\s*T\s*\}|\\intercal|\{\s*\\intercal\s*\})")
_ONE_OVER = re.compile(r"(?<=frac)\s*\{\s*1\s*\}|(?<![\d.])1\s*(?=/)")
_FORMULA = re.compile(
    r"\$\$(.+?)\$\$|\$(.+?)\$|\\\[(.+?)\\\]"
    r"|\\begin\{(split|aligned|align\*?|equation\*?|cases|gathered)\}(.+?)\\end\{\4\}",
    re.DOTALL,
)
_RELATION = re.compile(
    r"(?<![<>=!\\:])(:?=|\\approx|\\sim|\\simeq|\\leq?|\\geq?|\\to|\\rightarrow|\\propto|<|>)(?![a-zA-Z])"
)


def compared(entries: Iterable[Equation], passages: Iterable[Passage], text: str) -> Comparison:
    """Return how the printed formulas of a ledger compare with the TeX in the passages of its paper.

    Args:
        entries: the entries of the ledger; sentences and algorithms are not compared.
        passages: its passages, in order.
        text: the text of the paper, with TeX between dollar signs or in environments.
    """
    regions = _regions(passages, " ".join(text.split()))
    formulas: dict[str, tuple[Glyphs, ...]] = {}
    equal, without, differing = [], [], list[Difference]()
    for entry in entries:
        if not isinstance(entry.printed, sp.Basic):
            continue
        for region in regions.get(entry.label, ()):
            if region not in formulas:
                formulas[region] = tuple(glyphs(formula) for formula in _formulas(region))
        known = [g for region in regions.get(entry.label, ()) for g in formulas[region]]
        nearest = [_nearest(ours, known) for ours in _printed(entry)]
        if any(theirs is None for _, theirs in nearest):
            without.append(entry.label)
        elif all(ours == theirs for ours, theirs in nearest):
            equal.append(entry.label)
        else:
            differing += [
                Difference(entry.label, _shown(ours - theirs), _shown(theirs - ours))
                for ours, theirs in nearest
                if theirs is not None and ours != theirs
            ]
    return Comparison(tuple(equal), tuple(differing), tuple(without))


def glyphs(latex: str) -> Glyphs:
    r"""Return how often each glyph is in a formula.

    >>> glyphs(r"\frac{1}{2} h \sqrt{d}") == glyphs(r"h\sqrt{d}/2")
    True
    >>> sorted(glyphs(r"\lambda^* - 1") - glyphs(r"\Lambda^* - 1"))
    ['\\lambda']
    """
    latex = _ONE_OVER.sub(" ", _NUMBER.sub("", _LAYOUT.sub(" ", latex)))
    latex = _TRANSPOSE.sub(r"\\top ", _SLOPE.sub(r"{\\partial ", latex))
    latex = latex.replace("||", r"\|").replace(":=", "=")
    tokens = (_SAME.get(token, token) for token in _TOKEN.findall(latex))
    return Counter(token for token in tokens if not _NOT_COMPARED.fullmatch(token))


def _printed(entry: Equation) -> Iterator[Glyphs]:
    try:
        parts = relations(entry.printed)
    except TypeError:
        parts = (entry.printed,)
    for part in parts:
        said = part.args[1] if isinstance(part, sp.Implies) else part
        yield glyphs(typeset(said, entry.letters))


def _nearest(ours: Glyphs, known: Iterable[Glyphs]) -> tuple[Glyphs, Glyphs | None]:
    """Return the glyphs, and those of the formula of the paper that is most like them, if one is near."""

    def distance(theirs: Glyphs) -> int:
        return ((ours - theirs) + (theirs - ours)).total()

    best = min(known, key=distance, default=None)
    is_near = best is not None and distance(best) <= NEAR * ours.total()
    return ours, best if is_near else None


def _shown(counted: Mapping[str, int]) -> str:
    return " ".join(
        token if count == 1 else f"{token} ({count})" for token, count in counted.items()
    )


def _regions(passages: Iterable[Passage], line: str) -> dict[str, tuple[str, ...]]:
    """Return by the label of each entry the text of its passages, each up to the next one."""
    passages, starts, position = list(passages), [], 0
    for passage in passages:
        start = line.find(passage.begins, position)
        position = start + 1 if start >= 0 else position
        starts.append(position)
    regions: dict[str, tuple[str, ...]] = {}
    for passage, start, end in zip(passages, starts, [*starts[1:], len(line)], strict=True):
        for label in passage.entries:
            regions[label] = (*regions.get(label, ()), line[start:end])
    return regions


def _formulas(text: str) -> Iterator[str]:
    """Yield formulas of a text: whole ones, their lines, and each pair of sides of a chain of relations."""
    for match in _FORMULA.finditer(text):
        whole = next(group for group in match.group(1, 2, 3, 5) if group)
        yield whole
        first = ""
        for row in _rows(whole):
            for part in {row, *re.split(r"\\q?quad|,\s", row)}:
                sides = _RELATION.split(part)
                if sides[0].strip(" &{}"):
                    first = sides[0]
                else:
                    sides[0] = first
                yield part
                for begin in range(0, len(sides), 2):
                    for end in range(begin + 2, len(sides), 2):
                        signs = dict.fromkeys(sides[begin + 1 : end : 2])
                        yield from (f"{sides[begin]} {sign} {sides[end]}" for sign in signs)


def _rows(whole: str) -> list[str]:
    """Return the lines of a formula; one that goes on without a relation belongs to the line before."""
    rows: list[str] = []
    for line in re.split(r"\\\\", _LAYOUT.sub(" ", whole)):
        goes_on = bool(rows) and re.match(r"\s*&?\s*[-+]", line) and not _RELATION.search(line)
        if goes_on:
            rows[-1] += line
        else:
            rows.append(line)
    return rows
