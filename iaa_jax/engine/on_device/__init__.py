"""Replicates whose weights are drawn on devices.

`counts` draws whole counts of items and `gammas` Dirichlet weights. Both are exact, and
`tests/engine/on_device` checks them against the plain distribution.
"""

from __future__ import annotations

from iaa_jax.engine.on_device.draws import DeviceDraws
from iaa_jax.engine.on_device.host_rows import computing_on
from iaa_jax.engine.on_device.replicates import bootstrap_on

__all__ = ["DeviceDraws", "bootstrap_on", "computing_on"]
