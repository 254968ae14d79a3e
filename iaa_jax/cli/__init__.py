"""The command line: options, running, files and exit codes that all commands share."""
