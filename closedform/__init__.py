"""The ground floor: what theory, empirics and bridge share and none of them owns; it imports none of the three."""


def version() -> str:
    """Return the version of the distribution, or "from a checkout" if it is not installed."""
    from importlib import metadata  # takes longer than everything else that is imported here

    try:
        return metadata.version("closedform")
    except metadata.PackageNotFoundError:
        return "from a checkout"
