"""Simulated calibration of every interval, error and verdict that a user gets from ``bridge``."""
