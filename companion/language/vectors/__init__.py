"""Vectors of words and texts that need no model beside the installed ones."""
