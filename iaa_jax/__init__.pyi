# Written by tools/generate.py from the catalogue and the rows of the analyses.
"""The public names; `__init__.py` loads the same ones lazily."""

from iaa_jax import data as data, doubles as doubles, kernels as kernels
from iaa_jax._errors import IaaError as IaaError
from iaa_jax.analyses import page as page
from iaa_jax.analyses.agree.contingency import contingency as contingency
from iaa_jax.analyses.agree.covariance import covariance as covariance
from iaa_jax.analyses.agree.from_replicates import (
    intervals as intervals,
    probability_above as probability_above,
)
from iaa_jax.analyses.agree.in_words import in_words as in_words
from iaa_jax.analyses.agree.replicates import bootstrap as bootstrap
from iaa_jax.analyses.agree.zero import zero_agreement as zero_agreement
from iaa_jax.analyses.coefficients.study import coefficients as coefficients
from iaa_jax.analyses.compare.study import compare as compare
from iaa_jax.analyses.diagnose.annotators import annotators as annotators
from iaa_jax.analyses.diagnose.groups import agreement_by as agreement_by
from iaa_jax.analyses.diagnose.influence import influence as influence
from iaa_jax.analyses.diagnose.items import items as items
from iaa_jax.analyses.diagnose.labels import labels as labels
from iaa_jax.analyses.doubles.study import sweep as sweep
from iaa_jax.analyses.drift.study import drift as drift
from iaa_jax.analyses.label_sets.per_label import per_label as per_label
from iaa_jax.analyses.label_sets.study import label_sets as label_sets
from iaa_jax.analyses.plan.looks import interim_looks as interim_looks
from iaa_jax.analyses.plan.study import plan as plan
from iaa_jax.data.build import (
    from_contingency as from_contingency,
    from_counts as from_counts,
    from_long as from_long,
    from_mass as from_mass,
    from_sets as from_sets,
    from_values as from_values,
    from_wide as from_wide,
)
from iaa_jax.data.build_ranked import from_ranked as from_ranked
from iaa_jax.data.schema import mass as mass, summary as summary, validate as validate
from iaa_jax.data.select import keep_annotators as keep_annotators, keep_labels as keep_labels
from iaa_jax.io.reading import formats as formats, read as read
from iaa_jax.measure.agreement import agreement as agreement
from iaa_jax.measure.interval import Interval as Interval
from iaa_jax.measure.named import (
    am_agreement as am_agreement,
    augmented_kappa as augmented_kappa,
    bangdiwala_b as bangdiwala_b,
    bennett_s as bennett_s,
    brennan_prediger as brennan_prediger,
    cohen_kappa as cohen_kappa,
    conger_kappa as conger_kappa,
    davies_fleiss_kappa as davies_fleiss_kappa,
    fleiss_kappa as fleiss_kappa,
    gwet_ac1 as gwet_ac1,
    gwet_ac2 as gwet_ac2,
    hubert_kappa as hubert_kappa,
    icc1 as icc1,
    icc1k as icc1k,
    icc2 as icc2,
    icc2k as icc2k,
    icc3 as icc3,
    icc3k as icc3k,
    krippendorff_alpha as krippendorff_alpha,
    lin_ccc as lin_ccc,
    mean_pairwise_cohen_kappa as mean_pairwise_cohen_kappa,
    pabak as pabak,
    percent_agreement as percent_agreement,
    randolph_kappa as randolph_kappa,
    scott_pi as scott_pi,
    specific_agreement as specific_agreement,
    van_oest_ir2 as van_oest_ir2,
)
from iaa_jax.measure.sampling import Sampling as Sampling

__version__: str
