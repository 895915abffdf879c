"""What a note is about: the page of the wiki that it belongs to, if any (design: pages gather
subjects).
"""
