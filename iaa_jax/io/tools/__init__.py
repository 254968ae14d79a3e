"""Readers of annotation tools: a module or package for each, and a row in `iaa_jax.io.registry`."""
