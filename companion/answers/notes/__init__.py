"""Notes beside the answers: those nearest to a question, and those told after an answer."""
