"""The table of a study's settings for a report: as printed, as released, and ours, with why each of ours differs."""

from __future__ import annotations

from bridge.results import settings
from bridge.results.analysis import Table, table_of

CAPTION = (
    "What decides a number, with its place in the paper and in the authors' programs, and what ours is. A verdict that "
    "can hang on a difference from both is one on our set-up."
)


def table(study: str) -> Table | None:
    """Return the table of a study's settings, those that differ first; None if no wing lists any of them."""
    listed = settings.of_study(study)
    if not listed:
        return None
    return table_of(
        "settings", "Settings: printed, released, ours", CAPTION, listed,
        (
            ("setting", lambda setting: setting.name),
            ("printed", lambda setting: setting.printed or settings.UNKNOWN),
            ("released", lambda setting: setting.released or settings.UNKNOWN),
            ("ours", lambda setting: setting.ours),
            ("why ours differs", lambda setting: setting.reason),
            ("with the authors' value", lambda setting: setting.effect),
        ),
    )  # fmt: skip
