"""Whether one set of ratings agrees more than another."""
