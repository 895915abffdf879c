"""Benchmarks that anyone can run: ratios against floors measured in the same run, never absolute
promises.
"""
