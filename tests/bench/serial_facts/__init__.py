"""Numbered facts of which later ones override earlier ones, in any number, and questions of one to
four steps about them.
"""
