"""Labels of entries as people write them: "7", "eq. (7)" and "(7)" are one label."""

import re
from collections.abc import Iterable

from closedform.suggestions import UnknownNameError, unknown

_PLACE = re.compile(r"^(eqs?|equations?|figs?|figures?|props?|thms?)\b\.?\s*", re.IGNORECASE)


def label_among(labels: Iterable[str], label: str) -> str:
    """Return the label that is meant: the same one, or the only one that differs in brackets, case or "Eq.".

    Args:
        labels: the labels that there are.
        label: a label as somebody writes it.

    Raises:
        UnknownNameError: if none is meant; the message suggests similar ones.

    >>> label_among(["(7)", "Theorem 4, speed"], "Eq. 7")
    '(7)'
    """
    known = list(dict.fromkeys(labels))
    if label in known:
        return label
    alike = [other for other in known if _bare(other) == _bare(label)]
    if len(alike) != 1:
        raise UnknownNameError(unknown("label", label, known))
    return alike[0]


def _bare(label: str) -> str:
    return _PLACE.sub("", label.strip()).strip("() ").lower()
