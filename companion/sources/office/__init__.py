"""Readers of PDF and of files of office programs, with the library of the extra `documents`."""
