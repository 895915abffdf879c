"""Models and rules that judge, and the log of what they said."""
