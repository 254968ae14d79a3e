"""Readers of annotation tools: a file each, and a row each in `iaa_jax.io.registry`."""
