"""What was understood in one way and may be meant in another: of files, and of tables in Python."""
