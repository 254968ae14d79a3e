"""Statistics and agreement as the annotation tool Prodigy reports them."""
