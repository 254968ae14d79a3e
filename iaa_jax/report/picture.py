"""Where pictures are drawn. Needs matplotlib, which is not installed with the package."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from iaa_jax._errors import IaaError

SUFFIXES = (".png", ".svg", ".pdf")


def check_picture(target: str) -> None:
    """Refuse a picture that cannot be drawn, before the work is done for nothing."""
    if Path(target).suffix.lower() not in SUFFIXES:
        message = f"cannot draw {target}: the name must end in {', '.join(SUFFIXES)}"
        raise IaaError(message)
    try:
        import matplotlib as _  # noqa: F401
    except ImportError:
        message = "a picture needs matplotlib, which is not installed: pip install 'iaa_jax[plot]'"
        raise IaaError(message) from None


def picture(draw: Callable[[Any, Any], None], suffix: str) -> bytes:
    """What ``draw`` puts on a figure and its axes; ``suffix`` is ".png", ".svg" or ".pdf"."""
    # without pyplot: no window, no state, and nothing of the user's settings is touched
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    settings: Any = {
        "font.size": 10,
        "svg.fonttype": "none",
        "svg.hashsalt": "iaa",
        "axes.unicode_minus": False,
    }
    with rc_context(settings):
        figure = Figure(figsize=(7.2, 4.5), dpi=200, layout="constrained")
        FigureCanvasAgg(figure)
        draw(figure, figure.add_subplot())
        kind = suffix.lower().removeprefix(".")
        dates = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
        target = io.BytesIO()
        figure.savefig(target, format=kind, metadata=dates.get(kind))
    return target.getvalue()
