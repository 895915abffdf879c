"""Things that only a terminal has: drawn lines, progress, single keys and questions.

Nothing here is loaded where the output is a pipe.
"""
