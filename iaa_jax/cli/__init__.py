"""The command line: one file a command, which parses, calls a plain function, and prints."""
