"""Keys: the master key, the keyring that it opens, and where both are kept (ruling 26)."""
