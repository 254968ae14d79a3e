"""The study of `iaa_jax.watch`: laws that items are drawn from, and sequences of many sets."""
