"""The texts of the reasons that entity extraction reports."""

from __future__ import annotations

from holdfast.entities.reasons import EntityCode
from holdfast.interfaces.language import translatable

MESSAGES = {
    EntityCode.LEASE_LOST: translatable("another process took over"),
    EntityCode.NO_ACCURATE_READER: translatable("no accurate reader"),
    EntityCode.NOT_ACCURATE: translatable("the setting entities is {value}"),
}
