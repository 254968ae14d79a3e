"""The file formats that are read, and tables written from them."""
