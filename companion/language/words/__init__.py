"""Single words: stems, compounds, roles, little words, and the words of questions."""
