"""What several analyses need of ratings."""
