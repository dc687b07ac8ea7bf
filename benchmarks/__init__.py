"""Measurements of Omoide: how fast, how small, how good."""
