"""What assistants use: a server of the Model Context Protocol, and what is written into their
settings.
"""
