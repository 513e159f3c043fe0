"""Least-squares fits of several curves at once."""
