"""The closed forms, the equation ledger and the references that this subject announces."""

FORMS = {
    "deep_linear.mode_strength": "closedform_deep_linear.modes:mode_strength",
    "deep_linear.half_time": "closedform_deep_linear.modes:half_time",
}
FAMILIES = {"deep_linear.rate": "closedform_deep_linear.layers:rate"}
LEDGERS = {"saxe2014": "closedform_deep_linear.ledger"}
REFERENCES = "references.bib"
