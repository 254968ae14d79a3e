"""The public names for type checkers; `__init__.py` loads the same ones lazily."""

from iaa_jax import kernels as kernels
from iaa_jax._errors import IaaError as IaaError
from iaa_jax.data import (
    from_contingency as from_contingency,
    from_counts as from_counts,
    from_long as from_long,
    from_sets as from_sets,
    from_values as from_values,
    from_wide as from_wide,
    mass as mass,
    rated as rated,
    summary as summary,
    validate as validate,
)
from iaa_jax.data.compress import (
    compress as compress,
    merge as merge,
)
from iaa_jax.data.slots import (
    in_grid as in_grid,
    in_slots as in_slots,
)
from iaa_jax.io import formats as formats, read as read
from iaa_jax.metrics import (
    agreement as agreement,
    bennett_s as bennett_s,
    brennan_prediger as brennan_prediger,
    cohen_kappa as cohen_kappa,
    conger_kappa as conger_kappa,
    davies_fleiss_kappa as davies_fleiss_kappa,
    fleiss_kappa as fleiss_kappa,
    gwet_ac1 as gwet_ac1,
    gwet_ac2 as gwet_ac2,
    krippendorff_alpha as krippendorff_alpha,
    mean_pairwise_cohen_kappa as mean_pairwise_cohen_kappa,
    pabak as pabak,
    percent_agreement as percent_agreement,
    randolph_kappa as randolph_kappa,
    scott_pi as scott_pi,
    specific_agreement as specific_agreement,
)

__version__: str
