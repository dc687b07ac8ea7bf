"""The write path: what is said goes into the log, and memories are made from it."""
