"""What only a terminal has: drawn lines, progress, single keys, and questions asked by them.

Nothing here is loaded where the output is a pipe.
"""
