"""The agreement of annotators, its uncertainty, and what explains it."""
