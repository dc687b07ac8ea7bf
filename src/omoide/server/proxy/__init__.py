"""A proxy for anything that speaks like OpenAI: memory comes in on the way up, and nothing else changes."""
