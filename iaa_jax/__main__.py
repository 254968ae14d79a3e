"""Run the command line by ``python -m iaa_jax``."""

from __future__ import annotations

from iaa_jax.cli.app import main

if __name__ == "__main__":
    main()
