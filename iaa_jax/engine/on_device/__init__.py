"""Replicates that are drawn on the devices which work on them: no weight passes through the host.

- `counts`: whole counts of items; `gammas`: Dirichlet weights. Each says at its head why it is
  exact, and `tests/engine/on_device` holds it to the plain distribution.
- `draws`: tables that refine others, clusters, annotators and populations, by these two.
- `replicates`: replicates of coefficients.
- `asked`: all else that is drawn within a call that asked for a device.
"""

from __future__ import annotations

from iaa_jax.engine.on_device.asked import working_on
from iaa_jax.engine.on_device.draws import DeviceDraws
from iaa_jax.engine.on_device.replicates import bootstrap_on

__all__ = ["DeviceDraws", "bootstrap_on", "working_on"]
