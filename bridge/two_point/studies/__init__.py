"""The two-point studies: one module per figure of van Rossem & Saxe (2024), and ``single`` for any other traces."""
