"""What is kept on disk: the database, the indexes, and the keys that seal them."""
