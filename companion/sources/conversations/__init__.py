"""Conversations with assistants and people, as the exports of chat programs hold them."""
