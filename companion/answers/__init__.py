"""Answers from claims."""
