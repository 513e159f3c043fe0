"""The ground floor: what theory, empirics and bridge share and none of them owns; it imports none of the three."""
