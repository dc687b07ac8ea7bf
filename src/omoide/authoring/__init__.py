"""A character's life as plain files: read, checked, brought into a store, and written out again (K12)."""
