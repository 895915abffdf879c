"""Memories that other programs kept, one by one."""
