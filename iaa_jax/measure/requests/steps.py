"""Words that look like the steps of a scale, such as never, sometimes and always."""

from __future__ import annotations

import re
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
negated|absent|excluded|ruled out|impossible|definitely not|definitely no \
    < very unlikely|very improbable < unlikely|improbable|doubtful|probably not|probably no \
    < possible|possibly|suspected|uncertain|maybe|neutral < likely|probable|probably|probably yes \
    < very likely|very probable \
    < certain|confirmed|definite|definitely|definitely yes|affirmed|present
keine|keiner|keines|kein < sehr niedrig|sehr gering < niedrig|gering|leicht < mittel|mäßig \
    < hoch|stark|schwer < sehr hoch|sehr stark
nie|niemals < selten < gelegentlich < manchmal < oft|häufig < meistens|sehr oft < immer
negiert|verneint|ausgeschlossen|unmöglich < sehr unwahrscheinlich < unwahrscheinlich \
    < möglich|unsicher|fraglich|vielleicht < wahrscheinlich < sehr wahrscheinlich \
    < sicher|gesichert|bestätigt
stimme gar nicht zu|stimme überhaupt nicht zu < stimme nicht zu|stimme eher nicht zu \
    < neutral|teils teils|weder noch < stimme eher zu < stimme zu \
    < stimme voll zu|stimme völlig zu|stimme voll und ganz zu
sehr schlecht < schlecht < mittel|mittelmäßig|befriedigend < gut < sehr gut < ausgezeichnet
klein < mittel < groß
aucun|aucune < très faible < faible|bas|basse|léger < moyen|moyenne|modéré|modérée \
    < élevé|élevée|fort|forte|haut|haute < très élevé|très élevée|très fort
jamais < rarement < parfois|quelquefois < souvent < très souvent < toujours
nié|niée|exclu|exclue|absent|absente|impossible < très improbable|très peu probable \
    < improbable|peu probable < possible|incertain|incertaine|peut être < probable \
    < très probable < certain|certaine|confirmé|confirmée|présent|présente
pas du tout d'accord < pas d'accord|plutôt pas d'accord < neutre|ni d'accord ni pas d'accord \
    < plutôt d'accord < d'accord < tout à fait d'accord
très mauvais < mauvais < passable|moyen < assez bon < bon < très bon < excellent
petit|petite < moyen|moyenne < grand|grande
ninguno|ninguna|nada < muy bajo|muy baja < bajo|baja|leve < medio|media|moderado|moderada \
    < alto|alta|grave < muy alto|muy alta
nunca < rara vez|raramente|casi nunca < a veces|algunas veces < a menudo|frecuentemente \
    < casi siempre < siempre
negado|negada|descartado|descartada|ausente|imposible < muy improbable|muy poco probable \
    < improbable|poco probable < posible|incierto|incierta|dudoso|dudosa < probable \
    < muy probable < seguro|segura|confirmado|confirmada|presente
totalmente en desacuerdo|muy en desacuerdo < en desacuerdo \
    < neutral|neutro|ni de acuerdo ni en desacuerdo < de acuerdo \
    < totalmente de acuerdo|muy de acuerdo
muy malo|muy mala < malo|mala < regular|aceptable < bueno|buena < muy bueno|muy buena < excelente
pequeño|pequeña < mediano|mediana < grande
nessuno|nessuna < molto basso|molto bassa < basso|bassa|lieve < medio|media|moderato|moderata \
    < alto|alta|grave < molto alto|molto alta
mai < raramente < a volte|qualche volta|talvolta < spesso < molto spesso < sempre
negato|negata|escluso|esclusa|assente|impossibile < molto improbabile|molto poco probabile \
    < improbabile|poco probabile < possibile|incerto|incerta|dubbio|dubbia < probabile \
    < molto probabile < certo|certa|sicuro|sicura|confermato|confermata|presente
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

_DEGREES = (
    (1, "slightly|a little|a bit|mildly|leicht|etwas|ein wenig|un peu|légèrement|un poco|algo|"
        "ligeramente|leggermente|un po'"),
    (2, "somewhat|rather|moderately|fairly|eher|ziemlich|plutôt|assez|modérément|bastante|"
        "abbastanza|piuttosto"),
    (4, "very|highly|strongly|sehr|stark|très|fortement|muy|molto"),
    (5, "extremely|completely|äußerst|extrem|extrêmement|extremadamente|estremamente"),
    (0, "not|not at all|nicht|gar nicht|überhaupt nicht|pas|pas du tout|no|non|per niente"),
)  # fmt: skip
"""Adverbs, by degree. A word without an adverb has the degree `_PLAIN`."""
_PLAIN = 3
_GRADED = {word: degree for degree, words in _DEGREES for word in sorted(words.split("|"), key=len)}
_GRADE = re.compile(f"({'|'.join(sorted(_GRADED, key=len, reverse=True))}) (.+)")

_BETWEEN = re.compile(
    r"neutral|neutre|neutro|neutrale|neither|neither .+ nor .+|weder .+ noch .+|teils teils|"
    r"ni .+ ni .+|né .+ né .+|average|ok|okay|mixed|gemischt|mittel|moyen|regular"
)
"""Words for the middle of a scale between two opposites."""

_LOWER = re.compile(
    r"negati[fv].*|négati[fv].*|bad|poor|hard|difficult|sad|false|wrong|low|"
    r"weak|cold|schlecht|schwer|schwierig|traurig|falsch|mauvaise?|difficile|triste|malo|mala|"
    r"difícil|cattiv[oa]"
)
"""Words that are the lower of two opposites."""


def steps_of(labels: Sequence[str]) -> list[str]:
    """Return labels in the order of a scale; [] unless they are three or more steps of one scale.

    Examples
    --------
    >>> steps_of(["High", "low", "none"]), steps_of(["high", "low", "cat"])
    (['none', 'low', 'High'], [])
    >>> steps_of(["good", "very good", "neutral", "bad"]), steps_of(["good", "neutral", "bad"])
    (['bad', 'neutral', 'good', 'very good'], [])
    """
    plain = [label.casefold().replace("_", " ").replace("-", " ") for label in labels]
    words = [" ".join(label.split()) for label in plain]
    for scale in SCALES:
        known = zip(words, labels, strict=True)
        by_rank = {scale[word]: label for word, label in known if word in scale}
        if len(by_rank) == len(labels) >= FEWEST:
            return [by_rank[rank] for rank in sorted(by_rank)]
    return _degrees_of(words, labels)


def _degrees_of(words: Sequence[str], labels: Sequence[str]) -> list[str]:
    """Return labels in order if they are degrees of one word, or of two opposites; else [].

    Some label must have an adverb of degree: negative, neutral and positive may be names.
    """
    by_rank: dict[int, str] = {}
    poles: list[str] = []
    signs = (1, 1)
    graded = [_GRADE.fullmatch(word) for word in words]
    for word, grade in zip(words, graded, strict=True):
        if not _BETWEEN.fullmatch(word):
            poles.append(word if grade is None else grade[2])
    poles = [*dict.fromkeys(poles)]
    if len(poles) == 2:
        first, second = poles
        is_upper = first in second or _LOWER.fullmatch(second) is not None  # as in unlikely
        signs = (1, -1) if is_upper else (-1, 1)
    if not 1 <= len(poles) <= 2 or not any(grade and _GRADED[grade[1]] for grade in graded):
        return []
    for word, grade, label in zip(words, graded, labels, strict=True):
        rank = 0
        if not _BETWEEN.fullmatch(word):
            sign = signs[poles.index(word if grade is None else grade[2])]
            rank = sign * (_PLAIN if grade is None else _GRADED[grade[1]])
        by_rank[rank] = label
    if not len(by_rank) == len(labels) >= FEWEST:
        return []
    return [by_rank[rank] for rank in sorted(by_rank)]
