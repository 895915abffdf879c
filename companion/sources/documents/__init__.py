"""Readers of documents: files with words and passages, one format a file."""
