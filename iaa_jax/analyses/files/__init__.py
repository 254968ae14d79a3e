"""The file formats that can be read, and conversion of files to tables."""
