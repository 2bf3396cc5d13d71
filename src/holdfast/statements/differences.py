"""The codes for how two statements differ when both cannot hold."""

from __future__ import annotations

from collections.abc import Mapping

from holdfast.core.reason import Code


class TrustCode(Code):
    """How a new statement differs from an old one. `interfaces/messages/trust_messages.py` has the sentences."""

    NUMBER = "trust.number"
    CHOICE = "trust.choice"
    OPPOSITE = "trust.opposite"
    NEGATION = "trust.negation"
    SCOPE = "trust.scope"
    MEANING = "trust.meaning"


# Type of difference (`Verdict.by`) -> code.
DIFFERENCES: Mapping[str, TrustCode] = {
    "value": TrustCode.NUMBER,
    "option": TrustCode.CHOICE,
    "antonym": TrustCode.OPPOSITE,
    "contrast": TrustCode.OPPOSITE,
    "negation": TrustCode.NEGATION,
    "scope": TrustCode.SCOPE,
    "meaning": TrustCode.MEANING,
}
