"""Sample conversations in Korean, Japanese and English, with questions that a good recall answers."""
