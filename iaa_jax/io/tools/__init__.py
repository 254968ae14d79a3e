"""Readers of annotation tools: a file or a folder each, and a row each in `iaa_jax.io.registry`."""
