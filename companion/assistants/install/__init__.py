"""Write what an assistant needs into its settings, and take exactly that out again."""
