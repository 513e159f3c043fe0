"""What this subject announces to ``theory``: its closed forms, its equation ledger and its references."""

FORMS = {
    "deep_linear.mode_strength": "closedform_deep_linear.modes:mode_strength",
    "deep_linear.half_time": "closedform_deep_linear.modes:half_time",
}
LEDGERS = {"saxe2014": "closedform_deep_linear.ledger"}
REFERENCES = "references.bib"
