"""What is known of a scope in memory, so that a recall reads only what it will show (design section 4)."""
