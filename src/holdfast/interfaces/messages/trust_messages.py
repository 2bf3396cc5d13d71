"""The English messages of the package trust: how two statements differ."""

from __future__ import annotations

from holdfast.interfaces.language import translatable
from holdfast.statements.differences import TrustCode

MESSAGES = {
    TrustCode.NUMBER: translatable("another number, {difference}"),
    TrustCode.CHOICE: translatable("another choice, {difference}"),
    TrustCode.OPPOSITE: translatable("the opposite, {difference}"),
    TrustCode.NEGATION: translatable("a negation, {difference}"),
    TrustCode.SCOPE: translatable("another scope, {difference}"),
    TrustCode.MEANING: translatable("the two do not seem to hold together"),
}
