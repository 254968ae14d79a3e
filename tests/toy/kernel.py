"""Maxwell's RE: chance is one half, whatever the labels."""

from __future__ import annotations

from iaa_jax.kernels.counts import rating_kernel

maxwell_re = rating_kernel("maxwell_re", lambda *_: 0.5, "Twice the observed agreement, less one")
