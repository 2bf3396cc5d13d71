"""The English messages of the package entities."""

from __future__ import annotations

from holdfast.entities.entity_reasons import EntityCode
from holdfast.interfaces.language import translatable

MESSAGES = {
    EntityCode.LEASE_LOST: translatable("another process took over"),
    EntityCode.NO_ACCURATE_READER: translatable("no model for accurate extraction"),
    EntityCode.NOT_ACCURATE: translatable("the setting entities is {value}"),
}
