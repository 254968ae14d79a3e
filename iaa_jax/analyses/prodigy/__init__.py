"""Prodigy's two blocks: annotation statistics, and agreement."""
