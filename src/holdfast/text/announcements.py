"""Words at the ends of a statement that announce it or say from when on it holds, such as `New rule:`.

They name no older statement, and a reader takes what follows for a change of whatever is near (decision 0081).
"""

from __future__ import annotations

from holdfast.text.patterns import compiled

_FROM_NOW_ON = (
    r"(?:from (?:now|here|today) on|going forward|starting (?:now|today)|as of (?:now|today)|from today"
    r"|effective immediately|henceforth|désormais|dorénavant|à partir (?:de maintenant|d'aujourd'hui)|à l'avenir)"
)
_LABEL = (
    r"(?:(?:new |important )?(?:rule|decision|note|reminder|update|change|correction|requirement|preference|policy)"
    r"|important|(?:we(?:'ve)? )?(?:decided|agreed)|fyi|nb|heads[- ]up|(?:please )?(?:remember|note)"
    r"|(?:nouvelle )?(?:règle|décision|consigne|note)|rappel|mise à jour|changement|à noter|attention"
    r"|(?:on a )?décidé) ?:"
)
_AT_AN_END = rf"(?i)\A(?:{_FROM_NOW_ON}\b[,:]?|{_LABEL}) +|,? {_FROM_NOW_ON}(?=[.!]?\Z)"


def unannounced(text: str) -> str:
    """The text without words at its ends that announce it or say from when on it holds, as in `New rule: …`."""
    rest = compiled(_AT_AN_END).sub("", text)
    return rest[:1].upper() + rest[1:] if rest != text else text
