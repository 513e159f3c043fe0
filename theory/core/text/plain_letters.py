"""Letters of LaTeX as plain text for a terminal, with Greek letters and accents of Unicode."""

import re
import unicodedata

_ACCENTS = {"dot": "\u0307", "ddot": "\u0308", "tilde": "\u0303", "widetilde": "\u0303", "hat": "\u0302",
            "widehat": "\u0302",
            "bar": "\u0304", "overline": "\u0304", "underline": "\u0332", "vec": "\u20d7"}  # fmt: skip
_SIGNS = {
    "ell": "ℓ", "infty": "∞", "partial": "∂", "nabla": "∇", "pm": "±", "mp": "∓", "parallel": "∥", "perp": "⊥",
    "langle": "⟨", "rangle": "⟩", "lceil": "⌈", "rceil": "⌉", "cdot": "·", "cdots": "…", "sum": "Σ", "prod": "Π",
    "int": "∫", "to": "→", "leftrightarrow": "↔", "top": "T", "prime": "'", "star": "∗", "dagger": "†", "neq": "≠",
    "leq": "≤", "geq": "≥", "neg": "¬", "sqrt": "√", "varphi": "φ", "varepsilon": "ε", "le": "≤", "ge": "≥",
}  # fmt: skip
_SIZES = re.compile(r"\\(?:left|right)(?![A-Za-z])|\\operatorname(?![A-Za-z])")
_FONT = re.compile(
    r"\\(?:math(?:rm|bf|cal|bb|sf)|boldsymbol|text)\s*(?:\{([^{}]*)\}|(\\[A-Za-z]+|\w))"
)
_FRACTION = re.compile(r"\\frac\{([^{}]*)\}\{([^{}]*)\}")
_COMMAND = re.compile(r"\\([A-Za-z]+)\s*")
_ACCENTED = re.compile(rf"\\({'|'.join(_ACCENTS)})\s*(?:\{{([^{{}}]*)\}}|(\\[A-Za-z]+|\w))")
_GROUP = re.compile(r"([_^]?)\{([^{}]*)\}")


def plain(latex: str) -> str:
    r"""Return LaTeX of a letter as text: ``\dot{\omega}_1`` is ω̇_1, ``\tau^*`` is τ∗, ``\|x\|_F`` is ‖x‖_F."""
    text = _SIZES.sub("", latex)
    while _FONT.search(text):
        text = _FONT.sub(lambda font: font[1] or font[2] or "", text)
    text = _FRACTION.sub(r"\1/\2", text)
    text = re.sub(
        r"\\[,;:! ]",
        " ",
        text.replace("*", "∗").replace(r"\|", "‖").replace(r"\{", "⦃").replace(r"\}", "⦄"),
    )
    while match := _ACCENTED.search(text):
        base = plain(match[2] or match[3])
        text = (
            text[: match.start()] + base[:1] + _ACCENTS[match[1]] + base[1:] + text[match.end() :]
        )
    text = re.sub(r"\s+([⟩)\]⌉‖])", r"\1", _COMMAND.sub(lambda command: _sign(command), text))
    while _GROUP.search(text):
        text = _GROUP.sub(
            lambda group: group[1] + (f"({group[2]})" if _is_long(group) else group[2]), text
        )
    return unicodedata.normalize(
        "NFC",
        re.sub(r"\^(['†∗])", r"\1", text).replace("^+", "⁺").replace("⦃", "{").replace("⦄", "}"),
    )


def _is_long(group: re.Match[str]) -> bool:
    return (
        bool(group[1])
        and bool(re.search(r"[-+*/ =]", group[2]))
        and not re.fullmatch(r"\(.*\)", group[2])
    )


def _sign(found: re.Match[str]) -> str:
    """Return the sign of a command; one without a sign is its own name, and stands apart from what follows."""
    command = found[1]
    if command in _SIGNS:
        return _SIGNS[command]
    size = "CAPITAL" if command[0].isupper() else "SMALL"
    name = {"lambda": "lamda"}.get(command.lower(), command.lower())
    try:
        return unicodedata.lookup(f"GREEK {size} LETTER {name.upper()}")
    except KeyError:
        return f"{command} " if found[0][-1].isspace() else command
