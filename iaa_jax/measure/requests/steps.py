"""Words that look like the steps of a scale, such as never, sometimes and always."""

from __future__ import annotations

from collections.abc import Sequence

FEWEST = 3
"""Minimum number of words of a scale, because two words need no order."""

_SCALES = """
none|no|zero < minimal|very low < low|mild|slight < medium|moderate|mid|middle < high|severe \
    < very high|extreme|critical
never < rarely|seldom < occasionally < sometimes < often|frequently < usually < very often|mostly \
    < always
strongly disagree|totally disagree|completely disagree < disagree \
    < somewhat disagree|slightly disagree < neutral|undecided|neither|neither agree nor disagree \
    < somewhat agree|slightly agree < agree < strongly agree|totally agree|completely agree
very poor|very bad|terrible|awful < poor|bad < fair|average|acceptable|ok|okay < good < very good \
    < excellent
very small|tiny < small < medium < large|big < very large|huge
not at all < slightly|a little < somewhat|moderately < mostly|quite|quite a bit < very|a lot \
    < extremely|completely
very unlikely < unlikely < possible|neutral < likely < very likely
keine|keiner|keines|kein < sehr niedrig|sehr gering < niedrig|gering|leicht < mittel|mäßig \
    < hoch|stark|schwer < sehr hoch|sehr stark
nie|niemals < selten < gelegentlich < manchmal < oft|häufig < meistens|sehr oft < immer
stimme gar nicht zu|stimme überhaupt nicht zu < stimme nicht zu|stimme eher nicht zu \
    < neutral|teils teils|weder noch < stimme eher zu < stimme zu \
    < stimme voll zu|stimme völlig zu|stimme voll und ganz zu
sehr schlecht < schlecht < mittel|mittelmäßig|befriedigend < gut < sehr gut < ausgezeichnet
klein < mittel < groß
aucun|aucune < très faible < faible|bas|basse|léger < moyen|moyenne|modéré|modérée \
    < élevé|élevée|fort|forte|haut|haute < très élevé|très élevée|très fort
jamais < rarement < parfois|quelquefois < souvent < très souvent < toujours
pas du tout d'accord < pas d'accord|plutôt pas d'accord < neutre|ni d'accord ni pas d'accord \
    < plutôt d'accord < d'accord < tout à fait d'accord
très mauvais < mauvais < passable|moyen < assez bon < bon < très bon < excellent
petit|petite < moyen|moyenne < grand|grande
ninguno|ninguna|nada < muy bajo|muy baja < bajo|baja|leve < medio|media|moderado|moderada \
    < alto|alta|grave < muy alto|muy alta
nunca < rara vez|raramente|casi nunca < a veces|algunas veces < a menudo|frecuentemente \
    < casi siempre < siempre
totalmente en desacuerdo|muy en desacuerdo < en desacuerdo \
    < neutral|neutro|ni de acuerdo ni en desacuerdo < de acuerdo \
    < totalmente de acuerdo|muy de acuerdo
muy malo|muy mala < malo|mala < regular|aceptable < bueno|buena < muy bueno|muy buena < excelente
pequeño|pequeña < mediano|mediana < grande
nessuno|nessuna < molto basso|molto bassa < basso|bassa|lieve < medio|media|moderato|moderata \
    < alto|alta|grave < molto alto|molto alta
mai < raramente < a volte|qualche volta|talvolta < spesso < molto spesso < sempre
fortemente in disaccordo|completamente in disaccordo < in disaccordo|non d'accordo \
    < neutrale|neutro|né d'accordo né in disaccordo < d'accordo \
    < completamente d'accordo|molto d'accordo
pessimo|pessima < scarso|scarsa|cattivo < sufficiente|discreto|discreta < buono|buona \
    < ottimo|ottima|eccellente
piccolo|piccola < medio|media < grande
"""
"""One scale per line, from its lowest step; synonyms of a step are separated by |."""

SCALES = tuple(
    {word.strip(): rank for rank, step in enumerate(line.split("<")) for word in step.split("|")}
    for line in _SCALES.strip().splitlines()
)
"""The rank of each word on each scale."""


def steps_of(labels: Sequence[str]) -> list[str]:
    """Return labels in the order of a scale; [] unless they are three or more of its steps.

    Examples
    --------
    >>> steps_of(["High", "low", "none"]), steps_of(["high", "low", "cat"])
    (['none', 'low', 'High'], [])
    """
    plain = [label.casefold().replace("_", " ").replace("-", " ") for label in labels]
    words = [" ".join(label.split()) for label in plain]
    for scale in SCALES:
        known = zip(words, labels, strict=True)
        by_rank = {scale[word]: label for word, label in known if word in scale}
        if len(by_rank) == len(labels) >= FEWEST:
            return [by_rank[rank] for rank in sorted(by_rank)]
    return []
