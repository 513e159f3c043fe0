"""The page of all closed forms: every formula and family with its equation in print, its members, and a search."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from formula_pages import corrections, equation, folded
from rst import escape, heading, raw

from bridge.search.find import SYNONYMS, find
from theory.core import ClosedForm
from theory.core.facade.family import Family

# parameters of the member that is shown of a family whose members have no pages
SHOWN = {"activation": "erf", "depth": 2, "degree": 2}
SEARCH = """\
<p class="formula-search"><label>Search <input type="search" id="formula-search"
placeholder="ricci, Eq. (10), relu, time ..." autocomplete="off"></label> <output></output></p>
<script>
document.addEventListener("DOMContentLoaded", () => {
  const field = document.getElementById("formula-search");
  const cards = [...document.querySelectorAll(".formula-card")].map((card) =>
    [card, `${card.textContent} ${card.dataset.words}`.toLowerCase().replaceAll("_", " ")]);
  const show = () => {
    const words = field.value.toLowerCase().replaceAll("_", " ").split(/\\s+/).filter(Boolean);
    let count = 0;
    for (const [card, text] of cards) {
      card.hidden = !words.every((word) => text.includes(word));
      count += !card.hidden;
    }
    for (const part of document.querySelectorAll("article section section"))
      part.hidden = !part.querySelector(".formula-card:not([hidden])");
    field.closest("p").querySelector("output").textContent = words.length ? `${count} of ${cards.length}` : "";
  };
  field.addEventListener("input", show);
  show();
});
</script>"""


def catalogue_page(forms: Mapping[str, ClosedForm], families: Mapping[str, Family]) -> list[str]:
    """Return the page.

    Args:
        forms: the closed forms that have pages, by name.
        families: the families, by name.
    """
    single = {name: form for name, form in forms.items() if name.count(".") == 1}
    lines = [
        *heading("Closed forms", "="),
        f"{len(single)} closed forms and {len(families)} families, of which {len(forms) - len(single)} members have "
        "pages. The name leads to the derivation, the domain and sliders; ``closedform show NAME`` prints the same.",
        "",
        *raw(SEARCH),
    ]
    called = synonyms()
    for subject in dict.fromkeys(name.split(".")[0] for name in [*single, *families]):
        lines += [f".. _forms-{subject}:", "", *heading(subject.replace("_", " "), "-")]
        for name, form in single.items():
            if name.startswith(f"{subject}."):
                lines += card(name, of_form(form), called.get(name, ()))
        for name, family in families.items():
            if name.startswith(f"{subject}."):
                lines += card(name, of_family(family, forms), called.get(name, ()))
    return lines


def of_form(form: ClosedForm) -> list[str]:
    """Return what the card of one closed form shows."""
    name = f":ref:`{form.name} <form-{form.name}>`"
    return [name, "", escape(form.meaning), "", *formula(form), *small(origin(form))]


def of_family(family: Family, forms: Mapping[str, ClosedForm]) -> list[str]:
    """Return what the card of a family shows: its members, and the shortest of their formulas."""
    links = [
        f":ref:`{label} <form-{name}>`"
        for label, name in zip(family.members, family.member_names, strict=True)
    ]
    members = [forms[name] for name in family.member_names]
    if members:
        form = min(members, key=lambda member: len(member.abbreviated().latex))
    else:
        required = [parameter.name for parameter in family.parameters if parameter.default is None]
        form = family(**{name: SHOWN[name] for name in required})
    shown = form.name.removeprefix(f"{family.name}.")
    required = [p for p in family.parameters if p.default is None]
    options = " ".join(f"--{p.name.replace('_', '-')} {p.name.upper()}" for p in required)
    others = f"``closedform show {family.name} {options}``"
    takes = "; ".join(f"{p.name}: {p.meaning}" for p in family.parameters)
    return [
        family.name,
        "",
        escape(family.meaning),
        "",
        ", ".join([*links, f"others by {others}"]),
        "",
        *small(escape(takes)),
        escape(f"For {shown.replace('_', ' ')}:"),
        "",
        *formula(form),
        *small(origin(form)),
    ]


def formula(form: ClosedForm) -> list[str]:
    """Return the formula, with the letters in it folded."""
    whole, definitions = equation(form)
    if not definitions:
        return whole
    return [*whole, *folded(definitions)]


def origin(form: ClosedForm) -> str:
    """Return where the formula is in print, and what it corrects there."""
    places = "; ".join(f"{source.citation}, {source.locator}" for source in form.sources)
    wrong = corrections(form)
    differs = f" Corrects {', '.join(wrong)}." if wrong else ""
    return f"{escape(places) or 'New here'}.{differs}"


def small(text: str) -> list[str]:
    """Return a paragraph of small letters."""
    return [".. rst-class:: formula-source", "", text, ""]


def card(name: str, lines: Iterable[str], words: Iterable[str]) -> list[str]:
    """Return the lines of one entry between the marks by which the search finds it."""
    opened = f'<div class="formula-card" id="card-{name}" data-words="{" ".join(words)}">'
    return [*raw(opened), *lines, *raw("</div>")]


def synonyms() -> dict[str, list[str]]:
    """Return the words by which people look for each closed form and family, though its name does not have them."""
    called: dict[str, list[str]] = {}
    for word in SYNONYMS:
        for hit in find(word):
            if hit["kind"] in ("form", "family"):
                called.setdefault(hit["name"], []).append(word)
    return called
