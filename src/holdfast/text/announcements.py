"""Words at the ends of a statement that announce it, such as `New rule:`, `From now on` or `In the end,`.

They name no older statement, and a reader takes what follows for a change of whatever is near
(docs/research/changes-of-mind.md).
"""

from __future__ import annotations

from holdfast.text.patterns import compiled

FROM_NOW_ON = (
    r"(?:from (?:now|here|today) on|going forward|starting (?:now|today)|as of (?:now|today)|from today"
    r"|effective immediately|henceforth|désormais|dorénavant|à partir (?:de maintenant|d'aujourd'hui)|à l'avenir)"
)
_LABEL = (
    r"(?:(?:new |important )?(?:rule|decision|note|reminder|update|change|correction|requirement|preference|policy)"
    r"|important|(?:we(?:'ve)? )?(?:decided|agreed)|fyi|nb|heads[- ]up|(?:please )?(?:remember|note)"
    r"|(?:nouvelle )?(?:règle|décision|consigne|note)|rappel|mise à jour|changement|à noter|attention"
    r"|(?:on a )?décidé) ?:"
)
# Remarks before a statement, with a comma or a colon behind them. "We changed our minds:" is none: it tells a change,
# also where the rest of the sentence does not say of what.
_REMARK = (
    r"(?:actually|in the end|on (?:second|further) thoughts?|after all|finally|sorry|wait|oops|instead|well"
    r"|ok(?:ay)?(?: so)?|just so you know|starting \w+|finalement|en fait|au final|après (?:mûre )?réflexion"
    r"|tout compte fait|en fin de compte|pardon|désolée?|attends|attendez|oups|bon|plutôt|pour info|au fait"
    r"|à compter d['’]aujourd['’]hui) ?[,:]"
)
_ENDS = rf",? {FROM_NOW_ON}(?=[.!]?\Z)"
_AT_AN_END = rf"(?i)\A(?:{FROM_NOW_ON}\b[,:]?|{_LABEL}|{_REMARK}) +|{_ENDS}"
_LASTING = rf"(?i)\A{FROM_NOW_ON}\b[,:]? +|{_ENDS}"


def lasting(text: str) -> str:
    """What a text says to hold from now on, if it says so at one of its ends; else empty."""
    rest = compiled(_LASTING).sub("", text.strip())
    return rest if rest != text.strip() else ""


def unannounced(text: str) -> str:
    """The text without words at its ends that announce it, as in `New rule: …`; only one announcement is left out."""
    rest = compiled(_AT_AN_END).sub("", text)
    return rest[:1].upper() + rest[1:] if rest != text else text
