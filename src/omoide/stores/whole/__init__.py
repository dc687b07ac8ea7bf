"""A store as a whole: backed up, restored, and copied to another database."""
