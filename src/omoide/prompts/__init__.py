"""The words that Omoide itself puts into a prompt, in the languages it serves."""
