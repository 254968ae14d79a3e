"""Statistics and agreement as the tool Prodigy reports them."""
