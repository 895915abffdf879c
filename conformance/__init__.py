"""The conformance suite: a specification that is its own test suite. README.md explains the format.

It drives a program from outside and imports nothing of it, so that any implementation can be held
to it.
"""
