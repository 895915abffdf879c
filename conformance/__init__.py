"""The conformance suite: laws of the paper with the cases that test them. README.md explains it.

It runs a program from outside and imports nothing of it, so that it can test any implementation.
"""
