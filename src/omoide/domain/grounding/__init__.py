"""Grounding: whether a claim follows from the words that it rests on, in four languages (ruling 36)."""
