"""What the server answers, a module for each part."""
