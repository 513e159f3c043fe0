"""Steps of derivations as statements for the proof kernel of Coq: what it proves of them, and what it does not."""
