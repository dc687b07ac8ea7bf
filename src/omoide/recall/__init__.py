"""Recall: which memories come back, in what order, and why."""
