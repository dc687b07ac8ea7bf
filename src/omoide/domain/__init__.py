"""Values and pure rules: no input or output, no clock, no chance; the standard library only."""
