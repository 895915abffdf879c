"""Readers that turn what a person hands over into captures-to-be."""
