"""Replicates that are drawn on the devices which work on them: no weight passes through the host.

- `counts`: whole counts of items; `gammas`: Dirichlet weights. Each says at its head why it is
  exact, and `tests/engine/on_device` holds it to the plain distribution.
- `draws`: tables that refine others, clusters, annotators and populations, by these two.
- `replicates`: replicates of coefficients.
- `host_rows`: all else that is drawn there, brought to the host.
"""

from __future__ import annotations

from iaa_jax.engine.on_device.draws import DeviceDraws
from iaa_jax.engine.on_device.host_rows import computing_on
from iaa_jax.engine.on_device.replicates import bootstrap_on

__all__ = ["DeviceDraws", "bootstrap_on", "computing_on"]
