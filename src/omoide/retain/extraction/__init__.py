"""From talk to memory: one call a window, grounded in what was said, reconciled with what is known."""
