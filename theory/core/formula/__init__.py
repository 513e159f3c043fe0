"""A formula as frozen data: its arguments and domain, its sources, the functions that it uses, and its parser."""
